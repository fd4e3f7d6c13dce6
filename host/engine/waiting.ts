/**
 * Waits for a condition on the screen: words there or gone, an app in front, or rest. Looks again and
 * again under a deadline; nothing here acts. A condition that could not be judged ends as null.
 */
import { fold } from '../../device-protocol/fold.ts';
import type { Phone } from '../devices/phone-api.ts';
import { phoneOf } from './device-choice.ts';
import type { Look } from './look.ts';
import type { EngineParts } from './parts.ts';
import { Refusal } from './refusal.ts';

export type Condition = 'text' | 'gone' | 'app' | 'settled';

export interface WaitEnd {
  /** True: met. False: looked until the end, not met. Null: the end came and it could not be seen. */
  readonly met: boolean | null;
  readonly reason: string;
  readonly waitedMs: number;
  readonly look: Look;
}

/** Between two looks, milliseconds. The phone answers at the first rest within a look's own settling. */
const BETWEEN_MS = 250;

function pause(parts: EngineParts, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const cancel = parts.clock.at(parts.clock.monotonic() + ms, done);
    function done(): void {
      signal?.removeEventListener('abort', done);
      cancel();
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}

/** Null: this look cannot say. A text that is not among what could be read may be in what could not. */
function judge(look: Look, condition: Condition, value: string, settled: boolean | null): boolean | null {
  switch (condition) {
    case 'settled':
      return settled;
    case 'app': {
      const front = look.snapshot.foreground.package;
      return front === null ? null : front === value;
    }
    case 'text':
      return look.says(fold(value)) ? true : look.whole ? false : null;
    case 'gone':
      return look.says(fold(value)) ? false : look.whole ? true : null;
  }
}

export async function waitFor(
  parts: EngineParts,
  deviceId: string,
  agent: string,
  condition: Condition,
  value: string,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<WaitEnd> {
  const began = parts.clock.monotonic();
  const waited = () => parts.clock.monotonic() - began;
  let last: WaitEnd | null = null;
  for (;;) {
    const phone: Phone = phoneOf(parts, deviceId);
    const left = Math.max(0, Math.floor(waitMs - waited()));
    let looked: Awaited<ReturnType<Phone['look']>>;
    try {
      looked = await phone.look({
        settleMs: condition === 'settled' ? left : 0,
        screenshot: false,
        signal,
      });
    } catch (thrown) {
      // Ended in the middle of a look: what was seen last is the answer.
      if (signal?.aborted === true && last !== null) return { ...last, reason: 'wait_ended' };
      throw thrown;
    }
    const look = parts.looks.remember(deviceId, agent, looked.snapshot, parts.clock.now());
    const met = judge(look, condition, value, looked.settled);
    const over = waited() >= waitMs || signal?.aborted === true;
    if (met === true) return { met, reason: 'met', waitedMs: Math.round(waited()), look };
    if (over || condition === 'settled') {
      return {
        met,
        reason:
          met === null
            ? 'could_not_be_seen'
            : (looked.settle_reason ?? (waited() < waitMs ? 'wait_ended' : 'time_over')),
        waitedMs: Math.round(waited()),
        look,
      };
    }
    last = { met, reason: 'wait_ended', waitedMs: Math.round(waited()), look };
    if (parts.phones.of(deviceId) === null) throw new Refusal('device_offline', { device_id: deviceId });
    await pause(parts, Math.min(BETWEEN_MS, left), signal);
  }
}
