/**
 * What the owner may order, by name: each with the shape of its question, checked, and the shape of its answer.
 * One table for command line, console and socket. Not for carrying one out (owner-orders.ts).
 */
import { z } from 'zod';
import { agentName } from './agent-names.ts';
import type { Grant } from './grants.ts';

const id = z.string().min(1).max(64);
const agent = z.string().min(1).max(64);
const count = (most: number) => z.int().min(1).max(most);
/** Wall clock, milliseconds since 1970. */
const moment = z.number().min(0).max(8.64e15);

export const ORDERS = {
  agents: z.strictObject({}),
  agent_add: z.strictObject({ name: agentName }),
  agent_renew: z.strictObject({ name: agent }),
  agent_revoke: z.strictObject({ name: agent }),
  grants: z.strictObject({ agent: agent.optional() }),
  /** Only what is named changes. */
  grant: z.strictObject({ agent, change: z.record(z.string(), z.unknown()) }),
  grant_reset: z.strictObject({ agent }),
  rules: z.strictObject({}),
  rule_revoke: z.strictObject({ rule_id: id }),
  /**
   * `digest`: what was shown when the owner said yes; another one is refused. `rule`: from now on the same goes
   * through without being asked about, until then, so many times.
   */
  approve: z.strictObject({
    confirmation_id: id,
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    rule: z.strictObject({ until: moment, times: count(1_000) }).optional(),
  }),
  deny_and_stop: z.strictObject({ confirmation_id: id }),
  stop_agent: z.strictObject({ agent }),
  /** Lifts the agent's stop and lets it go where it is held. */
  resume_agent: z.strictObject({ agent }),
  release_device: z.strictObject({ device_id: id }),
  questions: z.strictObject({}),
  answer: z.strictObject({ question_id: id, text: z.string().min(1).max(4_000) }),
  decline: z.strictObject({ question_id: id }),
  tasks: z.strictObject({ last: count(500) }),
  task_end: z.strictObject({ task_id: id }),
  /** The screen as it was when a request began to wait, its target marked; null where there is none. */
  picture: z.strictObject({ confirmation_id: id }),
  log_search: z.strictObject({
    text: z.string().max(200).optional(),
    agent: agent.optional(),
    tool: id.optional(),
    device_id: id.optional(),
    task_id: id.optional(),
    request_id: id.optional(),
    state: id.optional(),
    error_code: id.optional(),
    from: moment.optional(),
    to: moment.optional(),
    after: z.int().min(0).optional(),
    before: z.int().min(1).optional(),
    last: count(1_000),
  }),
  /** Whole traces: every row of a task, or a single row that belongs to none. */
  log_sample: z.strictObject({ count: count(100) }),
  /** The chain as it stands in the file, link by link. */
  log_links: z.strictObject({ after: z.int().min(0), most: count(1_000) }),
  log_verify: z.strictObject({}),
  log_cut: z.strictObject({ before: moment }),
} as const satisfies Record<string, z.ZodType>;

export type OrderName = keyof typeof ORDERS;
export type OrderParams<N extends OrderName> = z.output<(typeof ORDERS)[N]>;
export const isOrder = (name: string): name is OrderName => Object.hasOwn(ORDERS, name);

/** Done, with a sentence for the owner; or not, with a code and why. */
export type Ordered<T extends object = object> =
  | ({ readonly ok: true; readonly say: string } & T)
  | { readonly ok: false; readonly error_code: string; readonly message: string };

export interface AgentView {
  readonly agent: string;
  /** `built_in` has no token; `open` may ask; the others may not, or not act. */
  readonly state: 'built_in' | 'open' | 'revoked' | 'stopped' | 'held';
  readonly state_since: string | null;
  readonly state_why: string | null;
  readonly read_only: boolean;
  readonly created_at: string | null;
  readonly task_id: string | null;
  readonly waiting: number;
}

export interface GrantView {
  readonly agent: string;
  readonly grant: Grant;
  /** False: the owner said nothing yet. */
  readonly set: boolean;
  readonly over: boolean;
  /** Tools that are listed to the agent now. */
  readonly tools: readonly string[];
}

export interface RuleView {
  readonly rule_id: string;
  readonly agent: string;
  readonly device_id: string;
  readonly say: string;
  readonly state: 'live' | 'used_up' | 'over' | 'revoked';
  readonly used: number;
  readonly most: number;
  readonly until: string;
  readonly made_at: string;
  readonly made_how: string;
  readonly matches: {
    readonly tool: string;
    readonly package: string;
    readonly label: string;
    readonly role: string | null;
    readonly recipient: readonly string[] | null;
    readonly classes: readonly string[];
  };
}

export interface QuestionView {
  readonly question_id: string;
  readonly agent: string;
  readonly task_id: string;
  /** The agent's own words: to be framed as such. */
  readonly question: string;
  readonly warning: string | null;
  readonly asked_at: string;
  readonly expires_at: string;
}

export interface TaskView {
  readonly task_id: string;
  readonly agent: string;
  readonly state: string;
  readonly opened_at: string;
  readonly ended_at: string | null;
  readonly steps: number;
  /** The agent's own words. */
  readonly summary: string | null;
  /** Phones whose clipboard is still to be emptied. */
  readonly clipboards_owed: readonly string[];
}
