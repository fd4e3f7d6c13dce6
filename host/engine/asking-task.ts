/** Carries the tools about the task as a whole: asking the owner, where it stands, ending it. */
import type { AskingCall, Carrier } from './asking-call.ts';
import { toldQuestion } from './questions.ts';
import { Refusal } from './refusal.ts';
import type { Settled } from './settling.ts';
import { ownTask, taskStatus } from './tasks.ts';

const EXAMPLE = '{"question":"Which of the two?"} or {"question_id":"…","wait_ms":20000}';

function told(settled: Settled): Record<string, unknown> {
  return {
    task_id: settled.task.task_id,
    state: settled.task.outcome ?? 'open',
    steps: settled.steps,
    settled: settled.settled,
    questions_withdrawn: settled.questionsWithdrawn,
    clipboards_owed: settled.clipboardsOwed,
  };
}

/** A task that ended before, or none at all: there is nothing to settle, which is no failure. */
function already({ parts, caller }: AskingCall): Record<string, unknown> {
  const last = ownTask(parts.store, caller.agent, undefined);
  return {
    task_id: last?.task_id ?? null,
    state: last?.outcome ?? 'none',
    steps: last === null ? 0 : parts.store.commands.countOfTask(last.task_id),
    settled: [],
    questions_withdrawn: 0,
    clipboards_owed: last?.settled_at === null ? last.clipboards : [],
  };
}

export const TASK_CARRIERS: { readonly [T in 'ask_owner' | 'task_complete' | 'task_status']: Carrier<T> } = {
  ask_owner: async (args, { parts, caller, options, limits }) => {
    if ((args.question === undefined) === (args.question_id === undefined)) {
      throw new Refusal(args.question === undefined ? 'argument_missing' : 'argument_wrong', {
        field: args.question === undefined ? 'question' : 'question_id',
        expected: 'either question or question_id',
        came: 'both',
        example: EXAMPLE,
      });
    }
    const { questions, store, clock } = parts;
    const asked =
      args.question_id === undefined
        ? questions.ask(parts, caller.agent, args.question ?? '')
        : questions.own(parts, caller.agent, args.question_id);
    const row = await questions.wait(
      parts,
      asked.question_id,
      Math.min(args.wait_ms ?? 0, limits.timeout_ms),
      options.signal,
      options.onProgress,
    );
    if (row.state === 'answered') store.questions.told(row.question_id, clock.now());
    return toldQuestion(row, parts.viewUrl(row.question_id));
  },

  task_complete: async (args, call) => {
    const { parts, caller, options, settling } = call;
    const open = parts.store.tasks.openOf(caller.agent);
    if (open === null) return already(call);
    return told(await settling.end(open, args.outcome, args.summary ?? null, options.signal));
  },

  task_status: async (args, { parts, caller }) =>
    taskStatus(parts, caller.agent, args.task_id, { cursor: args.cursor, limit: args.limit }),
};
