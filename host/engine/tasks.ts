/**
 * An agent's task: opened with its first act, found again after a crash, told step by step. Not for settling one
 * that ends (settling.ts).
 */
import type { HostChance, HostClock } from '../devices/clock.ts';
import type { CommandRow, QuestionRow, TaskRow } from '../store/rows.ts';
import type { StoreApi } from '../store/store-api.ts';
import type { Judging } from './judging.ts';
import { type Lasting, outcomeState, veiledRow } from './outcome-of.ts';
import { Refusal } from './refusal.ts';

/** A task that nothing happened in for so long is over, though nobody said so. */
export const LAPSE_MS = 6 * 3_600_000;
/** Steps of one answer, where the caller names no limit. */
const STEPS_A_PAGE = 30;

const iso = (ms: number) => new Date(ms).toISOString();

/** When something last happened in a task. */
export function lastActivity(store: StoreApi, task: TaskRow): number {
  const steps = store.commands.ofTask(task.task_id);
  const questions = store.questions.ofTask(task.task_id);
  return Math.max(
    task.opened_at,
    ...steps.map((step) => step.updated_at),
    ...questions.map((one) => one.ended_at ?? one.asked_at),
  );
}

/** The agent's open task, else a new one. Inside the transaction of what opens it. */
export function taskForAct(store: StoreApi, clock: HostClock, chance: HostChance, agent: string): TaskRow {
  return store.tasks.openOf(agent) ?? store.tasks.open(`t${chance.hex(8)}`, agent, clock.now());
}

/** The caller's own task: the named one, else the open, else the last. Null: it never had one. */
export function ownTask(store: StoreApi, agent: string, named: string | undefined): TaskRow | null {
  if (named === undefined) return store.tasks.openOf(agent) ?? store.tasks.lastOf(agent);
  const task = store.tasks.get(named);
  // Another agent's answers exactly like one that never was.
  if (task === null || task.agent !== agent) throw new Refusal('task_unknown', { came: named });
  return task;
}

interface Page {
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
}

function stepOf(parts: { readonly judging: Judging }, row: CommandRow): Record<string, unknown> {
  const { lasting, report } = veiledRow(parts, row);
  const known = lasting as Lasting | null;
  return {
    request_id: row.request_id,
    tool: row.tool,
    label: known?.label ?? null,
    app: known?.app ?? null,
    state: outcomeState(row.state),
    acted: report?.acted ?? null,
    idempotency_key: row.idempotency_key,
    at: iso(row.created_at),
  };
}

/** What may be done next without doing anything twice. */
function nextSafe(task: TaskRow, steps: readonly CommandRow[], questions: readonly QuestionRow[]) {
  const open = steps.find((step) => step.final_at === null);
  if (open !== undefined)
    return {
      tool: 'request_status',
      args: { request_id: open.request_id, wait_ms: 10_000 },
      say: 'This step is still under way: wait for it before anything else.',
    };
  const waiting = questions.find(
    (one) => one.state === 'waiting' || (one.state === 'answered' && one.told_at === null),
  );
  if (waiting !== undefined)
    return {
      tool: 'ask_owner',
      args: { question_id: waiting.question_id, wait_ms: 20_000 },
      say: 'The owner’s answer is still to be had.',
    };
  if (task.ended_at !== null)
    return { tool: 'screen_observe', args: {}, say: 'This task has ended; your next act begins another.' };
  const last = steps.at(-1);
  const unsure = last !== undefined && (last.state === 'unknown' || last.state === 'interrupted');
  return {
    tool: 'screen_observe',
    args: last === undefined ? {} : { device_id: last.device_id },
    say: unsure
      ? 'Whether the last step happened is not known: look before you do anything.'
      : 'Look, then go on after the last step; do none of the earlier ones again. The same keys give their results.',
  };
}

export function taskStatus(
  parts: {
    readonly store: StoreApi;
    readonly judging: Judging;
    readonly viewUrl: (id: string) => string | null;
  },
  agent: string,
  named: string | undefined,
  page: Page,
): Record<string, unknown> {
  const { store } = parts;
  const task = ownTask(store, agent, named);
  if (task === null)
    return {
      task_id: null,
      state: 'none',
      opened_at: null,
      ended_at: null,
      items: [],
      count: 0,
      total: 0,
      has_more: false,
      next_cursor: null,
      next_action: {
        tool: 'screen_observe',
        args: {},
        say: 'Nothing was done yet: a task begins with your first act.',
      },
      questions: [],
      view_url: null,
    };
  const steps = store.commands.ofTask(task.task_id);
  const questions = store.questions.ofTask(task.task_id);
  // Steps only ever join at the end, so a cursor is the number of steps told before.
  const from = page.cursor === undefined ? 0 : Number(page.cursor);
  if (!Number.isSafeInteger(from) || from < 0 || from > steps.length)
    throw new Refusal('cursor_bad', { field: 'cursor' });
  const told = steps.slice(from, from + (page.limit ?? STEPS_A_PAGE));
  const next = from + told.length;
  const hasMore = next < steps.length;
  return {
    task_id: task.task_id,
    state: task.outcome ?? 'open',
    opened_at: iso(task.opened_at),
    ended_at: task.ended_at === null ? null : iso(task.ended_at),
    items: told.map((row, at) => ({ step: from + at + 1, ...stepOf(parts, row) })),
    count: told.length,
    total: steps.length,
    has_more: hasMore,
    next_cursor: hasMore ? String(next) : null,
    next_action: nextSafe(task, steps, questions),
    view_url: parts.viewUrl(task.task_id),
    questions: questions.map(({ question_id, state, question, answer }) => ({
      question_id,
      state,
      question,
      answer,
    })),
  };
}
