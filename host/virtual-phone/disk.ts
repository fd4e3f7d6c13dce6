/**
 * The phone's own folder on disk: the journal's file with real fsync, its lock, and what a phone remembers
 * beside it (its boots, its apps' states, what was touched). Not for what the journal's bytes mean.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type ChainHash, type CompanionDisk, DiskError } from '../../device-protocol/companion/ports.ts';

/** One process at a time: a SQLite lock, which the system gives back however the process dies. */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new Sqlite(join(folder, 'phone.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new Error(`another virtual phone already runs in ${folder}`);
    throw error;
  }
  return () => {
    lock.exec('ROLLBACK');
    lock.close();
  };
}

/** The system's own SHA-256: a journal of many megabytes opens in half the time. */
export const journalHash: ChainHash = (previous, framed) =>
  createHash('sha256').update(previous).update(framed).digest();

/** Makes a rename or a new file durable. Windows has no such call, and NTFS journals names itself. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export class JournalFile implements CompanionDisk {
  private readonly folder: string;
  private readonly path: string;
  private handle: number | null = null;
  /** Where the next entry goes. */
  private end = 0;
  /** Bytes that lie in a second file, to be given up when the disk is full. */
  private aside = 0;
  private readonly reservePath: string;
  /** Set by a fault: every write is refused as a full disk refuses it. */
  full = false;
  /** Writes that the fault refused. */
  refused = 0;

  constructor(folder: string) {
    this.folder = folder;
    this.path = join(folder, 'ledger.journal');
    this.reservePath = join(folder, 'ledger.reserve');
  }

  size(): number | null {
    return this.trying(() => {
      if (!existsSync(this.path)) return null;
      return fstatSync(this.opened()).size;
    });
  }

  read(offset: number, length: number): Uint8Array {
    return this.trying(() => {
      const bytes = new Uint8Array(length);
      const count = readSync(this.opened(), bytes, 0, length, offset);
      return bytes.subarray(0, count);
    });
  }

  append(bytes: Uint8Array): void {
    this.trying(() => {
      try {
        this.write(bytes);
      } catch (error) {
        // What was set aside is given up for this entry; where that is not enough, the disk is really full.
        if (!isFull(error) || this.aside < bytes.length) throw error;
        this.giveUpReserve();
        writeAll(this.opened(), bytes, this.end);
      }
      this.end += bytes.length;
    });
  }

  private write(bytes: Uint8Array): void {
    this.refuseIfFull();
    writeAll(this.opened(), bytes, this.end);
  }

  sync(): void {
    this.trying(() => fsyncSync(this.opened()));
  }

  truncate(length: number): void {
    this.trying(() => {
      ftruncateSync(this.opened(), length);
      fsyncSync(this.opened());
      this.end = length;
    });
  }

  renew(offset: number): void {
    this.trying(() => {
      const handle = this.opened();
      const bytes = new Uint8Array(Math.max(0, fstatSync(handle).size - offset));
      readSync(handle, bytes, 0, bytes.length, offset);
      writeAll(handle, bytes, offset);
      fsyncSync(handle);
      syncFolder(this.folder);
    });
  }

  reserve(bytes: number): void {
    this.trying(() => {
      if (this.aside >= bytes) return;
      this.refuseIfFull();
      const handle = openSync(this.reservePath, 'w', 0o600);
      try {
        // Chance bytes, because some file systems store zeros as nothing at all.
        writeAll(handle, randomBytes(bytes), 0);
        fsyncSync(handle);
      } catch (error) {
        ftruncateSync(handle, 0);
        throw error;
      } finally {
        closeSync(handle);
      }
      this.aside = bytes;
    });
  }

  private giveUpReserve(): void {
    rmSync(this.reservePath, { force: true });
    this.aside = 0;
  }

  replace(chunks: Iterable<Uint8Array>): void {
    this.trying(() => this.putNew(chunks));
  }

  replaceKeepingOld(chunks: Iterable<Uint8Array>, why: string): void {
    this.trying(() => {
      this.closeHandle();
      if (existsSync(this.path)) {
        let number = 1;
        const name = () => join(this.folder, `ledger.${why.replaceAll(/[^a-z_]/g, '')}.${number}.journal`);
        while (existsSync(name())) number += 1;
        renameSync(this.path, name());
      }
      this.putNew(chunks);
    });
  }

  close(): void {
    this.closeHandle();
  }

  private putNew(chunks: Iterable<Uint8Array>): void {
    this.refuseIfFull();
    const fresh = `${this.path}.new`;
    const handle = openSync(fresh, 'w', 0o600);
    let length = 0;
    try {
      for (const chunk of chunks) {
        writeAll(handle, chunk, length);
        length += chunk.length;
      }
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    this.closeHandle();
    renameSync(fresh, this.path);
    syncFolder(this.folder);
    this.end = length;
  }

  private opened(): number {
    if (this.handle === null) {
      const born = !existsSync(this.path);
      this.handle = openSync(this.path, born ? 'w+' : 'r+', 0o600);
      if (born) syncFolder(this.folder);
      this.end = fstatSync(this.handle).size;
    }
    return this.handle;
  }

  private closeHandle(): void {
    if (this.handle !== null) closeSync(this.handle);
    this.handle = null;
  }

  private refuseIfFull(): void {
    if (!this.full) return;
    this.refused += 1;
    throw Object.assign(new Error('no space left (a fault asked for)'), { code: 'ENOSPC' });
  }

  private trying<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      // After a failed write or fsync nothing is known of the file: the next use opens it anew.
      this.closeHandle();
      throw new DiskError(isFull(error) ? 'disk_full' : 'disk_failed', String(error));
    }
  }
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

function writeAll(handle: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(handle, bytes, done, bytes.length - done, position + done);
}
