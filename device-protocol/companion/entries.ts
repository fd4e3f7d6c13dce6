/**
 * What a journal's entries say, one shape each. Not for their bytes (journal.ts) or for what they add up to
 * (ledger.ts). Entries are only ever read back from a journal whose checksums held, so their types are
 * trusted; the order of events in them is not (ledger.ts applies the record table again).
 */
import type { Head, Interruption } from '../messages.ts';
import type { KeptState, RecordEvent } from '../record-table.ts';
import type { Report } from '../report.ts';
import type { LedgerBegan } from './engine-api.ts';

export type StoppedBy = 'owner_on_phone' | 'host' | null;

/** Why a record is where it is: at most one of the three is not null, by its state. */
export interface Closing {
  /** Of `refused`: one of refusals.ts. */
  readonly refusal: string | null;
  /** Of `interrupted`. */
  readonly interruption: Interruption | null;
  /** Of `done`. */
  readonly report: Report | null;
}

/** Always the first entry, and only there: a whole ledger's counters, and which chain it continues. */
export interface BaseEntry {
  readonly entry: 'base';
  readonly version: 1;
  readonly ledger_id: string;
  readonly began: LedgerBegan;
  readonly ledger_key: string | null;
  /** The phone's elapsedRealtime, in every entry. */
  readonly at: number;
  /** Entries before this one and the chain after them; 0 and zeros for a new ledger. */
  readonly continues: { readonly length: number; readonly chain: string };
  /** Records in the `kept` entries that follow, written in the same go: fewer of them are damage. */
  readonly kept: number;
  /** Earlier lengths and their chains, oldest first: a host may remember one of them. */
  readonly told: readonly (readonly [number, string])[];
  readonly boot_id: string;
  readonly boot_count: number;
  readonly session: number;
  readonly stop_counter: number;
  readonly stopped_by: StoppedBy;
  readonly holder: string | null;
  readonly hosts: readonly {
    readonly host_id: string;
    readonly mark: number;
    readonly highest_seq: number;
    readonly settled_below: number;
    /** The newest head of the host's log that a request carried; absent where none did. */
    readonly audit_head?: Head;
  }[];
}

interface Identity {
  readonly host_id: string;
  readonly request_id: string;
  readonly seq: number;
  readonly digest: string;
  /** Null for a seal that came before its request. */
  readonly key_hash: string | null;
  /** The boot it was made in. */
  readonly boot_id: string;
  readonly not_after: number;
}

/** The first durable write of a record: `absent` moves by `event`. */
export interface RecordEntry extends Identity, Closing {
  readonly entry: 'record';
  readonly at: number;
  readonly event: RecordEvent;
  /** As the submit carried it. */
  readonly audit_head?: Head;
}

/** A record that exists moves by `event`. */
export interface MoveEntry extends Closing {
  readonly entry: 'move';
  readonly at: number;
  readonly host_id: string;
  readonly request_id: string;
  readonly event: RecordEvent;
}

/**
 * Records of one host carried over when the journal was written anew, as they are: many to an entry, for a
 * full ledger must open fast. Only ever right behind the first entry.
 */
export interface KeptEntry {
  readonly entry: 'kept';
  readonly at: number;
  readonly host_id: string;
  /** What `boot` of the records counts in, from 0. */
  readonly boots: readonly string[];
  readonly records: readonly KeptRecord[];
}

export type KeptRecord = readonly [
  request_id: string,
  seq: number,
  digest: string,
  key_hash: string | null,
  boot: number,
  not_after: number,
  state: KeptState,
  /** Refusal or interruption, by the state. */
  why: string | null,
  report: Report | BriefReport | null,
];

/**
 * What is left of a report that the host has stored: screen texts need not lie on the phone any longer. All
 * else of it reads as null.
 */
export type BriefReport = Pick<Report, 'acted' | 'error_code' | 'strategy' | 'run_ms'>;

export interface BootEntry {
  readonly entry: 'boot';
  readonly at: number;
  readonly boot_id: string;
  readonly boot_count: number;
}

export interface SessionEntry {
  readonly entry: 'session';
  readonly at: number;
  readonly host_id: string;
  readonly session: number;
}

/** Every record of this host at or below the mark is forgotten. */
export interface MarkEntry {
  readonly entry: 'mark';
  readonly at: number;
  readonly host_id: string;
  readonly mark: number;
}

export interface StopEntry {
  readonly entry: 'stop';
  readonly at: number;
  readonly stop_counter: number;
  readonly stopped_by: StoppedBy;
}

export interface HolderEntry {
  readonly entry: 'holder';
  readonly at: number;
  readonly host_id: string | null;
}

export type LaterEntry =
  | RecordEntry
  | MoveEntry
  | KeptEntry
  | BootEntry
  | SessionEntry
  | MarkEntry
  | StopEntry
  | HolderEntry;
export type Entry = BaseEntry | LaterEntry;

export const NOTHING: Closing = { refusal: null, interruption: null, report: null };
