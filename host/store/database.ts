/**
 * Opens the SQLite file so that a commit is on the disk when it returns, and says so or refuses. Not for
 * tables (schema.ts) or for who may open it (ownership.ts).
 */
import Sqlite from 'better-sqlite3';
import { makePrivate } from './ownership.ts';
import { MIGRATIONS } from './schema.ts';
import { StoreError } from './store-api.ts';

/** SQLite's number for `synchronous=FULL`: the log is synced at every commit. */
const FULL = 2;
/** Nobody else opens the file in normal work; a backup tool may, for a moment. */
const BUSY_TIMEOUT_MS = 5_000;

/** Statements of one connection, each prepared once, at its first use. */
export class Database {
  readonly raw: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement>();
  readonly #afterCommit: () => void;
  #first: () => void = () => {};
  #atCommit: (() => void)[] = [];

  constructor(raw: Sqlite.Database, afterCommit: () => void) {
    this.raw = raw;
    this.#afterCommit = afterCommit;
  }

  #statement(sql: string): Sqlite.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.raw.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** The first row, or undefined. */
  one(sql: string, ...values: unknown[]): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values) as Record<string, unknown> | undefined;
  }

  all(sql: string, ...values: unknown[]): Record<string, unknown>[] {
    return this.#statement(sql).all(...values) as Record<string, unknown>[];
  }

  /** Runs a writing statement; answers how many rows it changed. */
  run(sql: string, ...values: unknown[]): number {
    const { changes } = this.#statement(sql).run(...values);
    if (!this.raw.inTransaction) this.#afterCommit();
    return changes;
  }

  /** One commit for all of `work`, or nothing of it. `IMMEDIATE`: a lock that fails does so before it (D-67). */
  transaction<T>(work: () => T): T {
    if (this.raw.inTransaction) return this.raw.transaction(work)();
    this.#atCommit = [];
    const answer = this.raw
      .transaction(() => {
        this.#first();
        return work();
      })
      .immediate();
    for (const done of this.#atCommit) done();
    this.#afterCommit();
    return answer;
  }

  /** `first` goes with every outermost transaction, before its own work. */
  withEach(first: () => void): void {
    this.#first = first;
  }

  /** Inside a transaction: called when it is on the disk, and never if it is undone. */
  onCommit(done: () => void): void {
    this.#atCommit.push(done);
  }
}

function migrate(raw: Sqlite.Database): void {
  const version = raw.pragma('user_version', { simple: true }) as number;
  if (version > MIGRATIONS.length)
    throw new StoreError(
      'store_newer',
      `The data was written by a newer Countersign (version ${version}, this one knows ${MIGRATIONS.length}). Update this program.`,
    );
  for (let next = version; next < MIGRATIONS.length; next++)
    raw
      .transaction(() => {
        raw.exec(MIGRATIONS[next] as string);
        raw.pragma(`user_version = ${next + 1}`);
      })
      .immediate();
}

/** `file`: a path; `bytes`: a database in memory, of what an earlier one serialised, or empty. */
export type DatabaseSource = { readonly file: string } | { readonly bytes: Uint8Array | null };

/**
 * Opens, checks durability, migrates. Throws StoreError; `afterCommit` is called after each commit.
 * better-sqlite3 opens an existing WAL file with NORMAL (D-66), so the setting is made and read back
 * every time, after the journal mode.
 */
export function openDatabase(source: DatabaseSource, afterCommit: () => void = () => {}): Database {
  const raw = 'file' in source ? openFile(source.file) : openMemory(source.bytes);
  try {
    const mode = raw.pragma('journal_mode = WAL', { simple: true });
    raw.pragma('synchronous = FULL');
    // macOS: a plain fsync does not reach the platter.
    raw.pragma('fullfsync = ON');
    raw.pragma('checkpoint_fullfsync = ON');
    raw.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    raw.pragma('secure_delete = ON');
    raw.pragma('foreign_keys = ON');
    const synchronous = raw.pragma('synchronous', { simple: true });
    const wanted = 'file' in source ? 'wal' : 'memory';
    if (mode !== wanted || synchronous !== FULL)
      throw new StoreError(
        'store_not_durable',
        `SQLite did not take the durable settings (journal ${String(mode)}, synchronous ${String(synchronous)}).`,
      );
    migrate(raw);
  } catch (error) {
    raw.close();
    throw translated(error);
  }
  return new Database(raw, afterCommit);
}

function openFile(path: string): Sqlite.Database {
  // Made with 0600 before SQLite sees it: its log and shared memory take over the file's mode.
  makePrivate(path);
  try {
    return new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw translated(error);
  }
}

function openMemory(bytes: Uint8Array | null): Sqlite.Database {
  return bytes === null ? new Sqlite(':memory:') : new Sqlite(Buffer.from(bytes));
}

function translated(error: unknown): unknown {
  if (error instanceof Sqlite.SqliteError) {
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(error.code))
      return new StoreError('store_damaged', 'The database file is damaged; restore it from a backup.');
    if (/^SQLITE_(BUSY|LOCKED)/.test(error.code))
      return new StoreError('store_in_use', 'Another program holds the database file.');
  }
  return error;
}
