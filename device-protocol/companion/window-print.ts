/**
 * Digest of what a window, or a part of it, shows: equal prints mean that nothing moved, so that even
 * elements without any words of their own can be told apart by their place. Blind to what changes by itself
 * or by being used: clocks, progress, what fields hold, what is checked, focused or selected, and bounds.
 */
import { sha256OfText } from '../request.ts';
import { has, type NodeFlag } from '../snapshot.ts';
import { nodeOf, wordsAt } from './identity.ts';
import { isTicking } from './own-words.ts';
import { plainWords } from './plain-words.ts';
import type { Tree } from './tree.ts';

const PRINTED_FLAGS: readonly (readonly [NodeFlag, string])[] = [
  ['clickable', 'c'],
  ['long_clickable', 'l'],
  ['checkable', 'k'],
  ['editable', 'e'],
];
/** Between the fields of a line; plain words hold no control characters. */
const FIELD = '\u001F';

export function windowPrint(tree: Tree, window: number): string {
  return printOf(
    tree,
    tree.roots.filter((root) => nodeOf(tree, root).window === window),
  );
}

/** Print of the part of a window below and with `index`. */
export function partPrint(tree: Tree, index: number): string {
  return printOf(tree, [index]);
}

function printOf(tree: Tree, roots: readonly number[]): string {
  const lines: string[] = [];
  const stack = roots.toReversed().map((index) => ({ index, depth: 0 }));
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (tree.seen[at.index] !== null) lines.push(lineOf(tree, at.index, at.depth));
    for (const child of (tree.children[at.index] ?? []).toReversed()) {
      stack.push({ index: child, depth: at.depth + 1 });
    }
  }
  return sha256OfText(lines.join('\n'));
}

function lineOf(tree: Tree, index: number, depth: number): string {
  const node = nodeOf(tree, index);
  const words = wordsAt(tree, index);
  const flags = PRINTED_FLAGS.map(([flag, letter]) => (has(node, flag) ? letter : '')).join('');
  return [
    String(depth),
    plainWords(node.class_name),
    plainWords(node.resource_id),
    flags,
    isTicking(words) ? '' : words,
  ].join(FIELD);
}
