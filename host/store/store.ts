/**
 * The host's durable memory, put together: one SQLite file, one owner, every commit on the disk. Not for
 * deciding anything.
 */
import { Agents } from './agents.ts';
import { Audit } from './audit.ts';
import { Commands } from './commands.ts';
import { Counters } from './counters.ts';
import { databasePath, openDataDirectory } from './data-directory.ts';
import { type Database, type DatabaseSource, openDatabase } from './database.ts';
import { Devices } from './devices.ts';
import { Identity } from './identity.ts';
import { takeOwnership } from './ownership.ts';
import { Pictures } from './pictures.ts';
import { Questions } from './questions.ts';
import { Rules } from './rules.ts';
import { Settings } from './settings.ts';
import type { StoreApi } from './store-api.ts';
import { Tasks } from './tasks.ts';

export interface StoreChance {
  /** `count` random bytes as lower-case hex. */
  hex(count: number): string;
}

export class Store implements StoreApi {
  readonly life: string;
  readonly identity: Identity;
  readonly devices: Devices;
  readonly commands: Commands;
  readonly audit: Audit;
  readonly agents: Agents;
  readonly tasks: Tasks;
  readonly questions: Questions;
  readonly rules: Rules;
  readonly pictures: Pictures;
  readonly settings: Settings;
  readonly counters: Counters;
  readonly #db: Database;
  readonly #release: () => void;

  constructor(db: Database, chance: StoreChance, release: () => void) {
    this.#db = db;
    this.#release = release;
    this.life = chance.hex(16);
    this.identity = new Identity(db, chance.hex(16));
    this.devices = new Devices(db);
    this.commands = new Commands(db, this.life);
    this.audit = new Audit(db);
    db.withEach(() => this.audit.writePending());
    this.agents = new Agents(db);
    this.tasks = new Tasks(db);
    this.questions = new Questions(db);
    this.rules = new Rules(db);
    this.pictures = new Pictures(db);
    this.settings = new Settings(db);
    this.counters = new Counters(db);
  }

  transaction<T>(work: () => T): T {
    return this.#db.transaction(work);
  }

  scrub(): void {
    this.#db.raw.pragma('wal_checkpoint(TRUNCATE)');
  }

  serialize(): Uint8Array {
    return this.#db.raw.serialize();
  }

  /** The connection itself: for tests that look at settings, and for the bench. */
  get raw(): Database['raw'] {
    return this.#db.raw;
  }

  close(): void {
    if (this.#db.raw.open) {
      this.audit.flush();
      this.scrub();
      this.#db.raw.close();
    }
    this.#release();
  }
}

/** Opens the store of a data directory and takes it into possession. Throws StoreError. */
export function openStore(directory: string, chance: StoreChance): Store {
  const release = takeOwnership(openDataDirectory(directory));
  try {
    return new Store(openDatabase({ file: databasePath(directory) }), chance, release);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * A store in memory, of what an earlier one serialised, or empty. `afterCommit` is called after every
 * commit: what `serialize()` gives then is what a kill at this point leaves behind.
 */
export function openMemoryStore(
  chance: StoreChance,
  bytes: Uint8Array | null = null,
  afterCommit?: () => void,
): Store {
  const source: DatabaseSource = { bytes };
  return new Store(openDatabase(source, afterCommit), chance, () => {});
}
