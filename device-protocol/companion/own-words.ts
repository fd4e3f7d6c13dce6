/**
 * The words a node carries itself, as far as they say what it is rather than what it holds. Not for labels
 * (host/screen): those also come from around the node.
 */
import { has, type SnapshotNode } from '../snapshot.ts';
import { plainWords } from './plain-words.ts';

/** Between text and description, where both are said. Both are free of control characters. */
const BETWEEN = ' \u00B7 ';

/** Text and description; a value (of a field, a slider, a switch's "ON") is no name. Empty: none. */
export function ownWords(node: SnapshotNode): string {
  const description = plainWords(node.description);
  if (has(node, 'password')) return description || plainWords(node.hint);
  if (has(node, 'editable')) return description || plainWords(node.hint);
  if (holdsValue(node)) return description;
  const text = plainWords(node.text);
  if (text === '' || text === description) return description;
  return description === '' ? text : `${text}${BETWEEN}${description}`;
}

/** Whether the node's text is a value that changes while the node stays what it is. */
function holdsValue(node: SnapshotNode): boolean {
  if (node.range !== undefined) return true;
  return /(?:Switch|SwitchCompat|SwitchMaterial|ToggleButton|SeekBar|ProgressBar|RatingBar|Chronometer|TextClock)$/.test(
    node.class_name ?? '',
  );
}

/**
 * Whether the words are nothing but a clock, a playing time or a percentage: what changes by itself while
 * the screen rests.
 */
export function isTicking(words: string): boolean {
  if (words.length > 24 || !/\p{Nd}/u.test(words)) return false;
  return CLOCK.test(words) || PERCENT.test(words);
}

const TIME = '\\p{Nd}{1,2}[:.]\\p{Nd}{2}(?:[:.]\\p{Nd}{2})?';
/** "17:52", "5:52 PM", "下午5:52", "0:35 / 3:10", "-2:10". */
const CLOCK = new RegExp(
  `^[-\u2212]?(?:\\p{L}{1,4}\\.? ?)?${TIME}(?: ?\\p{L}{1,4}\\.?(?:\\p{L}\\.)?)?(?: ?/ ?${TIME})?$`,
  'u',
);
const PERCENT = /^(?:%\p{Nd}{1,3}|\p{Nd}{1,3}(?:[.,]\p{Nd}{1,2})? ?[%\u066A])$/u;
