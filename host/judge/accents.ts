/**
 * Accents where they tell words apart. Matching folds them away; here a match is taken back whose words are other
 * words once their accents are read ("đang" is no "đăng"). Not for folding (device-protocol/fold.ts).
 */
import { readSpelled } from './label.ts';
import { type OwnWord, ownWords } from './pattern.ts';
import type { Rule } from './rule-table.ts';

/** Languages in which words with other accents are other words, and writers do not leave accents out. */
const KEPT: ReadonlySet<string> = new Set(['vi']);

/** Marks of tone, which Vietnamese writes on either vowel of a syllable (xoá, xóa). */
const TONES = /[\u0300\u0301\u0303\u0309\u0323]/gu;

/** The words of a text with their accents, in the order in which the folded ones stand. */
export class Spelling {
  readonly #text: string;
  #words: readonly string[] | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  get words(): readonly string[] {
    this.#words ??= readSpelled(this.#text).split(' ').map(spell);
    return this.#words;
  }
}

/**
 * Whether a rule's own words are spelled so in the words of a label between `start` and `end` of its folded
 * `text`. A word without any accent may stand for one with them, but only where that raises caution: a phrase that
 * takes a hit back must be spelled exactly.
 */
export function isSpelled(rule: Rule, text: string, start: number, end: number, spelling: Spelling): boolean {
  if (!KEPT.has(rule.language)) return true;
  const there = spelling.words.slice(spacesBefore(text, start), spacesBefore(text, end) + 1);
  const exact = rule.kind !== 'entry';
  return ownWordsOf(rule).every((own) => there.some((word) => isSame(own, word, exact)));
}

type Spelled = { spelled: string; bare: string; openStart: boolean; openEnd: boolean };

function isSame({ spelled, bare, openStart, openEnd }: Spelled, word: string, exact: boolean): boolean {
  const meets = (wanted: string) =>
    (openStart || word.startsWith(wanted)) &&
    (openEnd || word.endsWith(wanted)) &&
    word.includes(wanted) &&
    (openStart || openEnd || word === wanted);
  return meets(spelled) || (!exact && meets(bare));
}

const known = new WeakMap<Rule, readonly Spelled[]>();

function ownWordsOf(rule: Rule): readonly Spelled[] {
  let found = known.get(rule);
  if (found === undefined) {
    found = ownWords(rule.say).flatMap(spelledWords);
    known.set(rule, found);
  }
  return found;
}

function spelledWords({ written, text, openStart, openEnd }: OwnWord): Spelled[] {
  const bare = text.split(' ');
  return readSpelled(written)
    .split(' ')
    .map((word, index, all) => ({
      spelled: spell(word),
      bare: bare[index] ?? '',
      openStart: openStart && index === 0,
      openEnd: openEnd && index === all.length - 1,
    }));
}

/** One spelling for both places of a tone: its marks at the end. */
function spell(word: string): string {
  const parts = word.normalize('NFD');
  return parts.replace(TONES, '') + (parts.match(TONES) ?? []).join('');
}

function spacesBefore(text: string, index: number): number {
  let spaces = 0;
  for (let at = 0; at < index; at++) if (text.charCodeAt(at) === 32) spaces++;
  return spaces;
}
