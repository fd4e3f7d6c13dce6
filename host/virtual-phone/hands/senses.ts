/**
 * What the hands ask of a look: where a target is now, what answers for it, what it holds, where a scroll
 * stands. Pure. Finding, change and free tap points themselves are the companion's (device-protocol).
 */
import { has, type NodeFlag, type Snapshot, type SnapshotNode } from '../../../device-protocol/snapshot.ts';

/** The node itself or the nearest above it that carries `flag`; null where none does. */
export function nearestWith(snapshot: Snapshot, node: number, flag: NodeFlag): number | null {
  for (let at = node; at >= 0; ) {
    const here = nodeAt(snapshot, at);
    if (has(here, flag)) return at;
    at = here.parent;
  }
  return null;
}

export function nodeAt(snapshot: Snapshot, node: number): SnapshotNode {
  const found = snapshot.nodes[node];
  if (found === undefined) throw new Error(`no node ${node}`);
  return found;
}

/** What a field really holds: a hint is no content; null for a password, which is never read. */
export function contentOf(node: SnapshotNode): string | null {
  if (has(node, 'password')) return null;
  return has(node, 'showing_hint') ? '' : (node.text ?? '');
}

/** The words a report names a node by: its own, else those below it. */
export function wordsAt(snapshot: Snapshot, node: number): string | null {
  const own = nodeAt(snapshot, node);
  if (has(own, 'password')) return own.hint ?? own.description;
  const words = own.text || own.description;
  if (words) return words.slice(0, 300);
  const below: string[] = [];
  for (let index = node + 1; index < snapshot.nodes.length; index++) {
    const one = nodeAt(snapshot, index);
    if (!isBelow(snapshot, index, node)) break;
    const said = one.text || one.description;
    if (said && !has(one, 'password')) below.push(said);
  }
  return below.length === 0 ? null : below.join(', ').slice(0, 300);
}

/** Nodes stand in document order, so what is below a node follows it without a gap. */
function isBelow(snapshot: Snapshot, index: number, node: number): boolean {
  for (let at = nodeAt(snapshot, index).parent; at >= node; at = nodeAt(snapshot, at).parent) {
    if (at === node) return true;
  }
  return false;
}

const area = (node: SnapshotNode) =>
  Math.max(0, node.bounds[2] - node.bounds[0]) * Math.max(0, node.bounds[3] - node.bounds[1]);

/** The largest thing that scrolls in the active window. */
export function largestScrollable(snapshot: Snapshot): number | null {
  let best: number | null = null;
  for (const [index, node] of snapshot.nodes.entries()) {
    if (!has(node, 'scrollable') || node.range !== undefined) continue;
    if (snapshot.windows[node.window]?.active !== true) continue;
    if (best === null || area(node) > area(nodeAt(snapshot, best))) best = index;
  }
  return best;
}

/** Whether the last (first) row of the list is on the glass; null where the list does not count its rows. */
export function atEdge(snapshot: Snapshot, list: number, forward: boolean): boolean | null {
  const { collection } = nodeAt(snapshot, list);
  if (collection === undefined || collection.rows < 1) return null;
  const rows = snapshot.nodes
    .filter((node, index) => node.item !== undefined && isBelow(snapshot, index, list))
    .map((node) => node.item?.row ?? -1);
  if (rows.length === 0) return null;
  // A row at the edge may still be cut: being there is not yet being at the end.
  if (forward && Math.max(...rows) < collection.rows - 1) return false;
  if (!forward && Math.min(...rows) > 0) return false;
  return null;
}
