/** Builds an automaton literal by literal. Not for finding literals with it (automaton.ts). */
import { ANYWHERE, AT_WORD, type AutomatonData, NONE } from './automaton.ts';

/** A key is the state's number times this, plus the character's. */
const CHARACTERS = 0x10000;

export class AutomatonBuilder {
  readonly #numberOf = new Uint16Array(0x10000);
  #characters = 0;
  /** State and character → next state. */
  readonly #next = new Map<number, number>();
  /** Characters that lead on from each state. */
  readonly #leaving: number[][] = [[], []];
  readonly #first: number[] = [NONE, NONE];
  readonly #following: number[] = [];

  /** Adds pattern number `pattern`; numbers are given from 0 without gaps, in order. */
  add(literal: string, startsWord: boolean, pattern: number): void {
    let state = startsWord ? AT_WORD : ANYWHERE;
    for (let index = 0; index < literal.length; index++) state = this.#grow(state, literal.charCodeAt(index));
    this.#following[pattern] = this.#first[state] as number;
    this.#first[state] = pattern;
  }

  data(): AutomatonData {
    const places = new Places(this.#characters);
    const order = this.#widestFirst();
    const placeOf = new Int32Array(this.#leaving.length);
    placeOf[ANYWHERE] = 1;
    for (const state of order) {
      if (this.#width(state) === 0) continue;
      const leaving = this.#leaving[state] as number[];
      const place = placeOf[state] as number;
      const base = places.take(place, leaving);
      for (const character of leaving) placeOf[this.#after(state, character)] = base + character;
    }
    const first = new Int32Array(places.length).fill(NONE);
    this.#first.forEach((pattern, state) => {
      first[placeOf[state] as number] = pattern;
    });
    const { base, parent } = places.data();
    return { numberOf: this.#numberOf, base, parent, first, following: Int32Array.from(this.#following) };
  }

  /** States in an order in which each comes after the one that leads to it, of equals the wider first. */
  #widestFirst(): number[] {
    const order = [AT_WORD, ANYWHERE];
    for (let at = 0; at < order.length; at++) {
      const state = order[at] as number;
      const next = (this.#leaving[state] as number[]).map((character) => this.#after(state, character));
      next.sort((a, b) => this.#width(b) - this.#width(a) || a - b);
      for (const one of next) order.push(one);
    }
    return order;
  }

  #width(state: number): number {
    return (this.#leaving[state] as number[]).length;
  }

  #after(state: number, character: number): number {
    return this.#next.get(state * CHARACTERS + character) as number;
  }

  #grow(state: number, unit: number): number {
    let character = this.#numberOf[unit] as number;
    if (character === 0) {
      character = ++this.#characters;
      this.#numberOf[unit] = character;
    }
    const key = state * CHARACTERS + character;
    const known = this.#next.get(key);
    if (known !== undefined) return known;
    const next = this.#leaving.length;
    this.#leaving.push([]);
    this.#first.push(NONE);
    this.#next.set(key, next);
    (this.#leaving[state] as number[]).push(character);
    return next;
  }
}

/** The double array while it grows: which places are free, and who has which. The entrances have the first two. */
class Places {
  #base = new Int32Array(0x10000);
  #parent = new Int32Array(0x10000).fill(NONE);
  /** No place before this one is free. */
  #free = 2;
  #end = 2;
  readonly #characters: number;

  constructor(characters: number) {
    this.#characters = characters;
  }

  /** As many as any `base + character` may reach, so that reading never leaves the arrays. */
  get length(): number {
    return this.#end + this.#characters + 1;
  }

  /** Gives the state at `place` a base under which all of `leaving` find free places, and takes these. */
  take(place: number, leaving: readonly number[]): number {
    const lowest = Math.min(...leaving);
    let at = this.#free;
    while (!this.#fits(at - lowest, leaving)) at++;
    const base = at - lowest;
    this.#base[place] = base;
    for (const character of leaving) {
      this.#parent[base + character] = place;
      this.#end = Math.max(this.#end, base + character + 1);
    }
    while (this.#isTaken(this.#free)) this.#free++;
    return base;
  }

  data(): { base: Int32Array; parent: Int32Array } {
    this.#reach(this.length);
    return { base: this.#base.slice(0, this.length), parent: this.#parent.slice(0, this.length) };
  }

  #fits(base: number, leaving: readonly number[]): boolean {
    if (base < 0) return false;
    for (const character of leaving) if (this.#isTaken(base + character)) return false;
    return true;
  }

  #isTaken(place: number): boolean {
    this.#reach(place + 1);
    return place < 2 || this.#parent[place] !== NONE;
  }

  #reach(length: number): void {
    if (length <= this.#parent.length) return;
    const parent = new Int32Array(Math.max(length, this.#parent.length * 2)).fill(NONE);
    const base = new Int32Array(parent.length);
    parent.set(this.#parent);
    base.set(this.#base);
    this.#parent = parent;
    this.#base = base;
  }
}
