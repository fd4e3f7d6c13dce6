/**
 * Which of the entries met in a label stand, once exceptions and the device's locale have been heard. Not for
 * finding them (match-words.ts).
 */
import type { RiskClass } from '../../device-protocol/verdict.ts';
import { classOf, UNSPACED } from './characters.ts';
import type { Match } from './match-words.ts';
import { type OwnWord, ownWords } from './pattern.ts';
import type { Rule } from './rule-table.ts';
import { LENDER, sayingOf } from './words.ts';

export type WordHit = {
  class: RiskClass;
  language: string;
  /** The words that matched, folded. */
  match: string;
  /** The entry as its file says it. */
  say: string;
};

/**
 * The hits that stand. `matches` are those of the plain reading; `locale` is the device's language (a file's
 * language, null when unknown): it decides only where its own file knows the very words another language's
 * entry hit, and every other hit stands.
 */
export function standingHits(text: string, matches: readonly Match[], locale: string | null): WordHit[] {
  if (matches.length === 0) return [];
  const standing = matches.filter(
    (hit) => hit.rule.kind === 'entry' && !matches.some((other) => removes(other, hit)),
  );
  return standing
    .filter((hit) => locale === null || !yields(hit, locale, matches, standing))
    .map((hit) => asHit(text, hit));
}

/**
 * The hits of words cut by blanks ("De lete"), which count only in the owner's language and English where the
 * former is known: in any other language two ordinary words make one by accident. `plain` holds the exceptions.
 */
export function cutHits(
  text: string,
  cut: readonly Match[],
  plain: readonly Match[],
  locale: string | null,
): WordHit[] {
  return cut
    .filter(({ rule }) => locale === null || rule.language === locale || rule.language === 'en')
    .filter((hit) => !plain.some((other) => removes(other, hit)))
    .map((hit) => {
      const found = asHit(text, hit);
      return { ...found, match: found.match.replaceAll(' ', '') };
    });
}

function asHit(text: string, { rule, start, end }: Match): WordHit {
  return {
    class: rule.classes[0] as RiskClass,
    language: rule.language,
    match: text.slice(start, end),
    say: rule.say,
  };
}

/**
 * An exception removes hits of its own entry or class, in its own language, where they overlap its words. One of
 * a class says nothing about an entry that says its words and more ("go to *" about "go to checkout").
 */
function removes(exception: Match, hit: Match): boolean {
  return (
    exception.rule.kind === 'exception' &&
    speaksFor(exception.rule, hit.rule) &&
    exception.start < hit.end &&
    hit.start < exception.end &&
    (isOf(exception.rule, hit.rule) ||
      (exception.rule.classes.includes(hit.rule.classes[0] as RiskClass) && !isWithin(exception, hit)))
  );
}

/** Its own language, and an entry of another one that is word for word the lender's is the lender's. */
function speaksFor(exception: Rule, entry: Rule): boolean {
  return exception.language === entry.language || (entry.isLent && exception.language === LENDER);
}

/** A borrowed entry may have stars of its own. */
function isOf({ of }: Rule, entry: Rule): boolean {
  if (of === null || !entry.isLent) return of === entry.say;
  return sayingOf(of) === sayingOf(entry.say);
}

/** Its place lies within the hit's, and each of its words is one of the entry's, which has more letters. */
function isWithin(exception: Match, hit: Match): boolean {
  if (exception.start < hit.start || hit.end < exception.end) return false;
  const inner = wordsOf(exception.rule);
  const outer = wordsOf(hit.rule);
  return letters(inner) < letters(outer) && inner.every((word) => outer.some((other) => isIn(word, other)));
}

const known = new WeakMap<Rule, readonly OwnWord[]>();

function wordsOf(rule: Rule): readonly OwnWord[] {
  let found = known.get(rule);
  if (found === undefined) {
    found = ownWords(rule.say);
    known.set(rule, found);
  }
  return found;
}

const letters = (words: readonly OwnWord[]) => words.reduce((sum, { text }) => sum + text.length, 0);

/** In a script without spaces a word stands anywhere in another; elsewhere as a word, or at its end where a star leaves it open. */
function isIn({ text, openStart, openEnd }: OwnWord, other: OwnWord): boolean {
  if (classOf(text.charCodeAt(0)) === UNSPACED) return other.text.includes(text);
  return ` ${other.text} `.includes(`${openStart ? '' : ' '}${text}${openEnd ? '' : ' '}`);
}

/** Another language's hit yields where the device's language knows all its words and finds no act in them. */
function yields(hit: Match, locale: string, matches: readonly Match[], standing: readonly Match[]): boolean {
  if (hit.rule.language === locale) return false;
  if (standing.some((own) => own.rule.language === locale && own.start < hit.end && hit.start < own.end))
    return false;
  return matches.some((own) => own.rule.language === locale && own.start <= hit.start && hit.end <= own.end);
}
