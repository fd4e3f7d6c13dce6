/**
 * SHA-256 values in little memory: 32 bytes each where a text takes 80 and a map's entry 50 more, which for a
 * full ledger is half of all it needs. Not for what the hashes are of (records.ts).
 */
import { bytesToHex } from '@noble/hashes/utils.js';

const HASH_BYTES = 32;
/** Hashes of one block of memory. */
const BLOCK_ROWS = 2_048;

/** Rows of 32 bytes. A row that was dropped is given again. */
export class HashRows {
  readonly #blocks: Uint8Array[] = [];
  readonly #dropped: number[] = [];
  #rows = 0;

  put(hex: string): number {
    const row = this.#dropped.pop() ?? this.#rows++;
    const block = Math.floor(row / BLOCK_ROWS);
    this.#blocks[block] ??= new Uint8Array(BLOCK_ROWS * HASH_BYTES);
    decode(hex, this.#blocks[block], (row % BLOCK_ROWS) * HASH_BYTES);
    return row;
  }

  drop(row: number): void {
    this.#dropped.push(row);
  }

  bytes(row: number): Uint8Array {
    const from = (row % BLOCK_ROWS) * HASH_BYTES;
    const block = this.#blocks[Math.floor(row / BLOCK_ROWS)];
    if (block === undefined) throw new Error(`no row ${row}`);
    return block.subarray(from, from + HASH_BYTES);
  }

  hex(row: number): string {
    return bytesToHex(this.bytes(row));
  }
}

const EMPTY = 0;
const REMOVED = -1;

/** Finds what belongs to a hash. Open addressing by its first four bytes: a SHA-256 spreads by itself. */
export class HashIndex<T> {
  readonly #rows = new HashRows();
  readonly #owners: (T | undefined)[] = [];
  readonly #asked = new Uint8Array(HASH_BYTES);
  /** Row + 1 of each slot, or one of the two marks above. */
  #slots = new Int32Array(16);
  /** Slots that are not empty. */
  #used = 0;
  #size = 0;

  find(hex: string): T | undefined {
    const hash = decode(hex, this.#asked, 0);
    const last = this.#slots.length - 1;
    for (let slot = firstSlot(hash, last); ; slot = (slot + 1) & last) {
      const held = this.#slots[slot] as number;
      if (held === EMPTY) return undefined;
      if (held !== REMOVED && isEqual(this.#rows.bytes(held - 1), hash)) return this.#owners[held - 1];
    }
  }

  /** The row it lies in, by which it is named and removed. */
  add(hex: string, owner: T): number {
    if ((this.#used + 1) * 2 > this.#slots.length) this.#spread();
    const row = this.#rows.put(hex);
    this.#owners[row] = owner;
    this.#place(row);
    this.#size += 1;
    return row;
  }

  remove(row: number): void {
    const last = this.#slots.length - 1;
    let slot = firstSlot(this.#rows.bytes(row), last);
    while (this.#slots[slot] !== row + 1) {
      if (this.#slots[slot] === EMPTY) throw new Error(`no row ${row}`);
      slot = (slot + 1) & last;
    }
    this.#slots[slot] = REMOVED;
    this.#owners[row] = undefined;
    this.#rows.drop(row);
    this.#size -= 1;
  }

  hex(row: number): string {
    return this.#rows.hex(row);
  }

  #place(row: number): void {
    const last = this.#slots.length - 1;
    let slot = firstSlot(this.#rows.bytes(row), last);
    while ((this.#slots[slot] as number) > EMPTY) slot = (slot + 1) & last;
    if (this.#slots[slot] === EMPTY) this.#used += 1;
    this.#slots[slot] = row + 1;
  }

  /** Twice the room for what is there, and without the marks of what went. */
  #spread(): void {
    const held = this.#slots.filter((one) => one > EMPTY);
    let length = 16;
    while (length < (this.#size + 1) * 4) length *= 2;
    this.#slots = new Int32Array(length);
    this.#used = 0;
    for (const one of held) this.#place(one - 1);
  }
}

function firstSlot(hash: Uint8Array, last: number): number {
  const high = ((hash[0] as number) << 24) | ((hash[1] as number) << 16);
  return (high | ((hash[2] as number) << 8) | (hash[3] as number)) & last;
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  for (let i = 0; i < HASH_BYTES; i++) if (one[i] !== other[i]) return false;
  return true;
}

/** Lower-case hex into bytes: what the library does, without a new array for each of 200,000. */
function decode(hex: string, into: Uint8Array, from: number): Uint8Array {
  if (hex.length !== HASH_BYTES * 2) throw new Error('not a SHA-256');
  for (let i = 0; i < HASH_BYTES; i++)
    into[from + i] = (digitOf(hex.charCodeAt(i * 2)) << 4) | digitOf(hex.charCodeAt(i * 2 + 1));
  return into;
}

/** '0' … '9' are 0x30 … 0x39, 'a' … 'f' are 0x61 … 0x66. */
function digitOf(unit: number): number {
  return unit < 0x3a ? unit - 0x30 : unit - 0x57;
}
