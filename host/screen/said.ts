/**
 * Words as they are shown to an agent: visible, one line, said once. Not for comparing (fold.ts) nor for
 * identity (plain-words.ts).
 */
import { plainWords } from '../../device-protocol/companion/plain-words.ts';
import { LIMITS } from '../../device-protocol/limits.ts';

/** Only glyphs of icon fonts, replacement characters and white space: nothing one can read. */
const UNREADABLE = /^[\p{Co}\uFFFC\uFFFD\s]*$/u;

/** The readable form; empty where there is nothing to read. */
export function readable(text: string | null | undefined): string {
  const plain = plainWords(text, LIMITS.nodeText);
  return UNREADABLE.test(plain) ? '' : plain;
}

/** Whether `whole` already says `part`, letter for letter, as words of its own and not inside of others. */
export function says(whole: string, part: string): boolean {
  if (part === '') return true;
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    if (!joins(whole[at - 1], part[0]) && !joins(part.at(-1), whole[at + part.length])) return true;
  }
  return false;
}

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;

function joins(one: string | undefined, next: string | undefined): boolean {
  return one !== undefined && next !== undefined && WORD_CHARACTER.test(one) && WORD_CHARACTER.test(next);
}

/** Between words of different nodes in one label. */
export const PARTED = ' \u00B7 ';

/** The parts without those that the others already say, in their order. */
export function distinct(parts: readonly string[]): string[] {
  let kept: string[] = [];
  for (const part of parts) {
    if (part === '' || kept.some((one) => says(one, part))) continue;
    kept = [...kept.filter((one) => !says(part, one)), part];
  }
  return kept;
}

/** Signs that only part words from each other: PARTED does that. */
export const isOnlySigns = (text: string) => /^[\p{P}\p{S}\s]*$/u.test(text) && text.length <= 2;
