/**
 * One process owns a data directory. The lock is a SQLite lock held for the process's life, which the
 * system itself gives back when the process dies, however it dies: no stale files to clean. Not for the
 * database itself.
 */
import { chmodSync, closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StoreError } from './store-api.ts';

/** Takes the directory, or throws StoreError `store_in_use`. The answer gives it back. */
export function takeOwnership(directory: string): () => void {
  const path = join(directory, 'countersign.lock');
  const note = join(directory, 'countersign.owner');
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const lock = new Sqlite(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new StoreError(
        'store_in_use',
        `Another Countersign (process ${holder(note)}) runs on this data directory; use it, or stop it, or give another --data.`,
      );
    throw error;
  }
  // Only for the sentence above; nothing depends on it.
  writeFileSync(note, `${process.pid}\n`, { mode: 0o600 });
  return () => {
    lock.exec('ROLLBACK');
    lock.close();
  };
}

function holder(note: string): string {
  try {
    return readFileSync(note, 'utf8').trim();
  } catch {
    // The other one has not written it yet: the sentence loses the number, nothing else.
    return 'unknown';
  }
}
