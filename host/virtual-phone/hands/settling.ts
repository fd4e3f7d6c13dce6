/**
 * Waits until the screen rests: listens to what changes, looks what differs, sets the alarm for the rule
 * (device-protocol/companion/settle). Never a fixed sleep.
 */
import { stirredBetween } from '../../../device-protocol/companion/change.ts';
import { builtOf } from '../../../device-protocol/companion/half-built.ts';
import {
  beginSettling,
  looked,
  reasonOf,
  restOf,
  type SettleRule,
  type Settling,
  stir,
} from '../../../device-protocol/companion/settle.ts';
import { treeOf } from '../../../device-protocol/companion/tree.ts';
import type { Snapshot } from '../../../device-protocol/snapshot.ts';
import type { PhoneClock } from '../clock.ts';
import type { Glass } from '../glass.ts';

export interface Rest {
  readonly settled: boolean;
  readonly tookMs: number;
  readonly reason: string;
  /** The screen as it was looked at when the wait ended; what was not there yet is said in its losses. */
  readonly after: Snapshot;
}

/** `from`: the look that later ones are compared with, taken before the input. */
export function awaitRest(
  glass: Glass,
  clock: PhoneClock,
  rule: SettleRule,
  from: Snapshot,
  then: (rest: Rest) => void,
): void {
  let settling: Settling = beginSettling(rule, clock.elapsedMs());
  let last = from;
  let cancel = () => {};
  const look = () => {
    cancel();
    const now = glass.look();
    const nowMs = clock.elapsedMs();
    settling = stir(settling, nowMs, stirredBetween(last, now));
    last = now;
    const { half_built } = builtOf(treeOf(now));
    settling = looked(settling, { half_built });
    const rest = restOf(settling, nowMs);
    if (rest.kind === 'waiting') {
      // A change may come and be looked at in the same millisecond: the next look is always later.
      cancel = clock.at(Math.max(rest.until_ms, nowMs + 1), look);
      return;
    }
    stop();
    then({
      settled: rest.kind === 'settled',
      tookMs: rest.took_ms,
      reason: reasonOf(rest),
      after: marked(now),
    });
  };
  const stop = glass.onChange(look);
  look();
}

/** Says of a half-published tree that it is one, so that nobody takes it for the whole (D-01). */
export function marked(snapshot: Snapshot): Snapshot {
  const { half_built, unplaced } = builtOf(treeOf(snapshot));
  if (!half_built) return snapshot;
  return { ...snapshot, losses: [...snapshot.losses, { code: 'still_loading', count: unplaced }] };
}
