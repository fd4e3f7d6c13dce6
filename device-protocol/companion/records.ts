/**
 * The ledger's records in memory, by host, findable by id, `seq` and key. One small object per record: what
 * is long (the report) stays in the journal. Not for what may move when (ledger.ts).
 */

import type { Head, Interruption } from '../messages.ts';
import { isFinalRecord, type KeptState } from '../record-table.ts';
import { HashIndex, HashRows } from './packed-hashes.ts';

export interface RecordIdentity {
  readonly request_id: string;
  readonly seq: number;
  readonly digest: string;
  /** Null for a seal that came before its request. */
  readonly key_hash: string | null;
  readonly boot_id: string;
  readonly not_after: number;
}

/** Made by the book it stands in (`HostBook.add`). */
export class LedgerRecord {
  readonly request_id: string;
  readonly seq: number;
  readonly boot_id: string;
  readonly not_after: number;
  readonly #book: Packed;
  readonly #digestRow: number;
  readonly #keyRow: number | null;
  state: KeptState;
  refusal: string | null;
  interruption: Interruption | null;
  /** Where the entry with its report stands in the journal; 0 bytes where there is no report. */
  offset: number;
  bytes: number;

  constructor(identity: RecordIdentity, state: KeptState, book: Packed) {
    this.request_id = identity.request_id;
    this.seq = identity.seq;
    this.boot_id = identity.boot_id;
    this.not_after = identity.not_after;
    this.#book = book;
    this.#digestRow = book.digests.put(identity.digest);
    this.#keyRow = identity.key_hash === null ? null : book.keys.add(identity.key_hash, this);
    this.state = state;
    this.refusal = null;
    this.interruption = null;
    this.offset = 0;
    this.bytes = 0;
  }

  get digest(): string {
    return this.#book.digests.hex(this.#digestRow);
  }

  get key_hash(): string | null {
    return this.#keyRow === null ? null : this.#book.keys.hex(this.#keyRow);
  }

  /** It is forgotten: its digest and key are no longer held. */
  drop(): void {
    this.#book.digests.drop(this.#digestRow);
    if (this.#keyRow !== null) this.#book.keys.remove(this.#keyRow);
  }

  /** No late copy of it can pass the time or boot check any more. */
  outlived(bootId: string, nowMs: number): boolean {
    return isFinalRecord(this.state) && (this.boot_id !== bootId || nowMs > this.not_after);
  }
}

/** What is long in a host's records: digests, and keys that records are found by. */
interface Packed {
  readonly digests: HashRows;
  readonly keys: HashIndex<LedgerRecord>;
}

/** Everything the ledger holds of one host. */
export class HostBook {
  readonly host_id: string;
  /** Every `seq` at or below it is forgotten. */
  mark = 0;
  highest_seq = 0;
  /** The host's word: every lower `seq` is final and stored there. Comes anew with every session. */
  settled_below = 0;
  /** The newest head of the host's log that a request carried. */
  audit_head: Head | undefined;
  readonly #byId = new Map<string, LedgerRecord>();
  /** By rising `seq`: nearly always the order in which they came. */
  #bySeq: LedgerRecord[] = [];
  readonly #packed: Packed = { digests: new HashRows(), keys: new HashIndex() };

  constructor(hostId: string) {
    this.host_id = hostId;
  }

  get size(): number {
    return this.#byId.size;
  }

  byId(requestId: string): LedgerRecord | undefined {
    return this.#byId.get(requestId);
  }

  bySeq(seq: number): LedgerRecord | undefined {
    const record = this.#bySeq[this.#placeOf(seq)];
    return record?.seq === seq ? record : undefined;
  }

  byKey(keyHash: string): LedgerRecord | undefined {
    return this.#packed.keys.find(keyHash);
  }

  all(): IterableIterator<LedgerRecord> {
    return this.#byId.values();
  }

  /** A log only grows: an older head never takes the place of a newer one. */
  witness(head: Head | undefined): void {
    if (head !== undefined && head.length >= (this.audit_head?.length ?? 0)) this.audit_head = head;
  }

  /** As a first entry carries it. */
  get summary() {
    const { host_id, mark, highest_seq, settled_below, audit_head } = this;
    const kept = { host_id, mark, highest_seq, settled_below };
    return audit_head === undefined ? kept : { ...kept, audit_head };
  }

  /** Null, and the book is of no use any more, where its id or its `seq` was there already. */
  add(identity: RecordIdentity, state: KeptState): LedgerRecord | null {
    const record = new LedgerRecord(identity, state, this.#packed);
    const { seq } = record;
    const last = this.#bySeq.at(-1);
    if (last === undefined || last.seq < seq) this.#bySeq.push(record);
    else if (this.bySeq(seq) !== undefined) return null;
    else this.#bySeq.splice(this.#placeOf(seq), 0, record);
    this.#byId.set(record.request_id, record);
    this.highest_seq = Math.max(this.highest_seq, seq);
    return this.#byId.size === this.#bySeq.length ? record : null;
  }

  /** Raises the mark and drops what is at or below it. */
  forget(mark: number): void {
    this.mark = mark;
    this.highest_seq = Math.max(this.highest_seq, mark);
    for (const record of this.#bySeq.splice(0, this.#placeOf(mark + 1))) {
      this.#byId.delete(record.request_id);
      record.drop();
    }
  }

  /** The place of the first record whose `seq` is not below the given one. */
  #placeOf(seq: number): number {
    let from = 0;
    let to = this.#bySeq.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#bySeq[middle] as LedgerRecord).seq < seq) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /**
   * The mark that forgets at most `count` records, lowest `seq` first, stopping at the first that may not
   * go: not outlived, or (`acknowledged`) not known to be stored by the host.
   */
  markFor(count: number, acknowledged: boolean, bootId: string, nowMs: number): number {
    let mark = this.mark;
    let gone = 0;
    for (const record of this.#bySeq) {
      if (gone >= count || !record.outlived(bootId, nowMs)) break;
      if (acknowledged && record.seq >= this.settled_below) break;
      mark = record.seq;
      gone += 1;
    }
    return mark;
  }
}
