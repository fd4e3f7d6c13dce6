/**
 * What the companion's engine needs of the world around it: clock, disk, chance, screen, hands and the
 * owner's switch. The virtual phone, the simulation and (mirrored) the Android app each provide these.
 * Not for decisions: nothing here knows a record or a message.
 */
import type { Act, Payload } from '../payload.ts';
import type { Report } from '../report.ts';
import type { Foreground, Snapshot } from '../snapshot.ts';

export interface CompanionClock {
  /** Android's elapsedRealtime: milliseconds since boot, sleeping included, never set by anybody. */
  elapsedMs(): number;
  /** Android's BOOT_COUNT: grows by one with every boot. */
  bootCount(): number;
  /** Calls `wake` once, at or after `atMs`; the answer cancels it. */
  at(atMs: number, wake: () => void): () => void;
}

/**
 * The journal's file. `append` may be lost at a crash until `sync` has returned. Every method throws
 * `DiskError` where the system refuses; after that the journal is closed and recovery runs first.
 */
export interface CompanionDisk {
  /** Whole content; null when there is no journal yet. */
  read(): Uint8Array | null;
  append(bytes: Uint8Array): void;
  sync(): void;
  /** Cuts the file to `length` bytes and syncs: only for a torn tail. */
  truncate(length: number): void;
  /** Makes sure that `bytes` more can be written; throws `DiskError('disk_full')` where they cannot. */
  reserve(bytes: number): void;
  /** Puts a new journal in the place of the old: new file, sync, rename, sync of the folder. */
  replace(bytes: Uint8Array): void;
  /** As `replace`, but keeps the old file beside it under a name of its own. */
  replaceKeepingOld(bytes: Uint8Array, why: string): void;
}

export class DiskError extends Error {
  readonly code: 'disk_full' | 'disk_failed';
  constructor(code: 'disk_full' | 'disk_failed', message: string) {
    super(message);
    this.code = code;
  }
}

/** One way through which chance enters. */
export interface CompanionChance {
  /** `count` random bytes as lower-case hex. */
  hex(count: number): string;
}

/** Looked at again before every single input of an act (rule 8). */
export type StillMine = () => boolean;

export interface ActRun {
  readonly act: Act;
  readonly payload: Payload;
  /** False as soon as the record left `started`: no further input may be given. */
  readonly stillMine: StillMine;
}

/** The result of an act that came to its end; a cancelled one is `interrupted`, not a report. */
export type ActEnd =
  | { readonly kind: 'report'; readonly report: Report; readonly snapshot: Snapshot | null }
  | { readonly kind: 'interrupted'; readonly why: string };

export interface CompanionBody {
  /** Fresh tree of all windows, now. */
  snapshot(): Snapshot;
  foreground(): Foreground;
  /** elapsedRealtime of the last touch by a person; null when none was seen. */
  lastPersonTouchMs(): number | null;
  /**
   * Checks before the first input, without giving any: null when the act may start, else a refusal code
   * of errors.ts (`target_stale`, `target_ambiguous`, `target_changed`, `foreground_unknown`, …).
   */
  check(payload: Payload): string | null;
  /** Gives the input, waits for settling, compares. Called once per record, after `started` is durable. */
  perform(run: ActRun): Promise<ActEnd>;
}

/** The package policy, the same on both sides: a refusal code, or null. */
export interface CompanionPolicy {
  refuses(payload: Payload, foreground: Foreground): string | null;
}
