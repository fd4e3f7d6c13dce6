/**
 * Numbers that are never given twice, restarts included: refs and observations of a phone. Handed out in
 * blocks, so that a look costs no sync of its own; a restart skips the rest of a block.
 */
import type { Database } from './database.ts';
import type { CountersApi } from './store-api.ts';

const BLOCK = { ref: 512, observation: 64 } as const;

export class Counters implements CountersApi {
  readonly #db: Database;
  /** Per counter: the last number given, and the last one that the disk says is taken. */
  readonly #open = new Map<string, { given: number; taken: number }>();

  constructor(db: Database) {
    this.#db = db;
  }

  next(deviceId: string, name: keyof typeof BLOCK): number {
    const key = `${name} ${deviceId}`;
    let block = this.#open.get(key);
    if (block === undefined || block.given === block.taken) {
      block = this.#takeBlock(deviceId, name);
      this.#open.set(key, block);
    }
    block.given += 1;
    return block.given;
  }

  #takeBlock(deviceId: string, name: keyof typeof BLOCK): { given: number; taken: number } {
    // A rollback of somebody else's transaction would give these numbers a second time.
    if (this.#db.raw.inTransaction) throw new Error('numbers are taken outside transactions');
    return this.#db.transaction(() => {
      const found = this.#db.one(
        'SELECT handed_out FROM counters WHERE device_id = ? AND name = ?',
        deviceId,
        name,
      );
      const given = found === undefined ? 0 : (found.handed_out as number);
      const taken = given + BLOCK[name];
      this.#db.run(
        `INSERT INTO counters (device_id, name, handed_out) VALUES (?, ?, ?)
         ON CONFLICT (device_id, name) DO UPDATE SET handed_out = excluded.handed_out`,
        deviceId,
        name,
        taken,
      );
      return { given, taken };
    });
  }
}
