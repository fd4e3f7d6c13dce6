/**
 * The owner's standing rules, each with how often it may still be used. Not for what one fits
 * (host/engine/standing-rules.ts).
 */
import type { Database } from './database.ts';
import type { RuleRow } from './rows.ts';
import type { RulesApi } from './store-api.ts';

function rowOf(found: Record<string, unknown>): RuleRow {
  const { number: _, matches, ...rest } = found;
  return { ...rest, matches: JSON.parse(matches as string) } as unknown as RuleRow;
}

export class Rules implements RulesApi {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(ruleId: string): RuleRow | null {
    const found = this.#db.one('SELECT * FROM rules WHERE rule_id = ?', ruleId);
    return found === undefined ? null : rowOf(found);
  }

  list(): RuleRow[] {
    return this.#db.all('SELECT * FROM rules ORDER BY number').map(rowOf);
  }

  live(agent: string, deviceId: string, now: number): RuleRow[] {
    return this.#db
      .all(
        `SELECT * FROM rules WHERE agent = ? AND revoked_at IS NULL AND device_id = ?
         AND until > ? AND used < most ORDER BY number`,
        agent,
        deviceId,
        now,
      )
      .map(rowOf);
  }

  insert(row: Omit<RuleRow, 'used' | 'revoked_at' | 'revoked_how'>): RuleRow {
    this.#db.run(
      `INSERT INTO rules (rule_id, agent, device_id, matches, until, most, made_at, made_how)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      row.rule_id,
      row.agent,
      row.device_id,
      JSON.stringify(row.matches),
      row.until,
      row.most,
      row.made_at,
      row.made_how,
    );
    const made = this.get(row.rule_id);
    if (made === null) throw new Error('a rule was not stored');
    return made;
  }

  spend(ruleId: string, now: number): boolean {
    const changed = this.#db.run(
      'UPDATE rules SET used = used + 1 WHERE rule_id = ? AND revoked_at IS NULL AND until > ? AND used < most',
      ruleId,
      now,
    );
    return changed === 1;
  }

  revoke(which: { readonly rule_id: string } | { readonly agent: string }, how: string, at: number): number {
    return 'rule_id' in which
      ? this.#db.run(
          'UPDATE rules SET revoked_at = ?, revoked_how = ? WHERE rule_id = ? AND revoked_at IS NULL',
          at,
          how,
          which.rule_id,
        )
      : this.#db.run(
          'UPDATE rules SET revoked_at = ?, revoked_how = ? WHERE agent = ? AND revoked_at IS NULL',
          at,
          how,
          which.agent,
        );
  }
}
