/**
 * Tasks: what an agent's acts belong together as; at most one open task an agent. Not for their steps
 * (commands) or for settling one (host/engine/tasks.ts).
 */
import type { Database } from './database.ts';
import type { TaskRow } from './rows.ts';
import type { TasksApi } from './store-api.ts';

function rowOf(found: Record<string, unknown>): TaskRow {
  return {
    task_id: found.task_id as string,
    agent: found.agent as string,
    opened_at: found.opened_at as number,
    ended_at: found.ended_at as number | null,
    outcome: found.outcome as TaskRow['outcome'],
    say: found.say as string | null,
    settled_at: found.settled_at as number | null,
    clipboards: JSON.parse(found.clipboards as string) as string[],
  };
}

export class Tasks implements TasksApi {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(taskId: string): TaskRow | null {
    return this.#one('SELECT * FROM tasks WHERE task_id = ?', taskId);
  }

  openOf(agent: string): TaskRow | null {
    return this.#one('SELECT * FROM tasks WHERE agent = ? AND ended_at IS NULL', agent);
  }

  lastOf(agent: string): TaskRow | null {
    return this.#one('SELECT * FROM tasks WHERE agent = ? ORDER BY opened_at DESC, task_id LIMIT 1', agent);
  }

  recent(last: number): TaskRow[] {
    return this.#db.all('SELECT * FROM tasks ORDER BY opened_at DESC, task_id LIMIT ?', last).map(rowOf);
  }

  unsettled(): TaskRow[] {
    return this.#db.all('SELECT * FROM tasks WHERE settled_at IS NULL ORDER BY opened_at').map(rowOf);
  }

  open(taskId: string, agent: string, at: number): TaskRow {
    this.#db.run('INSERT INTO tasks (task_id, agent, opened_at) VALUES (?, ?, ?)', taskId, agent, at);
    return this.#known(taskId);
  }

  end(taskId: string, outcome: NonNullable<TaskRow['outcome']>, say: string | null, at: number): TaskRow {
    this.#db.run(
      'UPDATE tasks SET ended_at = ?, outcome = ?, say = ? WHERE task_id = ? AND ended_at IS NULL',
      at,
      outcome,
      say,
      taskId,
    );
    return this.#known(taskId);
  }

  settled(taskId: string, at: number): void {
    this.#db.run('UPDATE tasks SET settled_at = ? WHERE task_id = ?', at, taskId);
  }

  prune(before: number): number {
    const old = 'settled_at IS NOT NULL AND opened_at < ?';
    return this.#db.transaction(() => {
      this.#db.run(`DELETE FROM questions WHERE task_id IN (SELECT task_id FROM tasks WHERE ${old})`, before);
      return this.#db.run(`DELETE FROM tasks WHERE ${old}`, before);
    });
  }

  setClipboards(taskId: string, deviceIds: readonly string[]): void {
    this.#db.run(
      'UPDATE tasks SET clipboards = ? WHERE task_id = ?',
      JSON.stringify([...new Set(deviceIds)]),
      taskId,
    );
  }

  #one(sql: string, ...values: unknown[]): TaskRow | null {
    const found = this.#db.one(sql, ...values);
    return found === undefined ? null : rowOf(found);
  }

  #known(taskId: string): TaskRow {
    const row = this.get(taskId);
    if (row === null) throw new Error(`no such task: ${taskId}`);
    return row;
  }
}
