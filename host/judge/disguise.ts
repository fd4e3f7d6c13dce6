/**
 * The other ways a person may read a label that does not spell its words plainly: look-alike letters, digits for
 * letters, spaced-out or punctuated letters, words cut in two, text turned around by a bidi override. Each is
 * judged in addition to the plain reading, never instead of it. Not for matching.
 */
import { fold } from '../../device-protocol/fold.ts';
import type { Spelling } from './accents.ts';
import type { Confusables } from './confusables.ts';
import { ALIKE, BROKEN, CAMEL, SPACED, signsOfDisguise } from './disguise-signs.ts';
import { type Label, readWords } from './label.ts';

/** A reading of a label as words with a space between them. */
export type PlainReading = {
  kind: 'plain';
  words: string;
  /** Where known, how the words are spelled. */
  spelling?: Spelling;
};

export type Reading =
  | PlainReading
  /** Letters that stood alone, put together: the words in them have no spaces to tell them apart. */
  | { kind: 'joined'; words: string };

/** All readings of `text` but the plain one, each once. Most labels have none or one. */
export function otherReadings(text: string, label: Label, confusables: Confusables): Reading[] {
  const readings: Reading[] = [];
  const add = (kind: Reading['kind'], words: string) => {
    if (words === '' || (kind === 'plain' && words === label.words)) return;
    if (!readings.some((known) => known.kind === kind && known.words === words))
      readings.push({ kind, words });
  };
  const signs = signsOfDisguise(text, confusables);
  if (signs === 0) return readings;
  for (const spelled of [text, ...turnedAround(text)]) {
    const shown = shownOf(spelled);
    add('plain', readWords(shown));
    const spellings = signs & ALIKE ? [shown, ...alikes(shown, confusables)] : [shown];
    for (const alike of spellings) {
      add('plain', readWords(alike));
      if (signs & BROKEN) add('plain', readWords(alike.replace(INNER_SIGNS, '')));
    }
    if (signs & CAMEL) add('plain', readWords(shown.replace(HUMPS, ' ')));
    if (signs & SPACED) {
      for (const { run, whole } of spacedOut(shown)) {
        add('plain', readWords(whole));
        for (const alike of [run, ...alikes(run, confusables)]) {
          add('joined', readWords(alike));
          for (const parted of inTwo(alike)) add('plain', parted);
        }
      }
    }
  }
  return readings;
}

const INVISIBLE = /(?!\s)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;
/** Letters in brackets of their own, which would come apart into letter and brackets. */
const BRACKETED = /[\u249c-\u24b5]/gu;
const HUMPS = /(?<=\p{Ll})(?=\p{Lu})/gu;

function shownOf(text: string): string {
  const letter = (sign: string) => String.fromCharCode(sign.charCodeAt(0) - 0x249c + 97);
  return text.replace(BRACKETED, letter).replace(INVISIBLE, '').normalize('NFKC');
}

/** Anything but letters, digits and blanks between two letters. */
const INNER_SIGNS = /(?<=[\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}\s]+(?=[\p{L}\p{N}])/gu;
const OVERRIDE = /\u202e([^\u202c\u2069]*)/u;

/** What stands behind a right-to-left override is read backwards. */
function turnedAround(text: string): string[] {
  if (!text.includes('\u202e')) return [];
  return [text.replace(OVERRIDE, (_, inside: string) => [...inside].reverse().join(''))];
}

/** The text with look-alikes read as Latin, and mixed words read in their other script. */
function alikes(shown: string, confusables: Confusables): string[] {
  const results = new Set<string>();
  for (const stroke of readingsOfBars(shown, confusables)) {
    const read = shown.replace(
      WORDS_WITH_SIGNS,
      (word, at: number) => asLatin(word, at, stroke, confusables) ?? word,
    );
    if (read !== shown) results.add(read);
  }
  if (/\p{Script=Latin}/u.test(shown)) {
    for (const [script, letters] of [
      [/\p{Script=Cyrillic}/u, confusables.cyrillic],
      [/\p{Script=Greek}/u, confusables.greek],
    ] as const) {
      if (script.test(shown))
        results.add(shown.replace(WORDS, (word) => (script.test(word) ? inScript(word, letters) : word)));
    }
    for (const [pair, letter] of confusables.sequences) {
      const folded = fold(shown);
      if (folded.includes(pair)) results.add(folded.replaceAll(pair, letter));
    }
    // A capital I among small letters is read as l, a small l before a consonant as I.
    const swapped = shown
      .replace(/(?<=\p{L})I(?=\p{Ll})|(?<=\p{Ll})I/gu, 'l')
      .replace(/(?<!\p{L})l(?=[bcdfgjkmnpqrstvxz])/gu, 'i');
    if (swapped !== shown) results.add(swapped);
  }
  return [...results];
}

const WORDS = /[\p{L}\p{M}]+/gu;
/** A word with whatever may stand for one of its letters; signs only where a letter follows or came before. */
const WORDS_WITH_SIGNS =
  /(?:[\p{L}\p{M}\p{N}\p{So}|∣⏽]|[@$€£¥¢!+](?=[\p{L}\p{N}@$€£¥¢!+])|(?<=\p{L})[@$€+])+/gu;

/** Most upright strokes of a label that are tried in every combination. */
const MOST_BARS = 4;

/** For each upright stroke by its place: read as i or as l. All combinations while there are few. */
function readingsOfBars(shown: string, { bars }: Confusables): ((place: number) => 'i' | 'l')[] {
  const places: number[] = [];
  for (let at = 0; at < shown.length; at++) if (bars.has(shown[at] as string)) places.push(at);
  if (places.length === 0) return [() => 'i'];
  if (places.length > MOST_BARS) return [() => 'i', () => 'l'];
  const readings: ((place: number) => 'i' | 'l')[] = [];
  for (let mask = 0; mask < 1 << places.length; mask++) {
    readings.push((place) => ((mask >> places.indexOf(place)) & 1 ? 'l' : 'i'));
  }
  return readings;
}

/** The word in Latin letters; null where a letter of it looks like none, or nothing had to be replaced. */
function asLatin(
  word: string,
  at: number,
  stroke: (place: number) => 'i' | 'l',
  { latin, bars, signs }: Confusables,
): string | null {
  let read = '';
  let replaced = false;
  let letters = 0;
  let place = at;
  for (const character of word) {
    const folded = fold(character);
    const looks = bars.has(character) ? stroke(place) : latin.get(character);
    const alike = looks ?? latin.get(folded) ?? signs.get(character);
    place += character.length;
    // How a letter looks goes before what it folds to ("ǫ" is drawn as a small capital q): folded it was read before.
    if (/^[a-z]+$/u.test(folded) && (looks === undefined || looks === folded)) {
      read += folded;
      letters++;
    } else if (alike !== undefined) {
      read += alike;
      replaced = true;
      if (latin.has(character) || !/[\p{N}\p{P}\p{S}]/u.test(character)) letters++;
    } else if (!/\p{M}/u.test(character)) return null;
  }
  return replaced && letters > 0 ? read : null;
}

function inScript(word: string, letters: ReadonlyMap<string, string>): string {
  let read = '';
  for (const character of word) {
    const folded = fold(character);
    read += letters.get(folded) ?? folded;
  }
  return read;
}

/** Three or more single letters in a row with blanks or signs between them: "P A Y", "p.a.y n.o.w". */
const RUN =
  /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]\p{M}*(?:[^\p{L}\p{N}]{1,8}[\p{L}\p{N}@$](?!\p{M}*[\p{L}\p{N}])){2,}\p{M}*/gu;
const GAP = /[^\p{L}\p{N}@$]+/gu;

function spacedOut(shown: string): { run: string; whole: string }[] {
  const found: { run: string; whole: string }[] = [];
  for (const match of shown.matchAll(RUN)) {
    const gaps = match[0].match(GAP) ?? [];
    const shortest = Math.min(...gaps.map((gap) => gap.length));
    const signs = gaps.some((gap) => !/\s/u.test(gap));
    // The wider gap is the space between words; blanks are, where signs separate the letters.
    const run = match[0].replace(GAP, (gap) =>
      gap.length > shortest || (signs && /\s/u.test(gap)) ? ' ' : '',
    );
    found.push({
      run,
      whole: shown.slice(0, match.index) + run + shown.slice(match.index + match[0].length),
    });
  }
  return found;
}

/** Longest run of single letters whose one missing space is looked for. */
const LONGEST_RUN = 40;

/** The run parted in two at every place: "S I G N D O C U M E N T" has lost the space that made a phrase of it. */
function inTwo(run: string): string[] {
  const words = readWords(run);
  if (words.includes(' ') || words.length > LONGEST_RUN) return [];
  return Array.from(
    { length: Math.max(0, words.length - 3) },
    (_, at) => `${words.slice(0, at + 2)} ${words.slice(at + 2)}`,
  );
}
