/** Chance with a seed: the same seed, the same run. Not for anything that must be hard to guess. */

/** sfc32, by Chris Doty-Humphrey (PractRand): small, fast, and good enough to choose faults by. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: number, stream: number) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 2 ** 32) >>> 0;
    this.#c = stream >>> 0;
    for (let i = 0; i < 12; i++) this.u32();
  }

  u32(): number {
    const t = (this.#a + this.#b + this.#count++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t;
    return t >>> 0;
  }

  /** From 0 up to, not including, 1. */
  unit(): number {
    return this.u32() / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.whole(0, from.length - 1)] as T;
  }

  hex(bytes: number): string {
    let text = '';
    while (text.length < bytes * 2) text += this.u32().toString(16).padStart(8, '0');
    return text.slice(0, bytes * 2);
  }
}
