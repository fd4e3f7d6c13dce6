/**
 * What the rooms of this folder ask of one snapshot again and again, worked out once: trees, touches, which
 * nodes are elements, whose words belong to whom. Not yet labels (labels.ts) nor text (lines.ts).
 */
import { nodeOf } from '../../device-protocol/companion/identity.ts';
import { isBar, isOurs } from '../../device-protocol/companion/quiet-windows.ts';
import { secretsOf } from '../../device-protocol/companion/secrets.ts';
import { type TouchMap, tapPoint, touchMapOf } from '../../device-protocol/companion/tap-point.ts';
import { isAncestor, type Tree, takesTouch, treeOf } from '../../device-protocol/companion/tree.ts';
import { type Bounds, has, type Snapshot } from '../../device-protocol/snapshot.ts';
import { contentAreas, readingOrder, readsRightToLeft } from './reading-order.ts';
import { readable } from './said.ts';

/** How a window is told: in full, folded to one line, or not at all. */
export type Telling = 'told' | 'folded' | 'left_out';

/**
 * Why a node that takes touches may not be pressed: what lies in it, or over it, takes all of them. `perhaps`:
 * nobody said in which order things are painted (files without it, web pages), so it is offered all the same;
 * in the recorded screens these are mostly buttons over a video or a map.
 */
export type Hidden = 'behind_inner' | 'covered' | 'perhaps';

export interface Reading {
  readonly tree: Tree;
  readonly touch: TouchMap;
  /** Nodes whose words are never told. */
  readonly secret: readonly boolean[];
  readonly telling: readonly Telling[];
  /** The element each node belongs to: itself, or the nearest above it that takes touches; −1 for none. */
  readonly owner: readonly number[];
  readonly isElement: readonly boolean[];
  /** Takers of touches that have no free point. */
  readonly hidden: ReadonlyMap<number, Hidden>;
  /** The single toggle of a row, by the row. */
  readonly toggleOfRow: ReadonlyMap<number, number>;
  /** Told nodes in reading order, window after window. */
  readonly order: readonly number[];
  /** Place of a node and the last place below it, in document order. */
  readonly enter: readonly number[];
  readonly leave: readonly number[];
  /** Driven by a remote control: focus counts more than touch. */
  readonly byFocus: boolean;
}

export interface ReadingOptions {
  /** Also tell the bars of the system. */
  readonly statusBar?: boolean;
  /** Also tell the keyboard's keys. */
  readonly keyboard?: boolean;
}

export function readingOf(snapshot: Snapshot, options: ReadingOptions = {}): Reading {
  const tree = treeOf(snapshot);
  const touch = touchMapOf(tree);
  const secret = secretsOf(tree.snapshot);
  const telling = snapshot.windows.map((window): Telling => {
    if (isOurs(window) || window.kind === 'split_screen_divider') return 'left_out';
    if (window.kind === 'input_method') return options.keyboard === true ? 'told' : 'folded';
    return isBar(snapshot, window) && options.statusBar !== true ? 'left_out' : 'told';
  });
  const told = (index: number) => tree.seen[index] !== null && telling[nodeOf(tree, index).window] === 'told';
  const byFocus = isDrivenByFocus(tree, told);
  const hidden = hiddenOf(touch, told);
  const presses = (index: number) =>
    told(index) && takesTouch(nodeOf(tree, index)) && (hidden.get(index) ?? 'perhaps') === 'perhaps';
  const toggles = togglesOf(tree, told, presses);
  const isElement = snapshot.nodes.map((node, index) => {
    if (!told(index)) return false;
    if (presses(index) || toggles.alone.has(index) || has(node, 'scrollable')) return true;
    return isFocusStop(tree, index, byFocus);
  });
  const owner = ownersOf(
    tree,
    (index) => presses(index) || toggles.alone.has(index) || isFocusStop(tree, index, byFocus),
  );
  const { enter, leave } = placesOf(tree);
  return {
    tree,
    touch,
    secret,
    telling,
    owner,
    isElement,
    hidden,
    toggleOfRow: toggles.ofRow,
    order: orderOf(tree, telling, isElement, secret),
    enter,
    leave,
    byFocus,
  };
}

function hiddenOf(touch: TouchMap, told: (index: number) => boolean): Map<number, Hidden> {
  const { snapshot } = touch.tree;
  const hidden = new Map<number, Hidden>();
  for (const takers of touch.takers) {
    for (const index of takers) {
      if (!told(index)) continue;
      const point = tapPoint(touch, index);
      if (!('covered_by' in point)) continue;
      const over = point.covered_by.node;
      if (over === null) hidden.set(index, 'covered');
      else if (isAncestor(snapshot, index, over)) hidden.set(index, 'behind_inner');
      else hidden.set(index, isOrderKnown(touch.tree, index, over) ? 'covered' : 'perhaps');
    }
  }
  return hidden;
}

/** Whether Android said which of the two is painted over the other, where their ways part. */
function isOrderKnown(tree: Tree, one: number, other: number): boolean {
  const path = new Set<number>();
  for (let at = one; at >= 0; at = nodeOf(tree, at).parent) path.add(at);
  let shared = other;
  while (shared >= 0 && !path.has(shared)) shared = nodeOf(tree, shared).parent;
  const siblings = shared < 0 ? [] : (tree.children[shared] ?? []);
  return siblings.length > 0 && siblings.every((child) => nodeOf(tree, child).drawing_order !== undefined);
}

/**
 * Toggles that take no touch themselves belong to the row that does; where a row holds several, or there is
 * no row, each stands alone.
 */
function togglesOf(tree: Tree, told: (index: number) => boolean, presses: (index: number) => boolean) {
  const byRow = new Map<number, number[]>();
  const alone = new Set<number>();
  tree.snapshot.nodes.forEach((node, index) => {
    if (!has(node, 'checkable') || takesTouch(node) || !told(index)) return;
    let up = node.parent;
    while (up >= 0 && !presses(up)) up = nodeOf(tree, up).parent;
    if (up < 0) alone.add(index);
    else byRow.set(up, [...(byRow.get(up) ?? []), index]);
  });
  const ofRow = new Map<number, number>();
  for (const [row, inside] of byRow) {
    const [single] = inside;
    if (inside.length === 1 && single !== undefined) ofRow.set(row, single);
    else for (const index of inside) alone.add(index);
  }
  return { ofRow, alone };
}

/** On a television there is little to touch and much to focus. */
function isDrivenByFocus(tree: Tree, told: (index: number) => boolean): boolean {
  let touched = 0;
  let focused = 0;
  tree.snapshot.nodes.forEach((node, index) => {
    if (!told(index) || has(node, 'scrollable')) return;
    if (takesTouch(node)) touched += 1;
    else if (has(node, 'focusable')) focused += 1;
  });
  return focused > 2 && focused > touched;
}

/** Something to move the focus to that takes no touch: a button of a television, a focused text. */
function isFocusStop(tree: Tree, index: number, byFocus: boolean): boolean {
  const node = nodeOf(tree, index);
  if (!has(node, 'focusable') || takesTouch(node) || has(node, 'checkable') || has(node, 'scrollable'))
    return false;
  const control = /(Button|EditText)$/.test(node.class_name ?? '');
  if (!control && !(byFocus && (has(node, 'focused') || (tree.children[index] ?? []).length === 0)))
    return false;
  return readable(node.text) !== '' || readable(node.description) !== '';
}

function ownersOf(tree: Tree, owns: (index: number) => boolean): number[] {
  const owner: number[] = [];
  tree.snapshot.nodes.forEach((node, index) => {
    owner[index] = owns(index)
      ? index
      : node.parent >= 0 && node.parent < index
        ? (owner[node.parent] ?? -1)
        : -1;
  });
  return owner;
}

function placesOf(tree: Tree): { enter: number[]; leave: number[] } {
  const enter: number[] = tree.snapshot.nodes.map(() => 0);
  const leave: number[] = tree.snapshot.nodes.map(() => 0);
  let next = 0;
  const stack = tree.roots.toReversed().map((index) => ({ index, over: false }));
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.over) {
      leave[at.index] = next - 1;
      continue;
    }
    enter[at.index] = next;
    next += 1;
    stack.push({ index: at.index, over: true });
    for (const child of (tree.children[at.index] ?? []).toReversed())
      stack.push({ index: child, over: false });
  }
  return { enter, leave };
}

/** Whether a node says something by itself that may be told. */
export function hasWords(tree: Tree, secret: readonly boolean[], index: number): boolean {
  const node = nodeOf(tree, index);
  if (readable(node.description) !== '' || readable(node.pane) !== '' || readable(node.hint) !== '')
    return true;
  return secret[index] !== true && readable(node.text) !== '';
}

function orderOf(
  tree: Tree,
  telling: readonly Telling[],
  isElement: readonly boolean[],
  secret: readonly boolean[],
): number[] {
  const { snapshot } = tree;
  const counts = (index: number) => {
    if (telling[nodeOf(tree, index).window] !== 'told' || tree.seen[index] === null) return false;
    return isElement[index] === true || hasWords(tree, secret, index);
  };
  const areas: (Bounds | null)[] = contentAreas(tree, counts);
  const texts = snapshot.nodes.flatMap((node, index) =>
    counts(index) && secret[index] !== true ? [`${node.text ?? ''} ${node.description ?? ''}`] : [],
  );
  const order = readingOrder(tree, areas, readsRightToLeft(texts, snapshot.locale));
  return windowsInOrder(snapshot, telling).flatMap((window) =>
    tree.roots
      .filter((root) => nodeOf(tree, root).window === window && areas[root] !== null)
      .flatMap(order.of),
  );
}

/** Told windows: the active one first, then from the nearest to the farthest. */
export function windowsInOrder(snapshot: Snapshot, telling: readonly Telling[]): number[] {
  const places = snapshot.windows.flatMap((_, place) => (telling[place] === 'told' ? [place] : []));
  const rank = (place: number) => {
    const window = snapshot.windows[place];
    return [window?.active === true ? 0 : 1, -(window?.layer ?? 0), place] as const;
  };
  return places.sort((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
  });
}
