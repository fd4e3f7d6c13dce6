/**
 * Whether words stand on the screen as it is seen, for an act that goes on until they do. Both sides
 * compare the same: plain words, lower case. Not for an agent's search (fold.ts, on the host only).
 */
import { has } from '../snapshot.ts';
import { nodeOf } from './identity.ts';
import { plainWords } from './plain-words.ts';
import type { Tree } from './tree.ts';

/** The form in which wanted words travel and are compared. */
export const wantedWords = (text: string): string => plainWords(text).toLowerCase();

/** `wanted` comes from `wantedWords`. Passwords are never compared. */
export function says(tree: Tree, wanted: string): boolean {
  return tree.snapshot.nodes.some((_, index) => {
    if (tree.seen[index] === null) return false;
    const node = nodeOf(tree, index);
    const texts = [has(node, 'password') ? null : node.text, node.description, node.state];
    return texts.some((text) => text != null && wantedWords(text).includes(wanted));
  });
}
