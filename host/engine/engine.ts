/**
 * What every door may ask of the engine: a tool call by an agent, and the owner's own acts. One
 * interface, so that MCP, command line, client library and console cannot differ. Not for how it is done.
 */
import type { Envelope } from '../../device-protocol/envelope.ts';
import type { ToolName } from '../../device-protocol/tools/tools.ts';
import type { AuditCheck, AuditLink } from '../store/rows.ts';
import type {
  AgentView,
  GrantView,
  Ordered,
  OrderName,
  OrderParams,
  QuestionView,
  RuleView,
  TaskView,
} from './orders.ts';

export type DoorName = 'mcp_stdio' | 'mcp_http' | 'cli' | 'library' | 'console';

/** Who calls. The identity was proven by the door (token, or the built-in `local`). */
export interface Caller {
  readonly agent: string;
  readonly door: DoorName;
  /** Names the token that proved it, so that one that was taken back or replaced counts no more. */
  readonly credential?: string | null | undefined;
}

export interface CallOptions {
  /** Ends the *wait* of this call; never the act itself. */
  readonly signal?: AbortSignal;
  /** Called while waiting, at most twice a second, with a sentence. */
  readonly onProgress?: (say: string) => void;
}

/** One staged request, as the owner sees it. Everything from the screen is untrusted text. */
export interface PendingView {
  readonly confirmation_id: string;
  readonly request_id: string;
  readonly digest: string;
  readonly agent: string;
  readonly device_id: string;
  readonly tool: string;
  readonly summary: string;
  readonly app: string | null;
  readonly window_title: string | null;
  readonly element: string | null;
  readonly typed_text: string | null;
  readonly reasons: readonly { class: string; language: string | null; match: string; where: string }[];
  readonly staged_at: string;
  readonly expires_at: string;
  /** Everything its window showed, in reading order: recipient, amounts, states. Compared again before it runs. */
  readonly screen: readonly string[];
  /** A picture can be had with the order `picture`. */
  readonly has_picture: boolean;
  /** Whether a yes may be made a standing rule; else why not. */
  readonly rule: { readonly possible: boolean; readonly why_not: string | null };
  readonly task_id: string | null;
}

export type OwnerAnswer =
  | { readonly ok: true; readonly say: string; readonly state: string; readonly request_id: string }
  | { readonly ok: false; readonly error_code: string; readonly message: string };

export interface DeviceView {
  readonly device_id: string;
  readonly model: string | null;
  readonly kind: 'virtual' | 'android' | 'jvm' | null;
  readonly health: 'ready' | 'limited' | 'not_ready';
  readonly facts: readonly { code: string; say: string }[];
  readonly last_seen_at: string | null;
}

/** One row of the audit, oldest first; a value that is missing is null. */
export interface LogEntry {
  readonly number: number;
  readonly at: string;
  readonly agent: string;
  readonly door: string;
  readonly tool: string;
  readonly kind: string;
  readonly device_id: string | null;
  readonly request_id: string | null;
  readonly arguments: Record<string, unknown>;
  readonly task_id: string | null;
  readonly schema_version: number;
  readonly verdict: string | null;
  readonly reasons: readonly { class: string; language: string | null; match: string; where: string }[];
  readonly approval: unknown;
  readonly strategy: string | null;
  readonly target: unknown;
  readonly bytes_out: number | null;
  readonly tokens_out: number | null;
  readonly retries: number | null;
  /** The answer of an earlier call with the same key. */
  readonly replayed: boolean | null;
  readonly state: string | null;
  readonly error_code: string | null;
  readonly duration_ms: number | null;
  readonly say: string;
}

/** What a check of the log found. */
export type OwnerCheck = AuditCheck;

export interface Owner {
  devices(): DeviceView[];
  pending(): PendingView[];
  approve(confirmationId: string, how: string): Promise<OwnerAnswer>;
  deny(confirmationId: string, how: string): Promise<OwnerAnswer>;
  stop(how: string): Promise<OwnerAnswer>;
  resume(how: string): Promise<OwnerAnswer>;
  log(filter: { readonly last?: number; readonly requestId?: string }): LogEntry[];
  verifyLog(): AuditCheck;
  /** Everything else the owner may ask or order, by name; parameters that do not fit are an answer, never a throw. */
  order<N extends OrderName>(name: N, params: OrderParams<N>, how: string): Promise<OrderAnswer<N>>;
}

/** What each order answers. */
export interface OrderAnswers {
  agents: Ordered<{ readonly items: readonly AgentView[] }>;
  agent_add: Ordered<{ readonly agent: string; readonly token: string }>;
  agent_renew: Ordered<{ readonly agent: string; readonly token: string }>;
  agent_revoke: Ordered;
  grants: Ordered<{ readonly items: readonly GrantView[] }>;
  grant: Ordered<{ readonly view: GrantView }>;
  grant_reset: Ordered<{ readonly view: GrantView }>;
  rules: Ordered<{ readonly items: readonly RuleView[] }>;
  rule_revoke: Ordered;
  approve: Ordered<{ readonly state: string; readonly request_id: string; readonly rule_id: string | null }>;
  deny_and_stop: Ordered<{ readonly state: string; readonly request_id: string }>;
  stop_agent: Ordered;
  resume_agent: Ordered;
  release_device: Ordered;
  questions: Ordered<{ readonly items: readonly QuestionView[] }>;
  answer: Ordered;
  decline: Ordered;
  tasks: Ordered<{ readonly items: readonly TaskView[] }>;
  task_end: Ordered<{ readonly settled: readonly { readonly request_id: string; readonly state: string }[] }>;
  picture: Ordered<{
    readonly picture: { readonly content_type: string; readonly base64: string } | null;
  }>;
  log_search: Ordered<{ readonly items: readonly LogEntry[] }>;
  log_sample: Ordered<{
    readonly traces: readonly { readonly task_id: string | null; readonly rows: readonly LogEntry[] }[];
  }>;
  log_links: Ordered<{ readonly items: readonly AuditLink[] }>;
  log_verify: Ordered<{ readonly check: AuditCheck }>;
  log_cut: Ordered<{ readonly calls: number; readonly up_to: number }>;
}
export type OrderAnswer<N extends OrderName> = OrderAnswers[N];

export interface Engine {
  /** Whose token this is; null: nobody's, or taken back. Asked again for every request of a door that can. */
  callerOf(token: string, door: DoorName): Caller | null;
  /** Tools to list for this agent: those its grant allows, in the stable order of the declarations. */
  tools(caller: Caller): readonly ToolName[];
  /** Never throws and never rejects: every failure is an envelope. */
  call(caller: Caller, tool: string, args: unknown, options?: CallOptions): Promise<Envelope>;
  /** A picture an answer referred to; null where it is not kept any longer, or was never this agent's. */
  blob(caller: Caller, uri: string): { readonly contentType: string; readonly base64: string } | null;
  readonly owner: Owner;
}
