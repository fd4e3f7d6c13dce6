/**
 * The order in which a person reads a window: by rows, from the side the script starts on, without tearing
 * containers apart. Not the order of painting (device-protocol/companion/tree.ts).
 */
import type { Tree } from '../../device-protocol/companion/tree.ts';
import type { Bounds } from '../../device-protocol/snapshot.ts';

/** Two things stand in one row (column) when the smaller shares this much of its height (width). */
const SHARED = 0.5;

export interface ReadingOrder {
  /** Nodes below and with `root`, parents before children, siblings as they are read. */
  of(root: number): number[];
}

/**
 * `content` tells the area of what can be read or done in and below a node; null where there is nothing. A
 * container is placed by its content: a full-screen layer that holds one button stands where the button is.
 */
export function readingOrder(
  tree: Tree,
  content: readonly (Bounds | null)[],
  rightToLeft: boolean,
): ReadingOrder {
  return {
    of(root) {
      const order: number[] = [];
      const stack = [root];
      for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
        order.push(at);
        const children = (tree.children[at] ?? []).filter((child) => content[child] !== null);
        for (const child of sorted(children, content, rightToLeft).reverse()) stack.push(child);
      }
      return order;
    },
  };
}

function sorted(
  nodes: readonly number[],
  content: readonly (Bounds | null)[],
  rightToLeft: boolean,
): number[] {
  if (nodes.length < 2) return [...nodes];
  const boxOf = (index: number) => content[index] as Bounds;
  const byTop = nodes.toSorted((a, b) => boxOf(a)[1] - boxOf(b)[1] || a - b);
  return bandsOf(byTop, boxOf, 1).flatMap((row) => {
    if (row.length < 2) return row;
    const side = (index: number) => (rightToLeft ? -boxOf(index)[2] : boxOf(index)[0]);
    const bySide = row.toSorted((a, b) => side(a) - side(b) || a - b);
    return bandsOf(bySide, boxOf, 0).flatMap((column) =>
      column.toSorted((a, b) => boxOf(a)[1] - boxOf(b)[1] || a - b),
    );
  });
}

/** Groups neighbours that share most of their extent along `axis` with the first of their group. */
function bandsOf(nodes: readonly number[], boxOf: (index: number) => Bounds, axis: 0 | 1): number[][] {
  const bands: number[][] = [];
  let first: Bounds | null = null;
  for (const index of nodes) {
    const box = boxOf(index);
    const band = bands.at(-1);
    if (band !== undefined && first !== null && sharesAlong(first, box, axis)) {
      band.push(index);
    } else {
      bands.push([index]);
      first = box;
    }
  }
  return bands;
}

export function sharesAlong(a: Bounds, b: Bounds, axis: 0 | 1): boolean {
  const from = Math.max(a[axis], b[axis]);
  const to = Math.min(a[axis + 2] as number, b[axis + 2] as number);
  const smaller = Math.min((a[axis + 2] as number) - a[axis], (b[axis + 2] as number) - b[axis]);
  return to - from >= smaller * SHARED;
}

/** The area around what can be read or done in and below each node. */
export function contentAreas(tree: Tree, counts: (index: number) => boolean): (Bounds | null)[] {
  const areas: (Bounds | null)[] = tree.snapshot.nodes.map(() => null);
  for (let index = areas.length - 1; index >= 0; index -= 1) {
    const own = tree.seen[index] ?? null;
    if (own !== null && counts(index)) areas[index] = around(areas[index] ?? null, own);
    const area = areas[index] ?? null;
    const { parent } = tree.snapshot.nodes[index] as { parent: number };
    if (area !== null && parent >= 0 && parent < index) areas[parent] = around(areas[parent] ?? null, area);
  }
  return areas;
}

function around(a: Bounds | null, b: Bounds): Bounds {
  if (a === null) return b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/g;
const LETTER = /\p{L}/gu;

/** Told by what is written, because a phone's language is not the app's. */
export function readsRightToLeft(texts: readonly string[], locale: string | null): boolean {
  let right = 0;
  let all = 0;
  for (const text of texts) {
    right += text.match(RIGHT_TO_LEFT)?.length ?? 0;
    all += text.match(LETTER)?.length ?? 0;
  }
  const share = all === 0 ? 0 : right / all;
  if (/^(ar|fa|he|iw|ur|ps|ckb|ug|yi|dv|sd)\b/i.test(locale ?? '')) return share > 0.2;
  return share > 0.5;
}
