/** Who waits for a request to move. Not for what moved (moves.ts). */
import type { Snapshot } from '../../../device-protocol/snapshot.ts';
import type { HostClock } from '../../devices/clock.ts';

type Wake = (snapshot: Snapshot | null) => void;

export class Waiters {
  readonly #clock: HostClock;
  readonly #waiting = new Map<string, Set<Wake>>();

  constructor(clock: HostClock) {
    this.#clock = clock;
  }

  /**
   * Resolves at the next notice about the request, with the snapshot that came with it; with null at
   * `untilMs` of the monotonic clock, or when `signal` fires.
   */
  next(requestId: string, signal?: AbortSignal, untilMs?: number): Promise<Snapshot | null> {
    return new Promise((resolve) => {
      const set = this.#waiting.get(requestId) ?? new Set<Wake>();
      this.#waiting.set(requestId, set);
      let cancelTimer = (): void => {};
      const wake: Wake = (snapshot) => {
        set.delete(wake);
        if (set.size === 0 && this.#waiting.get(requestId) === set) this.#waiting.delete(requestId);
        cancelTimer();
        signal?.removeEventListener('abort', aborted);
        resolve(snapshot);
      };
      const aborted = (): void => wake(null);
      set.add(wake);
      if (untilMs !== undefined) cancelTimer = this.#clock.at(untilMs, () => wake(null));
      if (signal?.aborted === true) wake(null);
      else signal?.addEventListener('abort', aborted);
    });
  }

  notify(requestId: string, snapshot: Snapshot | null): void {
    for (const wake of [...(this.#waiting.get(requestId) ?? [])]) wake(snapshot);
  }

  notifyAll(): void {
    for (const requestId of [...this.#waiting.keys()]) this.notify(requestId, null);
  }
}
