/**
 * Whether a tree is only half published: Compose hands its nodes over one after another, and those that are
 * still to come have no place yet (D-01). Web pages give no place to what is below the fold; that is whole.
 */
import type { Tree } from './tree.ts';

/** Fewer nodes without a place are normal (5 to 8 on recorded settings pages). */
const LEAST_UNPLACED = 10;
/** So many times as many without a place as with one. */
const TIMES = 2;

export interface Built {
  readonly half_built: boolean;
  /** Nodes of the active window without any place. */

  readonly unplaced: number;
  readonly placed: number;
}

export function builtOf(tree: Tree): Built {
  const { windows, nodes } = tree.snapshot;
  const inPage: boolean[] = [];
  let unplaced = 0;
  let placed = 0;
  nodes.forEach((node, index) => {
    const up = node.parent;
    inPage[index] = (up >= 0 && inPage[up] === true) || /WebView$/.test(node.class_name ?? '');
    if (windows[node.window]?.active !== true || inPage[index] === true) return;
    if (node.bounds.every((edge) => edge === 0)) unplaced += 1;
    else if (tree.seen[index] !== null) placed += 1;
  });
  return { half_built: unplaced >= LEAST_UNPLACED && unplaced >= placed * TIMES, unplaced, placed };
}
