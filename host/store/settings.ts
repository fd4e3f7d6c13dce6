/** Named JSON values the owner sets: stop latch, grants, profile. Not for anything that is asked per act. */
import type { Database } from './database.ts';
import type { SettingsApi } from './store-api.ts';

export class Settings implements SettingsApi {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(name: string): unknown {
    const found = this.#db.one('SELECT value FROM settings WHERE name = ?', name);
    return found === undefined ? null : JSON.parse(String(found.value));
  }

  set(name: string, value: unknown): void {
    this.#db.run(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      JSON.stringify(value),
    );
  }
}
