/**
 * What an agent may see: whole apps are withheld by category, one-time codes are masked in what is left. Pure
 * functions over texts; the phone enforces the same by itself. Not for what an agent may do (judge.ts).
 */
import { z } from 'zod';
import type { Category } from './apps.ts';
import { readWords } from './label.ts';
import type { Policy } from './policy.ts';
import { compilePhrases, matchWords, type Words } from './words.ts';

const byLanguage = z.record(z.string().regex(/^[a-z]{2,3}$/), z.array(z.string().min(1).max(80)).min(1));
export const codesSchema = z.strictObject({
  why: z.string(),
  words: byLanguage,
  not: z.strictObject({ why: z.string(), words: byLanguage }),
});

/** Words for a one-time code, and phrases with such a word that open nothing. */
export type CodeWords = { words: Words; not: Words };

export function compileCodes(data: z.infer<typeof codesSchema>): CodeWords {
  const compile = (words: z.infer<typeof byLanguage>) =>
    compilePhrases(
      'policies/one-time-codes.json',
      Object.entries(words).flatMap(([language, list]) => list.map((say) => ({ say, language }))),
      'anywhere',
    );
  return { words: compile(data.words), not: compile(data.not.words) };
}

/** Whether the contents of an app may be seen; `withheld` names the category that forbids it. */
export type Seeing = { see: true } | { see: false; withheld: string };

/** `packageName` null (unknown) is withheld nowhere by itself: what is in front is then said to be unknown. */
export function seeingOf(packageName: string | null, activity: string | null, policy: Policy): Seeing {
  if (packageName === null) return { see: true };
  const categories = policy.apps.of(packageName, activity);
  const forbids = categories.find((category) => !maySee(category, packageName, policy));
  return forbids === undefined ? { see: true } : { see: false, withheld: forbids.name };
}

function maySee(category: Category, packageName: string, policy: Policy): boolean {
  if (category.see === 'see') return true;
  return category.see === 'withhold' && policy.shown.has(packageName);
}

export type SeenText = { text: string; package: string | null };

/**
 * The same texts as this agent may see them: null where the app's content is withheld, digits of one-time codes
 * replaced by dots. A code counts when a word for it stands in the same text or in a neighbouring one of the
 * same app (a notification's title and text are two).
 */
export function visibleTexts(texts: readonly SeenText[], policy: Policy): (string | null)[] {
  const about = texts.map(({ text }) => speaksOfCode(text, policy.codes));
  return texts.map(({ text, package: owner }, index) => {
    if (!seeingOf(owner, null, policy).see) return null;
    if (policy.codes_shown) return text;
    const near = [index - 1, index, index + 1].some(
      (at) => about[at] === true && texts[at]?.package === owner,
    );
    return near ? maskCodes(text) : text;
  });
}

function speaksOfCode(text: string, codes: CodeWords): boolean {
  const reading = { kind: 'plain', words: readWords(text) } as const;
  const named = matchWords(codes.words, reading);
  if (named.length === 0) return false;
  const innocent = matchWords(codes.not, reading);
  return named.some((one) => !innocent.some((other) => other.start <= one.start && one.end <= other.end));
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
