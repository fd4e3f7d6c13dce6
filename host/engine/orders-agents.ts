/** Carries the owner's orders about agents: who may ask, with which grant. */
import { HOUSE_AGENT, LOCAL_AGENT } from './agent-names.ts';
import { freshToken, keptOf } from './agents.ts';
import { stopAgent } from './decisions.ts';
import { changedGrant } from './grant-change.ts';
import { grantFrom, isOver, listedTools } from './grants.ts';
import type { OrderCall, OrderCarrier } from './order-call.ts';
import type { AgentView, GrantView } from './orders.ts';
import type { EngineParts } from './parts.ts';

type AgentOrder =
  | 'agents'
  | 'agent_add'
  | 'agent_renew'
  | 'agent_revoke'
  | 'grants'
  | 'grant'
  | 'grant_reset'
  | 'stop_agent'
  | 'resume_agent';

const iso = (ms: number) => new Date(ms).toISOString();
const not = (error_code: string, message: string) => ({ ok: false, error_code, message }) as const;

/** The built-in agent, and every one that was ever made. */
function namesOf({ store }: EngineParts): string[] {
  const made = store.agents.list().map((row) => row.name);
  return [LOCAL_AGENT, ...made.filter((name) => name !== LOCAL_AGENT && name !== HOUSE_AGENT)];
}

export function isAgent(parts: EngineParts, name: string): boolean {
  return namesOf(parts).includes(name);
}

export function unknownAgent(parts: EngineParts, name: string) {
  return not('agent_unknown', `There is no agent "${name}". There are: ${namesOf(parts).join(', ')}.`);
}

function agentView(parts: EngineParts, name: string): AgentView {
  const { store } = parts;
  const row = store.agents.get(name);
  const grant = grantFrom(name, row?.grant ?? null);
  const base = name === LOCAL_AGENT ? 'built_in' : 'open';
  const [state, since, why] =
    row?.revoked_at != null
      ? (['revoked', row.revoked_at, null] as const)
      : row?.stopped != null
        ? (['stopped', row.stopped.at, row.stopped.how] as const)
        : row?.held != null
          ? (['held', row.held.at, row.held.why] as const)
          : ([base, null, null] as const);
  return {
    agent: name,
    state,
    state_since: since === null ? null : iso(since),
    state_why: why,
    read_only: grant.act_on.length === 0,
    created_at: row === null || row.created_at === 0 ? null : iso(row.created_at),
    task_id: store.tasks.openOf(name)?.task_id ?? null,
    waiting: store.commands.staged().filter((one) => one.agent === name && one.ending === null).length,
  };
}

function grantView(parts: EngineParts, name: string): GrantView {
  const stored = parts.store.agents.get(name)?.grant ?? null;
  const grant = grantFrom(name, stored);
  const over = isOver(grant, parts.clock.now());
  return { agent: name, grant, set: stored !== null, over, tools: over ? [] : listedTools(grant) };
}

/** What was shown under the old grant is forgotten at once. */
function forgetShown({ parts }: OrderCall, agent: string): void {
  parts.looks.forget(agent);
  parts.blobs.forget(agent);
}

/** A fresh token for the name; whoever used the one before is out at once. */
function withToken({ parts }: OrderCall, name: string, say: string) {
  const token = freshToken(parts.chance);
  parts.store.agents.setToken(name, keptOf(token), parts.clock.now());
  return { ok: true, say, agent: name, token } as const;
}

export const AGENT_ORDERS: { readonly [N in AgentOrder]: OrderCarrier<N> } = {
  agents: async (_params, { parts }) => {
    const items = namesOf(parts).map((name) => agentView(parts, name));
    return { ok: true, say: `${items.length} agents.`, items };
  },

  agent_add: async ({ name }, call) => {
    const known = call.parts.store.agents.get(name);
    if (known !== null && known.revoked_at === null && known.has_token)
      return not(
        'agent_exists',
        `There is an agent "${name}" already; \`countersign agent renew ${name}\` gives it another token.`,
      );
    return withToken(
      call,
      name,
      `Agent ${name} may look, and not act until you grant it. Its token is shown this once.`,
    );
  },

  agent_renew: async ({ name }, call) => {
    const known = call.parts.store.agents.get(name);
    if (known === null || name === LOCAL_AGENT) return unknownAgent(call.parts, name);
    return withToken(call, name, `Agent ${name} has another token, shown this once; the one before is over.`);
  },

  agent_revoke: async ({ name }, call) => {
    const { parts, settling, how } = call;
    const { store, clock } = parts;
    const row = store.agents.get(name);
    if (row === null || name === LOCAL_AGENT) return unknownAgent(parts, name);
    store.transaction(() => {
      store.agents.revoke(name, clock.now());
      store.rules.revoke({ agent: name }, `agent revoked (${how})`, clock.now());
    });
    parts.tracker.stopAgent(name);
    forgetShown(call, name);
    const task = store.tasks.openOf(name);
    if (task !== null) await settling.end(task, 'cancelled', null);
    return { ok: true, say: `Agent ${name} is out: its token, its grant and its rules are gone.` };
  },

  grants: async ({ agent }, { parts }) => {
    if (agent !== undefined && !isAgent(parts, agent)) return unknownAgent(parts, agent);
    const names = agent === undefined ? namesOf(parts) : [agent];
    return { ok: true, say: `${names.length} grants.`, items: names.map((name) => grantView(parts, name)) };
  },

  grant: async ({ agent, change }, call) => {
    const { parts } = call;
    const { store, clock, judging } = parts;
    if (!isAgent(parts, agent)) return unknownAgent(parts, agent);
    const before = grantFrom(agent, store.agents.get(agent)?.grant ?? null);
    const changed = changedGrant(before, change, {
      book: judging.book,
      devices: store.devices.list().map((device) => device.device_id),
      now: clock.now(),
    });
    if (!changed.ok) return not('grant_bad', changed.message);
    store.agents.setGrant(agent, changed.grant, clock.now());
    forgetShown(call, agent);
    return { ok: true, say: `The grant of ${agent} holds from now on.`, view: grantView(parts, agent) };
  },

  grant_reset: async ({ agent }, call) => {
    const { parts } = call;
    if (!isAgent(parts, agent)) return unknownAgent(parts, agent);
    parts.store.agents.setGrant(agent, null, parts.clock.now());
    forgetShown(call, agent);
    const view = grantView(parts, agent);
    const what = view.grant.act_on.length === 0 ? 'it may only look' : 'it may act on the virtual phone only';
    return { ok: true, say: `The grant of ${agent} is taken back: ${what}, as in the beginning.`, view };
  },

  stop_agent: async ({ agent }, { parts, how }) => {
    if (!isAgent(parts, agent)) return unknownAgent(parts, agent);
    stopAgent(parts, agent, how);
    return {
      ok: true,
      say: `Agent ${agent} is stopped: what waited is void, and nothing new begins until you resume it.`,
    };
  },

  resume_agent: async ({ agent }, { parts }) => {
    if (!isAgent(parts, agent)) return unknownAgent(parts, agent);
    const row = parts.store.agents.get(agent);
    if (row === null || (row.stopped === null && row.held === null))
      return not('agent_not_stopped', `Agent ${agent} is neither stopped nor held.`);
    parts.store.transaction(() => {
      const now = parts.clock.now();
      parts.store.agents.setStopped(agent, null, now);
      parts.store.agents.setHeld(agent, null, now);
      parts.store.agents.setDenials(agent, 0, now);
    });
    return { ok: true, say: `Agent ${agent} may act again.` };
  },
};
