/**
 * Recognises what a screen or an element is by words and names kept as data (policies/screen-signs.json): a
 * refusal, a search, a share sheet, a surface. Not for what follows from it (judge.ts).
 */
import { z } from 'zod';
import { RISK_CLASSES, type RiskClass } from '../../device-protocol/verdict.ts';
import { readWords } from './label.ts';
import { matchWords } from './match-words.ts';
import { compilePhrases, type Words, type WordsData } from './words.ts';

export const SIGNS_FILE = 'policies/screen-signs.json';
const says = z.array(z.string().min(1).max(80)).min(1).max(500);
const words = z.strictObject({ why: z.string(), words: says });

export const signsSchema = z.strictObject({
  why: z.string(),
  refusals: z.strictObject({ why: z.string(), languages: z.record(z.string().regex(/^[a-z]{2,3}$/), says) }),
  neutral: words,
  search: words,
  slide: words,
  guarded_settings: words,
  message_field: words,
  id_words: words,
  id_search: words,
  id_message: words,
  id_composer: words,
  id_navigation: words,
  id_autofill: words,
  id_suggestion: words,
  id_address: words,
  id_acts: z.strictObject({ why: z.string(), classes: z.partialRecord(z.enum(RISK_CLASSES), says) }),
  surfaces: words,
  share_sheet: z.strictObject({ why: z.string(), words: says, packages: says }),
});
export type SignsData = z.infer<typeof signsSchema>;

type LabelSign = 'refusals' | 'neutral' | 'search' | 'slide' | 'guarded_settings' | 'message_field';
type IdSign =
  | 'id_words'
  | 'id_search'
  | 'id_message'
  | 'id_composer'
  | 'id_navigation'
  | 'id_autofill'
  | 'id_suggestion'
  | 'id_address';

export type Signs = {
  /** Whether a label is (refusals, neutral, guarded settings: as a whole) or has (the others) such words. */
  says(sign: LabelSign, text: string): boolean;
  /** Whether any of an id's parts is one of these. */
  idHas(sign: IdSign, idParts: readonly string[]): boolean;
  /** Whether an id has a part of `sign` and none of `but`. */
  idIs(sign: IdSign, but: IdSign, resourceId: string | null): boolean;
  /** Whether an id says nothing else than these, the words for kinds of elements aside. */
  idHasOnly(sign: IdSign, resourceId: string | null): boolean;
  /** What a picture's name in an id means where the word alone would be a noun ("ic_trash"). */
  actOfId(idParts: readonly string[]): { class: RiskClass; match: string } | null;
  isSurface(className: string): boolean;
  isShareSheet(packageName: string | null, activity: string | null): boolean;
};

/** Refusals, neutral words and guarded settings are whole labels; the others stand anywhere in one. */
const WHOLE: readonly LabelSign[] = ['refusals', 'neutral', 'guarded_settings'];
const ANYWHERE: readonly LabelSign[] = ['search', 'slide', 'message_field'];

export function signPhrases(data: SignsData): WordsData {
  const phrases = [...WHOLE, ...ANYWHERE].flatMap((mark) => {
    const says = mark === 'refusals' ? Object.values(data.refusals.languages).flat() : data[mark].words;
    return says.map((say) => ({ say, mark, at: WHOLE.includes(mark) ? 'whole' : 'anywhere' }) as const);
  });
  return compilePhrases(SIGNS_FILE, phrases);
}

/** `phrases` are those of signPhrases, compiled. */
export function compileSigns(data: SignsData, phrases: Words): Signs {
  /** Of the label asked about last: one label is asked about several signs in a row. */
  let last: { text: string; marks: readonly string[] } = { text: '', marks: [] };
  const marksOf = (text: string) => {
    if (text !== last.text) {
      const found = matchWords(phrases, { kind: 'plain', words: readWords(text) });
      last = { text, marks: found.map((match) => match.rule.language) };
    }
    return last.marks;
  };
  const ids: Record<IdSign, ReadonlySet<string>> = {
    id_words: new Set(data.id_words.words),
    id_search: new Set(data.id_search.words),
    id_message: new Set(data.id_message.words),
    id_composer: new Set(data.id_composer.words),
    id_navigation: new Set(data.id_navigation.words),
    id_autofill: new Set(data.id_autofill.words),
    id_suggestion: new Set(data.id_suggestion.words),
    id_address: new Set(data.id_address.words),
  };
  const shareActivities = data.share_sheet.words.map((one) => one.toLowerCase());
  const acts = Object.entries(data.id_acts.classes).flatMap(([means, list]) =>
    (list ?? []).map((match) => ({ class: means as RiskClass, match })),
  );
  return {
    actOfId: (parts) => acts.find(({ match }) => parts.includes(match)) ?? null,
    says: (sign, text) => marksOf(text).includes(sign),
    idHas: (sign, parts) => parts.some((part) => ids[sign].has(part)),
    idIs: (sign, but, resourceId) => {
      const parts = resourceId === null ? [] : idParts(resourceId);
      return parts.some((part) => ids[sign].has(part)) && !parts.some((part) => ids[but].has(part));
    },
    idHasOnly: (sign, resourceId) => {
      const parts = resourceId === null ? [] : idParts(resourceId);
      const telling = parts.filter((part) => ids[sign].has(part) || !ids.id_words.has(part));
      return telling.length > 0 && telling.every((part) => ids[sign].has(part));
    },
    isSurface: (className) => data.surfaces.words.some((one) => className.endsWith(one)),
    isShareSheet: (packageName, activity) =>
      (packageName !== null && data.share_sheet.packages.includes(packageName)) ||
      (activity !== null && shareActivities.some((one) => activity.toLowerCase().includes(one))),
  };
}

/** The readable parts of a resource id, lower case: "com.app:id/btnSendMoney_2" → btn, send, money. */
export function idParts(resourceId: string): string[] {
  const name = resourceId.slice(resourceId.lastIndexOf('/') + 1);
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}
