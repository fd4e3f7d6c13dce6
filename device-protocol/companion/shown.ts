/**
 * Everything the window of an element shows, as lines the owner approves and the phone compares before a
 * staged act: title, headings, texts, values, states. Stricter than a window's print: nothing is overlooked
 * as a clock, because "17:30" may be the time that is being booked.
 */

import { LIMITS } from '../limits.ts';
import { sha256OfText } from '../request.ts';
import { has, type Snapshot, type SnapshotNode } from '../snapshot.ts';
import { nodeOf } from './identity.ts';
import { cutAt, PLAIN_MAX, plainWords } from './plain-words.ts';
import { type Tree, treeOf } from './tree.ts';

export interface Shown {
  /** In document order; at most 400, which is what a payload carries. */
  readonly lines: readonly string[];
  /** Digest over all lines in full, also over those beyond the limits. */
  readonly print: string;
}

/** Lines a payload carries (payload.ts). */
const MOST_LINES = 400;
const PARTED = ' \u00B7 ';

export function shownOf(snapshot: Snapshot, index: number): Shown {
  return shownIn(treeOf(snapshot), index);
}

/** As `shownOf`, for several questions about one snapshot. */
export function shownIn(tree: Tree, index: number): Shown {
  const { window } = nodeOf(tree, index);
  const lines: string[] = [];
  const title = plainWords(tree.snapshot.windows[window]?.title);
  if (title !== '') lines.push(title);
  tree.snapshot.nodes.forEach((node, at) => {
    if (node.window !== window || tree.seen[at] === null) return;
    const line = lineOf(node, tree.secret[at] === true);
    if (line !== '') lines.push(line);
  });
  return {
    lines: lines.slice(0, MOST_LINES).map((line) => cutAt(line, PLAIN_MAX)),
    print: sha256OfText(lines.join('\n')),
  };
}

function lineOf(node: SnapshotNode, secret: boolean): string {
  const hintOnly = has(node, 'showing_hint');
  const parts = [
    whole(node.pane),
    secret && !hintOnly ? '' : whole(node.text),
    whole(node.description),
    whole(node.hint),
    secret ? '' : whole(node.state),
    whole(node.error),
  ].filter((part, place, all) => part !== '' && all.indexOf(part) === place);
  if (secret) parts.push('[secret]');
  if (has(node, 'checkable')) parts.push(has(node, 'checked') ? '[on]' : '[off]');
  if (has(node, 'selected') && parts.length > 0) parts.push('[selected]');
  if (node.range !== undefined) parts.push(`[${node.range.current}]`);
  return parts.join(PARTED);
}

const whole = (text: string | null | undefined) => plainWords(text, LIMITS.nodeText);
