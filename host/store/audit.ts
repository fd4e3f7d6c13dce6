/**
 * The log: two entries a call, one before the act and one after, in one chain of checksums, so that an
 * edit, a removal or a cut end shows. Append only. Not for what is written into it: arguments come
 * redacted.
 */
import { sha256OfText } from '../../device-protocol/request.ts';
import type { Database } from './database.ts';
import type { AuditCheck, AuditCompletion, AuditOpening, AuditRow } from './rows.ts';
import type { AuditApi } from './store-api.ts';

/** Chain value before the first entry. */
const START = '0'.repeat(64);

interface Entry {
  readonly position: number;
  readonly call: number;
  readonly part: string;
  readonly request_id: string | null;
  readonly body: string;
}

/** SHA-256 over the earlier chain value and the whole entry, as one JSON array. */
function chained(before: string, entry: Entry): string {
  return sha256OfText(
    JSON.stringify([
      'countersign-audit-v1',
      before,
      entry.position,
      entry.call,
      entry.part,
      entry.request_id,
      entry.body,
    ]),
  );
}

export class Audit implements AuditApi {
  readonly #db: Database;
  /** Completions that wait for the next commit. */
  #pending: { readonly number: number; readonly completion: AuditCompletion }[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  open(opening: AuditOpening): number {
    return this.#db.transaction(() => {
      const call = this.#headRow().calls + 1;
      this.#append(call, 'opening', null, opening);
      return call;
    });
  }

  complete(number: number, completion: AuditCompletion): void {
    this.#db.transaction(() => this.#append(number, 'completion', completion.request_id, completion));
  }

  completeSoon(number: number, completion: AuditCompletion): void {
    // Checked now: what cannot be written would otherwise undo everybody's transactions.
    const parts = this.#db.all('SELECT part FROM audit WHERE call = ?', number);
    if (parts.length !== 1 || this.#pending.some((one) => one.number === number))
      throw new Error(`call ${number} is not there, or completed already`);
    this.#pending.push({ number, completion });
  }

  flush(): void {
    if (this.#pending.length > 0) this.#db.transaction(() => {});
  }

  /** Called first in every outermost transaction: what waits goes with its commit. */
  writePending(): void {
    const pending = this.#pending;
    if (pending.length === 0) return;
    for (const { number, completion } of pending)
      this.#append(number, 'completion', completion.request_id, completion);
    // Forgotten only with the commit: a transaction that is undone leaves them waiting.
    this.#db.onCommit(() => {
      this.#pending = this.#pending.filter((one) => !pending.includes(one));
    });
  }

  head(): { readonly length: number; readonly chain: string } {
    this.flush();
    const { length, chain } = this.#headRow();
    return { length, chain };
  }

  list(filter: { readonly last?: number; readonly requestId?: string }): AuditRow[] {
    this.flush();
    const ofRequest =
      filter.requestId === undefined
        ? ''
        : "AND o.call IN (SELECT call FROM audit WHERE request_id = ? AND part = 'completion')";
    return this.#db
      .all(
        `SELECT o.call AS call, o.body AS opening, c.body AS completion
         FROM audit o LEFT JOIN audit c ON c.call = o.call AND c.part = 'completion'
         WHERE o.part = 'opening' ${ofRequest} ORDER BY o.call DESC LIMIT ?`,
        ...(filter.requestId === undefined ? [] : [filter.requestId]),
        filter.last ?? -1,
      )
      .reverse()
      .map((found) => ({
        ...(JSON.parse(found.opening as string) as AuditOpening),
        number: found.call as number,
        completion:
          found.completion === null ? null : (JSON.parse(found.completion as string) as AuditCompletion),
      }));
  }

  verify(): AuditCheck {
    this.flush();
    let before = START;
    let position = 0;
    const bad = (at: number, say: string): AuditCheck => ({ ok: false, rows: position, first_bad: at, say });
    for (const found of this.#db.raw.prepare('SELECT * FROM audit ORDER BY position').iterate() as Iterable<
      Entry & { chain: string }
    >) {
      if (found.position !== position + 1)
        return bad(position + 1, `Entry ${position + 1} of the log is missing.`);
      const expected = chained(before, found);
      if (found.chain !== expected) return bad(found.position, `Entry ${found.position} was changed.`);
      before = expected;
      position = found.position;
    }
    const head = this.head();
    if (head.length !== position || head.chain !== before)
      return bad(position + 1, `The log ends at entry ${position}; ${head.length} were written.`);
    return { ok: true, rows: position, first_bad: null, say: `All ${position} entries are as written.` };
  }

  #headRow(): { length: number; chain: string; calls: number } {
    const found = this.#db.one('SELECT length, chain, calls FROM audit_head WHERE one = 1');
    return found === undefined
      ? { length: 0, chain: START, calls: 0 }
      : (found as { length: number; chain: string; calls: number });
  }

  #append(call: number, part: 'opening' | 'completion', requestId: string | null, body: unknown): void {
    const head = this.#headRow();
    const entry: Entry = {
      position: head.length + 1,
      call,
      part,
      request_id: requestId,
      body: JSON.stringify(body),
    };
    const chain = chained(head.chain, entry);
    this.#db.run(
      'INSERT INTO audit (position, call, part, request_id, body, chain) VALUES (?, ?, ?, ?, ?, ?)',
      entry.position,
      call,
      part,
      requestId,
      entry.body,
      chain,
    );
    this.#db.run(
      `INSERT INTO audit_head (one, length, chain, calls) VALUES (1, ?, ?, ?)
       ON CONFLICT (one) DO UPDATE SET length = excluded.length, chain = excluded.chain, calls = excluded.calls`,
      entry.position,
      chain,
      Math.max(head.calls, call),
    );
  }
}
