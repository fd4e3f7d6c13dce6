/**
 * The phone's own clock (elapsedRealtime) as this host may estimate it: what was told last, plus our
 * monotonic clock since. The telling took some time, so an estimate is never ahead of the phone. Not for
 * deciding that a phone was turned back between sessions (device-protocol/turned-back.ts).
 */
import { CLOCK_TOLERANCE_MS } from '../../device-protocol/turned-back.ts';
import type { HostClock } from './clock.ts';

export interface Told {
  readonly elapsedMs: number;
  /** Our monotonic and our wall clock when it arrived. */
  readonly atMs: number;
  readonly seenAt: number;
}

export class PhoneTime {
  readonly #clock: HostClock;
  #told: Told;

  constructor(clock: HostClock, told: Told) {
    this.#clock = clock;
    this.#told = told;
  }

  /** As told, not as estimated: what is remembered must be true, and an emulator may have been paused. */
  get told(): Told {
    return this.#told;
  }

  now(): number {
    return this.#told.elapsedMs + (this.#clock.monotonic() - this.#told.atMs);
  }

  /** False: it stands lower than it did, so time was turned back. */
  tell(elapsedMs: number): boolean {
    if (elapsedMs < this.#told.elapsedMs - CLOCK_TOLERANCE_MS) return false;
    // A copy of an old answer says nothing of now: taken as new it would hide as much lost time as it was late.
    if (elapsedMs <= this.#told.elapsedMs) return true;
    this.#told = { elapsedMs, atMs: this.#clock.monotonic(), seenAt: this.#clock.now() };
    return true;
  }
}
