/**
 * Whether a question asks for a password, a code or something else that lets others act as whoever answers.
 * Words from policies/secrets-asked.json. Not for what stands on screens (one-time-codes.ts) or means an act.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fold } from '../../device-protocol/fold.ts';
import { parsePolicyJson } from './word-file.ts';

const FILE = 'secrets-asked.json';

const byLanguage = z.record(z.string().regex(/^[a-z]{2,3}$/), z.array(z.string().min(1).max(80)).min(1));
const secretsSchema = z.strictObject({
  why: z.string(),
  words: byLanguage,
  not: z.strictObject({ why: z.string(), words: byLanguage }),
});

export interface SecretWords {
  /** Whether the text asks for one. */
  asksFor(text: string): boolean;
}

const NO_SPACES =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u;
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Words end at anything that is no letter or digit; a `*` at a phrase's end lets it go on. */
function patternOf(phrases: readonly string[]): RegExp {
  const parts = phrases.map((phrase) => {
    const open = phrase.endsWith('*');
    // Blanks may be any run of blanks, and between letters that are spaced out there is nothing to gain.
    const words = fold(open ? phrase.slice(0, -1) : phrase)
      .split(' ')
      .map((word) => (word.endsWith('*') ? `${escaped(word.slice(0, -1))}[\\p{L}\\p{M}]*` : escaped(word)))
      .join('[^\\p{L}\\p{Nd}]+');
    if (NO_SPACES.test(phrase)) return words;
    return `(?<![\\p{L}\\p{Nd}])${words}${open ? '' : '(?![\\p{L}\\p{Nd}])'}`;
  });
  return new RegExp(parts.join('|'), 'gu');
}

/** Letters that somebody spaced or dotted apart, together again: "P A S S W O R D", "p.i.n". */
const together = (text: string) =>
  text.replace(/(?<![\p{L}\p{Nd}])(?:\p{L}[ ._-]){2,}\p{L}(?![\p{L}\p{Nd}])/gu, (run) =>
    run.replace(/[ ._-]/g, ''),
  );

/** Reads the words; throws PolicyFileError where the file cannot be read. */
export function loadSecretWords(policiesFolder: string): SecretWords {
  const data = parsePolicyJson(
    readFileSync(join(policiesFolder, FILE), 'utf8'),
    `policies/${FILE}`,
    secretsSchema,
  );
  const asked = patternOf(Object.values(data.words).flat());
  const innocent = patternOf(Object.values(data.not.words).flat());
  return { asksFor: (text) => together(fold(text)).replace(innocent, ' ').search(asked) !== -1 };
}
