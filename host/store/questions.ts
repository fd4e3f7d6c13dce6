/**
 * Questions of agents to their owner, and the answers until they have been handed over and the task is done.
 * Not for waiting (host/engine/questions.ts).
 */
import type { Database } from './database.ts';
import type { QuestionRow } from './rows.ts';
import type { QuestionsApi } from './store-api.ts';

const rowOf = (found: Record<string, unknown>): QuestionRow => found as unknown as QuestionRow;

const COLUMNS =
  'question_id, agent, task_id, question, warning, state, asked_at, expires_at, answer, ended_at, ended_how, told_at';

export class Questions implements QuestionsApi {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(questionId: string): QuestionRow | null {
    const found = this.#db.one(`SELECT ${COLUMNS} FROM questions WHERE question_id = ?`, questionId);
    return found === undefined ? null : rowOf(found);
  }

  waiting(agent?: string): QuestionRow[] {
    const all = `SELECT ${COLUMNS} FROM questions WHERE state = 'waiting'`;
    return agent === undefined
      ? this.#db.all(`${all} ORDER BY number`).map(rowOf)
      : this.#db.all(`${all} AND agent = ? ORDER BY number`, agent).map(rowOf);
  }

  ofTask(taskId: string): QuestionRow[] {
    return this.#db
      .all(`SELECT ${COLUMNS} FROM questions WHERE task_id = ? ORDER BY number`, taskId)
      .map(rowOf);
  }

  insert(
    row: Pick<
      QuestionRow,
      'question_id' | 'agent' | 'task_id' | 'question' | 'warning' | 'asked_at' | 'expires_at'
    >,
  ): QuestionRow {
    this.#db.run(
      `INSERT INTO questions (question_id, agent, task_id, question, warning, state, asked_at, expires_at)
       VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?)`,
      row.question_id,
      row.agent,
      row.task_id,
      row.question,
      row.warning,
      row.asked_at,
      row.expires_at,
    );
    return this.#known(row.question_id);
  }

  end(
    questionId: string,
    state: Exclude<QuestionRow['state'], 'waiting'>,
    answer: string | null,
    how: string,
    at: number,
  ): QuestionRow | null {
    const changed = this.#db.run(
      `UPDATE questions SET state = ?, answer = ?, ended_how = ?, ended_at = ?
       WHERE question_id = ? AND state = 'waiting'`,
      state,
      answer,
      how,
      at,
      questionId,
    );
    return changed === 0 ? null : this.#known(questionId);
  }

  told(questionId: string, at: number): void {
    this.#db.run('UPDATE questions SET told_at = coalesce(told_at, ?) WHERE question_id = ?', at, questionId);
  }

  forgetAnswers(taskId: string): void {
    this.#db.run('UPDATE questions SET answer = NULL WHERE task_id = ?', taskId);
  }

  #known(questionId: string): QuestionRow {
    const row = this.get(questionId);
    if (row === null) throw new Error(`no such question: ${questionId}`);
    return row;
  }
}
