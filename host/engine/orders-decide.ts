/** Carries the owner's orders about what waits: yes with a rule, no with a stop, questions, tasks, phones. */

import type { RuleRow } from '../store/rows.ts';
import { approve, deny, stopAgent } from './decisions.ts';
import { release } from './device-hold.ts';
import type { OrderCarrier } from './order-call.ts';
import type { RuleView } from './orders.ts';

type DecisionOrder =
  | 'approve'
  | 'deny_and_stop'
  | 'rules'
  | 'rule_revoke'
  | 'release_device'
  | 'questions'
  | 'answer'
  | 'decline'
  | 'tasks'
  | 'task_end'
  | 'picture';

const iso = (ms: number) => new Date(ms).toISOString();
const not = (error_code: string, message: string) => ({ ok: false, error_code, message }) as const;

function ruleView(row: RuleRow, now: number): RuleView {
  const { matches } = row;
  const to = matches.recipient === null ? '' : `, to the same recipient`;
  return {
    rule_id: row.rule_id,
    agent: row.agent,
    device_id: row.device_id,
    say: `${row.agent} may ${matches.tool} “${matches.label.slice(0, 80)}” in ${matches.package}${to}`,
    state:
      row.revoked_at !== null
        ? 'revoked'
        : row.used >= row.most
          ? 'used_up'
          : row.until <= now
            ? 'over'
            : 'live',
    used: row.used,
    most: row.most,
    until: iso(row.until),
    made_at: iso(row.made_at),
    made_how: row.made_how,
    matches,
  };
}

export const DECISION_ORDERS: { readonly [N in DecisionOrder]: OrderCarrier<N> } = {
  approve: ({ confirmation_id, digest, rule }, { parts, how }) =>
    approve(parts, { confirmationId: confirmation_id, how, digest, rule }),

  deny_and_stop: async ({ confirmation_id }, { parts, how }) => {
    const row = parts.store.commands.byConfirmation(confirmation_id);
    const denied = deny(parts, confirmation_id, how);
    if (!denied.ok || row === null)
      return denied.ok ? not('request_unknown', 'There is no such confirmation.') : denied;
    stopAgent(parts, row.agent, how);
    return { ...denied, say: `Denied, and agent ${row.agent} is stopped until you resume it.` };
  },

  rules: async (_params, { parts }) => {
    const items = parts.store.rules.list().map((row) => ruleView(row, parts.clock.now()));
    return { ok: true, say: `${items.length} rules.`, items };
  },

  rule_revoke: async ({ rule_id }, { parts, how }) =>
    parts.store.rules.revoke({ rule_id }, how, parts.clock.now()) === 1
      ? { ok: true, say: 'The rule is gone: the same is asked about again.' }
      : not('rule_unknown', 'There is no such rule, or it was revoked already.'),

  release_device: async ({ device_id }, { parts }) => {
    if (parts.store.devices.get(device_id) === null)
      return not('device_unknown', `There is no phone "${device_id}".`);
    release(parts.store, device_id, parts.clock.now());
    return { ok: true, say: `The phone ${device_id} is free for any agent that may act on it.` };
  },

  questions: async (_params, { parts }) => {
    parts.questions.expireDue(parts);
    const items = parts.store.questions.waiting().map((row) => ({
      question_id: row.question_id,
      agent: row.agent,
      task_id: row.task_id,
      question: row.question,
      warning: row.warning,
      asked_at: iso(row.asked_at),
      expires_at: iso(row.expires_at),
    }));
    return { ok: true, say: `${items.length} questions.`, items };
  },

  answer: async ({ question_id, text }, { parts, how }) =>
    parts.questions.end(parts, question_id, how, { state: 'answered', text }) === null
      ? not('question_unknown', 'No such question waits: it was answered, withdrawn, or is over.')
      : { ok: true, say: 'Your answer was handed on.' },

  decline: async ({ question_id }, { parts, how }) =>
    parts.questions.end(parts, question_id, how, { state: 'declined' }) === null
      ? not('question_unknown', 'No such question waits: it was answered, withdrawn, or is over.')
      : { ok: true, say: 'The agent is told that you do not answer this.' },

  tasks: async ({ last }, { parts: { store } }) => {
    const items = store.tasks.recent(last).map((task) => ({
      task_id: task.task_id,
      agent: task.agent,
      state: task.outcome ?? 'open',
      opened_at: iso(task.opened_at),
      ended_at: task.ended_at === null ? null : iso(task.ended_at),
      steps: store.commands.countOfTask(task.task_id),
      summary: task.say,
      clipboards_owed: task.settled_at === null && task.ended_at !== null ? task.clipboards : [],
    }));
    return { ok: true, say: `${items.length} tasks.`, items };
  },

  task_end: async ({ task_id }, { parts, settling }) => {
    const task = parts.store.tasks.get(task_id);
    if (task === null || task.ended_at !== null) return not('task_unknown', 'There is no such open task.');
    const ended = await settling.end(task, 'cancelled', null);
    parts.waits.endAll(task.agent, new AbortController().signal);
    return {
      ok: true,
      say: `The task of ${task.agent} has ended; ${ended.settled.length} requests were settled.`,
      settled: ended.settled,
    };
  },

  picture: async ({ confirmation_id }, { parts: { store } }) => {
    const row = store.commands.byConfirmation(confirmation_id);
    const found = row === null ? null : store.pictures.get(row.request_id);
    return {
      ok: true,
      say: found === null ? 'There is no picture.' : 'The screen when it was asked.',
      picture:
        found === null
          ? null
          : { content_type: found.contentType, base64: Buffer.from(found.bytes).toString('base64') },
    };
  },
};
