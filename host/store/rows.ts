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
}

/** Written after the act; everything missing is null. */
export interface AuditCompletion {
  readonly at: number;
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
}

export interface AuditRow extends AuditOpening {
  readonly number: number;
  /** Null: the call was cut before it could be completed. */
  readonly completion: AuditCompletion | null;
}

export interface AuditCheck {
  readonly ok: boolean;
  /** Links of the chain, openings and completions counted alike. */
  readonly rows: number;
  readonly first_bad: number | null;
  readonly say: string;
}
