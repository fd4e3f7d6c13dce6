/**
 * The log: two entries a call, one before the act and one after, in one chain of checksums, so that an
 * edit, a removal or a cut end shows. Append only. Not for what is written into it: arguments come
 * redacted.
 */
import { chained, START, wordsOf, wordsSought } from './audit-chain.ts';
import { checkLog } from './audit-check.ts';
import type { Database } from './database.ts';
import type {
  AuditCheck,
  AuditCompletion,
  AuditFilter,
  AuditLink,
  AuditOpening,
  AuditRow,
  AuditWitness,
} from './rows.ts';
import type { AuditApi, AuditCutPoint } from './store-api.ts';

/** Where a filter's field stands: in the first or the second link of a call. */
const FIELDS = {
  agent: "json_extract(o.body, '$.agent')",
  tool: "json_extract(o.body, '$.tool')",
  device_id: "json_extract(o.body, '$.device_id')",
  request_id: 'c.request_id',
  state: "json_extract(c.body, '$.state')",
  error_code: "json_extract(c.body, '$.error_code')",
} as const satisfies Partial<Record<keyof AuditFilter, string>>;

/** Rows of an older version have no words: their own text serves, which is spelt as it was written. */
const WORDS = "(coalesce(o.words, lower(o.body)) || ' ' || coalesce(c.words, lower(c.body), ''))";

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
      .map(rowFrom);
  }

  search(filter: AuditFilter): AuditRow[] {
    this.flush();
    const where = ["o.part = 'opening'"];
    const values: unknown[] = [];
    const add = (sql: string, value: unknown): void => {
      where.push(sql);
      values.push(value);
    };
    for (const [name, column] of Object.entries(FIELDS)) {
      const value = filter[name as keyof typeof FIELDS];
      if (value !== undefined) add(`${column} = ?`, value);
    }
    if (filter.task_id !== undefined)
      add('o.call IN (SELECT call FROM audit WHERE task_id = ?)', filter.task_id);
    for (const word of wordsSought(filter.text ?? '')) add(`instr(${WORDS}, ?) > 0`, word);
    if (filter.from !== undefined) add("json_extract(o.body, '$.at') >= ?", filter.from);
    if (filter.to !== undefined) add("json_extract(o.body, '$.at') < ?", filter.to);
    if (filter.after !== undefined) add('o.call > ?', filter.after);
    if (filter.before !== undefined) add('o.call < ?', filter.before);
    const onward = filter.after !== undefined;
    const found = this.#db.all(
      `SELECT o.call AS call, o.body AS opening, c.body AS completion
       FROM audit o LEFT JOIN audit c ON c.call = o.call AND c.part = 'completion'
       WHERE ${where.join(' AND ')} ORDER BY o.call ${onward ? 'ASC' : 'DESC'} LIMIT ?`,
      ...values,
      filter.last,
    );
    return (onward ? found : found.reverse()).map(rowFrom);
  }

  taskIds(): string[] {
    this.flush();
    return this.#db
      .all(
        `SELECT task_id, max(position) AS latest FROM audit WHERE task_id IS NOT NULL
         GROUP BY task_id ORDER BY latest DESC`,
      )
      .map((found) => found.task_id as string);
  }

  links(position: number, most: number): AuditLink[] {
    this.flush();
    return this.#db.all(
      'SELECT position, call, part, request_id, body, chain FROM audit WHERE position > ? ORDER BY position LIMIT ?',
      position,
      most,
    ) as unknown as AuditLink[];
  }

  verify(witnesses: readonly AuditWitness[] = [], now = Number.POSITIVE_INFINITY): AuditCheck {
    this.flush();
    const cut = this.#db.one('SELECT up_to, chain FROM audit_cuts ORDER BY up_to DESC LIMIT 1');
    const links = this.#db.raw
      .prepare('SELECT position, call, part, request_id, body, chain, words FROM audit ORDER BY position')
      .iterate() as Iterable<AuditLink & { words: string | null }>;
    return checkLog({
      links,
      cut: cut === undefined ? null : (cut as { up_to: number; chain: string }),
      head: this.head(),
      witnesses,
      now,
    });
  }

  cutPoint(before: number): AuditCutPoint | null {
    this.flush();
    const links = this.#db.raw
      .prepare(
        `SELECT a.position AS position, a.call AS call, a.part AS part, a.chain AS chain,
           json_extract(a.body, '$.at') AS at, coalesce(c.position, a.position) AS last
         FROM audit a LEFT JOIN audit c ON c.call = a.call AND c.part = 'completion' ORDER BY a.position`,
      )
      .iterate() as Iterable<{
      position: number;
      call: number;
      part: string;
      chain: string;
      at: number;
      last: number;
    }>;
    let point: AuditCutPoint | null = null;
    let calls = 0;
    let open = 0;
    for (const link of links) {
      if (link.at >= before) break;
      if (link.part === 'opening') calls += 1;
      open = Math.max(open, link.last);
      // Only where every call that began before has its end before, too.
      if (open <= link.position)
        point = { up_to: link.position, chain: link.chain, calls, next_call: link.call + 1 };
    }
    return point;
  }

  cut(point: AuditCutPoint, at: number): void {
    this.#db.transaction(() => {
      this.#db.run('DELETE FROM audit WHERE position <= ?', point.up_to);
      this.#db.run(
        'INSERT INTO audit_cuts (up_to, chain, calls, at) VALUES (?, ?, ?, ?)',
        point.up_to,
        point.chain,
        point.calls,
        at,
      );
    });
  }

  #headRow(): { length: number; chain: string; calls: number } {
    const found = this.#db.one('SELECT length, chain, calls FROM audit_head WHERE one = 1');
    return found === undefined
      ? { length: 0, chain: START, calls: 0 }
      : (found as { length: number; chain: string; calls: number });
  }

  #append(
    call: number,
    part: 'opening' | 'completion',
    requestId: string | null,
    body: AuditOpening | AuditCompletion,
  ): void {
    const head = this.#headRow();
    const link = {
      position: head.length + 1,
      call,
      part,
      request_id: requestId,
      body: JSON.stringify(body),
    };
    const chain = chained(head.chain, link);
    this.#db.run(
      'INSERT INTO audit (position, call, part, request_id, body, chain, words) VALUES (?, ?, ?, ?, ?, ?, ?)',
      link.position,
      call,
      part,
      requestId,
      link.body,
      chain,
      wordsOf(part, body),
    );
    this.#db.run(
      `INSERT INTO audit_head (one, length, chain, calls) VALUES (1, ?, ?, ?)
       ON CONFLICT (one) DO UPDATE SET length = excluded.length, chain = excluded.chain, calls = excluded.calls`,
      link.position,
      chain,
      Math.max(head.calls, call),
    );
  }
}

function rowFrom(found: Record<string, unknown>): AuditRow {
  return {
    ...(JSON.parse(found.opening as string) as AuditOpening),
    number: found.call as number,
    completion:
      found.completion === null ? null : (JSON.parse(found.completion as string) as AuditCompletion),
  };
}
