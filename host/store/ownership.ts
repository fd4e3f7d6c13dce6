/**
 * One process owns a data directory. The lock is a SQLite lock held for the process's life, which the
 * system itself gives back when the process dies, however it dies: no stale files to clean. Not for the
 * database itself.
 */
import { chmodSync, closeSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StoreError } from './store-api.ts';

/**
 * Directories this process owns. POSIX locks belong to a process, and are all dropped when it closes *any*
 * descriptor of the file: so neither a second store of this process nor anything else here may open it.
 */
const owned = new Set<string>();

/** Takes the directory, or throws StoreError `store_in_use`. The answer gives it back. */
export function takeOwnership(directory: string): () => void {
  const path = join(realpathSync(directory), 'countersign.lock');
  const note = join(directory, 'countersign.owner');
  if (owned.has(path)) throw inUse(String(process.pid));
  makePrivate(path);
  const lock = new Sqlite(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw inUse(holder(note));
    throw error;
  }
  owned.add(path);
  // Only for the sentence of a refusal; nothing depends on it.
  writeFileSync(note, `${process.pid}\n`, { mode: 0o600 });
  return () => {
    if (!lock.open) return;
    lock.exec('ROLLBACK');
    lock.close();
    owned.delete(path);
  };
}

/** Makes sure that the file is there, for its owner only, without opening one that is there already. */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  chmodSync(path, 0o600);
}

function inUse(process: string): StoreError {
  return new StoreError(
    'store_in_use',
    `Another Countersign (process ${process}) runs on this data directory; use it, or stop it, or give another --data.`,
  );
}

function holder(note: string): string {
  try {
    return readFileSync(note, 'utf8').trim();
  } catch {
    // The other one has not written it yet: the sentence loses the number, nothing else.
    return 'unknown';
  }
}
