/**
 * How often somebody may fail to prove a pairing secret. The secret has 256 bits, so this is not what
 * keeps it; it keeps the log and the processor free of a neighbour that tries without end.
 */
import type { HostClock } from './clock.ts';

/** Failures within the window, for one phone from one address, before it is told to wait. */
export const ATTEMPTS = { most: 10, windowMs: 60_000, remembered: 1_000 } as const;

export class Attempts {
  readonly #clock: HostClock;
  /** Times of the failures, oldest first, by who; the map's order is that of the newest failure. */
  readonly #failures = new Map<string, number[]>();

  constructor(clock: HostClock) {
    this.#clock = clock;
  }

  mayTry(who: string): boolean {
    return this.#recent(who).length < ATTEMPTS.most;
  }

  failed(who: string): void {
    const recent = [...this.#recent(who), this.#clock.monotonic()].slice(-ATTEMPTS.most);
    this.#failures.delete(who);
    this.#failures.set(who, recent);
    const oldest = this.#failures.keys().next().value;
    if (this.#failures.size > ATTEMPTS.remembered && oldest !== undefined) this.#failures.delete(oldest);
  }

  succeeded(who: string): void {
    this.#failures.delete(who);
  }

  #recent(who: string): number[] {
    const since = this.#clock.monotonic() - ATTEMPTS.windowMs;
    return (this.#failures.get(who) ?? []).filter((at) => at > since);
  }
}
