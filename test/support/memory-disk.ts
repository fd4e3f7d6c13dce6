/**
 * A journal's disk in memory that forgets as real ones do: what was never synced may be lost or torn at a
 * power cut, what a failed sync was about is never brought there by a later one. Not for speed.
 */
import { type CompanionDisk, DiskError } from '../../device-protocol/companion/ports.ts';

export type DiskOperation =
  | 'append'
  | 'sync'
  | 'truncate'
  | 'renew'
  | 'reserve'
  | 'replace'
  | 'sync_folder'
  | 'replace_keeping_old';

export class MemoryDisk implements CompanionDisk {
  /** What a reader sees; null: no file. */
  #seen: Uint8Array | null = null;
  /** What a power cut leaves for certain. */
  #durable: Uint8Array | null = null;
  /** A sync failed: the bytes between durable and seen will never become durable by syncing. */
  #lost = false;
  /** A new file is in the place of the old, but after a power cut the old one may be back. */
  #renamed = false;
  readonly old: { readonly why: string; readonly bytes: Uint8Array }[] = [];
  /** Called before each operation; may throw `DiskError` or whatever ends the process. */
  before: (operation: DiskOperation, bytes: number) => void = () => {};
  /** Called after each operation. */
  after: (operation: DiskOperation) => void = () => {};
  /** Bytes the journal may grow to. */
  capacity = Number.POSITIVE_INFINITY;
  syncs = 0;

  bytes(): Uint8Array | null {
    return this.#seen?.slice() ?? null;
  }

  durableBytes(): Uint8Array | null {
    return this.#durable?.slice() ?? null;
  }

  /** Puts other content there, as damage, a backup or another phone would. */
  put(bytes: Uint8Array | null): void {
    this.#seen = bytes?.slice() ?? null;
    this.#durable = bytes?.slice() ?? null;
    this.#lost = false;
    this.#renamed = false;
  }

  /**
   * The power goes: of what was not synced, the first `kept` bytes reached the disk; with `zeros` the file
   * had its new length already and reads as zeros from there.
   */
  cutPower(kept: number, zeros: boolean): void {
    if (this.#renamed) this.#seen = this.#durable;
    if (this.#seen !== null) {
      const synced = this.#durable?.length ?? 0;
      const reached = Math.min(this.#seen.length, synced + kept);
      const left = new Uint8Array(zeros ? this.#seen.length : reached);
      left.set(this.#seen.subarray(0, reached));
      this.#seen = this.#durable === null && reached === 0 ? null : left;
    }
    this.#durable = this.#seen;
    this.#lost = false;
    this.#renamed = false;
  }

  size(): number | null {
    return this.#seen?.length ?? null;
  }

  read(offset: number, length: number): Uint8Array {
    return (this.#seen ?? new Uint8Array(0)).slice(offset, offset + length);
  }

  append(bytes: Uint8Array): void {
    this.before('append', bytes.length);
    const seen = this.#seen ?? new Uint8Array(0);
    const room = Math.max(0, this.capacity - seen.length);
    const grown = new Uint8Array(seen.length + Math.min(room, bytes.length));
    grown.set(seen);
    grown.set(bytes.subarray(0, grown.length - seen.length), seen.length);
    this.#seen = grown;
    if (bytes.length > room) throw new DiskError('disk_full', `${room} bytes of room`);
    this.after('append');
  }

  sync(): void {
    try {
      this.before('sync', 0);
    } catch (error) {
      if (error instanceof DiskError) this.#lost = true;
      throw error;
    }
    this.syncs += 1;
    if (!this.#lost && !this.#renamed) this.#durable = this.#seen;
    this.after('sync');
  }

  truncate(length: number): void {
    this.before('truncate', 0);
    this.#seen = (this.#seen ?? new Uint8Array(0)).slice(0, length);
    const shorter = !this.#lost || (this.#durable?.length ?? 0) > length;
    if (shorter && !this.#renamed) this.#durable = this.#seen;
    this.after('truncate');
  }

  renew(offset: number): void {
    try {
      this.before('renew', (this.#seen?.length ?? 0) - offset);
    } catch (error) {
      if (error instanceof DiskError) this.#lost = true;
      throw error;
    }
    // What was lost further to the front stays lost.
    const held = this.#durable?.length ?? 0;
    if (this.#renamed || !this.#lost || held >= offset) this.#allDurable();
    this.after('renew');
  }

  #allDurable(): void {
    this.#durable = this.#seen;
    this.#lost = false;
    this.#renamed = false;
  }

  reserve(bytes: number): void {
    this.before('reserve', bytes);
    if ((this.#seen?.length ?? 0) + bytes > this.capacity) throw new DiskError('disk_full', 'no room');
    this.after('reserve');
  }

  replace(chunks: Iterable<Uint8Array>): void {
    this.before('replace', 0);
    this.#put(chunks);
    this.after('replace');
  }

  replaceKeepingOld(chunks: Iterable<Uint8Array>, why: string): void {
    this.before('replace_keeping_old', 0);
    const old = this.#seen;
    this.#put(chunks);
    if (old !== null) this.old.push({ why, bytes: old });
    this.after('replace_keeping_old');
  }

  #put(chunks: Iterable<Uint8Array>): void {
    const parts = [...chunks];
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    if (whole.length > this.capacity) throw new DiskError('disk_full', 'no room for a new journal');
    this.#seen = whole;
    this.#renamed = true;
    this.before('sync_folder', 0);
    this.#allDurable();
  }
}
