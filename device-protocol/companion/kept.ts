/**
 * How records are carried over into a journal that is written anew, many to an entry, and read back from
 * there. Not for when that is done (keeper.ts) or for the journal's other entries (entries.ts).
 */

import { hexToBytes } from '@noble/hashes/utils.js';
import type { Interruption } from '../messages.ts';
import type { Report } from '../report.ts';
import type { BaseEntry, BriefReport, KeptEntry, KeptRecord } from './entries.ts';
import { BadEntry, encodeEntry } from './journal.ts';
import type { ChainHash, CompanionDisk } from './ports.ts';
import type { HostBook, LedgerRecord } from './records.ts';

/** An entry is closed once its records' texts are this long: one of them is read back fast. */
const BATCH_CHARS = 32_768;

export interface Carried {
  readonly record: LedgerRecord;
  readonly report: Report | null;
  /** The host has stored it: only what happened stays, not what was on the screen. */
  readonly isStored: boolean;
}

export interface Anew {
  /** Of the whole new journal. */
  readonly chain: Uint8Array;
  readonly bytes: number;
  /** Each `kept` entry: how many records it holds and where it stands. */
  readonly places: readonly { readonly count: number; readonly offset: number; readonly bytes: number }[];
}

/** Puts a journal of `base` and these records in the place of the old one. Throws `DiskError`: see `replace`. */
export function writeAnew(
  disk: CompanionDisk,
  hash: ChainHash,
  base: BaseEntry,
  hosts: Iterable<{ readonly host_id: string; readonly records: Iterable<Carried> }>,
): Anew {
  const places: { count: number; offset: number; bytes: number }[] = [];
  let chain: Uint8Array = hexToBytes(base.continues.chain);
  let end = 0;
  const framed = (text: string): Uint8Array => {
    const entry = encodeEntry(text, chain, hash);
    chain = entry.chain;
    end += entry.bytes.length;
    return entry.bytes;
  };
  disk.replace(
    (function* () {
      yield framed(JSON.stringify(base));
      for (const { host_id, records } of hosts)
        for (const { text, count } of keptBatches(host_id, base.at, records)) {
          const offset = end;
          const bytes = framed(text);
          places.push({ count, offset, bytes: bytes.length });
          yield bytes;
        }
    })(),
  );
  return { chain, bytes: end, places };
}

interface KeptBatch {
  /** The entry's JSON text. */
  readonly text: string;
  /** Records in it. */
  readonly count: number;
}

/** The `kept` entries of one host's records, in their order. */
function* keptBatches(hostId: string, at: number, carried: Iterable<Carried>): Generator<KeptBatch, void> {
  let texts: string[] = [];
  let boots: string[] = [];
  let chars = 0;
  const batch = (): KeptBatch => {
    const head = JSON.stringify({ entry: 'kept', at, host_id: hostId, boots } satisfies Omit<
      KeptEntry,
      'records'
    >);
    // The records' texts are made already: their lengths said when to stop.
    return { text: `${head.slice(0, -1)},"records":[${texts.join(',')}]}`, count: texts.length };
  };
  for (const one of carried) {
    let boot = boots.indexOf(one.record.boot_id);
    if (boot < 0) boot = boots.push(one.record.boot_id) - 1;
    const text = JSON.stringify(packed(one, boot));
    texts.push(text);
    chars += text.length;
    if (chars < BATCH_CHARS) continue;
    yield batch();
    texts = [];
    boots = [];
    chars = 0;
  }
  if (texts.length > 0) yield batch();
}

function packed({ record, report, isStored }: Carried, boot: number): KeptRecord {
  return [
    record.request_id,
    record.seq,
    record.digest,
    record.key_hash,
    boot,
    record.not_after,
    record.state,
    record.refusal ?? record.interruption,
    report !== null && isStored ? brief(report) : report,
  ];
}

function brief({ acted, error_code, strategy, run_ms }: Report): BriefReport {
  return { acted, error_code, strategy, run_ms };
}

/** Puts the records of an entry into their book, but for their reports; `once` keeps equal texts once. */
export function unpack(
  entry: KeptEntry,
  place: { readonly offset: number; readonly bytes: number },
  book: HostBook,
  once: (text: string) => string,
): void {
  const boots = entry.boots.map(once);
  for (const [request_id, seq, digest, key_hash, boot, not_after, state, why, report] of entry.records) {
    const boot_id = boots[boot] as string;
    const record = book.add({ request_id, seq, digest, key_hash, boot_id, not_after }, state);
    if (record === null) throw new BadEntry('a record twice');
    if (state === 'refused' && why !== null) record.refusal = once(why);
    if (state === 'interrupted') record.interruption = why as Interruption | null;
    if (report !== null) {
      record.offset = place.offset;
      record.bytes = place.bytes;
    }
  }
}

/** The report of one record of an entry; what was left out reads as null. */
export function reportIn(entry: KeptEntry, requestId: string): Report | null {
  const report = entry.records.find(([request_id]) => request_id === requestId)?.[8] ?? null;
  return report === null ? null : { ...UNSEEN, ...report };
}

const UNSEEN: Omit<Report, keyof BriefReport> = {
  hit: null,
  changed: null,
  change: null,
  foreground: null,
  settled: null,
  settle_ms: null,
  settle_reason: null,
  read_back: null,
  read_back_matches: null,
  at_edge: null,
};
