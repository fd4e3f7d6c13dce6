/**
 * All literals of all languages in one automaton: a trie in three flat arrays (a double array), entered at the
 * places of a label where a literal may begin. Two entrances: literals that begin a word, and literals that may
 * begin inside one. Not for building it (automaton-builder.ts) nor for what a found literal means (match-words.ts).
 */
import { classOf } from './characters.ts';

export const AT_WORD = 0;
export const ANYWHERE = 1;
export const NONE = -1;
const SPACE = 32;

export type Found = (pattern: number, start: number, end: number) => void;

/** Plain data, as it is kept in a file. */
export type AutomatonData = {
  /** UTF-16 unit → its number among the units in use, 0 for units that no literal has. */
  numberOf: Uint16Array;
  /** The state after `state` and character `c` is `base[state] + c`, if that one's `parent` is `state`. */
  base: Int32Array;
  parent: Int32Array;
  /** First pattern that ends in a state, and the next one that ends where a pattern ends. */
  first: Int32Array;
  following: Int32Array;
};

export class Automaton {
  readonly #numberOf: Uint16Array;
  readonly #base: Int32Array;
  readonly #parent: Int32Array;
  readonly #first: Int32Array;
  readonly #following: Int32Array;
  /** How many places there are for states, of which few are free. */
  readonly states: number;
  /** Size of the arrays. */
  readonly bytes: number;
  /** The characters of the text that is being scanned, by their numbers. */
  #characters = new Uint16Array(256);

  constructor({ numberOf, base, parent, first, following }: AutomatonData) {
    this.#numberOf = numberOf;
    this.#base = base;
    this.#parent = parent;
    this.#first = first;
    this.#following = following;
    this.states = base.length;
    this.bytes = [numberOf, base, parent, first, following].reduce((sum, one) => sum + one.byteLength, 0);
  }

  /** Calls `found` for every literal in `text`, a label's words. */
  scan(text: string, found: Found): void {
    const characters = this.#read(text);
    const { length } = text;
    let before = -1;
    for (let start = 0; start < length; start++) {
      const kind = classOf(text.charCodeAt(start));
      if (kind !== before && this.#leads(AT_WORD, characters, start)) {
        this.#walk(AT_WORD, characters, start, length, found);
      }
      if (this.#leads(ANYWHERE, characters, start)) this.#walk(ANYWHERE, characters, start, length, found);
      before = kind;
    }
  }

  /** The same where no spaces are left: literals that begin a word may begin anywhere. */
  scanRun(text: string, found: Found): void {
    const characters = this.#read(text);
    const { length } = text;
    for (let start = 0; start < length; start++) this.#walk(AT_WORD, characters, start, length, found);
  }

  /** Calls `found` for literals that begin where a word does and go on over spaces as if there were none. */
  scanOverSpaces(text: string, found: Found): void {
    const characters = this.#read(text);
    const { length } = text;
    for (let start = 0; start < length; start = text.indexOf(' ', start) + 1 || length) {
      this.#walkOver(text, characters, start, found);
    }
  }

  #read(text: string): Uint16Array {
    if (text.length > this.#characters.length) this.#characters = new Uint16Array(text.length * 2);
    const characters = this.#characters;
    for (let at = 0; at < text.length; at++) characters[at] = this.#numberOf[text.charCodeAt(at)] as number;
    return characters;
  }

  /** Whether any literal begins with this character: asked before walking, since most do not. */
  #leads(entrance: number, characters: Uint16Array, at: number): boolean {
    const character = characters[at] as number;
    return character !== 0 && this.#parent[(this.#base[entrance] as number) + character] === entrance;
  }

  #walk(entrance: number, characters: Uint16Array, start: number, length: number, found: Found): void {
    let state = entrance;
    for (let index = start; index < length; index++) {
      const character = characters[index] as number;
      const next = (this.#base[state] as number) + character;
      if (character === 0 || this.#parent[next] !== state) return;
      state = next;
      for (let pattern = this.#first[state] as number; pattern !== NONE; ) {
        found(pattern, start, index + 1);
        pattern = this.#following[pattern] as number;
      }
    }
  }

  #walkOver(text: string, characters: Uint16Array, start: number, found: Found): void {
    let state = AT_WORD;
    let cut = false;
    for (let index = start; index < text.length; index++) {
      if (text.charCodeAt(index) === SPACE) {
        cut = true;
        continue;
      }
      const character = characters[index] as number;
      const next = (this.#base[state] as number) + character;
      if (character === 0 || this.#parent[next] !== state) return;
      state = next;
      if (!cut) continue;
      for (let pattern = this.#first[state] as number; pattern !== NONE; ) {
        found(pattern, start, index + 1);
        pattern = this.#following[pattern] as number;
      }
    }
  }
}
