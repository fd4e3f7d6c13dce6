/**
 * Settles a task that ends: ends its waits, takes back what has not started, withdraws its questions, empties
 * clipboards, lets go of the phones. What cannot be settled now is settled later, restarts included. Not for
 * what a task is (tasks.ts).
 */
import type { TaskRow } from '../store/rows.ts';
import { Clipboards } from './clipboards.ts';
import { outcomeState } from './outcome-of.ts';
import type { EngineParts } from './parts.ts';
import { LAPSE_MS, lastActivity } from './tasks.ts';

/** How long ending a task waits for phones to say what became of what was open. */
const SETTLE_WAIT_MS = 5_000;
/** What is still owed is tried again, and silent tasks are looked for, this often. */
const AGAIN_MS = 5_000;
/** Tasks are forgotten with their requests (contracts.md: 30 days), at the next start. */
const KEEP_MS = 30 * 24 * 3_600_000;

export interface Settled {
  readonly task: TaskRow;
  readonly steps: number;
  readonly settled: readonly { readonly request_id: string; readonly tool: string; readonly state: string }[];
  readonly questionsWithdrawn: number;
  readonly clipboardsOwed: readonly string[];
}

export class Settling {
  readonly clipboards = new Clipboards();
  readonly #parts: EngineParts;
  #cancel: () => void = () => {};
  #closed = false;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** Goes on with what an earlier life of the host left unsettled, and looks for more from time to time. */
  start(): void {
    const { store, clock } = this.#parts;
    store.tasks.prune(clock.now() - KEEP_MS);
    this.#sweep();
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  /** Ends the task, durably first, and settles what it can. */
  async end(
    task: TaskRow,
    outcome: NonNullable<TaskRow['outcome']>,
    say: string | null,
    signal?: AbortSignal,
  ): Promise<Settled> {
    const { store, clock, waits, tracker } = this.#parts;
    const ended = store.tasks.end(task.task_id, outcome, say, clock.now());
    if (signal !== undefined) waits.endAll(task.agent, signal);
    const open = store.commands.ofTask(task.task_id).filter((row) => row.final_at === null);
    for (const row of open) tracker.withdraw(row.request_id);
    let withdrawn = 0;
    for (const question of store.questions.ofTask(task.task_id)) {
      const gone = this.#parts.questions.end(this.#parts, question.question_id, 'task over', {
        state: 'withdrawn',
      });
      if (gone !== null) withdrawn += 1;
    }
    const settled = await Promise.all(
      open.map(async (row) => {
        const followed = await tracker.wait(row.request_id, SETTLE_WAIT_MS, signal);
        const state = outcomeState((followed?.row ?? row).state);
        return { request_id: row.request_id, tool: row.tool, state };
      }),
    );
    const owed = await this.#settle(ended);
    return {
      task: ended,
      steps: store.commands.countOfTask(task.task_id),
      settled,
      questionsWithdrawn: withdrawn,
      clipboardsOwed: owed,
    };
  }

  /** What is left of an ended task; answers the phones whose clipboard is still owed. */
  async #settle(task: TaskRow): Promise<readonly string[]> {
    const { store, clock } = this.#parts;
    const owed: string[] = [];
    for (const deviceId of store.tasks.get(task.task_id)?.clipboards ?? []) {
      const cleared = await this.clipboards
        .clear(this.#parts, task.task_id, deviceId)
        .catch((fault: unknown) => {
          this.#parts.log(`clipboard: ${fault instanceof Error ? fault.message : String(fault)}`);
          return false;
        });
      if (!cleared) owed.push(deviceId);
    }
    if (this.#closed) return owed;
    const answered = store.questions.ofTask(task.task_id).some((one) => one.answer !== null);
    store.transaction(() => {
      store.tasks.setClipboards(task.task_id, owed);
      store.questions.forgetAnswers(task.task_id);
      if (owed.length === 0) store.tasks.settled(task.task_id, clock.now());
    });
    // What the owner answered may be personal: it goes from the write-ahead log, too.
    if (answered) store.scrub();
    return owed;
  }

  #sweep(): void {
    if (this.#closed) return;
    const { store, clock, tracker } = this.#parts;
    const work = async (): Promise<void> => {
      for (const task of store.tasks.unsettled()) {
        if (this.#closed) return;
        if (task.ended_at === null) {
          const over = clock.now() - LAPSE_MS;
          if (task.opened_at <= over && lastActivity(store, task) <= over)
            await this.end(task, 'lapsed', null);
          continue;
        }
        for (const row of store.commands.ofTask(task.task_id))
          if (row.final_at === null) tracker.withdraw(row.request_id);
        if (task.clipboards.every((id) => this.#parts.phones.of(id) !== null)) await this.#settle(task);
      }
    };
    work()
      .catch((fault: unknown) => {
        this.#parts.log(`tasks: ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}`);
      })
      .finally(() => {
        if (!this.#closed) this.#cancel = clock.at(clock.monotonic() + AGAIN_MS, () => this.#sweep());
      });
  }
}
