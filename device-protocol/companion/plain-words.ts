/**
 * The form in which words of the screen are compared for identity, hashed and shown: nothing invisible in
 * them, one space between words. Not for searching or judging (fold.ts): letters keep their case and form,
 * because "Pay" that became "PAY" is not known to be the same button.
 *
 * Only fixed ranges are used, never a Unicode table of the platform, so that every phone computes the same.
 */

/** Longest words that are compared, UTF-16 code units. */
export const PLAIN_MAX = 2_000;

type Range = readonly [from: number, to: number];

/** What cannot be seen: control characters, joiners, direction marks, fillers, variation selectors, tags. */
const INVISIBLE: readonly Range[] = [
  [0x00, 0x08],
  [0x0e, 0x1f],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
];
/** What counts as one space, however many stand together. */
const BLANK: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
];
const classOf = (ranges: readonly Range[]) =>
  ranges.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('');
const INVISIBLES = new RegExp(`[${classOf(INVISIBLE)}]`, 'gu');
const BLANKS = new RegExp(`[${classOf(BLANK)}]+`, 'gu');
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Empty where nothing of `text` can be seen; cut at `most` code units. Idempotent. */
export function plainWords(text: string | null | undefined, most: number = PLAIN_MAX): string {
  if (text === null || text === undefined || text === '') return '';
  const plain = SIMPLE.test(text)
    ? text
    : text
        .replace(LONE_SURROGATE, '\uFFFD')
        .replace(INVISIBLES, '')
        .replace(BLANKS, ' ')
        .replace(/^ | $/g, '');
  return plain.length <= most ? plain : cutAt(plain, most);
}

/** Nothing to do for printable ASCII with single spaces inside: most labels. */
const SIMPLE = /^[!-~]+(?: [!-~]+)*$/;

/** The first `units` code units, one less where that would split a character; no blank at the end. */
export function cutAt(text: string, units: number): string {
  if (text.length <= units) return text;
  const splits = /[\uD800-\uDBFF]/.test(text[units - 1] ?? '');
  return text.slice(0, splits ? units - 1 : units).replace(/ $/, '');
}
