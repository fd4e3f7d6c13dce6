/** The real clock and real randomness, for the composition. Not for simulations or tests. */
import { randomBytes } from 'node:crypto';
import type { HostChance, HostClock } from './clock.ts';

/** `setTimeout` takes no more than this; longer waits are made of several. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: HostClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  at(atMs, wake) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const left = atMs - performance.now();
      // Rounded up: a wake that comes a fraction too early would find nothing due.
      timer = setTimeout(
        () => (performance.now() >= atMs ? wake() : arm()),
        Math.min(Math.ceil(left), LONGEST_MS),
      );
    };
    arm();
    return () => clearTimeout(timer);
  },
};

export const systemChance: HostChance = { hex: (count) => randomBytes(count).toString('hex') };
