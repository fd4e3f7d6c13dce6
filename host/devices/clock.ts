/** The one door through which time and chance enter the host. Not for the phone's clock (link.ts). */

export interface HostClock {
  /** Wall clock, milliseconds since 1970; may jump. Only for what people read and for lives of days. */
  now(): number;
  /** Milliseconds that never go back; meaningless outside this process. */
  monotonic(): number;
  /** Calls `wake` once, at or after `atMs` of `monotonic()`; the answer cancels it. */
  at(atMs: number, wake: () => void): () => void;
}

export interface HostChance {
  /** `count` random bytes as lower-case hex. */
  hex(count: number): string;
}
