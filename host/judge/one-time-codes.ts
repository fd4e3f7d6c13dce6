/**
 * One-time codes in texts: whether a text speaks of one (policies/one-time-codes.json), and the text with its
 * digits covered. Pure functions over texts. Not for who may see what (seeing.ts).
 */
import { z } from 'zod';
import { readWords } from './label.ts';
import { matchWords } from './match-words.ts';
import { compilePhrases, type Words, type WordsData } from './words.ts';

const byLanguage = z.record(z.string().regex(/^[a-z]{2,3}$/), z.array(z.string().min(1).max(80)).min(1));
export const codesSchema = z.strictObject({
  why: z.string(),
  words: byLanguage,
  not: z.strictObject({ why: z.string(), words: byLanguage }),
});

export const CODES_FILE = 'policies/one-time-codes.json';

/** Words for a one-time code, marked `code`, and phrases with such a word that open nothing, marked `not`. */
export type CodeWords = Words;

export function codePhrases(data: z.infer<typeof codesSchema>): WordsData {
  const phrases = (words: z.infer<typeof byLanguage>, mark: 'code' | 'not') =>
    Object.values(words).flatMap((says) => says.map((say) => ({ say, mark, at: 'anywhere' }) as const));
  return compilePhrases(CODES_FILE, [...phrases(data.words, 'code'), ...phrases(data.not.words, 'not')]);
}

/** Whether a word for a code stands there that is not part of a harmless phrase ("postal code"). */
export function speaksOfCode(text: string, codes: CodeWords): boolean {
  const found = matchWords(codes, { kind: 'plain', words: readWords(text) });
  return found.some(
    (one) =>
      one.rule.language === 'code' &&
      !found.some(
        (other) => other.rule.language === 'not' && other.start <= one.start && one.end <= other.end,
      ),
  );
}

/** Four to eight digits in one run, or in two or three groups ("123-456"), with or without a letter before ("G-123456"). */
const CODE =
  /(?<![\p{Nd}\p{L}.,:/+])(?:\p{L}-)?(?:\p{Nd}{4,8}|\p{Nd}{2,4}([ \u00a0-])\p{Nd}{2,4}(?:\1\p{Nd}{2,4})?)(?![\p{Nd}\p{L}]|[.,:/]\p{Nd})/gu;
/** Letters and digits mixed, as some services do: "A1B2C3". */
const MIXED = /(?<![\p{L}\p{Nd}])(?=[A-Z0-9]{5,8}(?![\p{L}\p{Nd}]))(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{5,8}/gu;

/** Replaces the characters of each code by a dot; everything else stays, so that the text still makes sense. */
export function maskCodes(text: string): string {
  const dots = (code: string) => code.replace(/[\p{Nd}A-Z]/gu, '•');
  return text.replace(CODE, dots).replace(MIXED, dots);
}
