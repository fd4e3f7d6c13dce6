/**
 * Compiles the word files of all languages and says which entries a label's words hit. Exceptions and the
 * device's locale are applied here; disguises (disguise.ts), symbols and everything but words are not.
 */
import type { RiskClass } from '../../device-protocol/verdict.ts';
import { Automaton } from './automaton.ts';
import { classOf, DIGIT, isBoundary, SEPARATOR } from './characters.ts';
import type { Reading } from './disguise.ts';
import { type Pattern, parseSay, UNSPACED_LANGUAGES } from './pattern.ts';
import { classesOf, type PlaceInLabel, PolicyFileError, type WordFile } from './word-file.ts';

/** An entry, an exception or a harmless word, compiled. */
type Rule = {
  pattern: Pattern;
  at: PlaceInLabel;
  language: string;
  kind: 'entry' | 'exception' | 'harmless';
  say: string;
  /** Of an entry: what it means. Of an exception: the classes whose hits it removes. */
  classes: readonly RiskClass[];
  /** Of an exception: the `say` whose hits it removes. */
  of: string | null;
};

export type WordHit = {
  class: RiskClass;
  language: string;
  /** The words that matched, folded. */
  match: string;
  /** The entry as its file says it. */
  say: string;
};

type Match = { rule: Rule; start: number; end: number };

export type Words = {
  automaton: Automaton;
  rules: Rule[];
  languages: ReadonlySet<string>;
  /** Counts for people: entries of all files, exceptions, and the longest phrase in words. */
  counts: { entries: number; exceptions: number; longestPhrase: string };
};

/** Compiles parsed word files. Throws PolicyFileError naming file and entry for a `say` it cannot read. */
export function compileWords(files: readonly { file: string; words: WordFile }[]): Words {
  const automaton = new Automaton();
  const rules: Rule[] = [];
  const languages = new Set<string>();
  let longestPhrase = '';
  const add = (file: string, list: string, index: number, rule: Omit<Rule, 'pattern'>) => {
    let pattern: Pattern;
    try {
      pattern = parseSay(rule.say, UNSPACED_LANGUAGES.has(rule.language));
    } catch (cause) {
      throw new PolicyFileError(`${file}: ${list}[${index}] ("${rule.say}"): ${(cause as Error).message}`, {
        cause,
      });
    }
    automaton.add(pattern.literal, pattern.startsWord, rules.length);
    rules.push({ ...rule, pattern });
  };
  let exceptions = 0;
  let entries = 0;
  for (const { file, words } of files) {
    const { language } = words;
    languages.add(language);
    words.entries.forEach((entry, index) => {
      if (entry.say.split(' ').length > longestPhrase.split(' ').length) longestPhrase = entry.say;
      const { say, at = 'anywhere' } = entry;
      add(file, 'entries', index, { say, at, language, kind: 'entry', classes: [entry.class], of: null });
    });
    words.exceptions.forEach((exception, index) => {
      const { say, at = 'anywhere', of = null } = exception;
      const classes = classesOf(exception);
      add(file, 'exceptions', index, { say, at, language, kind: 'exception', classes, of });
    });
    words.harmless.forEach(({ say, at = 'anywhere' }, index) => {
      add(file, 'harmless', index, { say, at, language, kind: 'harmless', classes: [], of: null });
    });
    entries += words.entries.length;
    exceptions += words.exceptions.length;
  }
  return { automaton, rules, languages, counts: { entries, exceptions, longestPhrase } };
}

/**
 * The hits in one reading of a label, exceptions applied. `locale` is the device's language (a file's language,
 * or null when unknown): it decides only where its own file knows the very words another language's entry hit;
 * every other hit stands.
 */
export function findWords(words: Words, reading: Reading, locale: string | null): WordHit[] {
  const text = reading.words;
  const matches: Match[] = [];
  words.automaton.scan(
    text,
    (index, start, end) => {
      const match = complete(words.rules[index] as Rule, reading, start, end);
      if (match !== null) matches.push(match);
    },
    reading.edges !== null,
  );
  if (matches.length === 0) return [];
  const standing = matches.filter(
    (hit) => hit.rule.kind === 'entry' && !matches.some((other) => removes(other, hit)),
  );
  const decided =
    locale === null ? standing : standing.filter((hit) => !yields(hit, locale, matches, standing));
  return decided.map(({ rule, start, end }) => ({
    class: rule.classes[0] as RiskClass,
    language: rule.language,
    match: text.slice(start, end),
    say: rule.say,
  }));
}

/** Checks what follows and surrounds a found literal, and widens the match to whole words. */
function complete(rule: Rule, reading: Reading, from: number, to: number): Match | null {
  const { pattern } = rule;
  const text = reading.words;
  if (reading.edges !== null) return completeJoined(rule, reading.edges, text, from, to);
  let end = to;
  if (pattern.rest !== null) {
    pattern.rest.lastIndex = to;
    if (!pattern.rest.test(text)) return null;
    end = pattern.rest.lastIndex;
  } else if (pattern.endsWord && !isBoundary(text, to)) return null;
  let start = from;
  if (!pattern.startsWord) start = startOfWord(text, start);
  if (!pattern.endsWord) end = endOfWord(text, end);
  for (let count = 0; count < pattern.wordsBefore.most; count++) {
    if (start < 2) {
      if (count < pattern.wordsBefore.least) return null;
      break;
    }
    start = startOfWord(text, start - 1);
  }
  return isPlaced(rule.at, text, start, end) ? { rule, start, end } : null;
}

/** Shortest word believed in where letters had to be put together first. */
const SHORTEST_JOINED = 3;
/** Shortest word believed in where it was cut in two: shorter ones arise by accident from ordinary words. */
const SHORTEST_GLUED = 5;

/** In joined letters only whole words count: no phrases, no stems, and at old edges where the words had some. */
function completeJoined(
  rule: Rule,
  edges: ReadonlySet<number> | 'all',
  text: string,
  start: number,
  end: number,
): Match | null {
  const { pattern } = rule;
  if (pattern.rest !== null || pattern.wordsBefore.least > 0 || rule.kind !== 'entry') return null;
  if (edges === 'all') {
    if (end - start < SHORTEST_JOINED || (end - start === SHORTEST_JOINED && !isBoundary(text, start)))
      return null;
  } else {
    if (end - start < SHORTEST_GLUED || !edges.has(start) || !edges.has(end)) return null;
    let inner = false;
    for (let index = start + 1; index < end; index++) inner ||= edges.has(index);
    if (!inner) return null;
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

/** Another language's hit yields where the device's language knows all its words and finds no act in them. */
function yields(hit: Match, locale: string, matches: readonly Match[], standing: readonly Match[]): boolean {
  if (hit.rule.language === locale) return false;
  if (standing.some((own) => own.rule.language === locale && own.start < hit.end && hit.start < own.end))
    return false;
  return matches.some((own) => own.rule.language === locale && own.start <= hit.start && hit.end <= own.end);
}
