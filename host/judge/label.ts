/**
 * Reads a label as the matcher needs it: folded words with one space between them, and the symbols beside them.
 * Not for disguises (disguise.ts) and not for matching.
 */
import { foldCodePoint } from '../../device-protocol/fold.ts';
import { classOf, SEPARATOR, UNSPACED } from './characters.ts';

const APOSTROPHE = 39;
const SPACE = 32;

export type Label = {
  /** Folded words, one space between them; apostrophes stay inside words; no spaces between unspaced letters. */
  words: string;
  /** Symbols and emoji in their order, without variation selectors. */
  symbols: string[];
};

/** The words of a text, as in Label. */
export function readWords(text: string): string {
  return readLabel(text).words;
}

/** The same words with their accents: as many of them, in small letters, for telling "đang" from "đăng". */
export function readSpelled(text: string): string {
  return read(text, true).words;
}

/** Longer texts are cut by the caller, which says so; here the work is linear in the length. */
export function readLabel(text: string): Label {
  return read(text, false);
}

function read(text: string, spelled: boolean): Label {
  const composed = isAscii(text) ? text : text.normalize('NFKC');
  const symbols: string[] = [];
  let words = '';
  /** Class of the last character of `words`; SEPARATOR when a space is due before the next one. */
  let last = SEPARATOR;
  let apostrophe = false;
  for (let index = 0; index < composed.length; index++) {
    const codePoint = composed.codePointAt(index) as number;
    if (codePoint > 0xffff) index++;
    const folded = foldCodePoint(codePoint);
    if (folded === '') {
      if (spelled && last !== SEPARATOR) words += accentOf(codePoint);
      continue;
    }
    const unit = folded.charCodeAt(0);
    const kind = codePoint > 0xffff ? astralClass(codePoint, unit) : classOf(unit);
    if (kind === SEPARATOR) {
      if (unit === APOSTROPHE) apostrophe = last !== SEPARATOR;
      else {
        apostrophe = false;
        last = SEPARATOR;
        if (unit !== SPACE && unit > 127) symbols.push(folded);
      }
      continue;
    }
    if (apostrophe) words += "'";
    else if (last === SEPARATOR && words !== '' && !(kind === UNSPACED && endsUnspaced(words))) words += ' ';
    apostrophe = false;
    words += spelled ? smallOf(codePoint) : folded;
    last = kind;
  }
  return { words, symbols };
}

/** A mark that folding drops; nothing for what cannot be seen. */
function accentOf(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /\p{M}/u.test(character) ? character : '';
}

const smallOf = (codePoint: number) => String.fromCodePoint(codePoint).toUpperCase().toLowerCase();

/** In scripts without word spaces a space is no word boundary, so it is left out. */
function endsUnspaced(words: string): boolean {
  return classOf(words.charCodeAt(words.length - 1)) === UNSPACED;
}

/** Emoji are separators; letters outside the BMP (Adlam, Gothic, rare Han) are letters. */
function astralClass(codePoint: number, unit: number): number {
  if (unit < 0xd800 || unit > 0xdfff) return classOf(unit);
  return /[\p{L}\p{M}\p{Nd}]/u.test(String.fromCodePoint(codePoint)) ? classOf(unit) : SEPARATOR;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}
