/**
 * How an element stands at the moment: what it holds, whether it is on, selected, disabled, how far a list is
 * scrolled. Not what it is called (items.ts).
 */
import { nodeOf } from '../../device-protocol/companion/identity.ts';
import { has, type SnapshotNode } from '../../device-protocol/snapshot.ts';
import type { Item } from './item.ts';
import { hasWords, type Reading } from './reading.ts';
import { readable } from './said.ts';

/** What a field holds or a slider stands at. */
export function valueOfNode(reading: Reading, index: number, node: SnapshotNode): string | null {
  if (reading.secret[index] === true) return null;
  if (node.range !== undefined) {
    const { min, max, current } = node.range;
    return readable(node.state) || (min === 0 ? `${current} of ${max}` : `${current} (${min} to ${max})`);
  }
  if (has(node, 'editable')) return has(node, 'showing_hint') ? null : readable(node.text) || null;
  if (has(node, 'checkable')) return null;
  return readable(node.state) || null;
}

export function statesOf(reading: Reading, index: number, toggle: number | undefined): string[] {
  const { tree } = reading;
  const node = nodeOf(tree, index);
  const states: string[] = [];
  const switched = toggle === undefined ? node : nodeOf(tree, toggle);
  if (has(switched, 'checkable')) states.push(has(switched, 'checked') ? 'on' : 'off');
  if (has(node, 'selected') || isSelectedInside(reading, index)) states.push('selected');
  if (!has(node, 'enabled')) states.push('disabled');
  if (has(node, 'expandable')) states.push(has(node, 'expanded') ? 'expanded' : 'collapsed');
  if (has(node, 'focused') && (reading.byFocus || has(node, 'editable'))) states.push('focused');
  return states;
}

/** On tabs and bottom bars `selected` often sits on the text or icon below what is pressed. */
function isSelectedInside(reading: Reading, index: number): boolean {
  if (reading.owner[index] !== index) return false;
  return (reading.tree.children[index] ?? []).some((child) => {
    if (reading.owner[child] !== index) return false;
    if (has(nodeOf(reading.tree, child), 'selected')) return true;
    return isSelectedBelow(reading, index, child);
  });
}

function isSelectedBelow(reading: Reading, index: number, from: number): boolean {
  return (reading.tree.children[from] ?? []).some(
    (child) => reading.owner[child] === index && has(nodeOf(reading.tree, child), 'selected'),
  );
}

/** Labelled nodes out of view, by the scrollable (or page) they are in. */
export function unseenByScrollable(reading: Reading): Map<number, number> {
  const { tree } = reading;
  const counts = new Map<number, number>();
  const scrollable: number[] = [];
  tree.snapshot.nodes.forEach((node, index) => {
    const up = node.parent >= 0 ? (scrollable[node.parent] ?? -1) : -1;
    scrollable[index] = has(node, 'scrollable') && tree.seen[index] !== null ? index : up;
    if (tree.seen[index] !== null || up < 0) return;
    if (hasWords(tree, reading.secret, index)) counts.set(up, (counts.get(up) ?? 0) + 1);
  });
  return counts;
}

export function rowsOf(reading: Reading, index: number): Item['rows'] {
  const { tree } = reading;
  const { collection } = nodeOf(tree, index);
  if (collection === undefined || collection.rows < 1) return null;
  const seen: number[] = [];
  const stack = [...(tree.children[index] ?? [])];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const node = nodeOf(tree, at);
    if (node.collection !== undefined) continue;
    if (node.item !== undefined && node.item.row >= 0) {
      if (tree.seen[at] !== null) seen.push(node.item.row);
      continue;
    }
    stack.push(...(tree.children[at] ?? []));
  }
  if (seen.length === 0) return null;
  const first = Math.min(...seen) + 1;
  const last = Math.max(...seen) + 1;
  return { first, last, count: Math.max(collection.rows, last) };
}
