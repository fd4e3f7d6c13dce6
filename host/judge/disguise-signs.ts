/**
 * A first look at a label, one pass without allocation: might it be read in another way than plainly? Says only
 * which ways are worth trying; trying them is disguise.ts. It keeps ordinary labels within microseconds.
 */
import type { Confusables } from './confusables.ts';

/** Letters, digits or signs that look like other letters. */
export const ALIKE = 1;
/** Signs inside a word. */
export const BROKEN = 2;
/** Single letters in a row. */
export const SPACED = 4;
/** Text turned around. */
export const TURNED = 8;
/** A capital after a small letter. */
export const CAMEL = 16;

const SIGN = 0;
const LATIN = 1;
const LOOKALIKE = 2;
const LETTER = 3;
const DIGIT = 4;
const BLANK = 5;
const NOTHING = 6;
const UNKNOWN = 255;

/** Kind of each UTF-16 unit, filled as units are met; look-alikes depend on the data, of which there is one. */
const kinds = new WeakMap<Confusables, Uint8Array>();

function kindOf(table: Uint8Array, unit: number, confusables: Confusables): number {
  const known = table[unit] as number;
  if (known !== UNKNOWN) return known;
  const character = String.fromCharCode(unit);
  let kind = SIGN;
  if (/\s/u.test(character)) kind = BLANK;
  else if (confusables.latin.has(character) || isBracketed(unit)) kind = LOOKALIKE;
  else if (/\p{Nd}/u.test(character)) kind = DIGIT;
  else if (/\p{Script=Latin}/u.test(character)) kind = LATIN;
  else if (/\p{L}/u.test(character)) kind = LETTER;
  else if (/[\p{M}\p{Default_Ignorable_Code_Point}]/u.test(character)) kind = NOTHING;
  table[unit] = kind;
  return kind;
}

/** Which disguises to look for in `text`: the sum of the constants above, 0 for most labels. */
export function signsOfDisguise(text: string, confusables: Confusables): number {
  let table = kinds.get(confusables);
  if (table === undefined) {
    table = new Uint8Array(0x10000).fill(UNKNOWN);
    kinds.set(confusables, table);
  }
  let signs = 0;
  /** Kinds of letters in the word so far. */
  let latin = false;
  let alike = false;
  let other = false;
  let length = 0;
  let singles = 0;
  /** What stood before: a letter, a sign after a letter, or neither. */
  let before = BLANK;
  let afterLetter = false;
  for (let index = 0; index <= text.length; index++) {
    const unit = index < text.length ? text.charCodeAt(index) : 32;
    let kind = kindOf(table, unit, confusables);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const character = String.fromCodePoint(text.codePointAt(index) as number);
      kind = confusables.latin.has(character) || /\p{L}/u.test(character) ? LOOKALIKE : SIGN;
      if (/[\p{M}\p{Default_Ignorable_Code_Point}]/u.test(character)) kind = NOTHING;
      index += character.length - 1;
    }
    if (kind === NOTHING) {
      if (unit === 0x202e) signs |= TURNED;
      continue;
    }
    const isLetter = kind === LATIN || kind === LOOKALIKE || kind === LETTER;
    if (isLetter) {
      if (before === SIGN && afterLetter) signs |= BROKEN;
      if (before === DIGIT || (before === SIGN && confusables.signs.has(text[index - 1] as string)))
        signs |= ALIKE;
      if (before === SIGN && confusables.bars.has(text[index - 1] as string)) signs |= ALIKE;
      latin ||= kind === LATIN;
      alike ||= kind === LOOKALIKE;
      other ||= kind === LETTER;
      length++;
      if (kind === LATIN && looksLikeAnother(text, index, unit)) signs |= ALIKE;
      if (unit >= 65 && unit <= 90 && index > 0 && isSmall(text.charCodeAt(index - 1))) signs |= CAMEL;
    } else {
      if (length > 0) {
        if ((alike && (latin || !other)) || (latin && other)) signs |= ALIKE;
        if (kind === DIGIT || (kind === SIGN && confusables.signs.has(text[index] as string))) signs |= ALIKE;
      }
      // A digit may stand for a letter, so it counts as one where letters stood alone before or do after.
      if (length === 1 || (length === 0 && kind === DIGIT && before !== DIGIT)) {
        if (++singles === 3) signs |= SPACED;
      } else if (length > 1) singles = 0;
      latin = false;
      alike = false;
      other = false;
      length = 0;
    }
    afterLetter = isLetter || kind === DIGIT || (kind === SIGN && afterLetter);
    before = kind;
  }
  return signs;
}

/** ⒜ to ⒵. */
const isBracketed = (unit: number) => unit >= 0x249c && unit <= 0x24b5;

const isSmall = (unit: number) => unit >= 97 && unit <= 122;

const CONSONANTS = 'bcdfgjkmnpqrstvxz';

/** Two letters that look like one (rn, vv, cl), a capital I for l, an l for a capital I. */
function looksLikeAnother(text: string, index: number, unit: number): boolean {
  const previous = index > 0 ? text.charCodeAt(index - 1) : 32;
  const pair = ((previous | 32) << 8) | (unit | 32);
  if (pair === 0x726e || pair === 0x7676 || pair === 0x636c) return true;
  const next = index + 1 < text.length ? text.charCodeAt(index + 1) : 32;
  if (unit === 73)
    return (
      (previous >= 97 && previous <= 122) || (previous >= 65 && previous <= 90 && next >= 97 && next <= 122)
    );
  return unit === 108 && previous <= 64 && CONSONANTS.includes(text[index + 1] ?? ' ') && next !== 32;
}
