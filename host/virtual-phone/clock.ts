/**
 * The phone's clock: one that follows the machine and one that only tests drive. Not for time of day
 * (android/world.ts).
 */
import type { CompanionClock } from '../../device-protocol/companion/ports.ts';

export interface PhoneClock extends CompanionClock {
  /** Lets `ms` pass at once, waking whoever waited, in order. */
  advance(ms: number): void;
  /** Forgets all that waits; nothing is woken any more. */
  stop(): void;
}

interface Waiting {
  readonly atMs: number;
  readonly wake: () => void;
}

abstract class ClockWithTimers implements PhoneClock {
  protected readonly waiting = new Set<Waiting>();
  private readonly boots: number;
  constructor(boots: number) {
    this.boots = boots;
  }
  abstract elapsedMs(): number;
  abstract advance(ms: number): void;
  protected abstract rearm(): void;

  bootCount(): number {
    return this.boots;
  }

  at(atMs: number, wake: () => void): () => void {
    const one = { atMs, wake };
    this.waiting.add(one);
    this.rearm();
    return () => {
      if (this.waiting.delete(one)) this.rearm();
    };
  }

  stop(): void {
    this.waiting.clear();
    this.rearm();
  }

  /** The earliest that waits; of equals the one that came first. */
  protected earliest(): Waiting | null {
    let first: Waiting | null = null;
    for (const one of this.waiting) if (first === null || one.atMs < first.atMs) first = one;
    return first;
  }
}

/** Stands still until a test lets time pass. */
export class DrivenClock extends ClockWithTimers {
  private elapsed: number;
  constructor(options: { elapsedMs?: number; boots?: number } = {}) {
    super(options.boots ?? 1);
    this.elapsed = options.elapsedMs ?? 0;
  }
  elapsedMs(): number {
    return this.elapsed;
  }
  protected rearm(): void {
    // Nothing runs by itself: `advance` looks for what is due.
  }
  advance(ms: number): void {
    const until = this.elapsed + ms;
    for (let next = this.earliest(); next !== null && next.atMs <= until; next = this.earliest()) {
      this.elapsed = Math.max(this.elapsed, next.atMs);
      this.waiting.delete(next);
      next.wake();
    }
    this.elapsed = until;
  }
}

/** setTimeout counts in 31 bits; a longer wait is cut and armed again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Follows the machine's monotonic clock from the moment this phone was booted. */
export class MachineClock extends ClockWithTimers {
  private readonly bootedAtNs: bigint;
  private skippedMs = 0;
  private timer: NodeJS.Timeout | null = null;
  constructor(bootedAtNs: bigint, boots: number) {
    super(boots);
    this.bootedAtNs = bootedAtNs;
  }
  elapsedMs(): number {
    return Number((process.hrtime.bigint() - this.bootedAtNs) / 1_000_000n) + this.skippedMs;
  }
  advance(ms: number): void {
    this.skippedMs += ms;
    this.wakeDue();
  }
  protected rearm(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const next = this.earliest();
    if (next === null) return;
    const wait = Math.min(LONGEST_TIMER_MS, Math.max(0, next.atMs - this.elapsedMs()));
    this.timer = setTimeout(() => this.wakeDue(), wait);
  }
  private wakeDue(): void {
    for (let next = this.earliest(); next !== null && next.atMs <= this.elapsedMs(); next = this.earliest()) {
      this.waiting.delete(next);
      next.wake();
    }
    this.rearm();
  }
}
