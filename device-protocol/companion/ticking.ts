/**
 * Tells a clock that went on from a time somebody changed: words of one place before and after, and the
 * milliseconds between. Not for which words are times at all (own-words.ts).
 */
import { isTicking } from './own-words.ts';

/** A playing time may run faster, and two looks are not taken at the same moment as two repaints. */
const SLACK_SECONDS = 2;
const DAY_MINUTES = 24 * 60;

/** Whether `after` is what `before` becomes by itself in that time. */
export function tickedOn(before: string, after: string, passedMs: number): boolean {
  if (!isTicking(before) || !isTicking(after)) return false;
  const from = numbersOf(before);
  const to = numbersOf(after);
  // "59:59" becomes "1:00:00"; a percentage is one number and moves as it likes: it is progress.
  if (from.length === 0 || to.length === 0) return false;
  if (isPercent(before) && isPercent(after)) return true;
  const passed = Math.max(0, passedMs) / 1_000;
  if (Math.abs(secondsOf(to) - secondsOf(from)) <= passed * 2 + SLACK_SECONDS) return true;
  if (from.length !== 2 || to.length !== 2) return false;
  const minutes = (minutesOf(to) - minutesOf(from) + DAY_MINUTES) % (DAY_MINUTES / 2);
  return minutes <= Math.floor(passed / 60) + 1;
}

const isPercent = (words: string) => /[%\u066A]/u.test(words);

/** The numbers of the first time in the words; a total behind a slash does not move. */
function numbersOf(words: string): number[] {
  const first = words.split('/')[0] ?? '';
  return [...first.matchAll(/\p{Nd}+/gu)].map(([digits]) => Number(latinDigits(digits)));
}

/** Decimal digits of any script stand in blocks of ten, in order, from a multiple of ten or sixteen on. */
function latinDigits(digits: string): string {
  let latin = '';
  for (const digit of digits) {
    const code = digit.codePointAt(0) as number;
    if (code < 0x80) {
      latin += digit;
      continue;
    }
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    latin += String(code - zero);
  }
  return latin;
}

/** Read as minutes and seconds, or hours, minutes and seconds. */
function secondsOf(numbers: readonly number[]): number {
  return numbers.reduce((seconds, number) => seconds * 60 + number, 0);
}

/** Read as hours and minutes. */
function minutesOf(numbers: readonly number[]): number {
  return (numbers[0] ?? 0) * 60 + (numbers[1] ?? 0);
}
