/**
 * Compiles the word files of all languages and says which entries a label's words hit. Exceptions and the
 * device's locale are applied here; disguises (disguise.ts), symbols and everything but words are not.
 */
import type { RiskClass } from '../../device-protocol/verdict.ts';
import { Automaton, AutomatonBuilder, type AutomatonData } from './automaton.ts';
import { classOf, DIGIT, isBoundary, SEPARATOR, UNSPACED } from './characters.ts';
import type { Reading } from './disguise.ts';
import { parseSay, UNSPACED_LANGUAGES } from './pattern.ts';
import { type NewRule, type Rule, RuleTable, RuleTableBuilder, type RuleTableData } from './rule-table.ts';
import { classesOf, type PlaceInLabel, PolicyFileError, type WordFile } from './word-file.ts';

export type WordHit = {
  class: RiskClass;
  language: string;
  /** The words that matched, folded. */
  match: string;
  /** The entry as its file says it. */
  say: string;
};

export type Match = { rule: Rule; start: number; end: number };

/** Compiled word files. */
export type Words = {
  automaton: Automaton;
  table: RuleTable;
  languages: ReadonlySet<string>;
  /** For people: entries of all files, exceptions, and the phrase with the most words. */
  counts: { entries: number; exceptions: number; longestPhrase: string };
};

/** The same as plain data, for v8.serialize. */
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

/** Compiles parsed word files. Throws PolicyFileError naming file and entry for a `say` it cannot read. */
export function compileWords(files: readonly { file: string; words: WordFile }[]): WordsData {
  const compiler = new Compiler();
  for (const { file, words } of files) {
    const { language } = words;
    words.entries.forEach((entry, index) => {
      const { say, at = 'anywhere' } = entry;
      const rule = { say, at, language, kind: 'entry', classes: [entry.class], of: null } as const;
      compiler.add(`${file}: entries[${index}]`, rule);
    });
    words.exceptions.forEach((exception, index) => {
      const { say, at = 'anywhere', of = null } = exception;
      const rule = { say, at, language, kind: 'exception', classes: classesOf(exception), of } as const;
      compiler.add(`${file}: exceptions[${index}]`, rule);
    });
    words.harmless.forEach(({ say, at = 'anywhere' }, index) => {
      const rule = { say, at, language, kind: 'harmless', classes: [], of: null } as const;
      compiler.add(`${file}: harmless[${index}]`, rule);
    });
  }
  return compiler.data();
}

/** Compiles the owner's own words; they belong to no language and yield to none. */
export function compileOwnWords(
  words: readonly { say: string; at?: PlaceInLabel | undefined; class: RiskClass }[],
  file: string,
): Words {
  const compiler = new Compiler();
  words.forEach(({ say, at = 'anywhere', class: means }, index) => {
    compiler.add(`${file}: words[${index}]`, {
      say,
      at,
      language: OWNER,
      kind: 'entry',
      classes: [means],
      of: null,
    });
  });
  return wordsOf(compiler.data());
}

/** Stands for the language of the owner's own words. */
export const OWNER = 'owner';

/** Compiles phrases that only mark something (signs of a screen, words for a code), in the same grammar. */
export function compilePhrases(
  file: string,
  phrases: readonly { say: string; language: string }[],
  at: PlaceInLabel,
): Words {
  const compiler = new Compiler();
  for (const { say, language } of phrases) {
    compiler.add(file, { say, at, language, kind: 'harmless', classes: [], of: null });
  }
  return wordsOf(compiler.data());
}

/** Adds rules one by one to automaton and table. */
class Compiler {
  readonly #automaton = new AutomatonBuilder();
  readonly #table = new RuleTableBuilder();
  readonly #languages = new Set<string>();
  readonly #counts = { entries: 0, exceptions: 0, longestPhrase: '' };

  add(where: string, rule: Omit<NewRule, 'pattern'>): void {
    const { say, language, kind } = rule;
    try {
      const pattern = parseSay(say, UNSPACED_LANGUAGES.has(language) || hasUnspaced(say));
      this.#automaton.add(pattern.literal, pattern.startsWord, this.#table.length);
      this.#table.add({ ...rule, pattern });
    } catch (cause) {
      throw new PolicyFileError(`${where} ("${say}"): ${(cause as Error).message}`, { cause });
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

/** Everything that matched in one reading, before exceptions and locale. */
export function matchWords(words: Words, reading: Reading): Match[] {
  const matches: Match[] = [];
  const found = (index: number, start: number, end: number) => {
    // Most literals found are only the beginning of a longer word: told apart without touching the rule.
    if (words.table.isClosed(index) && reading.kind === 'plain' && !isBoundary(reading.words, end)) return;
    const match = complete(words.table.rule(index), reading, start, end);
    if (match !== null) matches.push(match);
  };
  if (reading.kind === 'plain') words.automaton.scan(reading.words, found);
  else words.automaton.scanWordsAt(reading.words, reading.kind === 'joined' ? null : reading.edges, found);
  return matches;
}

/**
 * The hits that stand. `matches` are those of the plain reading; `locale` is the device's language (a file's
 * language, null when unknown): it decides only where its own file knows the very words another language's
 * entry hit, and every other hit stands.
 */
export function standingHits(text: string, matches: readonly Match[], locale: string | null): WordHit[] {
  if (matches.length === 0) return [];
  const excused: Excused[] = [];
  const standing: Match[] = [];
  for (const hit of matches) {
    if (hit.rule.kind !== 'entry') continue;
    const by = matches.find((other) => removes(other, hit));
    if (by === undefined) standing.push(hit);
    else excused.push({ hit, by });
  }
  return standing
    .filter((hit) => !excused.some((one) => isSameWord(hit, one)))
    .filter((hit) => locale === null || !yields(hit, locale, matches, standing))
    .map((hit) => asHit(text, hit));
}

/**
 * The hits of a cut word ("De lete"), which count only in the owner's language and English where the former is
 * known: in any other language two ordinary words make one by accident. `plain` holds the exceptions.
 */
export function gluedHits(
  reading: Reading & { kind: 'glued' },
  matches: readonly Match[],
  plain: readonly Match[],
  locale: string | null,
): WordHit[] {
  const { edges } = reading;
  return matches
    .filter(({ rule, start, end }) => {
      if (locale !== null && rule.language !== locale && rule.language !== 'en') return false;
      // Back to places in the plain reading, which has one space for each edge passed.
      const there = { rule, start: start + edges.indexOf(start), end: end + edges.indexOf(end) - 1 };
      return !plain.some((other) => removes(other, there));
    })
    .map((hit) => asHit(reading.words, hit));
}

function asHit(text: string, { rule, start, end }: Match): WordHit {
  return {
    class: rule.classes[0] as RiskClass,
    language: rule.language,
    match: text.slice(start, end),
    say: rule.say,
  };
}

/** Checks what follows and surrounds a found literal, and widens the match to whole words. */
function complete(rule: Rule, reading: Reading, from: number, to: number): Match | null {
  const { pattern } = rule;
  const text = reading.words;
  if (reading.kind !== 'plain') return completeJoined(rule, reading, from, to);
  let end = to;
  if (pattern.rest !== null) {
    pattern.rest.lastIndex = to;
    if (!pattern.rest.test(text)) return null;
    end = pattern.rest.lastIndex;
  }
  let start = from;
  if (!pattern.unspaced) {
    if (!pattern.startsWord) start = startOfWord(text, start);
    if (!pattern.endsWord) end = endOfWord(text, end);
  }
  for (let count = 0; count < pattern.wordsBefore.most; count++) {
    if (start < 2) {
      if (count < pattern.wordsBefore.least) return null;
      break;
    }
    // One back is the separator, two back the last letter of the word before.
    start = startOfWord(text, start - 2);
  }
  return isPlaced(rule.at, text, start, end) ? { rule, start, end } : null;
}

/** Shortest word believed in where letters had to be put together first. */
const SHORTEST_JOINED = 3;
/** Shortest word believed in where it was cut in two: shorter ones arise by accident from ordinary words. */
const SHORTEST_GLUED = 5;

/** In joined letters only whole words count: no phrases, no stems, and at old edges where the words had some. */
function completeJoined(rule: Rule, reading: Reading, start: number, end: number): Match | null {
  const { pattern } = rule;
  const text = reading.words;
  if (pattern.rest !== null || pattern.wordsBefore.least > 0 || rule.kind !== 'entry') return null;
  if (reading.kind === 'glued') {
    if (end - start < SHORTEST_GLUED || !reading.edges.includes(end)) return null;
    if (!reading.edges.some((edge) => start < edge && edge < end)) return null;
  } else if (end - start < SHORTEST_JOINED || (end - start === SHORTEST_JOINED && !isBoundary(text, start))) {
    return null;
  }
  return isPlaced(rule.at, text, start, end) ? { rule, start, end } : null;
}

function isPlaced(at: PlaceInLabel, text: string, start: number, end: number): boolean {
  if ((at === 'start' || at === 'whole') && !isBare(text, 0, start)) return false;
  return !((at === 'end' || at === 'whole') && !isBare(text, end, text.length));
}

function startOfWord(text: string, index: number): number {
  let start = index;
  while (!isBoundary(text, start)) start--;
  return start;
}

function endOfWord(text: string, index: number): number {
  let end = index;
  while (!isBoundary(text, end)) end++;
  return end;
}

/** No letters there: a count beside the word ("Delete 3") does not make it another label. */
function isBare(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index++) {
    const kind = classOf(text.charCodeAt(index));
    if (kind !== SEPARATOR && kind !== DIGIT) return false;
  }
  return true;
}

/** An exception removes hits of its own entry or class, in its own language, where they overlap its words. */
function removes(exception: Match, hit: Match): boolean {
  return (
    exception.rule.kind === 'exception' &&
    exception.rule.language === hit.rule.language &&
    (exception.rule.of === hit.rule.say ||
      exception.rule.classes.includes(hit.rule.classes[0] as RiskClass)) &&
    exception.start < hit.end &&
    hit.start < exception.end
  );
}

type Excused = { hit: Match; by: Match };

/**
 * Several languages have the same word for the same act (enviar, delete, post). They count as one entry: where
 * one of them excuses the word in this place by a longer phrase ("no enviar"), the others have not been said either.
 */
function isSameWord(hit: Match, { hit: excused, by }: Excused): boolean {
  return (
    hit.rule.classes[0] === excused.rule.classes[0] &&
    hit.start === excused.start &&
    hit.end === excused.end &&
    by.start <= hit.start &&
    hit.end <= by.end &&
    by.end - by.start > hit.end - hit.start
  );
}

/** Another language's hit yields where the device's language knows all its words and finds no act in them. */
function yields(hit: Match, locale: string, matches: readonly Match[], standing: readonly Match[]): boolean {
  if (hit.rule.language === locale) return false;
  if (standing.some((own) => own.rule.language === locale && own.start < hit.end && hit.start < own.end))
    return false;
  return matches.some((own) => own.rule.language === locale && own.start <= hit.start && hit.end <= own.end);
}
