/**
 * Waits until the screen rests, driven by what changes and by the clock, never by a fixed sleep. The rule
 * itself is the companion's (device-protocol); this only listens and sets the alarm.
 */
import type { Payload } from '../../../device-protocol/payload.ts';
import type { PhoneClock } from '../clock.ts';
import type { Glass } from '../glass.ts';

export interface Rest {
  readonly settled: boolean;
  readonly tookMs: number;
  readonly reason: string;
}

type Rule = Payload['settle'];

/** When it is over: a moment and why; null while nothing but a later look can tell. */
function restOf(
  rule: Rule,
  startedMs: number,
  lastChangeMs: number | null,
  nowMs: number,
): Omit<Rest, 'tookMs'> | null {
  if (lastChangeMs === null && nowMs >= startedMs + rule.reaction_ms)
    return { settled: true, reason: 'nothing_changed' };
  if (lastChangeMs !== null && nowMs >= lastChangeMs + rule.quiet_ms)
    return { settled: true, reason: 'quiet' };
  if (nowMs >= startedMs + rule.ceiling_ms) return { settled: false, reason: 'ceiling' };
  return null;
}

export function awaitRest(glass: Glass, clock: PhoneClock, rule: Rule, then: (rest: Rest) => void): void {
  const startedMs = clock.elapsedMs();
  let lastChangeMs: number | null = null;
  let cancel = () => {};
  const stop = glass.onChange(() => {
    lastChangeMs = clock.elapsedMs();
    look();
  });
  const look = () => {
    cancel();
    const nowMs = clock.elapsedMs();
    const rest = restOf(rule, startedMs, lastChangeMs, nowMs);
    if (rest !== null) {
      stop();
      then({ ...rest, tookMs: nowMs - startedMs });
      return;
    }
    const next = lastChangeMs === null ? startedMs + rule.reaction_ms : lastChangeMs + rule.quiet_ms;
    cancel = clock.at(Math.min(next, startedMs + rule.ceiling_ms), look);
  };
  look();
}
