/**
 * Makes the subject of a judgement from a snapshot: the facts of the element an act lands on, its label-giving
 * children, the clickable elements around it, the dialog, the field with the focus. Pure; decides nothing.
 */
import { has, type Snapshot, type SnapshotNode } from '../../device-protocol/snapshot.ts';
import type { ElementFacts, JudgedAct, Subject } from './subject.ts';

/** Most texts taken from below an element, from a dialog and of headings. */
const MOST_INNER = 12;
const MOST_DIALOG = 24;
const MOST_HEADINGS = 6;
/** A window of the app that covers less of the screen than this is a dialog, a menu or a popup. */
const DIALOG_SHARE = 0.85;

export type SubjectRequest = {
  snapshot: Snapshot;
  act: JudgedAct;
  /** Index of the node the input acts on; null when none is known or the act has no place. */
  node: number | null;
  guard: Subject['context']['guard'];
};

export function readSubject({ snapshot, act, node, guard }: SubjectRequest): Subject {
  const tree = new Tree(snapshot);
  const { foreground } = snapshot;
  const focused = snapshot.nodes.findIndex((one) => has(one, 'focused') && has(one, 'visible'));
  return {
    act,
    element: node === null ? null : elementFacts(tree, node),
    field: focused === -1 ? null : elementFacts(tree, focused),
    context: {
      dialog: node === null ? null : dialogAround(tree, node),
      headings: headingsOf(tree, node),
      guard,
    },
    foreground: { package: foreground.package, activity: foreground.activity, title: foreground.title },
    locale: snapshot.locale,
  };
}

/** Facts of one node; also for the place something is dropped on. */
export function factsOf(snapshot: Snapshot, node: number): ElementFacts {
  return elementFacts(new Tree(snapshot), node);
}

/** The nodes of a snapshot with the way down as well as up. */
class Tree {
  readonly snapshot: Snapshot;
  readonly #children: number[][];

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.#children = snapshot.nodes.map(() => []);
    snapshot.nodes.forEach((one, index) => {
      if (one.parent >= 0) this.#children[one.parent]?.push(index);
    });
  }

  node(index: number): SnapshotNode {
    const node = this.snapshot.nodes[index];
    if (node === undefined) throw new Error(`no node ${index} in this snapshot`);
    return node;
  }

  /** Indices above `index`, nearest first. */
  *above(index: number): Generator<number> {
    for (let up = this.node(index).parent; up >= 0; up = this.node(up).parent) yield up;
  }

  /** Indices below `index` in reading order, those below one for which `enters` is false left out. */
  *below(index: number, enters: (node: SnapshotNode) => boolean): Generator<number> {
    for (const child of this.#children[index] ?? []) {
      if (!enters(this.node(child))) continue;
      yield child;
      yield* this.below(child, enters);
    }
  }
}

const acts = (node: SnapshotNode) =>
  has(node, 'clickable') || has(node, 'checkable') || has(node, 'editable');

function elementFacts(tree: Tree, index: number): ElementFacts {
  const node = tree.node(index);
  const window = tree.snapshot.windows[node.window];
  const around = [...tree.above(index)].filter((up) => has(tree.node(up), 'clickable'));
  const inner = textsBelow(tree, index);
  const holder = around[0];
  // A touch on a child that is no button itself is its row's: then the row's label is the label.
  const innerOfHolder = acts(node) || holder === undefined ? [] : textsBelow(tree, holder);
  return {
    text: node.text,
    description: node.description,
    hint: node.hint ?? null,
    state: node.state ?? null,
    resource_id: node.resource_id ?? (holder === undefined ? null : tree.node(holder).resource_id),
    class_name: node.class_name,
    editable: has(node, 'editable'),
    password: has(node, 'password'),
    checkable: has(node, 'checkable'),
    speaks_for_itself:
      node.range !== undefined || /SeekBar|Slider|RatingBar|TabWidget/u.test(node.class_name ?? ''),
    touchable: acts(node) || has(node, 'long_clickable') || holder !== undefined,
    dismissable: has(node, 'dismissable') || around.some((up) => has(tree.node(up), 'dismissable')),
    inner: [...new Set([...inner, ...innerOfHolder])].slice(0, MOST_INNER),
    ancestors: around.flatMap((up) => wordsOf(tree.node(up))).slice(0, MOST_INNER),
    window: {
      kind: window?.kind ?? 'unknown',
      package: window?.package ?? node.package,
      title: window?.title ?? null,
    },
    beside_composer: isBesideComposer(tree, index),
  };
}

const wordsOf = (node: SnapshotNode) =>
  [node.text, node.description].filter((text): text is string => text !== null && text.trim() !== '');

/** Texts of the visible children that are not buttons of their own; a field's content is no label. */
function textsBelow(tree: Tree, index: number): string[] {
  const enters = (node: SnapshotNode) => !acts(node) && has(node, 'visible');
  return [...tree.below(index, enters)].flatMap((one) => wordsOf(tree.node(one))).slice(0, MOST_INNER);
}

function dialogAround(tree: Tree, index: number): Subject['context']['dialog'] {
  const { snapshot } = tree;
  const node = tree.node(index);
  const window = snapshot.windows[node.window];
  const sheet = [...tree.above(index)].find((up) => typeof tree.node(up).pane === 'string');
  const root = sheet ?? (window !== undefined && isSmall(window.bounds, snapshot) ? window.root : null);
  if (root === null) return null;
  if (window?.kind === 'input_method') return null;
  const title = sheet === undefined ? (window?.title ?? null) : (tree.node(sheet).pane ?? null);
  const texts = [...tree.below(root, (one) => has(one, 'visible') && !acts(one))].flatMap((one) =>
    wordsOf(tree.node(one)),
  );
  return { title, texts: texts.slice(0, MOST_DIALOG) };
}

function isSmall(
  [left, top, right, bottom]: readonly [number, number, number, number],
  { display }: Snapshot,
): boolean {
  const share = ((right - left) * (bottom - top)) / Math.max(1, display.width * display.height);
  return share > 0 && share < DIALOG_SHARE;
}

function headingsOf(tree: Tree, index: number | null): string[] {
  const { snapshot } = tree;
  const window = index === null ? snapshot.windows.findIndex((one) => one.active) : tree.node(index).window;
  return snapshot.nodes
    .filter((node) => node.window === window && has(node, 'heading') && has(node, 'visible'))
    .flatMap(wordsOf)
    .slice(0, MOST_HEADINGS);
}

/** On one line with a field of the same window: half of the lower one's height overlaps. */
function isBesideComposer(tree: Tree, index: number): boolean {
  const node = tree.node(index);
  if (has(node, 'editable')) return false;
  return tree.snapshot.nodes.some((field) => {
    if (field.window !== node.window || !has(field, 'editable') || !has(field, 'visible')) return false;
    const [, top, , bottom] = node.bounds;
    const [, fieldTop, , fieldBottom] = field.bounds;
    const shared = Math.min(bottom, fieldBottom) - Math.max(top, fieldTop);
    return shared > 0 && shared * 2 >= Math.min(bottom - top, fieldBottom - fieldTop);
  });
}
