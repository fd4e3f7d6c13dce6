/** What every part of the tracker is given: the outside world and its times. Not for doing anything. */
import type { HostChance, HostClock } from '../../devices/clock.ts';
import type { Links } from '../../devices/link.ts';
import type { StoreApi } from '../../store/store-api.ts';
import type { Kept, Recheck } from './tracker-api.ts';

export interface TrackerParts {
  readonly store: StoreApi;
  readonly clock: HostClock;
  readonly chance: HostChance;
  readonly links: Links;
  readonly recheck: Recheck;
  readonly kept: Kept;
  /** Something that must not be swallowed and has nobody to throw to: a store that failed in a timer. */
  readonly onFault: (fault: unknown) => void;
}

export const TIMES = {
  /** After the call's time is over and the seal has left, an answer is waited for this long. */
  sealWaitMs: 2_000,
  /** Open rows are asked about again after this long, then doubling (rule 7: never above 15 s). */
  askFirstMs: 1_000,
  askMostMs: 15_000,
  /** A resume that changed nothing is sent again after this long. */
  resumeAgainMs: 2_000,
  /** Erased bytes leave the write-ahead log this long after a request became final, many at once. */
  scrubAfterMs: 1_000,
  /** Final requests and their keys are kept this long (contracts.md: 30 days). */
  keepMs: 30 * 24 * 3_600_000,
  pruneEveryMs: 24 * 3_600_000,
} as const;

/** Ids in one status question: 64 answers with the largest report stay far below a message's limit. */
export const ASK_IDS = 64;

/** Runs what a timer or a socket called: its failure is told, and never ends the process. */
export function guarded(parts: TrackerParts, work: () => void): void {
  try {
    work();
  } catch (fault) {
    parts.onFault(fault);
  }
}
