/**
 * All literals of all languages in one automaton: a trie in flat arrays, entered at the places of a label where
 * a literal may begin. Two entrances: literals that begin a word, and literals that may begin inside one.
 * Not for what a found literal means (words.ts).
 */
import { isBoundary } from './characters.ts';

const AT_WORD = 0;
const ANYWHERE = 1;
const NONE = -1;
/** Bits of a key that number the character; the rest number the state (2^19 of them). */
const CHARACTER_BITS = 12;

export type Found = (pattern: number, start: number, end: number) => void;

/** Plain data, for v8.serialize. */
export type AutomatonData = {
  /** UTF-16 unit → its number among the units in use, 0 for units that no literal has. */
  numberOf: Uint16Array;
  /** Open addressing: state and character → next state. */
  keys: Int32Array;
  next: Int32Array;
  /** First pattern that ends in a state, and the next one that ends where a pattern ends. */
  first: Int32Array;
  following: Int32Array;
  states: number;
};

function slotOf(keys: Int32Array, key: number): number {
  const mask = keys.length - 1;
  let slot = (Math.imul(key, 0x9e3779b1) >>> 12) & mask;
  while (keys[slot] !== NONE && keys[slot] !== key) slot = (slot + 1) & mask;
  return slot;
}

export class Automaton {
  readonly #numberOf: Uint16Array;
  readonly #keys: Int32Array;
  readonly #next: Int32Array;
  readonly #first: Int32Array;
  readonly #following: Int32Array;
  /** How many states there are (each is one place in one or several literals). */
  readonly states: number;
  /** Size of the arrays. */
  readonly bytes: number;

  constructor({ numberOf, keys, next, first, following, states }: AutomatonData) {
    this.#numberOf = numberOf;
    this.#keys = keys;
    this.#next = next;
    this.#first = first;
    this.#following = following;
    this.states = states;
    this.bytes = [numberOf, keys, next, first, following].reduce((sum, array) => sum + array.byteLength, 0);
  }

  /** Calls `found` for every literal in `text`, a label's words. */
  scan(text: string, found: Found): void {
    for (let start = 0; start < text.length; start++) {
      if (isBoundary(text, start)) this.#walk(AT_WORD, text, start, found);
      this.#walk(ANYWHERE, text, start, found);
    }
  }

  /** Calls `found` for the literals that begin a word, entered only at `starts`; null enters them everywhere. */
  scanWordsAt(text: string, starts: readonly number[] | null, found: Found): void {
    if (starts !== null) for (const start of starts) this.#walk(AT_WORD, text, start, found);
    else for (let start = 0; start < text.length; start++) this.#walk(AT_WORD, text, start, found);
  }

  #walk(entrance: number, text: string, start: number, found: Found): void {
    let state = entrance;
    for (let index = start; index < text.length; index++) {
      const character = this.#numberOf[text.charCodeAt(index)] as number;
      if (character === 0) return;
      const slot = slotOf(this.#keys, (state << CHARACTER_BITS) | character);
      if (this.#keys[slot] === NONE) return;
      state = this.#next[slot] as number;
      for (let pattern = this.#first[state] as number; pattern !== NONE; ) {
        found(pattern, start, index + 1);
        pattern = this.#following[pattern] as number;
      }
    }
  }
}

/** Builds an automaton literal by literal. */
export class AutomatonBuilder {
  readonly #numberOf = new Uint16Array(0x10000);
  #units = 0;
  #keys = new Int32Array(0x20000).fill(NONE);
  #next = new Int32Array(0x20000);
  #edges = 0;
  #states = 2;
  #first = new Int32Array(0x10000).fill(NONE);
  readonly #following: number[] = [];

  /** Adds pattern number `pattern`; numbers are given from 0 without gaps, in order. */
  add(literal: string, startsWord: boolean, pattern: number): void {
    let state = startsWord ? AT_WORD : ANYWHERE;
    for (let index = 0; index < literal.length; index++) state = this.#grow(state, literal.charCodeAt(index));
    this.#following[pattern] = this.#first[state] as number;
    this.#first[state] = pattern;
  }

  data(): AutomatonData {
    return {
      numberOf: this.#numberOf,
      keys: this.#keys,
      next: this.#next,
      first: this.#first.slice(0, this.#states),
      following: Int32Array.from(this.#following),
      states: this.#states,
    };
  }

  #grow(state: number, unit: number): number {
    let character = this.#numberOf[unit] as number;
    if (character === 0) {
      character = ++this.#units;
      if (character >= 1 << CHARACTER_BITS)
        throw new Error('the automaton has no number left for a character');
      this.#numberOf[unit] = character;
    }
    const key = (state << CHARACTER_BITS) | character;
    let slot = slotOf(this.#keys, key);
    if (this.#keys[slot] === key) return this.#next[slot] as number;
    if (this.#states >= 1 << (31 - CHARACTER_BITS)) {
      throw new Error('the automaton has no number left for a state');
    }
    if (++this.#edges * 2 > this.#keys.length) {
      this.#widen();
      slot = slotOf(this.#keys, key);
    }
    const next = this.#states++;
    if (next >= this.#first.length) {
      const wider = new Int32Array(this.#first.length * 2).fill(NONE);
      wider.set(this.#first);
      this.#first = wider;
    }
    this.#keys[slot] = key;
    this.#next[slot] = next;
    return next;
  }

  #widen(): void {
    const keys = this.#keys;
    const next = this.#next;
    this.#keys = new Int32Array(keys.length * 2).fill(NONE);
    this.#next = new Int32Array(keys.length * 2);
    keys.forEach((key, old) => {
      if (key === NONE) return;
      const slot = slotOf(this.#keys, key);
      this.#keys[slot] = key;
      this.#next[slot] = next[old] as number;
    });
  }
}
