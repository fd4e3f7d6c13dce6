/**
 * Nodes of a recording in XML: `uiautomator dump` and its like (`<node class=…>`) and Appium's page source
 * (the class is the tag's name). Not for DroidBot's JSON.
 */
import type { NodeFlag, UnknownFact } from '../../../device-protocol/snapshot.ts';
import { readTags, type Tag } from './markup.ts';
import { boundsOf, Losses, looksEditable, nameOf, type RawNode, type RawScreen, textOf } from './raw-node.ts';

const FLAG_ATTRIBUTES: readonly (readonly [NodeFlag, readonly string[]])[] = [
  ['clickable', ['clickable']],
  ['long_clickable', ['long-clickable', 'longClickable']],
  ['checkable', ['checkable']],
  ['checked', ['checked']],
  ['enabled', ['enabled']],
  ['focusable', ['focusable']],
  ['focused', ['focused']],
  ['scrollable', ['scrollable']],
  ['selected', ['selected']],
  ['password', ['password']],
  ['editable', ['editable']],
  ['visible', ['visible-to-user', 'displayed']],
  ['heading', ['heading']],
  ['showing_hint', ['showing-hint']],
  ['dismissable', ['dismissable']],
];

/** Where a document may begin: what stands before is not part of it. */
const BEGINNING = /<(?:\?xml|hierarchy\b|node\s|(?:android|androidx|com|org)\.[\w.$]+\s)/;

export function looksLikeXml(text: string): boolean {
  return BEGINNING.test(text);
}

export function readXml(text: string): RawScreen {
  const losses = new Losses();
  const begin = text.search(BEGINNING);
  const before = text.slice(0, begin).trim();
  if (before !== '') losses.add('text_before_document', [...before].length, 'characters');

  let rooted = false;
  const { tags, cutInTag, badReferences } = readTags(text, begin, (tag) => {
    if (tag.name === 'hierarchy' && tag.kind === 'open') rooted = true;
    return rooted && tag.name === 'hierarchy' && tag.kind === 'close';
  });
  losses.add('bad_value', badReferences, 'character references');
  const built = new Tree(losses);
  for (const tag of tags) built.take(tag);
  const after = text.slice(tags.at(-1)?.end ?? begin).trim();
  built.finish({ cut: cutInTag, rooted, after });
  return built.screen();
}

/** Grows the node list tag by tag; an end tag closes the nearest open element of its name. */
class Tree {
  private readonly losses: Losses;
  private readonly nodes: RawNode[] = [];
  private readonly open: { name: string; index: number }[] = [];
  private readonly seen = new Set<NodeFlag>();
  private hierarchy: ReadonlyMap<string, string> | null = null;
  private appium = false;
  private hints = false;
  /** Nodes read before the first damage; null while there was none. */
  private sound: number | null = null;

  constructor(losses: Losses) {
    this.losses = losses;
  }

  take(tag: Tag): void {
    if (tag.repairs > 0) this.damaged(tag.repairs, 'broken attributes');
    if (tag.kind === 'close') {
      this.close(tag.name);
      return;
    }
    if (tag.name === 'hierarchy' && this.hierarchy === null) {
      this.hierarchy = tag.attributes;
      return;
    }
    const { attributes } = tag;
    const isNode = tag.name === 'node' || attributes.has('bounds') || attributes.has('class');
    if (!isNode) return;
    if (tag.name !== 'node') this.appium = true;
    this.nodes.push(this.nodeOf(tag, this.open.at(-1)?.index ?? -1));
    if (tag.kind === 'open') this.open.push({ name: tag.name, index: this.nodes.length - 1 });
  }

  private close(name: string): void {
    if (name === 'hierarchy') {
      if (this.open.length > 0) this.damaged(this.open.length, 'elements left open');
      this.open.length = 0;
      return;
    }
    if (this.open.at(-1)?.name === name) {
      this.open.pop();
      return;
    }
    const at = this.open.findLastIndex((one) => one.name === name);
    this.damaged(1, 'end tags that fit nothing');
    if (at >= 0) this.open.length = at;
  }

  private damaged(count: number, detail: string): void {
    this.sound ??= this.nodes.length;
    this.losses.add('repaired_markup', count, detail);
  }

  finish(end: { cut: boolean; rooted: boolean; after: string }): void {
    if (
      end.cut ||
      this.open.length > 0 ||
      (this.hierarchy !== null && !end.rooted && this.nodes.length > 0)
    ) {
      this.losses.add('document_cut', Math.max(1, this.open.length), 'elements left open');
    } else if (end.after !== '') {
      this.losses.add('text_after_document', [...end.after].length, 'characters');
    }
    if (this.hierarchy === null) this.losses.add('no_root_element');
  }

  private nodeOf(tag: Tag, parent: number): RawNode {
    const get = (name: string) => tag.attributes.get(name);
    const className = nameOf(get('class') ?? (tag.name === 'node' ? null : tag.name));
    const flags: NodeFlag[] = [];
    for (const [flag, names] of FLAG_ATTRIBUTES) {
      const value = names.map(get).find((one) => one !== undefined);
      if (value === undefined) continue;
      this.seen.add(flag);
      if (value === 'true') flags.push(flag);
    }
    if (!this.seen.has('editable') && looksEditable(className)) flags.push('editable');
    if (get('hint') !== undefined) this.hints = true;
    const bounds = readBounds(get('bounds'));
    if (bounds === null) this.losses.add('bad_bounds');
    const drawing = Number(get('drawing-order') ?? Number.NaN);
    const windowId = Number(get('window-id') ?? Number.NaN);
    return {
      parent,
      className,
      resourceId: nameOf(get('resource-id')),
      package: nameOf(get('package')),
      text: textOf(get('text')),
      description: textOf(get('content-desc')),
      hint: textOf(get('hint')),
      pane: textOf(get('pane-title')),
      bounds,
      flags,
      drawingOrder: Number.isInteger(drawing) && drawing >= 0 ? drawing : null,
      windowId: Number.isInteger(windowId) ? windowId : null,
    };
  }

  screen(): RawScreen {
    const number = (name: string) => {
      const value = Number(this.hierarchy?.get(name) ?? Number.NaN);
      return Number.isInteger(value) && value >= 0 ? value : null;
    };
    const width = number('width');
    const height = number('height');
    const unknown: UnknownFact[] = FLAG_ATTRIBUTES.map(([flag]) => flag).filter(
      (flag) => !this.seen.has(flag),
    );
    unknown.push('expandable', 'expanded', 'sensitive', 'actions', 'windows', 'foreground', 'locked');
    if (!this.hints) unknown.push('hint');
    return {
      format: this.appium ? 'appium-source-xml' : 'uiautomator-xml',
      nodes: this.nodes,
      size: width === null || height === null || width * height === 0 ? null : { width, height },
      rotation: (number('rotation') ?? 0) % 4,
      activity: null,
      unknown,
      losses: this.losses,
      behindDamage: this.sound === null ? 0 : this.nodes.length - this.sound,
    };
  }
}

function readBounds(value: string | undefined) {
  const numbers = /^\s*\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]\s*$/.exec(value ?? '');
  return numbers === null ? null : boundsOf(numbers.slice(1).map(Number));
}
