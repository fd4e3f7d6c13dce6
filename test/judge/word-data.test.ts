/** The word files as data: what a reviewer who never programmed relies on. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Spelling } from '../../host/judge/accents.ts';
import { readWords } from '../../host/judge/label.ts';
import { loadWordFiles } from '../../host/judge/load-words.ts';
import { languageOfLocale } from '../../host/judge/locale.ts';
import { matchWords } from '../../host/judge/match-words.ts';
import { UNSPACED_LANGUAGES } from '../../host/judge/pattern.ts';
import { standingHits } from '../../host/judge/standing-hits.ts';
import type { PlaceInLabel } from '../../host/judge/word-file.ts';
import { compileWords, wordsOf } from '../../host/judge/words.ts';
import { book, POLICIES } from './policy-here.ts';

const files = loadWordFiles(POLICIES);

/** Scripts of the corpus that a phone may show, and a language written in each. */
const SCRIPTS: Record<string, string> = {
  Latin: 'en',
  Cyrillic: 'ru',
  Greek: 'el',
  Arabic: 'ar',
  Hebrew: 'he',
  Devanagari: 'hi',
  Bengali: 'bn',
  Gurmukhi: 'pa',
  Gujarati: 'gu',
  Oriya: 'or',
  Tamil: 'ta',
  Telugu: 'te',
  Kannada: 'kn',
  Malayalam: 'ml',
  Sinhala: 'si',
  Thai: 'th',
  Lao: 'lo',
  Khmer: 'km',
  Myanmar: 'my',
  Georgian: 'ka',
  Armenian: 'hy',
  Ethiopic: 'am',
  Hangul: 'ko',
  Han: 'zh',
  Hiragana: 'ja',
};

/** Acts every language has a button for; a file without one of them was not finished. */
const EVERYWHERE = ['send', 'delete', 'share', 'call', 'grant', 'block', 'confirm', 'account'] as const;

/**
 * Labels in which an entry must be met unless something always takes it back: its own words, alone and where its
 * place allows that with others around them, its stars and gaps filled in two ways.
 */
function labelsSaying(say: string, at: PlaceInLabel): string[] {
  const filled = [
    say.replaceAll(/(?<![^\s])[…*#](?![^\s])/gu, '7').replaceAll('*', ''),
    say.replaceAll(/(?<![^\s])[…*#](?![^\s])/gu, 'qqq').replaceAll('*', 'qq'),
  ];
  return filled.flatMap((text) => {
    const labels = [text];
    if (at === 'anywhere' || at === 'start') labels.push(`${text} qqqq`);
    if (at === 'anywhere' || at === 'end') labels.push(`qqqq ${text}`);
    return labels;
  });
}

describe('the word files', () => {
  it('speak at least sixty languages, and every script a phone shows', () => {
    expect(files.length).toBeGreaterThanOrEqual(60);
    const languages = new Set(files.map(({ words }) => words.language));
    expect(Object.entries(SCRIPTS).filter(([, language]) => !languages.has(language))).toEqual([]);
  });

  it.each(Object.entries(SCRIPTS))('write %s in its own script', (script, language) => {
    const own = files.find(({ words }) => words.language === language);
    const written = new RegExp(`\\p{Script=${script}}`, 'u');
    expect(own?.words.entries.filter((entry) => written.test(entry.say)).length).toBeGreaterThan(20);
  });

  it.each(files)('have in $file every act that its speakers press a button for', ({ words }) => {
    const classes = new Set(words.entries.map((entry) => entry.class));
    expect(EVERYWHERE.filter((one) => !classes.has(one))).toEqual([]);
  });

  it.each(files)('have in $file no stem so short that it hits ordinary words', ({ words }) => {
    if (UNSPACED_LANGUAGES.has(words.language)) return;
    const tooShort = words.entries.filter(({ say, why }) => {
      const stems = say.split(' ').filter((word) => word.includes('*') && word !== '*');
      const alphabetic = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
      // Shorter ones stand only where the reason beside them says that it is safe, or another word narrows them.
      const alone = say.split(' ').length === 1;
      return (
        alone &&
        stems.some((stem) => alphabetic.test(stem) && readWords(stem.replaceAll('*', '')).length < 4) &&
        !/safe|only/iu.test(why)
      );
    });
    expect(tooShort.map((entry) => entry.say)).toEqual([]);
  });

  it.each(files)('have in $file no entry of one letter', ({ words }) => {
    if (UNSPACED_LANGUAGES.has(words.language)) return;
    // A Hangul syllable is one sign of two or three letters, and may be a word.
    const lettersOf = (say: string) => readWords(say.replaceAll(/[*…#]/gu, '')).normalize('NFD').length;
    expect(words.entries.filter(({ say }) => lettersOf(say) < 2).map((entry) => entry.say)).toEqual([]);
  });

  it.each(files)('have in $file a reason for every line', ({ words }) => {
    const lines = [...words.entries, ...words.exceptions, ...words.harmless];
    expect(lines.filter((line) => line.why.trim().length < 3)).toEqual([]);
  });

  it.each(files)(
    'have in $file no entry that an exception of the same file always takes back',
    ({ file, words }) => {
      const compiled = wordsOf(compileWords([{ file, words }]));
      const stands = (label: string, means: string) => {
        const text = readWords(label);
        const reading = { kind: 'plain', words: text, spelling: new Spelling(label) } as const;
        const hits = standingHits(text, matchWords(compiled, reading), words.language);
        return hits.some((hit) => hit.class === means);
      };
      const shadowed = words.entries.filter(
        ({ say, at = 'anywhere', class: means }) =>
          !labelsSaying(say, at).some((label) => stands(label, means)),
      );
      expect(shadowed.map((entry) => entry.say)).toEqual([]);
    },
  );

  it('decide by the locale of the phone, under all the names it has', () => {
    const { languages } = book.vocabulary.words;
    expect(languageOfLocale('pt-BR', languages)).toBe('pt');
    expect(languageOfLocale('zh_TW', languages)).toBe('zh');
    expect(languageOfLocale('iw-IL', languages)).toBe('he');
    expect(languageOfLocale('no', languages)).toBe('nb');
    expect(languageOfLocale('in', languages)).toBe('id');
    expect(languageOfLocale('xx-XX', languages)).toBeNull();
    expect(languageOfLocale(null, languages)).toBeNull();
  });

  it('are read from one folder', () => {
    expect(join(POLICIES, 'words')).toContain('policies');
  });
});
