/**
 * Tries a look again by itself while the phone could not be read: bounded, with a pause that grows. Only for what
 * changes nothing; acts are asked about instead (tracker).
 */
import type { Envelope } from '../../device-protocol/envelope.ts';
import { PhoneError } from '../devices/phone-api.ts';
import type { EngineParts } from './parts.ts';

/** What came of one call beside its answer. */
export interface Trace {
  retries: number | null;
}

/** Between two tries of a look, milliseconds: doubling, with as much again by chance. */
const RETRY_MS = 120;

function pause({ clock, chance }: EngineParts, attempt: number): Promise<void> {
  const base = RETRY_MS * 2 ** (attempt - 1);
  const jitter = (Number.parseInt(chance.hex(1), 16) / 255) * base;
  return new Promise((resolve) => clock.at(clock.monotonic() + base + jitter, resolve));
}

/** Tries a look again while the phone could not be read, as often as its effect and the grant allow. */
export async function tried(
  parts: EngineParts,
  attempts: number,
  signal: AbortSignal,
  trace: Trace,
  work: () => Promise<Envelope>,
): Promise<Envelope> {
  for (let attempt = 1; ; attempt++) {
    trace.retries = attempt - 1;
    try {
      return await work();
    } catch (thrown) {
      const again = thrown instanceof PhoneError && thrown.code === 'look_failed' && attempt < attempts;
      if (!again || signal.aborted) throw thrown;
      await pause(parts, attempt);
    }
  }
}
