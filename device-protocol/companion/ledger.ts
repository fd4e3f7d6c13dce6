/**
 * The ledger: what all entries of the journal add up to, and the one way in which a record moves: its
 * entry is appended and synced, and only then does memory follow. Not for who asks or why (engine.ts).
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Head, RecordStatus } from '../messages.ts';
import { type KeptState, moveRecord } from '../record-table.ts';
import type { Report } from '../report.ts';
import type { LedgerBegan } from './engine-api.ts';
import type { BaseEntry, Closing, Entry, KeptEntry, LaterEntry, RecordEntry, StoppedBy } from './entries.ts';
import {
  BadEntry,
  chainOf,
  chainsIn,
  concatBytes,
  encodeEntry,
  type FoundEntry,
  NO_CHAIN,
  readEntry,
  readJournal,
} from './journal.ts';
import { type Carried, reportIn, unpack, writeAnew } from './kept.ts';
import type { ChainHash, CompanionDisk } from './ports.ts';
import { HostBook, type LedgerRecord } from './records.ts';

/** Chains of earlier lengths that survive a compaction: a host remembers one of the last that it was told. */
const TOLD_MAX = 512;
/**
 * The end of the journal that is written again at a start. Only what was appended in one go can be in doubt:
 * after a failed sync nothing more is appended to the same file.
 */
const RENEWED_BYTES = 65_536;

/** What a new ledger takes over from the one it replaces, or starts with. */
export interface Inherited {
  readonly boot_id: string;
  readonly boot_count: number;
  readonly stop_counter: number;
  readonly stopped_by: StoppedBy;
  readonly holder: string | null;
  readonly hosts: BaseEntry['hosts'];
}

/** The chain that a first entry says it continues: read before its checksum could be, so not trusted. */
function chainContinued(first: unknown): Uint8Array {
  const base = first as Partial<BaseEntry> | null;
  const chain: unknown = base?.continues?.chain;
  if (
    base?.entry !== 'base' ||
    base.version !== 1 ||
    typeof chain !== 'string' ||
    !/^[0-9a-f]{64}$/.test(chain)
  )
    throw new BadEntry('no base');
  return hexToBytes(chain);
}

export class Ledger {
  readonly #disk: CompanionDisk;
  readonly #hash: ChainHash;
  readonly ledger_id: string;
  readonly began: LedgerBegan;
  readonly ledger_key: string | null;
  boot_id: string;
  boot_count: number;
  session: number;
  stop_counter: number;
  stopped_by: StoppedBy;
  holder: string | null;
  /** Latest elapsedRealtime in any entry of this boot. */
  at: number;
  readonly #hosts = new Map<string, HostBook>();
  /** Equal texts in many records (boots, refusals), kept once. */
  readonly #texts = new Map<string, string>();

  #length: number;
  #chain: Uint8Array;
  #bytes: number;
  #baseBytes = 0;
  /** Length after the base entry. */
  #baseLength: number;
  /** Length after the `kept` entries, and how many records of theirs have not been read yet. */
  #keptTo: number;
  #keptLeft: number;
  /** Reports are read one after another out of the same entry. */
  #lastRead: { readonly offset: number; readonly entry: KeptEntry } | null = null;
  #told: BaseEntry['told'];

  private constructor(disk: CompanionDisk, hash: ChainHash, base: BaseEntry, found: FoundEntry) {
    this.#disk = disk;
    this.#hash = hash;
    this.ledger_id = base.ledger_id;
    this.began = base.began;
    this.ledger_key = base.ledger_key;
    this.boot_id = base.boot_id;
    this.boot_count = base.boot_count;
    this.session = base.session;
    this.stop_counter = base.stop_counter;
    this.stopped_by = base.stopped_by;
    this.holder = base.holder;
    this.at = base.at;
    for (const host of base.hosts) Object.assign(this.book(host.host_id), host);
    this.#told = base.told;
    this.#length = base.continues.length;
    this.#baseLength = base.continues.length + 1;
    this.#keptTo = this.#baseLength;
    this.#keptLeft = base.kept;
    this.#chain = NO_CHAIN;
    this.#bytes = 0;
    this.#advance(found);
  }

  /**
   * Reads the journal. A torn tail is cut off. Null where there is none; where it is damaged, what could
   * be read before the damage is answered as `damaged`, for what a new ledger inherits.
   */
  static read(disk: CompanionDisk, hash: ChainHash = chainOf): { ledger: Ledger | null; damaged: boolean } {
    if (disk.size() === null) return { ledger: null, damaged: false };
    let ledger: Ledger | null = null;
    const visit = (found: FoundEntry): void => {
      if (ledger === null) ledger = new Ledger(disk, hash, found.value as BaseEntry, found);
      else {
        ledger.#apply(found.value as LaterEntry, found);
        ledger.#advance(found);
      }
    };
    const end = readJournal(disk, chainContinued, visit, hash);
    if (end.kind === 'damaged' || ledger === null) return { ledger, damaged: true };
    // They were written and synced before the file was put in its place: no crash can have torn them.
    if ((ledger as Ledger).#keptLeft > 0) return { ledger, damaged: true };
    if (end.kind === 'torn') disk.truncate(end.goodBytes);
    return { ledger, damaged: false };
  }

  /** Begins a new journal in the place of whatever is there; the old file stays beside it. */
  static begin(
    disk: CompanionDisk,
    hash: ChainHash | undefined,
    fresh: Inherited & Pick<BaseEntry, 'ledger_id' | 'began' | 'ledger_key' | 'at'>,
  ): Ledger {
    const base: BaseEntry = {
      entry: 'base',
      version: 1,
      ...fresh,
      continues: { length: 0, chain: bytesToHex(NO_CHAIN) },
      kept: 0,
      told: [],
      session: 0,
    };
    const { bytes, chain } = encodeEntry(JSON.stringify(base), NO_CHAIN, hash);
    if (disk.size() === null) disk.replace([bytes]);
    else disk.replaceKeepingOld([bytes], fresh.began);
    return new Ledger(disk, hash ?? chainOf, base, {
      value: base,
      offset: 0,
      bytes: bytes.length,
      previous: NO_CHAIN,
      chain,
    });
  }

  /** Makes sure that what was read is on the disk, whatever happened to the process before. */
  renew(): void {
    this.#disk.renew(Math.max(0, this.#bytes - RENEWED_BYTES));
  }

  get head(): Head {
    return { length: this.#length, chain: bytesToHex(this.#chain) };
  }

  get records(): number {
    let count = 0;
    for (const book of this.#hosts.values()) count += book.size;
    return count;
  }

  /** Bytes of the journal as it was begun or last written anew, and bytes that came since. */
  get bytes(): { readonly base: number; readonly since: number } {
    return { base: this.#baseBytes, since: this.#bytes - this.#baseBytes };
  }

  /** What this ledger's successor takes over: never its records. */
  inheritance(): Inherited {
    return {
      boot_id: this.boot_id,
      boot_count: this.boot_count,
      stop_counter: this.stop_counter,
      stopped_by: this.stopped_by,
      holder: this.holder,
      hosts: [...this.#hosts.values()].map((book) => ({ ...book.summary, mark: 0, settled_below: 0 })),
    };
  }

  /** The chain after the entry that made the journal `length` long; null where it cannot be shown. */
  chainAt(length: number): string | null {
    if (length > this.#length) return null;
    if (length === this.#length) return bytesToHex(this.#chain);
    const found = length < this.#baseLength ? undefined : this.#chainsFrom(length)[0];
    if (found !== undefined) return bytesToHex(found);
    return this.#told.find(([told]) => told === length)?.[1] ?? null;
  }

  /** Not kept in memory: a host that remembers another length than the last is rare. */
  #chainsFrom(length: number): Uint8Array[] {
    return chainsIn(this.#disk, this.#bytes, length - this.#baseLength);
  }

  book(hostId: string): HostBook {
    let book = this.#hosts.get(hostId);
    if (book === undefined) {
      book = new HostBook(hostId);
      this.#hosts.set(hostId, book);
    }
    return book;
  }

  books(): IterableIterator<HostBook> {
    return this.#hosts.values();
  }

  find(hostId: string, requestId: string): LedgerRecord | undefined {
    return this.#hosts.get(hostId)?.byId(requestId);
  }

  /** Appends in one go and syncs; memory follows only then. Throws `DiskError`: then this ledger is closed. */
  write(entries: readonly LaterEntry[]): void {
    const found: FoundEntry[] = [];
    let previous = this.#chain;
    let offset = this.#bytes;
    const parts: Uint8Array[] = [];
    for (const value of entries) {
      // Before a byte is written: an illegal move is a bug, and must not spoil the journal as well.
      this.#legal(value);
      const { bytes, chain } = encodeEntry(JSON.stringify(value), previous, this.#hash);
      parts.push(bytes);
      found.push({ value, offset, bytes: bytes.length, previous, chain });
      previous = chain;
      offset += bytes.length;
    }
    if (offset - this.#bytes > RENEWED_BYTES) throw new Error('more in one go than a start renews');
    this.#disk.append(parts.length === 1 ? (parts[0] as Uint8Array) : concatBytes(parts));
    this.#disk.sync();
    for (const entry of found) {
      this.#apply(entry.value as LaterEntry, entry);
      this.#advance(entry);
    }
  }

  /** What is kept of a record, as status and record messages say it. */
  stateOf(record: LedgerRecord): Pick<RecordStatus, 'state' | 'refusal' | 'interruption' | 'report'> {
    return {
      state: record.state,
      refusal: record.refusal,
      interruption: record.interruption,
      report: this.#reportOf(record),
    };
  }

  #reportOf(record: LedgerRecord): Report | null {
    const { offset, bytes, request_id } = record;
    if (bytes === 0) return null;
    if (this.#lastRead?.offset === offset) return reportIn(this.#lastRead.entry, request_id);
    const entry = readEntry(this.#disk, offset, bytes) as KeptEntry | (Closing & { entry: 'move' });
    if (entry.entry !== 'kept') return entry.report;
    this.#lastRead = { offset, entry };
    return reportIn(entry, request_id);
  }

  /**
   * Writes the journal anew with what still counts; the entry counter goes on. Throws `DiskError`: then the
   * old journal is still in its place, unless syncing failed.
   */
  compact(): void {
    const books = [...this.#hosts.values()];
    const base: BaseEntry = {
      entry: 'base',
      version: 1,
      ledger_id: this.ledger_id,
      began: this.began,
      ledger_key: this.ledger_key,
      at: this.at,
      continues: { length: this.#length, chain: bytesToHex(this.#chain) },
      kept: this.records,
      told: this.#toldNow(),
      boot_id: this.boot_id,
      boot_count: this.boot_count,
      session: this.session,
      stop_counter: this.stop_counter,
      stopped_by: this.stopped_by,
      holder: this.holder,
      hosts: books.map((book) => book.summary),
    };
    const carried = books.map((book) => ({ host_id: book.host_id, records: this.#carried(book) }));
    const anew = writeAnew(this.#disk, this.#hash, base, carried);
    // Only now is the new journal in its place.
    this.#lastRead = null;
    this.#baseLength = base.continues.length + 1;
    this.#keptTo = this.#baseLength + anew.places.length;
    this.#told = base.told;
    this.#length = this.#keptTo;
    this.#chain = anew.chain;
    this.#bytes = anew.bytes;
    this.#baseBytes = anew.bytes;
    const records = books.flatMap((book) => [...book.all()]);
    let next = 0;
    for (const { count, offset, bytes } of anew.places)
      for (const end = next + count; next < end; next++) {
        const record = records[next] as LedgerRecord;
        if (record.bytes === 0) continue;
        record.offset = offset;
        record.bytes = bytes;
      }
  }

  #toldNow(): BaseEntry['told'] {
    const from = Math.max(this.#keptTo, this.#length - TOLD_MAX + 1);
    const since = this.#chainsFrom(from).map((chain, i) => [from + i, bytesToHex(chain)] as const);
    return [...this.#told, ...since].slice(-TOLD_MAX);
  }

  *#carried(book: HostBook): Generator<Carried> {
    for (const record of book.all())
      yield { record, report: this.#reportOf(record), isStored: record.seq < book.settled_below };
  }

  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }

  #advance(found: FoundEntry): void {
    this.#length += 1;
    this.#chain = found.chain;
    this.#bytes = found.offset + found.bytes;
    if (!isWrittenAnew(found.value as Entry)) return;
    this.#keptTo = this.#length;
    this.#baseBytes = this.#bytes;
  }

  /** The one function by which the ledger changes, when reading back as when writing. */
  #apply(entry: LaterEntry, found: FoundEntry): void {
    const state = this.#legal(entry);
    this.at = entry.entry === 'boot' ? entry.at : Math.max(this.at, entry.at);
    switch (entry.entry) {
      case 'record': {
        const { request_id, seq, digest, key_hash, not_after } = entry;
        const boot_id = this.#once(entry.boot_id);
        const book = this.book(entry.host_id);
        const identity = { request_id, seq, digest, key_hash, boot_id, not_after };
        const record = book.add(identity, state as KeptState);
        if (record === null) throw new BadEntry('a record twice');
        this.#close(record, entry, found);
        book.witness(entry.audit_head);
        return;
      }
      case 'kept': {
        unpack(entry, found, this.book(entry.host_id), (text) => this.#once(text));
        this.#keptLeft -= entry.records.length;
        return;
      }
      case 'move': {
        const record = this.find(entry.host_id, entry.request_id) as LedgerRecord;
        record.state = state as KeptState;
        this.#close(record, entry, found);
        return;
      }
      case 'boot':
        this.boot_id = this.#once(entry.boot_id);
        this.boot_count = entry.boot_count;
        return;
      case 'session':
        this.session = entry.session;
        this.holder ??= entry.host_id;
        return;
      case 'mark':
        this.book(entry.host_id).forget(entry.mark);
        return;
      case 'stop':
        this.stop_counter = entry.stop_counter;
        this.stopped_by = entry.stopped_by;
        return;
      case 'holder':
        this.holder = entry.host_id;
        return;
      default:
        throw new BadEntry(`unknown entry ${String((entry as Entry).entry)}`);
    }
  }

  /** The state an entry moves its record to, by the one table; null for entries about no record. */
  #legal(entry: LaterEntry): KeptState | null {
    let state: KeptState | null;
    if (this.#keptLeft > 0 && entry.entry !== 'kept') throw new BadEntry('kept records are missing');
    switch (entry.entry) {
      case 'record':
        state = moveRecord('absent', entry.event);
        if (state === null || this.#isTaken(entry)) throw new BadEntry(`illegal ${entry.event}`);
        return state;
      case 'kept':
        if (!(entry.records?.length > 0) || entry.records.length > this.#keptLeft)
          throw new BadEntry('kept records out of place');
        return null;
      case 'move':
        state = moveRecord(this.find(entry.host_id, entry.request_id)?.state ?? 'absent', entry.event);
        // A first move is a `record`: a `move` of something absent is one too many.
        if (state === null || this.find(entry.host_id, entry.request_id) === undefined)
          throw new BadEntry(`illegal ${entry.event}`);
        return state;
      default:
        return null;
    }
  }

  #isTaken({ host_id, request_id, seq }: RecordEntry): boolean {
    const book = this.book(host_id);
    return book.byId(request_id) !== undefined || book.bySeq(seq) !== undefined;
  }

  #close(record: LedgerRecord, closing: Closing, found: FoundEntry): void {
    record.refusal = closing.refusal === null ? null : this.#once(closing.refusal);
    record.interruption = closing.interruption;
    if (closing.report !== null) {
      record.offset = found.offset;
      record.bytes = found.bytes;
    }
  }
}

const isWrittenAnew = ({ entry }: Entry): boolean => entry === 'base' || entry === 'kept';
