/**
 * The ledger's records in memory, by host, findable by id, `seq` and key. One small object per record: what
 * is long (the report) stays in the journal. Not for what may move when (ledger.ts).
 */
import type { Head, Interruption } from '../messages.ts';
import { isFinalRecord, type KeptState } from '../record-table.ts';

export class LedgerRecord {
  readonly request_id: string;
  readonly seq: number;
  readonly digest: string;
  readonly key_hash: string | null;
  readonly boot_id: string;
  readonly not_after: number;
  state: KeptState;
  refusal: string | null;
  interruption: Interruption | null;
  /** Where the entry with its report stands in the journal; 0 bytes where there is no report. */
  offset: number;
  bytes: number;

  constructor(
    identity: Pick<
      LedgerRecord,
      'request_id' | 'seq' | 'digest' | 'key_hash' | 'boot_id' | 'not_after' | 'state'
    >,
  ) {
    this.request_id = identity.request_id;
    this.seq = identity.seq;
    this.digest = identity.digest;
    this.key_hash = identity.key_hash;
    this.boot_id = identity.boot_id;
    this.not_after = identity.not_after;
    this.state = identity.state;
    this.refusal = null;
    this.interruption = null;
    this.offset = 0;
    this.bytes = 0;
  }

  /** No late copy of it can pass the time or boot check any more. */
  outlived(bootId: string, nowMs: number): boolean {
    return isFinalRecord(this.state) && (this.boot_id !== bootId || nowMs > this.not_after);
  }
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
  readonly #bySeq = new Map<number, LedgerRecord>();
  readonly #byKey = new Map<string, LedgerRecord>();

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
    return this.#bySeq.get(seq);
  }

  byKey(keyHash: string): LedgerRecord | undefined {
    return this.#byKey.get(keyHash);
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

  add(record: LedgerRecord): void {
    this.#byId.set(record.request_id, record);
    this.#bySeq.set(record.seq, record);
    if (record.key_hash !== null) this.#byKey.set(record.key_hash, record);
    this.highest_seq = Math.max(this.highest_seq, record.seq);
  }

  /** Raises the mark and drops what is at or below it. */
  forget(mark: number): void {
    this.mark = mark;
    this.highest_seq = Math.max(this.highest_seq, mark);
    for (const record of this.#byId.values()) {
      if (record.seq > mark) continue;
      this.#byId.delete(record.request_id);
      this.#bySeq.delete(record.seq);
      if (record.key_hash !== null) this.#byKey.delete(record.key_hash);
    }
  }

  /**
   * The mark that forgets at most `count` records, lowest `seq` first, stopping at the first that may not
   * go: not outlived, or (`acknowledged`) not known to be stored by the host.
   */
  markFor(count: number, acknowledged: boolean, bootId: string, nowMs: number): number {
    let mark = this.mark;
    let gone = 0;
    for (const seq of [...this.#bySeq.keys()].sort((a, b) => a - b)) {
      const record = this.#bySeq.get(seq) as LedgerRecord;
      if (gone >= count || !record.outlived(bootId, nowMs)) break;
      if (acknowledged && seq >= this.settled_below) break;
      mark = seq;
      gone += 1;
    }
    return mark;
  }
}
