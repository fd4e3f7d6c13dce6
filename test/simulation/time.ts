/** One time line for everything in the simulation: what happens when, in one order. Not for faults. */

interface Event {
  readonly atMs: number;
  readonly number: number;
  readonly run: () => void;
  cancelled: boolean;
}

export class TimeLine {
  nowMs = 0;
  /** Events that have happened. */
  steps = 0;
  readonly #heap: Event[] = [];
  #number = 0;

  /** Calls `run` at `atMs`, or next if that is over; the answer cancels it. Equal times keep their order. */
  at(atMs: number, run: () => void): () => void {
    const event: Event = { atMs: Math.max(atMs, this.nowMs), number: this.#number++, run, cancelled: false };
    const heap = this.#heap;
    let i = heap.push(event) - 1;
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (before(heap[up] as Event, event)) break;
      heap[i] = heap[up] as Event;
      i = up;
    }
    heap[i] = event;
    return () => {
      event.cancelled = true;
    };
  }

  after(ms: number, run: () => void): () => void {
    return this.at(this.nowMs + ms, run);
  }

  /** The next event's run, time moved to it; null when nothing is left before `untilMs`. */
  next(untilMs: number): (() => void) | null {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || first.atMs > untilMs) return null;
      this.#pop();
      if (first.cancelled) continue;
      this.nowMs = first.atMs;
      this.steps += 1;
      return first.run;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let down = 2 * i + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && before(heap[down + 1] as Event, heap[down] as Event)) down += 1;
      if (before(last, heap[down] as Event)) break;
      heap[i] = heap[down] as Event;
      i = down;
    }
    heap[i] = last;
  }
}

function before(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);
}

/** Thrown by whatever a process does when it is killed there: nothing of it goes on. */
export class Killed extends Error {
  constructor(what: string) {
    super(`${what} was killed`);
  }
}
