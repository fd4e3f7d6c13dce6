/**
 * Holds the ledger open, or is recovering it: opening after a start, closing what a cut left open, going on
 * after a failed write, beginning a new ledger, making room. Not for what is written in it (engine.ts, acts.ts).
 *
 * Rule 1: after a failed write the journal is closed and recovery runs before anything else. While it has
 * not succeeded there is no ledger, so there is nothing that could be answered.
 */
import { LIMITS } from '../limits.ts';
import type { Interruption } from '../messages.ts';
import { isFinalRecord } from '../record-table.ts';
import type { Refusal } from '../refusals.ts';
import type { CompanionSettings, LedgerBegan } from './engine-api.ts';
import { type LaterEntry, NOTHING } from './entries.ts';
import { Ledger } from './ledger.ts';
import { type CompanionPorts, DiskError } from './ports.ts';
import type { LedgerRecord } from './records.ts';

/** A record that moved without anybody asking: its host wants to know. */
export interface Moved {
  readonly host_id: string;
  readonly record: LedgerRecord;
}

export interface KeeperHooks {
  /** The journal is closed: no input may follow, nothing may be answered. */
  closed(): void;
  /** It is open again, and these records were closed by it. */
  recovered(moved: readonly Moved[]): void;
}

/** Retries of a recovery that the disk refuses, milliseconds: doubling from the first to the last. */
const RETRY_MS = { first: 500, last: 15_000 } as const;
const COMPACT_AFTER_BYTES = 1 << 20;
/** Entries after which writing anew is tried again where the disk was full. */
const RETRY_ENTRIES = 20;

export class Keeper {
  readonly #ports: CompanionPorts;
  readonly #settings: CompanionSettings;
  readonly #hooks: KeeperHooks;
  #ledger: Ledger | null = null;
  /** What is known of the file's bytes: after a failed sync the page cache may show what is not there. */
  #suspect = false;
  #retryMs: number = RETRY_MS.first;
  #retryAtMs: number | null = null;
  /** Not before the journal has this many entries more: the last try found the disk full. */
  #compactNotBefore = 0;

  constructor(ports: CompanionPorts, settings: CompanionSettings, hooks: KeeperHooks) {
    this.#ports = ports;
    this.#settings = settings;
    this.#hooks = hooks;
  }

  /** Null while recovery is not finished. */
  get ledger(): Ledger | null {
    return this.#ledger;
  }

  /** When the engine's timer must call `recover` again; null where it need not. */
  get retryAtMs(): number | null {
    return this.#retryAtMs;
  }

  /** Whole milliseconds, as entries carry them. */
  now(): number {
    return Math.floor(this.#ports.clock.elapsedMs());
  }

  /** Opens the journal and closes what a cut left open. Where the disk refuses, says when to try again. */
  recover(): void {
    this.#ledger = null;
    this.#hooks.closed();
    let moved: Moved[];
    try {
      moved = this.#open();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#ledger = null;
      this.#suspect ||= error.code === 'disk_failed';
      this.#retryAtMs = this.now() + this.#retryMs;
      this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.last);
      return;
    }
    this.#suspect = false;
    this.#retryAtMs = null;
    this.#retryMs = RETRY_MS.first;
    this.#hooks.recovered(moved);
  }

  #open(): Moved[] {
    const { clock, disk, chance } = this.#ports;
    const found = Ledger.read(disk, this.#ports.chainHash);
    const now = this.now();
    const ownKey = this.#settings.ledger_key;
    if (found.ledger === null || found.damaged)
      return this.#begin(found.damaged ? 'damaged' : 'first', found.ledger);
    if (found.ledger.ledger_key !== ownKey) return this.#begin('other_phone', null);
    const ledger = found.ledger;
    // A sync that failed may have left bytes that can be read but are not on the disk, and a later sync
    // would not bring them there: everything is written anew into another file.
    if (this.#suspect) ledger.compact();
    else ledger.renew();
    const entries: LaterEntry[] = [];
    if (ledger.boot_count !== clock.bootCount() || now < ledger.at)
      entries.push({ entry: 'boot', at: now, boot_id: chance.hex(16), boot_count: clock.bootCount() });
    const moved = [...openRecords(ledger)];
    entries.push(...closings(moved, now, 'restarted', 'restarted'));
    if (entries.length > 0) ledger.write(entries);
    this.#ledger = ledger;
    return moved;
  }

  #begin(began: LedgerBegan, before: Ledger | null): Moved[] {
    const { clock, disk, chance } = this.#ports;
    const inherited = before?.inheritance() ?? { stop_counter: 0, stopped_by: null, holder: null, hosts: [] };
    this.#ledger = Ledger.begin(disk, this.#ports.chainHash, {
      ...inherited,
      ledger_id: chance.hex(16),
      began,
      ledger_key: this.#settings.ledger_key,
      at: this.now(),
      boot_id: chance.hex(16),
      boot_count: clock.bootCount(),
    });
    return [];
  }

  /**
   * Rule 4: what runs is cut and what waits is refused in the old file, then a new ledger begins under a
   * new boot_id. False: the disk refused, and recovery has begun.
   */
  beginAnew(): boolean {
    const old = this.#ledger as Ledger;
    return this.#guard(() => {
      const cut = closings([...openRecords(old)], this.now(), 'ledger_rolled_back', 'rolled_back');
      if (cut.length > 0) old.write(cut);
      this.#begin('rolled_back', old);
    });
  }

  /** Durable when it answers true; false: it is not known what was stored, and recovery has run or will. */
  write(entries: readonly LaterEntry[]): boolean {
    return this.#guard(() => (this.#ledger as Ledger).write(entries));
  }

  #guard(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#suspect ||= error.code === 'disk_failed';
      this.recover();
      return false;
    }
  }

  /** Sets room aside for what an act must be able to write. False: there is none, and nothing was written. */
  reserve(bytes: number): boolean {
    for (const mayPrune of [true, false]) {
      try {
        this.#ports.disk.reserve(bytes);
        return true;
      } catch (error) {
        if (!(error instanceof DiskError)) throw error;
        if (!mayPrune || !this.#shrink()) return false;
      }
    }
    return false;
  }

  /** Room for one more record. False: nothing may be forgotten yet, or recovery is on the way. */
  roomForRecord(): boolean {
    const { ledgerRecords = LIMITS.ledgerRecords, journalBytes = LIMITS.journalBytes } = this.#settings;
    const ledger = this.#ledger as Ledger;
    const isOpen = () => this.#ledger === ledger;
    if (ledger.records >= ledgerRecords && !this.#forget(ledgerRecords / 100)) return false;
    const fits = () => isOpen() && ledger.bytes.base + ledger.bytes.since < journalBytes;
    if (!isOpen() || fits()) return isOpen();
    if (ledger.bytes.since > ledger.bytes.base / 4 && this.#compact() && fits()) return true;
    // What is left is long because of reports that the host has never fetched.
    while (isOpen() && this.#forget(ledger.records / 10) && this.#compact()) if (fits()) return true;
    return false;
  }

  /** What the host has stored goes first; where nothing of that may go, the oldest. */
  #forget(count: number): boolean {
    const wanted = Math.max(1, Math.floor(count));
    return this.#prune(wanted, true) || (this.#ledger !== null && this.#prune(wanted, false));
  }

  /** The mark is raised, durably, before anything is forgotten; memory follows the entry (ledger.ts). */
  #prune(count: number, acknowledged: boolean): boolean {
    const ledger = this.#ledger as Ledger;
    const now = this.now();
    // Hosts that do not hold the phone any longer go first; `false` sorts before `true`.
    const books = [...ledger.books()].sort(
      (a, b) => Number(a.host_id === ledger.holder) - Number(b.host_id === ledger.holder),
    );
    for (const book of books) {
      const mark = book.markFor(count, acknowledged, ledger.boot_id, now);
      if (mark > book.mark) return this.write([{ entry: 'mark', at: now, host_id: book.host_id, mark }]);
    }
    return false;
  }

  /** Where the disk is full: forgets what may be forgotten and writes the journal anew, if that helps. */
  #shrink(): boolean {
    const ledger = this.#ledger as Ledger;
    const { base, since } = ledger.bytes;
    if (!this.#prune(ledger.records, true) && since <= base / 4) return false;
    return this.#ledger !== null && this.#compact();
  }

  /** Writes the journal anew once it has grown by half. For quiet moments. */
  compactIfDue(): void {
    const ledger = this.#ledger;
    if (ledger === null) return;
    const { base, since } = ledger.bytes;
    const after = this.#settings.compactAfterBytes ?? COMPACT_AFTER_BYTES;
    if (since < Math.max(after, base / 2) || ledger.head.length < this.#compactNotBefore) return;
    this.#compactNotBefore = ledger.head.length + RETRY_ENTRIES;
    this.#compact();
  }

  #compact(): boolean {
    try {
      (this.#ledger as Ledger).compact();
      return true;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      // A full disk left the old journal as it was; it is only longer than it need be.
      if (error.code === 'disk_full') return false;
      this.#suspect = true;
      this.recover();
      return false;
    }
  }
}

function* openRecords(ledger: Ledger): Generator<Moved> {
  for (const book of ledger.books())
    for (const record of book.all())
      if (!isFinalRecord(record.state)) yield { host_id: book.host_id, record };
}

/** The entries that end open records: what waits never starts, what started may have happened. */
export function closings(
  open: readonly Moved[],
  at: number,
  refusal: Refusal,
  interruption: Interruption,
): LaterEntry[] {
  return open.map(({ host_id, record }) => {
    const common = { entry: 'move', at, host_id, request_id: record.request_id } as const;
    return record.state === 'accepted'
      ? { ...common, ...NOTHING, event: 'refuse', refusal }
      : { ...common, ...NOTHING, event: 'interrupt', interruption };
  });
}
