/**
 * The bytes of a ledger's journal: how one entry is framed and chained, and how a file is read back with a
 * torn tail told from damage. Not for what entries mean (entries.ts, ledger.ts).
 *
 * One entry, all numbers big-endian:
 *   4 bytes  N, the length of the text, 1 … 262,144
 *   4 bytes  N with every bit flipped, so that a damaged length is never taken for a short entry
 *   N bytes  JSON text, UTF-8
 *   32 bytes chain: SHA-256 (FIPS 180-4) of the previous entry's chain followed by all bytes above
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { ChainHash, CompanionDisk } from './ports.ts';

export const ENTRY_TEXT_MAX = 262_144;
const HEADER_BYTES = 8;
const CHAIN_BYTES = 32;
/** Bytes of an entry beside its text. */
export const ENTRY_OVERHEAD_BYTES = HEADER_BYTES + CHAIN_BYTES;
/** The chain before the first entry of a ledger. */
export const NO_CHAIN: Uint8Array = new Uint8Array(CHAIN_BYTES);
/** The file is read in pieces of this size, so that a large journal needs little memory. */
const READ_BYTES = 1 << 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export interface EncodedEntry {
  readonly bytes: Uint8Array;
  readonly chain: Uint8Array;
}

export const chainOf: ChainHash = (previous, framed) =>
  sha256.create().update(previous).update(framed).digest();

/** Frames one entry behind an entry whose chain was `previous`. */
export function encodeEntry(text: string, previous: Uint8Array, hash: ChainHash = chainOf): EncodedEntry {
  const body = encoder.encode(text);
  if (body.length < 1 || body.length > ENTRY_TEXT_MAX) throw new Error(`entry of ${body.length} bytes`);
  const bytes = new Uint8Array(ENTRY_OVERHEAD_BYTES + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  view.setUint32(4, ~body.length >>> 0);
  bytes.set(body, HEADER_BYTES);
  const chain = hash(previous, bytes.subarray(0, HEADER_BYTES + body.length));
  bytes.set(chain, HEADER_BYTES + body.length);
  return { bytes, chain };
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** One entry as found in the file. */
export interface FoundEntry {
  readonly value: unknown;
  readonly offset: number;
  readonly bytes: number;
  /** The chain this entry continues, and its own. */
  readonly previous: Uint8Array;
  readonly chain: Uint8Array;
}

/**
 * How a file ended. `torn`: a short last entry, or nothing but zeros behind the last whole one: what a crash
 * leaves of an append that was never synced. Everything else that is wrong is `damaged`.
 */
export type JournalEnd = { readonly kind: 'clean' | 'torn' | 'damaged'; readonly goodBytes: number };

/** Why an entry cannot be used although its checksum is right; ends the reading as `damaged`. */
export class BadEntry extends Error {}

const allZero = (disk: CompanionDisk, from: number, to: number): boolean => {
  for (let at = from; at < to; at += READ_BYTES)
    if (disk.read(at, Math.min(READ_BYTES, to - at)).some((byte) => byte !== 0)) return false;
  return true;
};

/** Reads ranges that go forward, the file in large pieces. */
function inPieces(disk: CompanionDisk, size: number): (offset: number, length: number) => Uint8Array {
  let held: Uint8Array = new Uint8Array(0);
  let heldFrom = 0;
  return (offset, length) => {
    if (offset < heldFrom || offset + length > heldFrom + held.length) {
      held = disk.read(offset, Math.max(length, Math.min(READ_BYTES, size - offset)));
      heldFrom = offset;
    }
    return held.subarray(offset - heldFrom, offset - heldFrom + length);
  };
}

/** The chains that stand in a journal which is known to be whole, without the first `skip` entries. */
export function chainsIn(disk: CompanionDisk, bytes: number, skip: number): Uint8Array[] {
  const need = inPieces(disk, bytes);
  const chains: Uint8Array[] = [];
  for (let offset = 0, index = 0; offset < bytes; index++) {
    const header = need(offset, HEADER_BYTES);
    offset += HEADER_BYTES + new DataView(header.buffer, header.byteOffset, HEADER_BYTES).getUint32(0);
    if (index >= skip) chains.push(need(offset, CHAIN_BYTES).slice());
    offset += CHAIN_BYTES;
  }
  return chains;
}

/**
 * Reads a journal from its start and calls `visit` for every whole entry whose chain is right. The first
 * entry states itself which chain it continues: `startOf` reads that from it (a compacted journal goes on
 * with the old chain). `visit` and `startOf` throw `BadEntry` where the entry makes no sense.
 */
export function readJournal(
  disk: CompanionDisk,
  startOf: (first: unknown) => Uint8Array,
  visit: (entry: FoundEntry) => void,
  hash: ChainHash = chainOf,
): JournalEnd {
  const size = disk.size() ?? 0;
  const need = inPieces(disk, size);
  let chain: Uint8Array | null = null;
  let offset = 0;
  const ended = (kind: JournalEnd['kind']): JournalEnd => ({ kind, goodBytes: offset });
  const broken = (): JournalEnd => ended(allZero(disk, offset, size) ? 'torn' : 'damaged');

  while (offset < size) {
    if (size - offset < HEADER_BYTES) return ended('torn');
    const header = need(offset, HEADER_BYTES);
    const view = new DataView(header.buffer, header.byteOffset, HEADER_BYTES);
    const length = view.getUint32(0);
    if (view.getUint32(4) !== ~length >>> 0 || length < 1 || length > ENTRY_TEXT_MAX) return broken();
    const bytes = ENTRY_OVERHEAD_BYTES + length;
    if (size - offset < bytes) return ended('torn');
    const entry = need(offset, bytes);
    if (entry.length < bytes) return ended('damaged');
    const value = decoded(entry.subarray(HEADER_BYTES, HEADER_BYTES + length));
    if (value === undefined) return ended('damaged');
    try {
      const previous: Uint8Array = chain ?? startOf(value);
      const found = hash(previous, entry.subarray(0, HEADER_BYTES + length));
      const stated = entry.subarray(HEADER_BYTES + length);
      if (found.some((byte, i) => byte !== stated[i])) return ended('damaged');
      visit({ value, offset, bytes, previous, chain: found });
      chain = found;
    } catch (error) {
      if (error instanceof BadEntry) return ended('damaged');
      throw error;
    }
    offset += bytes;
  }
  return ended('clean');
}

/** The JSON value of an entry's text; undefined where it is no UTF-8 or no JSON. */
function decoded(text: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(text));
  } catch {
    return undefined; // What was lost is said by `damaged`.
  }
}

/** The value of one entry whose place is known, as written by this process or already checked by it. */
export function readEntry(disk: CompanionDisk, offset: number, bytes: number): unknown {
  const entry = disk.read(offset, bytes);
  return JSON.parse(decoder.decode(entry.subarray(HEADER_BYTES, bytes - CHAIN_BYTES)));
}
