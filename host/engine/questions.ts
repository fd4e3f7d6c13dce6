/**
 * Questions of agents to their owner: asked once, waited for, answered, handed back. The question is the agent's
 * text and never more. Not for showing it (doors).
 */
import type { QuestionRow } from '../store/rows.ts';
import { warningFor } from './asks-for-secrets.ts';
import type { EngineGiven } from './given.ts';
import { Refusal } from './refusal.ts';
import { taskForAct } from './tasks.ts';
import { Waiters } from './tracker/waiters.ts';

/** How long a question waits for its owner. */
export const QUESTION_LIFE_MS = 60 * 60_000;
/** At most this many of one agent's questions may wait. */
const MOST_WAITING = 3;
/** How often a call that waits says so. */
const SAY_EVERY_MS = 5_000;

export class Questions {
  readonly #waiters: Waiters;

  constructor(clock: EngineGiven['clock']) {
    this.#waiters = new Waiters(clock);
  }

  /** Takes a new question. The same words again, while they wait or were not told yet, are the same question. */
  ask(parts: EngineGiven, agent: string, question: string): QuestionRow {
    const { store, clock, chance, judging, secrets } = parts;
    this.expireDue(parts);
    const open = store.tasks.openOf(agent);
    const before = open === null ? [] : store.questions.ofTask(open.task_id);
    const same = before.find(
      (one) =>
        one.question === question &&
        (one.state === 'waiting' || (one.state === 'answered' && one.told_at === null)),
    );
    if (same !== undefined) return same;
    if (store.questions.waiting(agent).length >= MOST_WAITING) throw new Refusal('too_many_pending');
    const now = clock.now();
    return store.transaction(() =>
      store.questions.insert({
        question_id: `q${chance.hex(8)}`,
        agent,
        task_id: taskForAct(store, clock, chance, agent).task_id,
        question,
        warning: warningFor(question, judging.book, secrets),
        asked_at: now,
        expires_at: now + QUESTION_LIFE_MS,
      }),
    );
  }

  /** The agent's own question; whether another's or nobody's is not told apart. */
  own(parts: EngineGiven, agent: string, questionId: string): QuestionRow {
    this.expireDue(parts);
    const row = parts.store.questions.get(questionId);
    if (row === null || row.agent !== agent) throw new Refusal('question_unknown', { came: questionId });
    return row;
  }

  /** Waits until it is answered or over, at most `ms`. */
  async wait(
    parts: EngineGiven,
    questionId: string,
    ms: number,
    signal: AbortSignal | undefined,
    onProgress: (say: string) => void = () => {},
  ): Promise<QuestionRow> {
    const { store, clock } = parts;
    const until = clock.monotonic() + ms;
    for (;;) {
      this.expireDue(parts);
      const row = store.questions.get(questionId);
      if (row === null) throw new Refusal('question_unknown', { came: questionId });
      const now = clock.monotonic();
      if (row.state !== 'waiting' || now >= until || signal?.aborted === true) return row;
      await this.#waiters.next(questionId, signal, Math.min(until, now + SAY_EVERY_MS));
      onProgress('Waiting for the owner’s answer.');
    }
  }

  /** The owner's answer, or a no. Null: it waits no longer. */
  end(
    parts: EngineGiven,
    questionId: string,
    how: string,
    answer:
      | { readonly state: 'answered'; readonly text: string }
      | { readonly state: 'declined' | 'withdrawn' },
  ): QuestionRow | null {
    this.expireDue(parts);
    const text = answer.state === 'answered' ? answer.text : null;
    const row = parts.store.questions.end(questionId, answer.state, text, how, parts.clock.now());
    if (row !== null) this.#waiters.notify(questionId, null);
    return row;
  }

  expireDue({ store, clock }: EngineGiven): void {
    const now = clock.now();
    for (const row of store.questions.waiting()) {
      if (row.expires_at > now) continue;
      store.questions.end(row.question_id, 'expired', null, 'time', now);
      this.#waiters.notify(row.question_id, null);
    }
  }

  close(): void {
    this.#waiters.notifyAll();
  }
}

const iso = (ms: number) => new Date(ms).toISOString();

/** How long an agent had better wait before it asks again. */
const ASK_AGAIN_SECONDS = 15;

/** A question as its agent is told of it. */
export function toldQuestion(row: QuestionRow, viewUrl: string | null): Record<string, unknown> {
  return {
    question_id: row.question_id,
    state: row.state,
    answer: row.state === 'answered' ? row.answer : null,
    asked_at: iso(row.asked_at),
    expires_at: iso(row.expires_at),
    view_url: viewUrl,
    next_action:
      row.state === 'waiting'
        ? {
            tool: 'ask_owner',
            args: { question_id: row.question_id, wait_ms: 20_000 },
            after_seconds: ASK_AGAIN_SECONDS,
          }
        : null,
  };
}
