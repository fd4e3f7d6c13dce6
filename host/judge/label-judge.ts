/**
 * What the words and symbols of one label mean: the plain reading, every disguise of it, and its symbols.
 * Not for where the label stands or what is done to it (judge.ts).
 */
import { z } from 'zod';
import { RISK_CLASSES, type RiskClass } from '../../device-protocol/verdict.ts';
import { Spelling } from './accents.ts';
import type { Confusables } from './confusables.ts';
import { otherReadings, type Reading } from './disguise.ts';
import { type Label, readLabel } from './label.ts';
import { languageOfLocale } from './locale.ts';
import { matchCutWords, matchWords } from './match-words.ts';
import { cutHits, standingHits, type WordHit } from './standing-hits.ts';
import type { Words } from './words.ts';

export const symbolsSchema = z.strictObject({
  why: z.string(),
  entries: z.array(
    z.strictObject({
      say: z.string().min(1).max(4),
      at: z.enum(['whole']).optional(),
      class: z.enum(RISK_CLASSES),
      why: z.string().min(3).max(240),
    }),
  ),
});
export type Symbols = ReadonlyMap<string, { class: RiskClass; whole: boolean }>;

export function compileSymbols(data: z.infer<typeof symbolsSchema>): Symbols {
  return new Map(
    data.entries.map(({ say, at, class: means }) => [say, { class: means, whole: at === 'whole' }]),
  );
}

/** Everything needed to judge words. */
export type Vocabulary = {
  words: Words;
  /** The owner's own words, null when there are none. */
  own: Words | null;
  symbols: Symbols;
  confusables: Confusables;
};

/** Longest text judged word by word, UTF-16 code units; what is longer counts as unknown (judge.ts). */
export const LONGEST_LABEL = 10_000;

/** A hit; symbols have no language. */
export type LabelHit = Omit<WordHit, 'language'> & { language: string | null };

/** All hits in `text`; `locale` is the device's BCP-47 or Android locale, null when unknown. */
export function judgeLabel(vocabulary: Vocabulary, text: string, locale: string | null): LabelHit[] {
  const { words, symbols, confusables } = vocabulary;
  const language = languageOfLocale(locale, words.languages);
  const shown = text.length > LONGEST_LABEL ? text.slice(0, LONGEST_LABEL) : text;
  const label = readLabel(shown);
  const spelling = new Spelling(shown);
  const plain = matchWords(words, { kind: 'plain', words: label.words, spelling });
  const hits: LabelHit[] = standingHits(label.words, plain, language);
  const cut = label.words.includes(' ') ? matchCutWords(words, label.words) : [];
  if (cut.length > 0) addNews(cutHits(label.words, cut, plain, language), label, hits);
  for (const reading of otherReadings(shown, label, confusables)) {
    const matches = matchWords(words, reading);
    if (matches.length > 0) addNews(standingHits(reading.words, matches, language), label, hits);
  }
  if (vocabulary.own !== null) hits.push(...ownHits(vocabulary.own, shown, label, confusables));
  for (const symbol of label.symbols) {
    const entry = symbols.get(symbol);
    if (entry !== undefined && !(entry.whole && /[^\d ]/u.test(label.words))) {
      hits.push({ class: entry.class, language: null, match: symbol, say: symbol });
    }
  }
  return hits;
}

/** The owner's words have no exceptions and yield to no locale. */
function ownHits(own: Words, shown: string, label: Label, confusables: Confusables): LabelHit[] {
  const readings: Reading[] = [
    { kind: 'plain', words: label.words },
    ...otherReadings(shown, label, confusables),
  ];
  return [
    ...readings.flatMap((reading) => standingHits(reading.words, matchWords(own, reading), null)),
    ...cutHits(label.words, matchCutWords(own, label.words), [], null),
  ];
}

/** Adds hits that are not known yet and not made of words of the plain reading, where exceptions were applied. */
function addNews(more: readonly WordHit[], { words }: Label, hits: LabelHit[]): void {
  for (const hit of more) {
    if (` ${words} `.includes(` ${hit.match} `)) continue;
    if (!hits.some((other) => other.say === hit.say && other.language === hit.language)) hits.push(hit);
  }
}
