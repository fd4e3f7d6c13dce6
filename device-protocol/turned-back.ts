/**
 * Finds out that a phone was turned back: its hello against what the host remembers of it (protocol.md,
 * "Time turned back", rule 4). Pure; time comes in as numbers. Not for what follows from it (host-dialogue.ts).
 */
import type { Head, Hello, Ready } from './messages.ts';

/** What a host remembers of a phone between sessions. */
export interface HostMemory {
  readonly ledger_id: string;
  readonly boot_id: string;
  /** The newest head that was told, with everything that was told before it already stored. */
  readonly length: number;
  readonly chain: string;
  /** The newest session the companion confirmed with `ready`. */
  readonly session: number;
  /** The phone's elapsedRealtime and the host's clock at one moment, never ahead of the phone. */
  readonly elapsed_ms: number;
  readonly seen_at: number;
  /** Boots that ended, newest last, at most RETIRED_MAX; one of them coming back is time turned back. */
  readonly retired_boots: readonly string[];
  /** The same for ledgers that were replaced. */
  readonly retired_ledgers: readonly string[];
}

export const RETIRED_MAX = 64;

export const TURNED_BACK = [
  'retired_ledger',
  'retired_boot',
  /** The ledger is shorter than it was, or cannot show the chain value the host remembers. */
  'shorter',
  'other_chain',
  /** The companion confirmed a session that its ledger does not know any more. */
  'session_lost',
  'clock_lost',
] as const;
export type TurnedBack = (typeof TURNED_BACK)[number];

/** A phone's clock may have lost this much before it counts, milliseconds: "more than a few seconds". */
export const CLOCK_TOLERANCE_MS = 3_000;
/** How much two good clocks may drift apart: 500 ppm is what NTP slews at most; a phone's crystal is below. */
export const CLOCK_DRIFT = 500e-6;

export interface SeenNow {
  /** How long ago, by the host's own clock, `memory.seen_at` was; negative where that clock was set back. */
  readonly sinceMs: number;
  /** How long the hello can have been under way: from what it answered to its arrival. */
  readonly roundTripMs: number;
}

/** Why the phone must have been turned back, or null. Another, new ledger or boot is not that. */
export function turnedBack(memory: HostMemory | null, hello: Hello, now: SeenNow): TurnedBack | null {
  if (memory === null) return null;
  if (memory.retired_ledgers.includes(hello.ledger_id)) return 'retired_ledger';
  if (memory.retired_boots.includes(hello.boot_id)) return 'retired_boot';
  if (hello.boot_id === memory.boot_id) {
    // Our own clock was set back: then nothing can be said of a phone that may have been, too.
    if (hello.can_be_turned_back && now.sinceMs < 0) return 'clock_lost';
    const lostMs = now.sinceMs - (hello.elapsed_ms - memory.elapsed_ms);
    const allowedMs = CLOCK_TOLERANCE_MS + now.roundTripMs + Math.max(0, now.sinceMs) * CLOCK_DRIFT;
    // A clock that stands lower than it did has lost time, whatever the host's own clock says.
    if (lostMs > allowedMs || hello.elapsed_ms < memory.elapsed_ms - CLOCK_TOLERANCE_MS) return 'clock_lost';
  }
  if (hello.ledger_id !== memory.ledger_id) return null;
  if (hello.head.length < memory.length || hello.chain_at_remembered === null) return 'shorter';
  if (hello.chain_at_remembered !== memory.chain) return 'other_chain';
  if (hello.last_session < memory.session) return 'session_lost';
  return null;
}

const retire = (retired: readonly string[], ...ids: (string | undefined)[]): string[] =>
  [...new Set([...retired, ...ids.filter((id) => id !== undefined)])].slice(-RETIRED_MAX);

/** What to remember once `ready` came. `seen_at` is the host's clock when the hello arrived. */
export function memoryAfter(
  before: HostMemory | null,
  hello: Hello,
  ready: Ready,
  seenAt: number,
): HostMemory {
  const gone = (kept: string, ...ids: (string | undefined)[]) => ids.filter((id) => id !== kept);
  return {
    ledger_id: ready.ledger_id,
    boot_id: ready.boot_id,
    length: ready.head.length,
    chain: ready.head.chain,
    session: ready.session,
    elapsed_ms: hello.elapsed_ms,
    seen_at: seenAt,
    retired_boots: retire(
      before?.retired_boots ?? [],
      ...gone(ready.boot_id, before?.boot_id, hello.boot_id),
    ),
    retired_ledgers: retire(
      before?.retired_ledgers ?? [],
      ...gone(ready.ledger_id, before?.ledger_id, hello.ledger_id),
    ),
  };
}

/** Rule 4: the entry counter never falls, and one length has one chain value. */
export function headGoesOn(before: Head, after: Head): boolean {
  return after.length > before.length || (after.length === before.length && after.chain === before.chain);
}
