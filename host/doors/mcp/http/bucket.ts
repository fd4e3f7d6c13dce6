/** A token bucket per key: so many at once, refilled evenly. Pure but for the clock it is given. */

export interface BucketRate {
  /** Most at once. */
  readonly burst: number;
  /** Refilled each second. */
  readonly perSecond: number;
  /** Keys remembered; beyond, the longest unused is forgotten. */
  readonly keys: number;
}

export class Buckets {
  readonly #rate: BucketRate;
  readonly #now: () => number;
  readonly #left = new Map<string, { count: number; atMs: number }>();

  /** `now` in milliseconds of a clock that never goes back. */
  constructor(rate: BucketRate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  #filled(key: string): number {
    const { burst, perSecond } = this.#rate;
    const known = this.#left.get(key);
    if (known === undefined) return burst;
    return Math.min(burst, known.count + ((this.#now() - known.atMs) / 1_000) * perSecond);
  }

  /** Whether there is one left, without taking it. */
  has(key: string): boolean {
    return this.#filled(key) >= 1;
  }

  /** Takes one; false where none is left. */
  take(key: string): boolean {
    const filled = this.#filled(key);
    const taken = filled >= 1;
    this.#left.delete(key);
    this.#left.set(key, { count: taken ? filled - 1 : filled, atMs: this.#now() });
    const oldest = this.#left.keys().next().value;
    if (this.#left.size > this.#rate.keys && oldest !== undefined) this.#left.delete(oldest);
    return taken;
  }

  /** Whole seconds until there is one again. */
  waitSeconds(key: string): number {
    return Math.max(1, Math.ceil((1 - this.#filled(key)) / this.#rate.perSecond));
  }
}
