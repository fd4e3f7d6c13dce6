/**
 * A snapshot's flat list of nodes as trees: children, order of painting, and where on the screen each node
 * is seen. Not for meaning (labels, roles), which only the host knows.
 */
import { type Bounds, has, type Snapshot, type SnapshotNode } from '../snapshot.ts';
import { secretsOf } from './secrets.ts';

/** Bounds beyond this are no places: Android gives the integer limits for views that were never laid out. */
export const FARTHEST = 100_000;

export interface Tree {
  readonly snapshot: Snapshot;
  readonly children: readonly (readonly number[])[];
  /** Roots of the windows, in the order of `nodes`. */
  readonly roots: readonly number[];
  /** A node is painted over every node of its window with a smaller rank. Below comes before above. */
  readonly rank: readonly number[];
  /** The part of the display each node is seen on; null where it is not seen. */
  readonly seen: readonly (Bounds | null)[];
  /** Nodes whose words nobody may compare, hash or tell (secrets.ts). */
  readonly secret: readonly boolean[];
}

export function treeOf(snapshot: Snapshot): Tree {
  const { nodes } = snapshot;
  const children: number[][] = nodes.map(() => []);
  const roots: number[] = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const { parent } = nodes[index] as SnapshotNode;
    // A parent stands before its children; anything else cannot be followed without an end.
    if (parent >= 0 && parent < index) children[parent]?.push(index);
    else roots.push(index);
  }
  return {
    snapshot,
    children,
    roots,
    rank: ranksOf(nodes, children, roots),
    seen: seenOf(snapshot),
    secret: secretsOf(snapshot),
  };
}

function ranksOf(
  nodes: readonly SnapshotNode[],
  children: readonly (readonly number[])[],
  roots: readonly number[],
): number[] {
  const rank: number[] = nodes.map(() => 0);
  let next = 0;
  const stack = roots.toReversed();
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    rank[index] = next;
    next += 1;
    for (const child of painted(nodes, children[index] ?? []).toReversed()) stack.push(child);
  }
  return rank;
}

/** Siblings in the order they are painted in; document order where Android did not say it of all. */
function painted(nodes: readonly SnapshotNode[], siblings: readonly number[]): readonly number[] {
  const order = (index: number) => nodes[index]?.drawing_order;
  if (siblings.length < 2 || siblings.some((index) => order(index) === undefined)) return siblings;
  return siblings.toSorted((a, b) => (order(a) as number) - (order(b) as number) || a - b);
}

/**
 * A window in which no node at all is said to be visible contradicts itself by being listed (one of 286
 * recorded screens): there only the bounds count.
 */
function seenOf(snapshot: Snapshot): (Bounds | null)[] {
  const { nodes, display } = snapshot;
  const speaks = snapshot.windows.map(() => false);
  for (const node of nodes) if (has(node, 'visible')) speaks[node.window] = true;
  const width = display.width > 0 ? display.width : FARTHEST;
  const height = display.height > 0 ? display.height : FARTHEST;
  return nodes.map((node) => {
    if (speaks[node.window] === true && !has(node, 'visible')) return null;
    return overlap(node.bounds, [0, 0, width, height]);
  });
}

/** The part two areas share; null where they share none, or where one is no area at all. */
export function overlap(a: Bounds, b: Bounds): Bounds | null {
  for (const edge of [...a, ...b]) if (Math.abs(edge) > FARTHEST) return null;
  const left = Math.max(a[0], b[0]);
  const top = Math.max(a[1], b[1]);
  const right = Math.min(a[2], b[2]);
  const bottom = Math.min(a[3], b[3]);
  return right > left && bottom > top ? [left, top, right, bottom] : null;
}

export function isIn(bounds: Bounds, x: number, y: number): boolean {
  return x >= bounds[0] && x < bounds[2] && y >= bounds[1] && y < bounds[3];
}

/** A finger put down here goes to this node, whether or not it then does something (disabled ones take it too). */
export function takesTouch(node: SnapshotNode): boolean {
  return has(node, 'clickable') || has(node, 'long_clickable') || has(node, 'editable');
}

export function isAncestor(snapshot: Snapshot, above: number, below: number): boolean {
  let at = snapshot.nodes[below]?.parent ?? -1;
  while (at > above) at = snapshot.nodes[at]?.parent ?? -1;
  return at === above && above >= 0;
}

/** The node itself, or the nearest above it that takes a touch; null where none does. */
export function touchedBy(snapshot: Snapshot, index: number): number | null {
  for (let at = index; at >= 0; ) {
    const node = snapshot.nodes[at];
    if (node === undefined) return null;
    if (takesTouch(node)) return at;
    at = node.parent;
  }
  return null;
}

/** All nodes below `index`, in document order. */
export function below(tree: Tree, index: number): number[] {
  const found: number[] = [];
  const stack = [...(tree.children[index] ?? [])].reverse();
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    found.push(at);
    for (const child of [...(tree.children[at] ?? [])].reverse()) stack.push(child);
  }
  return found;
}
