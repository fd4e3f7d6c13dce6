/**
 * Compiles word files, the owner's words and the phrases of other policy files into one automaton and one table
 * of rules. Not for reading the files (load-words.ts) nor for matching (match-words.ts).
 */
import type { RiskClass } from '../../device-protocol/verdict.ts';
import { Automaton, type AutomatonData } from './automaton.ts';
import { AutomatonBuilder } from './automaton-builder.ts';
import { classOf, UNSPACED } from './characters.ts';
import { readWords } from './label.ts';
import { parseSay, UNSPACED_LANGUAGES } from './pattern.ts';
import { type NewRule, RuleTable, RuleTableBuilder, type RuleTableData } from './rule-table.ts';
import { classesOf, type PlaceInLabel, PolicyFileError, type WordFile } from './word-file.ts';

/** Compiled word files. */
export type Words = {
  automaton: Automaton;
  table: RuleTable;
  languages: ReadonlySet<string>;
  /** For people: entries of all files, exceptions, and the phrase with the most words. */
  counts: { entries: number; exceptions: number; longestPhrase: string };
};

/** The same as plain data. */
export type WordsData = {
  automaton: AutomatonData;
  table: RuleTableData;
  languages: string[];
  counts: Words['counts'];
};

export function wordsOf({ automaton, table, languages, counts }: WordsData): Words {
  return {
    automaton: new Automaton(automaton),
    table: new RuleTable(table),
    languages: new Set(languages),
    counts,
  };
}

/**
 * Its words stand on buttons of every language. What another file says word for word as this one does, for the same
 * act, is the same entry, and this file's exceptions speak for it too: "Reset zoom" is no reset, also where the
 * Dutch say "reset".
 */
export const LENDER = 'en';

/** Compiles parsed word files. Throws PolicyFileError naming file and entry for a `say` it cannot read. */
export function compileWords(files: readonly { file: string; words: WordFile }[]): WordsData {
  const compiler = new Compiler();
  const lent = new Set(
    files.flatMap(({ words }) => (words.language === LENDER ? words.entries.map(identityOf) : [])),
  );
  for (const { file, words } of files) {
    const { language } = words;
    words.entries.forEach((entry, index) => {
      const { say, at = 'anywhere' } = entry;
      const isLent = language !== LENDER && lent.has(identityOf(entry));
      const rule = { say, at, language, kind: 'entry', classes: [entry.class], of: null, isLent } as const;
      compiler.add({ file, path: ['entries', index] }, rule);
    });
    words.exceptions.forEach((exception, index) => {
      const { say, at = 'anywhere', of = null } = exception;
      const rule = {
        say,
        at,
        language,
        kind: 'exception',
        classes: classesOf(exception),
        of,
        isLent: false,
      } as const;
      compiler.add({ file, path: ['exceptions', index] }, rule);
    });
    words.harmless.forEach(({ say, at = 'anywhere' }, index) => {
      const rule = { say, at, language, kind: 'harmless', classes: [], of: null, isLent: false } as const;
      compiler.add({ file, path: ['harmless', index] }, rule);
    });
  }
  return compiler.data();
}

const identityOf = ({ say, class: means }: WordFile['entries'][number]) => `${sayingOf(say)} ${means}`;

/** The own words of a `say`, folded, without stars and gaps. */
export const sayingOf = (say: string): string => readWords(say.replaceAll(/[*…#]/gu, ' '));

/** Compiles the owner's own words; they belong to no language and yield to none. */
export function compileOwnWords(
  words: readonly { say: string; at?: PlaceInLabel | undefined; class: RiskClass }[],
  file: string,
): Words {
  const compiler = new Compiler();
  words.forEach(({ say, at = 'anywhere', class: means }, index) => {
    compiler.add(
      { file, path: ['words', index] },
      {
        say,
        at,
        language: OWNER,
        kind: 'entry',
        classes: [means],
        of: null,
        isLent: false,
      },
    );
  });
  return wordsOf(compiler.data());
}

/** Stands for the language of the owner's own words. */
export const OWNER = 'owner';

/** A phrase that only marks something (a sign of a screen, a word for a code), in the same grammar. */
export type Phrase = { say: string; mark: string; at: PlaceInLabel };

/** The mark stands where other rules have their language. */
export function compilePhrases(file: string, phrases: readonly Phrase[]): WordsData {
  const compiler = new Compiler();
  for (const { say, mark, at } of phrases) {
    compiler.add(
      { file },
      { say, at, language: mark, kind: 'harmless', classes: [], of: null, isLent: false },
    );
  }
  return compiler.data();
}

/** Adds rules one by one to automaton and table. */
class Compiler {
  readonly #automaton = new AutomatonBuilder();
  readonly #table = new RuleTableBuilder();
  readonly #languages = new Set<string>();
  readonly #counts = { entries: 0, exceptions: 0, longestPhrase: '' };

  add(place: { file: string; path?: readonly PropertyKey[] }, rule: Omit<NewRule, 'pattern'>): void {
    const { say, language, kind } = rule;
    try {
      const pattern = parseSay(say, UNSPACED_LANGUAGES.has(language) || hasUnspaced(say));
      this.#automaton.add(pattern.literal, pattern.startsWord, this.#table.length);
      this.#table.add({ ...rule, pattern });
    } catch (cause) {
      throw new PolicyFileError({ ...place, say }, (cause as Error).message, { cause });
    }
    this.#languages.add(language);
    if (kind === 'exception') this.#counts.exceptions++;
    if (kind !== 'entry') return;
    this.#counts.entries++;
    const { longestPhrase } = this.#counts;
    if (say.split(' ').length > longestPhrase.split(' ').length) this.#counts.longestPhrase = say;
  }

  data(): WordsData {
    const languages = [...this.#languages];
    return { automaton: this.#automaton.data(), table: this.#table.data(), languages, counts: this.#counts };
  }
}

/** Written in a script without spaces, whatever the language is called. */
function hasUnspaced(say: string): boolean {
  for (let index = 0; index < say.length; index++) {
    if (classOf(say.charCodeAt(index)) === UNSPACED) return true;
  }
  return false;
}
