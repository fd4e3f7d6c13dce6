/**
 * Which rules of the word files a label's words meet: what the automaton found, completed to whole words and
 * placed in the label. Not for which of them stand in the end (standing-hits.ts).
 */
import { isSpelled } from './accents.ts';
import { classOf, DIGIT, isBoundary, SEPARATOR } from './characters.ts';
import type { Reading } from './disguise.ts';
import type { Rule } from './rule-table.ts';
import type { PlaceInLabel } from './word-file.ts';
import type { Words } from './words.ts';

export type Match = { rule: Rule; start: number; end: number };

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
  if (!isPlaced(rule.at, text, start, end)) return null;
  const { spelling } = reading;
  return spelling === undefined || isSpelled(rule, text, start, end, spelling) ? { rule, start, end } : null;
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
