/**
 * Nodes of a state recorded by DroidBot (JSON): a flat list with parents and children by `temp_id`. Two
 * generations: the older one writes booleans as strings and other key names. Not for XML.
 */
import type { NodeFlag, UnknownFact } from '../../../device-protocol/snapshot.ts';
import { fieldOf, readLenientJson } from './lenient-json.ts';
import { boundsOf, Losses, looksEditable, nameOf, type RawNode, type RawScreen, textOf } from './raw-node.ts';

const FLAG_KEYS: readonly (readonly [NodeFlag, readonly string[]])[] = [
  ['clickable', ['clickable']],
  ['long_clickable', ['long_clickable', 'long-clickable']],
  ['checkable', ['checkable']],
  ['checked', ['checked']],
  ['enabled', ['enabled']],
  ['focusable', ['focusable']],
  ['focused', ['focused']],
  ['scrollable', ['scrollable']],
  ['selected', ['selected']],
  ['password', ['is_password', 'password']],
  ['editable', ['editable']],
  ['visible', ['visible']],
];
const NEVER_KNOWN: readonly UnknownFact[] = [
  'heading',
  'showing_hint',
  'expandable',
  'expanded',
  'dismissable',
  'sensitive',
  'hint',
  'actions',
  'windows',
  'locked',
];

export function looksLikeDroidbot(text: string): boolean {
  return /\{\s*"/.test(text) && text.includes('"views"');
}

/** Null where the text holds no list of views at all. */
export function readDroidbot(text: string): RawScreen | null {
  const losses = new Losses();
  const begin = text.search(/\{\s*"/);
  const before = text.slice(0, begin).trim();
  if (before !== '') losses.add('text_before_document', [...before].length, 'characters');
  const { value, after } = parse(text, begin, losses);
  if (after !== '') losses.add('text_after_document', [...after].length, 'characters');
  const views = fieldOf(value, 'views');
  if (!Array.isArray(views)) return null;

  const seen = new Set<NodeFlag>();
  const ordered = inDocumentOrder(views, losses);
  const nodes = ordered.map(({ view, parent }) => nodeOf(view, parent, seen, losses));
  const component = /^([^/]+)\/(.+)$/.exec(textOf(fieldOf(value, 'foreground_activity')) ?? '');
  return {
    format: 'droidbot-json',
    nodes,
    size: sizeOf(value, nodes),
    rotation: 0,
    activity:
      component === null
        ? null
        : {
            package: (component[1] as string).slice(0, 300),
            activity: (component[2] as string).slice(0, 300),
          },
    unknown: [...FLAG_KEYS.map(([flag]) => flag).filter((flag) => !seen.has(flag)), ...NEVER_KNOWN],
    losses,
    behindDamage: 0,
  };
}

function parse(text: string, begin: number, losses: Losses): { value: unknown; after: string } {
  try {
    return { value: JSON.parse(text.slice(begin)), after: '' };
  } catch {
    // Something before or after the document, or a document that is not whole: read what there is.
  }
  const read = readLenientJson(text, begin);
  if (read.cut) losses.add('document_cut');
  return { value: read.value, after: read.cut ? '' : text.slice(read.end).trim() };
}

interface Placed {
  readonly view: unknown;
  readonly parent: number;
}

/**
 * The views with every parent before its children. Children are followed by their lists; a view that no
 * list leads to follows its own `parent`, or is a root of its own. Circles cannot hold a view back.
 */
function inDocumentOrder(views: readonly unknown[], losses: Losses): Placed[] {
  const idOf = (view: unknown, index: number) => {
    const id = fieldOf(view, 'temp_id');
    return typeof id === 'number' ? id : index;
  };
  const byId = new Map<number, number>();
  views.forEach((view, index) => {
    byId.set(idOf(view, index), index);
  });
  const children: number[][] = views.map(() => []);
  const roots: number[] = [];
  views.forEach((view, index) => {
    const parent = fieldOf(view, 'parent');
    const at = typeof parent === 'number' ? byId.get(parent) : undefined;
    if (at === undefined || at === index) roots.push(index);
    else children[at]?.push(index);
  });
  const rank = new Map<number, number>();
  views.forEach((view) => {
    const list = fieldOf(view, 'children');
    if (!Array.isArray(list)) return;
    list.forEach((id, place) => {
      const at = byId.get(id as number);
      if (at !== undefined && !rank.has(at)) rank.set(at, place);
    });
  });
  for (const list of children) list.sort((a, b) => (rank.get(a) ?? 1e9) - (rank.get(b) ?? 1e9) || a - b);

  const placed: Placed[] = [];
  const done = new Set<number>();
  const walk = (start: number) => {
    const stack = [{ index: start, parent: -1 }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (done.has(next.index)) continue;
      done.add(next.index);
      placed.push({ view: views[next.index], parent: next.parent });
      const own = placed.length - 1;
      for (const child of (children[next.index] ?? []).toReversed())
        stack.push({ index: child, parent: own });
    }
  };
  for (const root of roots) walk(root);
  for (let index = 0; index < views.length; index += 1) {
    if (done.has(index)) continue;
    losses.add('bad_value', 1, 'parents that run in a circle');
    walk(index);
  }
  return placed;
}

function nodeOf(view: unknown, parent: number, seen: Set<NodeFlag>, losses: Losses): RawNode {
  const first = (names: readonly string[]) =>
    names.map((name) => fieldOf(view, name)).find((value) => value !== undefined);
  const className = nameOf(fieldOf(view, 'class'));
  const flags: NodeFlag[] = [];
  for (const [flag, names] of FLAG_KEYS) {
    const value = first(names);
    if (value === undefined) continue;
    seen.add(flag);
    if (value === true || value === 'true') flags.push(flag);
  }
  if (first(['editable']) === undefined && looksEditable(className)) flags.push('editable');
  const corners = fieldOf(view, 'bounds');
  const bounds = Array.isArray(corners) ? boundsOf(corners.flat()) : null;
  if (bounds === null) losses.add('bad_bounds');
  return {
    parent,
    className,
    resourceId: nameOf(first(['resource_id', 'resource-id'])),
    package: nameOf(fieldOf(view, 'package')),
    text: textOf(fieldOf(view, 'text')),
    description: textOf(first(['content_description', 'content-desc'])),
    hint: null,
    pane: null,
    bounds,
    flags,
    drawingOrder: null,
    windowId: null,
  };
}

/**
 * DroidBot writes the display's larger side as its height however the phone is held; a window that is
 * wider than the smaller side says that it lies on its side.
 */
function sizeOf(value: unknown, nodes: readonly RawNode[]): { width: number; height: number } | null {
  const sides = [fieldOf(value, 'width'), fieldOf(value, 'height')];
  const [a, b] = sides;
  if (typeof a !== 'number' || typeof b !== 'number') return null;
  if (!Number.isInteger(a) || !Number.isInteger(b) || a <= 0 || b <= 0) return null;
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  const right = Math.max(0, ...nodes.filter((node) => node.parent < 0).map((node) => node.bounds?.[2] ?? 0));
  return right > small && right <= large ? { width: large, height: small } : { width: small, height: large };
}
