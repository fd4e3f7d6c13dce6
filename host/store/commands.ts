/**
 * The commands, and the one function that moves them: by the command table, inside one transaction, from
 * the state the row is really in. Not for what a move means (host/engine/tracker).
 */
import { type CommandEvent, isFinalCommand, moveCommand } from '../../device-protocol/command-table.ts';
import { COLUMNS, rowFrom, toColumn } from './command-row.ts';
import type { Database } from './database.ts';
import type { CommandRow } from './rows.ts';
import type { CommandPatch, CommandsApi } from './store-api.ts';

const INSERT = `INSERT INTO commands (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;

export class Commands implements CommandsApi {
  readonly #db: Database;
  readonly #life: string;

  constructor(db: Database, life: string) {
    this.#db = db;
    this.#life = life;
  }

  takeSeq(deviceId: string): number {
    const found = this.#db.one(
      'UPDATE devices SET last_seq = last_seq + 1 WHERE device_id = ? RETURNING last_seq',
      deviceId,
    );
    if (found === undefined) throw new Error(`no such device: ${deviceId}`);
    return found.last_seq as number;
  }

  insert(given: Omit<CommandRow, 'state' | 'final_at' | 'updated_at' | 'born_in'>): CommandRow {
    const row: CommandRow = {
      ...given,
      state: 'received',
      born_in: this.#life,
      updated_at: given.created_at,
      final_at: null,
    };
    this.#db.run(INSERT, ...COLUMNS.map((column) => toColumn(column, row[column])));
    return row;
  }

  get(requestId: string): CommandRow | null {
    return this.#one('SELECT * FROM commands WHERE request_id = ?', requestId);
  }

  byConfirmation(confirmationId: string): CommandRow | null {
    return this.#one('SELECT * FROM commands WHERE confirmation_id = ?', confirmationId);
  }

  byKey(agent: string, deviceId: string, key: string): CommandRow | null {
    return this.#one(
      'SELECT * FROM commands WHERE agent = ? AND device_id = ? AND idempotency_key = ?',
      agent,
      deviceId,
      key,
    );
  }

  open(deviceId?: string): CommandRow[] {
    return deviceId === undefined
      ? this.#all('SELECT * FROM commands WHERE final_at IS NULL ORDER BY number')
      : this.#all('SELECT * FROM commands WHERE final_at IS NULL AND device_id = ? ORDER BY seq', deviceId);
  }

  staged(): CommandRow[] {
    return this.#all("SELECT * FROM commands WHERE final_at IS NULL AND state = 'staged' ORDER BY number");
  }

  recent(filter: {
    readonly agent?: string;
    readonly device_id?: string;
    readonly task_id?: string;
    readonly last: number;
  }): CommandRow[] {
    const named = (['agent', 'device_id', 'task_id'] as const).filter((name) => filter[name] !== undefined);
    const where = named.length === 0 ? '' : `WHERE ${named.map((name) => `${name} = ?`).join(' AND ')}`;
    return this.#all(
      `SELECT * FROM commands ${where} ORDER BY number DESC LIMIT ?`,
      ...named.map((name) => filter[name]),
      filter.last,
    );
  }

  ofTask(taskId: string): CommandRow[] {
    return this.#all('SELECT * FROM commands WHERE task_id = ? ORDER BY number', taskId);
  }

  countOfTask(taskId: string): number {
    const found = this.#db.one('SELECT count(*) AS count FROM commands WHERE task_id = ?', taskId);
    return found?.count as number;
  }

  madeSince(agent: string, since: number): { readonly count: number; readonly oldest: number | null } {
    return this.#db.one(
      'SELECT count(*) AS count, min(created_at) AS oldest FROM commands WHERE agent = ? AND created_at >= ?',
      agent,
      since,
    ) as { count: number; oldest: number | null };
  }

  newestOn(deviceId: string): CommandRow | null {
    return this.#one(
      'SELECT * FROM commands WHERE device_id = ? AND task_id IS NOT NULL ORDER BY seq DESC LIMIT 1',
      deviceId,
    );
  }

  move(requestId: string, event: CommandEvent, patch: CommandPatch, at: number): CommandRow | null {
    return this.#db.transaction(() => {
      const row = this.get(requestId);
      if (row === null) throw new Error(`no such request: ${requestId}`);
      const state = moveCommand(row.state, event);
      if (state === null) return null;
      const final = isFinalCommand(state);
      if (row.state === 'staged') this.#db.run('DELETE FROM pictures WHERE request_id = ?', requestId);
      return this.#write(row, {
        ...patch,
        state,
        updated_at: at,
        // What was to be typed is nobody's business once it cannot run any more (risk.md, "At rest").
        ...(final ? { final_at: at, payload: null, display: null } : {}),
      });
    });
  }

  patch(requestId: string, patch: CommandPatch, at: number): CommandRow {
    return this.#db.transaction(() => {
      const row = this.get(requestId);
      if (row === null) throw new Error(`no such request: ${requestId}`);
      if (row.final_at !== null) throw new Error(`request ${requestId} is final`);
      return this.#write(row, { ...patch, updated_at: at });
    });
  }

  settledBelow(deviceId: string): number {
    const found = this.#db.one(
      `SELECT coalesce(
         (SELECT min(seq) FROM commands WHERE device_id = ? AND final_at IS NULL),
         (SELECT last_seq + 1 FROM devices WHERE device_id = ?)
       ) AS below`,
      deviceId,
      deviceId,
    );
    const below = found?.below;
    if (typeof below !== 'number') throw new Error(`no such device: ${deviceId}`);
    return below;
  }

  prune(before: number): number {
    return this.#db.run('DELETE FROM commands WHERE final_at IS NOT NULL AND created_at < ?', before);
  }

  #write(row: CommandRow, changes: Partial<CommandRow>): CommandRow {
    const names = Object.keys(changes) as (keyof CommandRow)[];
    this.#db.run(
      `UPDATE commands SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE request_id = ?`,
      ...names.map((name) => toColumn(name, changes[name])),
      row.request_id,
    );
    return { ...row, ...changes };
  }

  #one(sql: string, ...values: unknown[]): CommandRow | null {
    const found = this.#db.one(sql, ...values);
    return found === undefined ? null : rowFrom(found);
  }

  #all(sql: string, ...values: unknown[]): CommandRow[] {
    return this.#db.all(sql, ...values).map(rowFrom);
  }
}
