/**
 * The words of an element and of what stands around it, each judged where it stands. Not for what kind of place
 * it is (judge-place.ts).
 */

import { classOf, isBoundary, UNSPACED } from './characters.ts';
import { type Finding, structural } from './finding.ts';
import { readWords } from './label.ts';
import { judgeLabel, type LabelHit, LONGEST_LABEL } from './label-judge.ts';
import type { Policy } from './policy.ts';
import { idParts } from './signs.ts';
import type { ElementFacts, Subject } from './subject.ts';

/** The most words a text below an element has as its label; longer ones are what it shows (a message, a card). */
const LABEL_WORDS = 6;
/** The same where words are not separated, in characters. */
const LABEL_CHARACTERS = 16;
/** An element with this many texts below it is a card or row of content, where only a text of its own acts. */
const CONTENT_TEXTS = 3;

export function* judgeElementWords(subject: Subject, policy: Policy): Generator<Finding> {
  const { act, element } = subject;
  if (element === null) return;
  yield* wordsOfElement(element, subject, policy);
  if (act.kind === 'drag' && act.onto !== null) {
    for (const finding of wordsOfElement(act.onto, subject, policy))
      yield { ...finding, where: `onto ${finding.where}` };
  }
  yield* wordsAround(element, subject, policy);
}

function* wordsOfElement(element: ElementFacts, subject: Subject, policy: Policy): Generator<Finding> {
  const judged = function* (text: string | null, where: string): Generator<Finding> {
    if (text === null) return;
    if (text.length > LONGEST_LABEL) yield structural('unknown_target', `${text.length} characters`, where);
    for (const hit of judgeLabel(policy.vocabulary, text, subject.locale)) yield found(hit, where);
  };
  // What stands in a field was typed there; it names nothing.
  if (!element.editable) yield* judged(element.text, 'text');
  yield* judged(element.description, 'description');
  yield* judged(element.hint, 'hint');
  yield* judged(element.state, 'state');
  for (const [index, text] of element.ancestors.entries()) yield* judged(text, `around[${index}]`);
  yield* wordsBelow(element, subject, policy);
  yield* wordsOfId(element, subject, policy);
}

function* wordsBelow({ inner }: ElementFacts, subject: Subject, policy: Policy): Generator<Finding> {
  const content = inner.length >= CONTENT_TEXTS;
  for (const [index, text] of inner.entries()) {
    if (!isShort(text)) continue;
    for (const hit of judgeLabel(policy.vocabulary, text, subject.locale)) {
      if (!content || isAct(hit, text)) yield found(hit, `inner[${index}]`);
    }
  }
  if (inner.length < 2) return;
  const joined = inner.join(' ');
  if (!isShort(joined)) return;
  for (const hit of judgeLabel(policy.vocabulary, joined, subject.locale)) {
    // Words that one text has by itself were judged there; here only what several make together is news.
    if (!inner.some((text) => readWords(text).includes(hit.match))) yield found(hit, 'inner');
  }
}

/** Counts of an element without words: only English is written in ids. */
function* wordsOfId(element: ElementFacts, subject: Subject, policy: Policy): Generator<Finding> {
  if (element.resource_id === null || element.editable) return;
  if (hasWords(element) && !isNeutral(element, policy)) return;
  const parts = idParts(element.resource_id);
  const act = policy.signs.actOfId(parts);
  if (act !== null) yield { class: act.class, language: null, match: act.match, where: 'resource_id' };
  const words = parts.filter((part) => !policy.signs.idHas('id_words', [part])).join(' ');
  for (const hit of judgeLabel(policy.vocabulary, words, subject.locale)) {
    if (hit.language === 'en') yield found(hit, 'resource_id');
  }
}

/** A dialog says what its buttons do; a heading says it for a button that only goes on. */
function* wordsAround(element: ElementFacts, subject: Subject, policy: Policy): Generator<Finding> {
  if (element.editable || element.checkable) return;
  const { dialog, headings } = subject.context;
  const neutral = isNeutral(element, policy);
  const texts: [string | null, string][] = [];
  if (dialog !== null) {
    if (labelsOf(element).some((text) => policy.signs.says('refusals', text))) return;
    texts.push([dialog.title, 'dialog title']);
    for (const text of dialog.texts) texts.push([text, 'dialog']);
  } else if (neutral) {
    for (const text of headings) texts.push([text, 'heading']);
    texts.push([element.window.title, 'window title'], [subject.foreground.title, 'window title']);
  }
  for (const [text, where] of texts) {
    if (text === null) continue;
    for (const hit of judgeLabel(policy.vocabulary, text, subject.locale)) yield found(hit, where);
  }
}

function found(hit: LabelHit, where: string): Finding {
  return { class: hit.class, language: hit.language, match: hit.match.slice(0, 200), where, say: hit.say };
}

/** All texts that name the element, of itself and below it. */
export function labelsOf(element: ElementFacts): string[] {
  const own = element.editable ? [] : [element.text];
  return [...own, element.description, ...element.inner].filter(
    (text) => text !== null && text.trim() !== '',
  ) as string[];
}

export function hasWords(element: ElementFacts): boolean {
  return [...labelsOf(element), element.hint, element.state, ...element.ancestors].some(
    (text) => text !== null && text !== undefined && text.trim() !== '',
  );
}

/** Says nothing but "go on": OK, Yes, Continue. */
export function isNeutral(element: ElementFacts, policy: Policy): boolean {
  const labels = labelsOf(element);
  return labels.length > 0 && labels.every((text) => policy.signs.says('neutral', text));
}

function isShort(text: string): boolean {
  const words = readWords(text);
  let unspaced = 0;
  for (let index = 0; index < words.length; index++)
    unspaced += classOf(words.charCodeAt(index)) === UNSPACED ? 1 : 0;
  return unspaced <= LABEL_CHARACTERS && words.split(' ').length <= LABEL_WORDS;
}

/** The hit is the text's first word, and no more than one follows ("Buy now"): a button's words, not a card's. */
function isAct(hit: LabelHit, text: string): boolean {
  const words = readWords(text);
  if (!words.startsWith(hit.match)) return false;
  const rest = words.slice(hit.match.length).trim();
  return (
    rest.split(' ').length < 2 && (rest === '' || isBoundary(words, hit.match.length) || rest.length <= 2)
  );
}
