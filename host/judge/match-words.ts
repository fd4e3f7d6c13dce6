/**
 * Which rules of the word files a label's words meet: what the automaton found, completed to whole words and
 * placed in the label. Not for which of them stand in the end (standing-hits.ts).
 */
import { isSpelled } from './accents.ts';
import { classOf, DIGIT, isBoundary, SEPARATOR } from './characters.ts';
import type { PlainReading, Reading } from './disguise.ts';
import type { Rule } from './rule-table.ts';
import type { PlaceInLabel } from './word-file.ts';
import type { Words } from './words.ts';

const SPACE = 32;

export type Match = { rule: Rule; start: number; end: number };

/** Everything that matched in one reading, before exceptions and locale. */
export function matchWords({ automaton, table }: Words, reading: Reading): Match[] {
  const matches: Match[] = [];
  const { words } = reading;
  if (reading.kind === 'plain') {
    automaton.scan(words, (index, start, end) => {
      if (!table.mayEnd(index, words, end)) return;
      const match = complete(table.rule(index), reading, start, end);
      if (match !== null) matches.push(match);
    });
  } else {
    automaton.scanRun(words, (index, start, end) => {
      const rule = table.rule(index);
      if (isJoinedWord(rule, words, start, end)) matches.push({ rule, start, end });
    });
  }
  return matches;
}

/** Words that stand in a label cut by blanks ("De lete"), at their places in it. */
export function matchCutWords({ automaton, table }: Words, words: string): Match[] {
  const matches: Match[] = [];
  automaton.scanOverSpaces(words, (index, start, end) => {
    const rule = table.rule(index);
    if (isCutWord(rule, words, start, end)) matches.push({ rule, start, end });
  });
  return matches;
}

/** Checks what follows and surrounds a found literal, and widens the match to whole words. */
function complete(rule: Rule, reading: PlainReading, from: number, to: number): Match | null {
  const { pattern } = rule;
  const text = reading.words;
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
  if (!isPlaced(rule.at, text, start, end)) return null;
  const { spelling } = reading;
  return spelling === undefined || isSpelled(rule, text, start, end, spelling) ? { rule, start, end } : null;
}

/** Shortest word believed in where letters had to be put together first. */
const SHORTEST_JOINED = 3;
/** Shortest word believed in where it was cut in two: shorter ones arise by accident from ordinary words. */
const SHORTEST_CUT = 5;

/** In letters put together only single words count, no phrases and no stems. */
function isSingleWord({ kind, pattern }: Rule): boolean {
  return kind === 'entry' && pattern.rest === null && pattern.wordsBefore.least === 0;
}

function isJoinedWord(rule: Rule, text: string, start: number, end: number): boolean {
  const length = end - start;
  const long = length > SHORTEST_JOINED || (length === SHORTEST_JOINED && isBoundary(text, start));
  return long && isSingleWord(rule) && isPlaced(rule.at, text, start, end);
}

function isCutWord(rule: Rule, text: string, start: number, end: number): boolean {
  let letters = end - start;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === SPACE) letters--;
  const ends = end === text.length || text.charCodeAt(end) === SPACE;
  const whole = start === 0 && end === text.length;
  return (
    ends &&
    letters >= (whole ? SHORTEST_JOINED : SHORTEST_CUT) &&
    isSingleWord(rule) &&
    isPlaced(rule.at, text, start, end)
  );
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
