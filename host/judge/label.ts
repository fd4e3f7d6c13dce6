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

/** What folding makes of the characters met so far, by their UTF-16 unit: asking a map each time is slower. */
const folds: (string | undefined)[] = new Array(0x10000).fill(undefined);

function foldUnit(unit: number): string {
  const folded = foldCodePoint(unit);
  folds[unit] = folded;
  return folded;
}

function read(text: string, spelled: boolean): Label {
  const composed = isAscii(text) ? text : text.normalize('NFKC');
  const words = new WordsWriter(composed);
  const symbols: string[] = [];
  /** Class of the last character written; SEPARATOR when a space is due before the next one. */
  let last = SEPARATOR;
  let apostrophe = false;
  for (let index = 0; index < composed.length; index++) {
    const at = index;
    let codePoint = composed.charCodeAt(index);
    let folded: string;
    let kind: number;
    if (codePoint < 0xd800 || codePoint > 0xdbff) {
      folded = folds[codePoint] ?? foldUnit(codePoint);
      kind = classOf(folded.charCodeAt(0));
    } else {
      codePoint = composed.codePointAt(index) as number;
      if (codePoint > 0xffff) index++;
      folded = foldCodePoint(codePoint);
      kind = astralClass(codePoint, folded.charCodeAt(0));
    }
    if (folded === '') {
      if (spelled && last !== SEPARATOR) words.add(accentOf(codePoint), '', at);
      continue;
    }
    if (kind === SEPARATOR) {
      const unit = folded.charCodeAt(0);
      if (unit === APOSTROPHE) apostrophe = last !== SEPARATOR;
      else {
        apostrophe = false;
        last = SEPARATOR;
        if (unit !== SPACE && unit > 127) symbols.push(folded);
      }
      continue;
    }
    const due =
      last === SEPARATOR && !words.empty && !(kind === UNSPACED && classOf(words.last) === UNSPACED);
    words.add(spelled ? smallOf(codePoint) : folded, apostrophe ? "'" : due ? ' ' : '', at);
    apostrophe = false;
    last = kind;
  }
  return { words: words.end(), symbols };
}

/**
 * Puts words together from as few pieces as it can: most letters fold to their small form, and a stretch of those is
 * one piece of the text in small letters. (A string made letter by letter costs as much again when it is read.)
 */
class WordsWriter {
  readonly #small: string;
  #written = '';
  /** The stretch of `small` that is not written yet. */
  #from = 0;
  #to = 0;
  empty = true;
  /** The last UTF-16 unit added. */
  last = 0;

  constructor(text: string) {
    const small = text.toLowerCase();
    this.#small = small.length === text.length ? small : text;
  }

  /** `before` is what separates it from the letters before; `index` is its place in the text. */
  add(letters: string, before: string, index: number): void {
    const unit = letters.charCodeAt(letters.length - 1);
    if (letters.length === 1 && this.#small.charCodeAt(index) === unit) {
      if (!this.#goesOn(before, index)) {
        this.#write();
        this.#written += before;
        this.#from = index;
      }
      this.#to = index + 1;
    } else {
      this.#write();
      this.#written += before + letters;
    }
    this.empty = false;
    this.last = unit;
  }

  end(): string {
    this.#write();
    return this.#written;
  }

  /** The stretch reaches up to here, what separates included. */
  #goesOn(before: string, index: number): boolean {
    if (this.#to === this.#from) return false;
    if (before === '') return this.#to === index;
    return this.#to === index - 1 && this.#small[index - 1] === before;
  }

  #write(): void {
    if (this.#to > this.#from) this.#written += this.#small.slice(this.#from, this.#to);
    this.#from = this.#to;
  }
}

/** A mark that folding drops; nothing for what cannot be seen. */
function accentOf(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /(?!\p{Default_Ignorable_Code_Point})\p{M}/u.test(character) ? character : '';
}

const smallOf = (codePoint: number) => String.fromCodePoint(codePoint).toUpperCase().toLowerCase();

/** Emoji are separators; letters outside the BMP (Adlam, Gothic, rare Han) are letters. */
function astralClass(codePoint: number, unit: number): number {
  if (unit < 0xd800 || unit > 0xdfff) return classOf(unit);
  return /[\p{L}\p{M}\p{Nd}]/u.test(String.fromCodePoint(codePoint)) ? classOf(unit) : SEPARATOR;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}
