/** What the store keeps, as values. Not for how it is kept (schema.ts) or moved (host/engine/tracker). */
import type { CommandState } from '../../device-protocol/command-table.ts';
import type { Report } from '../../device-protocol/report.ts';
import type { HostMemory } from '../../device-protocol/turned-back.ts';
import type { Verdict } from '../../device-protocol/verdict.ts';

/** All times are wall clock, milliseconds since 1970, unless the name says otherwise. */
export interface CommandRow {
  readonly request_id: string;
  readonly device_id: string;
  readonly agent: string;
  readonly tool: string;
  readonly idempotency_key: string;
  /** SHA-256 of the normalised arguments without key and presentation. */
  readonly args_hash: string;
  /** Groups an agent's acts into one task; null where the caller gave none. */
  readonly task_id: string | null;

  /* bound in the digest (device-protocol/request.ts) */
  /** Null once the request is final: the bytes are erased. */
  readonly payload: string | null;
  readonly payload_sha256: string;
  readonly host_id: string;
  readonly seq: number;
  readonly ledger_id: string;
  readonly boot_id: string;
  readonly not_after: number;
  readonly stop_counter: number;
  readonly key_hash: string;
  readonly digest: string;

  readonly state: CommandState;
  /** The store's life (one per process) that created the row: rule 3. */
  readonly born_in: string;
  /** Set durably before the first seal leaves; from then on it is never submitted again. */
  readonly seal_flag: boolean;
  /** A staged row found at start that was denied, expired, withdrawn or refused, until the phone sealed it. */
  readonly ending: 'deny' | 'expire' | 'cancel' | 'refuse' | null;
  /** The call's own time, milliseconds; starts again at approval. */
  readonly timeout_ms: number;
  readonly sent_at: number | null;
  /** A code of errors.ts: why it did not run or did not act; null where it is not known or not needed. */
  readonly error_code: string | null;
  /** The phone's own word for why it refused or was interrupted, as it came. */
  readonly refusal: string | null;
  readonly report: Report | null;
  readonly verdict: Verdict;
  /** What the owner's prompt shows and the outcome repeats; opaque to store and tracker. Erased when final. */
  readonly display: unknown;
  /** Small facts that survive being final (label, role, app of the target); opaque to store and tracker. */
  readonly lasting: unknown;

  readonly confirmation_id: string | null;
  readonly expires_at: number | null;
  readonly decided_by: string | null;
  readonly decided_at: number | null;
  readonly decided_how: string | null;
  /** The digest the owner saw; compared again before sending (D-43). */
  readonly approved_digest: string | null;
  readonly approval_signature: string | null;

  readonly created_at: number;
  readonly updated_at: number;
  readonly final_at: number | null;
}

/** What is remembered of a phone between sessions (protocol.md, "Time turned back"). */
export interface DeviceRow {
  readonly device_id: string;
  readonly model: string | null;
  readonly kind: 'virtual' | 'android' | 'jvm' | null;
  readonly companion_version: string | null;
  readonly locale: string | null;
  /** Highest `seq` this host gave for this phone. */
  readonly last_seq: number;
  readonly memory: DeviceMemory | null;
  /** The phone knew a higher `seq` than we did: nothing acts until the owner said so (rule 5). */
  readonly turned_back_at: number | null;
  /** The owner lifted the stop while the phone was away: it still has to be told. */
  readonly resume_owed: boolean;
  readonly paired_at: number;
  readonly last_seen_at: number | null;
}

/** Remembered of the newest session, for finding out that ledger, clock or boot were turned back. */
export type DeviceMemory = HostMemory;

/** One who may ask. The token itself is nowhere: only what it hashes to. */
export interface AgentRow {
  readonly name: string;
  /** Names the present token without telling it; null where there is none. */
  readonly credential: string | null;
  readonly has_token: boolean;
  /** As the owner wrote it; null: nothing was said, the default holds. Opaque to the store. */
  readonly grant: unknown;
  readonly created_at: number;
  readonly revoked_at: number | null;
  /** The owner's latched stop of this agent alone. */
  readonly stopped: { readonly at: number; readonly how: string } | null;
  /** Held until the owner lets go: it asked for what was denied too often. */
  readonly held: { readonly at: number; readonly why: string } | null;
  /** Denials since the owner last said yes or let go. */
  readonly denials: number;
}

export const TASK_OUTCOMES = ['done', 'failed', 'cancelled', 'lapsed'] as const;

export interface TaskRow {
  readonly task_id: string;
  readonly agent: string;
  readonly opened_at: number;
  /** From here on nothing new belongs to it. */
  readonly ended_at: number | null;
  /** `lapsed`: nobody ended it, and nothing came for long. */
  readonly outcome: (typeof TASK_OUTCOMES)[number] | null;
  /** The agent's own words on how it ended. */
  readonly say: string | null;
  /** Everything that was open at its end is settled, clipboards included. */
  readonly settled_at: number | null;
  /** Phones whose clipboard still holds what this task put there. */
  readonly clipboards: readonly string[];
}

export interface QuestionRow {
  readonly question_id: string;
  readonly agent: string;
  readonly task_id: string;
  readonly question: string;
  /** What the owner should beware of; null where nothing speaks for it. */
  readonly warning: string | null;
  readonly state: 'waiting' | 'answered' | 'declined' | 'withdrawn' | 'expired';
  readonly asked_at: number;
  readonly expires_at: number;
  /** Erased when the task is settled. */
  readonly answer: string | null;
  readonly ended_at: number | null;
  readonly ended_how: string | null;
  /** When the answer was first handed to the agent. */
  readonly told_at: number | null;
}

/** What a standing rule fits; every field must be equal, `classes` may be fewer. */
export interface RuleMatches {
  readonly tool: string;
  readonly package: string;
  /** The element's words and kind, as shown. */
  readonly label: string;
  readonly role: string | null;
  /** Title and headings of the window: they name who gets what is sent. Null: not bound to them. */
  readonly recipient: readonly string[] | null;
  /** Reasons the owner saw: others are asked about again. */
  readonly classes: readonly string[];
}

export interface RuleRow {
  readonly rule_id: string;
  readonly agent: string;
  readonly device_id: string;
  readonly matches: RuleMatches;
  readonly until: number;
  readonly most: number;
  readonly used: number;
  readonly made_at: number;
  readonly made_how: string;
  readonly revoked_at: number | null;
  readonly revoked_how: string | null;
}

/** When something was written by the computer's own running time, which no setting of the clock changes. */
export interface RunningTime {
  /** Names the run of the host. */
  readonly life: string;
  readonly up_ms: number;
}

/** Written before the act. `arguments` are already redacted: the store writes what it is given. */
export interface AuditOpening {
  readonly at: number;
  readonly agent: string;
  readonly door: string;
  readonly tool: string;
  readonly kind: string;
  readonly schema_version: number;
  readonly task_id: string | null;
  readonly device_id: string | null;
  readonly arguments: Record<string, unknown>;
  readonly running?: RunningTime;
}

/** Written after the act; everything missing is null. */
export interface AuditCompletion {
  readonly at: number;
  /** The task it belongs to, known only now where this very call opened it. */
  readonly task_id?: string | null;
  readonly request_id: string | null;
  readonly state: string | null;
  readonly error_code: string | null;
  readonly verdict: Verdict | null;
  readonly approval: unknown;
  readonly strategy: string | null;
  readonly target: unknown;
  readonly duration_ms: number | null;
  readonly bytes_out: number | null;
  readonly tokens_out: number | null;
  readonly retries: number | null;
  readonly replayed: boolean | null;
  readonly say: string;
  readonly running?: RunningTime;
}

export interface AuditRow extends AuditOpening {
  readonly number: number;
  /** Null: the call was cut before it could be completed. */
  readonly completion: AuditCompletion | null;
}

/** What is looked for in the log; everything given must fit. */
export interface AuditFilter {
  readonly agent?: string;
  readonly tool?: string;
  readonly device_id?: string;
  readonly task_id?: string;
  readonly request_id?: string;
  readonly state?: string;
  readonly error_code?: string;
  /** Words, in any order, in any of the texts of the row; case and accents do not matter. */
  readonly text?: string;
  /** Wall clock, milliseconds since 1970; from inclusive, to exclusive. */
  readonly from?: number;
  readonly to?: number;
  /** Only rows with a higher, or lower, number: to go on from page to page. */
  readonly after?: number;
  readonly before?: number;
  /** At most this many: the newest, or with `after` the oldest of what fits. */
  readonly last: number;
}

/** One link of the chain as it stands in the file, for a check by somebody else. */
export interface AuditLink {
  readonly position: number;
  readonly call: number;
  readonly part: string;
  readonly request_id: string | null;
  readonly body: string;
  readonly chain: string;
}

export const FINDINGS = ['edited', 'missing', 'reordered', 'cut_end', 'clock', 'witness', 'cut'] as const;

export interface AuditFinding {
  /**
   * `edited`, `missing`, `reordered`, `cut_end`: the chain. `clock`: written by a clock that was set back.
   * `witness`: a phone remembers another log. `cut`: removed from the start without the owner's word.
   */
  readonly kind: (typeof FINDINGS)[number];
  /** The link of the chain where it shows first. */
  readonly entry: number;
  /** The call that link belongs to, where it can be said. */
  readonly call: number | null;
  readonly say: string;
}

/** What somebody outside the host remembers of the log: how long it was, and the checksum at that length. */
export interface AuditWitness {
  readonly who: string;
  readonly length: number;
  readonly chain: string;
}

export interface AuditCheck {
  readonly ok: boolean;
  /** Links of the chain, openings and completions counted alike; cut ones are not there any more. */
  readonly rows: number;
  readonly first_bad: number | null;
  readonly say: string;
  /** At most 50, in the order of the log. */
  readonly findings: readonly AuditFinding[];
  /** Whose memory of the log was compared. */
  readonly witnesses: readonly string[];
}
