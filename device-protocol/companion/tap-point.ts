/**
 * Where a finger must come down to hit exactly one element, and what a finger at a point would really hit.
 * Not for finding the element (find-target.ts).
 *
 * In 5.7 % of recorded screens' clickables the middle belongs to an inner one and in 9.1 % to a later one, so
 * the middle alone will not do.
 */
import type { Bounds, Snapshot, SnapshotNode, SnapshotWindow } from '../snapshot.ts';
import { plainWords } from './plain-words.ts';
import { isIn, overlap, type Tree, takesTouch, treeOf } from './tree.ts';

/** Narrowest free strip that is pressed, pixels. */
export const NARROWEST = 4;
/** Free areas kept while covers are cut out of an element; the largest stay. */
const MOST_PARTS = 64;

export type TapPoint =
  | { readonly x: number; readonly y: number }
  /** What lies over all of it: a node of its own window, or another window. Both null: it is not seen. */
  | { readonly covered_by: { readonly node: number | null; readonly window: number | null } };

/** Everything on the screen that takes touches, made once per snapshot. */
export interface TouchMap {
  readonly tree: Tree;
  /** Indices of the seen nodes that take touches, by window. */
  readonly takers: readonly (readonly number[])[];
  /** The same, by window and by the horizontal bands of the display they reach into. */
  readonly bands: readonly (readonly (readonly number[])[])[];
  /** Whether a window keeps touches from those below it. */
  readonly solid: readonly boolean[];
}

/** Bands the display is divided into, so that an element is compared with those beside it only. */
const BANDS = 32;

export function touchMapOf(tree: Tree): TouchMap {
  const { nodes, windows } = tree.snapshot;
  const takers: number[][] = windows.map(() => []);
  const bands: number[][][] = windows.map(() => Array.from({ length: BANDS }, () => []));
  const says = windows.map(() => false);
  nodes.forEach((node, index) => {
    const area = tree.seen[index] ?? null;
    if (area === null) return;
    if (plainWords(node.text) !== '' || plainWords(node.description) !== '') says[node.window] = true;
    if (!takesTouch(node)) return;
    takers[node.window]?.push(index);
    const last = bandOf(tree, area[3] - 1);
    for (let band = bandOf(tree, area[1]); band <= last; band += 1) bands[node.window]?.[band]?.push(index);
  });
  const solid = windows.map((window, place) => {
    const bare = (takers[place] ?? []).length === 0 && says[place] !== true;
    // Rounded corners, scrims and frames of the system or of a service let touches through.
    return !(bare && (window.kind === 'system' || window.kind === 'accessibility_overlay'));
  });
  return { tree, takers, bands, solid };
}

function bandOf(tree: Tree, y: number): number {
  const { height } = tree.snapshot.display;
  if (height <= 0) return 0;
  return Math.min(BANDS - 1, Math.max(0, Math.floor((y * BANDS) / height)));
}

/** A free point of the node at `index`; for one that takes no touch itself ask for the one that does. */
export function tapPoint(map: TouchMap, index: number): TapPoint {
  const { tree } = map;
  const node = tree.snapshot.nodes[index];
  const area = tree.seen[index] ?? null;
  if (node === undefined || area === null) return { covered_by: { node: null, window: null } };
  const center = middleOf(area);
  let parts: readonly Bounds[] = [area];
  let over: Cover | null = null;
  forCovers(map, index, node, area, (cover) => {
    if (over === null || isIn(cover.area, center.x, center.y)) over = cover;
    parts = cutOut(parts, cover.area);
    return parts.length > 0;
  });
  if (parts.some((part) => isIn(part, center.x, center.y) && isWide(part, area))) return center;
  const best = bestPart(parts, area);
  if (best !== null) return middleOf(best);
  const found = over as Cover | null;
  return { covered_by: { node: found?.node ?? null, window: found?.window ?? null } };
}

interface Cover {
  readonly area: Bounds;
  readonly node: number | null;
  readonly window: number | null;
}

/** Tells `take` of everything that lies over `area`: windows, then nodes; stops when it answers false. */
function forCovers(
  map: TouchMap,
  index: number,
  node: SnapshotNode,
  area: Bounds,
  take: (cover: Cover) => boolean,
): void {
  const { tree } = map;
  const { windows } = tree.snapshot;
  const own = windows[node.window];
  for (let place = 0; place < windows.length; place += 1) {
    const window = windows[place] as SnapshotWindow;
    if (place === node.window || own === undefined || !isAbove(window, own) || map.solid[place] !== true)
      continue;
    const part = overlap(window.bounds, area);
    if (part !== null && !take({ area: part, node: null, window: place })) return;
  }
  const rank = tree.rank[index] ?? 0;
  const first = bandOf(tree, area[1]);
  const last = bandOf(tree, area[3] - 1);
  for (let band = first; band <= last; band += 1) {
    for (const other of map.bands[node.window]?.[band] ?? []) {
      const theirs = tree.seen[other] as Bounds;
      // One that reaches into several bands is met in the first of them only.
      if (other === index || (tree.rank[other] ?? 0) < rank) continue;
      if (Math.max(first, bandOf(tree, theirs[1])) !== band) continue;
      const part = overlap(theirs, area);
      if (part !== null && !take({ area: part, node: other, window: null })) return;
    }
  }
}

function isAbove(one: SnapshotWindow, other: SnapshotWindow): boolean {
  return one.layer > other.layer;
}

/** What is left of the parts when `hole` is cut out of them. */
function cutOut(parts: readonly Bounds[], hole: Bounds): readonly Bounds[] {
  if (!parts.some((part) => overlap(part, hole) !== null)) return parts;
  const left = parts.flatMap((part) => without(part, hole));
  if (left.length <= MOST_PARTS) return left;
  return left.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MOST_PARTS);
}

/** The four strips of `part` around `hole`: above and below in full width, left and right of it. */
function without(part: Bounds, hole: Bounds): Bounds[] {
  const cut = overlap(part, hole);
  if (cut === null) return [part];
  const strips: Bounds[] = [
    [part[0], part[1], part[2], cut[1]],
    [part[0], cut[3], part[2], part[3]],
    [part[0], cut[1], cut[0], cut[3]],
    [cut[2], cut[1], part[2], cut[3]],
  ];
  return strips.filter((strip) => strip[2] > strip[0] && strip[3] > strip[1]);
}

const sizeOf = (area: Bounds) => (area[2] - area[0]) * (area[3] - area[1]);
const narrowOf = (area: Bounds) => Math.min(area[2] - area[0], area[3] - area[1]);

/** Wide enough to be pressed, or as wide as the whole element is. */
function isWide(part: Bounds, whole: Bounds): boolean {
  return narrowOf(part) >= Math.min(NARROWEST, narrowOf(whole));
}

/** The part with the most room around its middle; of equal ones the larger, then the first. */
function bestPart(parts: readonly Bounds[], whole: Bounds): Bounds | null {
  let best: Bounds | null = null;
  for (const part of parts) {
    if (!isWide(part, whole)) continue;
    if (
      best === null ||
      narrowOf(part) > narrowOf(best) ||
      (narrowOf(part) === narrowOf(best) && sizeOf(part) > sizeOf(best))
    ) {
      best = part;
    }
  }
  return best;
}

function middleOf(area: Bounds): { x: number; y: number } {
  return { x: Math.floor((area[0] + area[2]) / 2), y: Math.floor((area[1] + area[3]) / 2) };
}

export interface Hit {
  /** The window a finger would touch; null where there is none. */
  readonly window: number | null;
  /** The node that takes the touch, or the topmost one seen there; null where there is none. */
  readonly node: number | null;
  readonly takes_touch: boolean;
}

/** What a finger at the point would really hit. */
export function nodeAt(map: TouchMap, x: number, y: number): Hit {
  const { tree } = map;
  const { windows } = tree.snapshot;
  let top = -1;
  windows.forEach((window, place) => {
    if (map.solid[place] !== true || !isIn(window.bounds, x, y)) return;
    const before = windows[top];
    if (before === undefined || isAbove(window, before)) top = place;
  });
  if (top < 0) return { window: null, node: null, takes_touch: false };
  const highest = (nodes: readonly number[]) => {
    let found = -1;
    for (const index of nodes) {
      const area = tree.seen[index] ?? null;
      if (area === null || !isIn(area, x, y)) continue;
      if (found < 0 || (tree.rank[index] ?? 0) > (tree.rank[found] ?? 0)) found = index;
    }
    return found;
  };
  const taker = highest(map.takers[top] ?? []);
  if (taker >= 0) return { window: top, node: taker, takes_touch: true };
  const own = tree.snapshot.nodes.flatMap((node, index) => (node.window === top ? [index] : []));
  const seen = highest(own);
  return { window: top, node: seen < 0 ? null : seen, takes_touch: false };
}

/** For a single question about a snapshot. */
export function nodeAtPoint(snapshot: Snapshot, x: number, y: number): Hit {
  return nodeAt(touchMapOf(treeOf(snapshot)), x, y);
}

/** For a single question about a snapshot. */
export function tapPointOf(snapshot: Snapshot, index: number): TapPoint {
  return tapPoint(touchMapOf(treeOf(snapshot)), index);
}
