/**
 * What the companion's engine needs of the world around it: clock, disk, chance, screen, hands, package
 * policy, the owner's approval. The virtual phone, the simulation and (mirrored) the Android app each
 * provide these. Not for decisions: nothing here knows a record or a message.
 *
 * Everything is called synchronously; what takes time answers through its callback, exactly once, and may
 * do so before the call returns. Callbacks of a process that was killed are simply never called.
 */
import type { Submit } from '../messages.ts';
import type { Act, Payload } from '../payload.ts';
import type { Refusal } from '../refusals.ts';
import type { Report } from '../report.ts';
import type { Request } from '../request.ts';
import type { Foreground, Snapshot } from '../snapshot.ts';

export interface CompanionClock {
  /** Android's elapsedRealtime: milliseconds since boot, sleeping included, never set by anybody. */
  elapsedMs(): number;
  /** Android's BOOT_COUNT: grows by one with every boot. */
  bootCount(): number;
  /** Calls `wake` once, at or after `atMs`, never before `at` has returned; the answer cancels it. */
  at(atMs: number, wake: () => void): () => void;
}

/**
 * The journal's file; one writer, locked by whoever provides it. `append` may be lost or torn at a crash
 * until `sync` has returned. Every method throws `DiskError` where the system refuses.
 */
export interface CompanionDisk {
  /** Bytes of the journal; null when there is none yet. */
  size(): number | null;
  /** At most `length` bytes from `offset`; fewer only at the end of the file. */
  read(offset: number, length: number): Uint8Array;
  append(bytes: Uint8Array): void;
  sync(): void;
  /** Cuts the file to `length` bytes and syncs: only for a torn tail. */
  truncate(length: number): void;
  /**
   * Writes the bytes from `offset` to the end again, the same bytes in the same place, and syncs file and
   * folder. An earlier process may have died between a sync that failed and its recovery: what it had
   * written can then be read, but lies nowhere, and a later sync would not bring it there.
   */
  renew(offset: number): void;
  /**
   * Makes sure that `bytes` more can be appended, until the next `reserve`; throws `DiskError('disk_full')`
   * where they cannot, and then nothing was written. Must not lengthen the journal itself: a half-written
   * entry before zeros could not be told from damage. (A second file of that size, given up when an
   * `append` finds the disk full, does it.)
   */
  reserve(bytes: number): void;
  /** Puts a new journal in the place of the old: new file, sync, rename, sync of the folder. */
  replace(chunks: Iterable<Uint8Array>): void;
  /** As `replace`, but keeps the old file beside it under a name of its own. */
  replaceKeepingOld(chunks: Iterable<Uint8Array>, why: string): void;
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
  | { readonly kind: 'interrupted' };

export interface LookRequest {
  /** Wait until the screen rests, at most this long; 0 looks at once. */
  readonly settle_ms: number;
  readonly screenshot: boolean;
}
export interface Look {
  readonly snapshot: Snapshot;
  readonly settled: boolean | null;
  readonly settle_ms: number | null;
  readonly settle_reason: string | null;
  /** PNG, base64. */
  readonly screenshot: string | null;
  readonly screenshot_refused:
    | 'protected'
    | 'withheld'
    | 'timed_out'
    | 'empty'
    | 'black'
    | 'unsupported'
    | null;
}
export interface InstalledApp {
  readonly package: string;
  readonly label: string;
  readonly user: number;
  readonly components: string[];
  readonly system: boolean;
}
export interface Clipboard {
  readonly text: string | null;
  readonly refused: 'empty' | 'not_text' | 'not_allowed' | 'withheld' | null;
}

export interface CompanionBody {
  foreground(): Foreground;
  /** elapsedRealtime of the last touch by a person; null when none was seen. */
  lastPersonTouchMs(): number | null;
  /**
   * Checks before the first input, without giving any: null when the act may start.
   */
  check(payload: Payload): Refusal | null;
  /** Gives the input, waits for settling, compares. Called once per record, after `started` is durable. */
  perform(run: ActRun, end: (end: ActEnd) => void): void;
  /* Reads, which never run anything and go on beside an act. */
  look(request: LookRequest, end: (look: Look) => void): void;
  listApps(end: (apps: InstalledApp[]) => void): void;
  readClipboard(end: (clipboard: Clipboard) => void): void;
}

/** The package policy, the same on both sides. */
export interface CompanionPolicy {
  refuses(payload: Payload, foreground: Foreground): Refusal | null;
}

/** What the owner enrolled on this phone decides over approvals. */
export interface CompanionApproval {
  refuses(request: Request, digest: string, payload: Payload, approval: Submit['approval']): Refusal | null;
}

/** SHA-256 of `previous` followed by `framed`: one link of the journal's chain (journal.ts). */
export type ChainHash = (previous: Uint8Array, framed: Uint8Array) => Uint8Array;

export interface CompanionPorts {
  readonly clock: CompanionClock;
  readonly disk: CompanionDisk;
  readonly chance: CompanionChance;
  readonly body: CompanionBody;
  readonly policy: CompanionPolicy;
  readonly approval: CompanionApproval;
  /** The platform's own SHA-256, for journals of many megabytes; the pure one where it is left out. */
  readonly chainHash?: ChainHash;
}
