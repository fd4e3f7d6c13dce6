/**
 * Who may ask: one row an agent, with what its token hashes to, its grant as the owner wrote it, and whether
 * it is stopped or held. Not for what a grant means (host/engine/grants.ts).
 */
import type { Database } from './database.ts';
import type { AgentRow } from './rows.ts';
import type { AgentsApi } from './store-api.ts';

function rowOf(found: Record<string, unknown>): AgentRow {
  return {
    name: found.name as string,
    credential: found.credential as string | null,
    has_token: found.token_hash !== null,
    grant: found.grant_json === null ? null : parsed(found.grant_json as string),
    created_at: found.created_at as number,
    revoked_at: found.revoked_at as number | null,
    stopped:
      found.stopped_at === null ? null : { at: found.stopped_at as number, how: found.stopped_how as string },
    held: found.held_at === null ? null : { at: found.held_at as number, why: found.held_why as string },
    denials: found.denials as number,
  };
}

/** A grant that is no JSON any more is damaged; `undefined` is no grant anyone could have written. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export class Agents implements AgentsApi {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(name: string): AgentRow | null {
    const found = this.#db.one('SELECT * FROM agents WHERE name = ?', name);
    return found === undefined ? null : rowOf(found);
  }

  byTokenHash(hash: string): AgentRow | null {
    const found = this.#db.one('SELECT * FROM agents WHERE token_hash = ?', hash);
    return found === undefined ? null : rowOf(found);
  }

  list(): AgentRow[] {
    return this.#db.all('SELECT * FROM agents ORDER BY name').map(rowOf);
  }

  setToken(name: string, token: { readonly hash: string; readonly credential: string }, at: number): void {
    this.#db.run(
      `INSERT INTO agents (name, token_hash, credential, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET
         token_hash = excluded.token_hash, credential = excluded.credential, revoked_at = NULL`,
      name,
      token.hash,
      token.credential,
      at,
    );
  }

  revoke(name: string, at: number): void {
    this.#db.run(
      `UPDATE agents SET token_hash = NULL, credential = NULL, grant_json = NULL, revoked_at = ?
       WHERE name = ?`,
      at,
      name,
    );
  }

  setGrant(name: string, grant: unknown, at: number): void {
    this.#known(name, at);
    this.#db.run(
      'UPDATE agents SET grant_json = ? WHERE name = ?',
      grant === null ? null : JSON.stringify(grant),
      name,
    );
  }

  setStopped(name: string, stopped: AgentRow['stopped'], at: number): void {
    this.#known(name, at);
    this.#db.run(
      'UPDATE agents SET stopped_at = ?, stopped_how = ? WHERE name = ?',
      stopped?.at ?? null,
      stopped?.how ?? null,
      name,
    );
  }

  setHeld(name: string, held: AgentRow['held'], at: number): void {
    this.#known(name, at);
    this.#db.run(
      'UPDATE agents SET held_at = ?, held_why = ? WHERE name = ?',
      held?.at ?? null,
      held?.why ?? null,
      name,
    );
  }

  setDenials(name: string, count: number, at: number): void {
    this.#known(name, at);
    this.#db.run('UPDATE agents SET denials = ? WHERE name = ?', count, name);
  }

  /** The built-in agent has no row until the owner says something about it. */
  #known(name: string, at: number): void {
    this.#db.run(
      'INSERT INTO agents (name, created_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
      name,
      at,
    );
  }
}
