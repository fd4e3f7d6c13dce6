/** What may be asked of the tracker, and what it answers. Not for how (tracker.ts). */
import type { Report } from '../../../device-protocol/report.ts';
import type { Snapshot } from '../../../device-protocol/snapshot.ts';
import type { Verdict } from '../../../device-protocol/verdict.ts';
import type { CommandRow } from '../../store/rows.ts';

export interface BindInput {
  readonly device_id: string;
  readonly agent: string;
  readonly tool: string;
  readonly idempotency_key: string;
  readonly args_hash: string;
  readonly task_id?: string | null;
  /** JSON text of device-protocol/payload.ts, made once; these exact bytes are hashed, stored and run. */
  readonly payload: string;
  readonly verdict: Verdict;
  /** The call's time, milliseconds; `not_after` follows from it (rule 13). */
  readonly timeout_ms: number;
  readonly decision: /**
   * `at_once`: bound, stored and marked as sent in one commit, one sync fewer. Only for a caller that calls
   * `run` in the same turn: what stands in the way by then is sealed instead of refused.
   */
    | {
        readonly to: 'ready';
        readonly at_once?: boolean;
        /** A yes that was given beforehand: a standing rule, a profile. The phone is shown it as an approval. */
        readonly approved?: { readonly by: string; readonly how: string };
      }
    | { readonly to: 'staged'; readonly confirmation_life_ms: number }
    | { readonly to: 'refused'; readonly error_code: string };
  /** Shown to the owner; erased when final. */
  readonly display: unknown;
  /** Kept for ever; put nothing secret here. */
  readonly lasting: unknown;
}

/** Why nothing was stored: no key is taken. Codes of errors.ts. */
export type NotBound = {
  readonly ok: false;
  readonly error_code:
    | 'device_offline'
    | 'stopped'
    | 'host_turned_back'
    | 'key_conflict'
    | 'text_not_unicode';
  readonly row: CommandRow | null;
};
export type Bound =
  | {
      readonly ok: true;
      readonly row: CommandRow /** An earlier request of the same key. */;
      readonly replayed: boolean;
    }
  | NotBound;

export type KeyLookup =
  | { readonly kind: 'new' }
  | { readonly kind: 'same'; readonly row: CommandRow }
  | { readonly kind: 'conflict'; readonly row: CommandRow };

export interface Followed {
  readonly row: CommandRow;
  /** The screen right after the act, only for whoever was waiting when the record came. */
  readonly snapshot: Snapshot | null;
}

export type Decided =
  | { readonly ok: true; readonly row: CommandRow }
  | {
      readonly ok: false;
      /**
       * `request_unknown`: no such confirmation. `already_decided`: the row tells how. `approval_expired`,
       * `stopped`, `host_turned_back`: nothing moved.
       */
      readonly error_code:
        | 'request_unknown'
        | 'already_decided'
        | 'approval_expired'
        | 'stopped'
        | 'host_turned_back';
      readonly row: CommandRow | null;
    };

/** Looked at again right before bytes are handed to a socket (rule 13): grants, deny lists. */
export type Recheck = (row: CommandRow) => string | null;

/** What of a report is stored for good: what its agent may not see stays out of the file. */
export type Kept = (row: CommandRow, report: Report) => Report;

export interface TrackerApi {
  /** Recovers what an earlier life of the host left, and listens to the links. Call once. */
  start(): void;
  findByKey(agent: string, deviceId: string, key: string, argsHash: string): KeyLookup;
  /** Binds and stores: when this returns ok, the row is durable. Never sends. */
  bind(input: BindInput): Bound;
  /**
   * Carries a ready row to its end: sends, waits, seals at the deadline. `signal` and `timeoutMs` end the
   * wait of this caller; the request itself lives by its own deadline. A final or running row is
   * followed, never run again.
   */
  run(requestId: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<Followed>;
  /** Waits until the row is final, at most `ms`. Never runs anything. Null: no such row. */
  wait(requestId: string, ms: number, signal?: AbortSignal): Promise<Followed | null>;
  /** The owner's yes to exactly the digest shown: the row is ready and on its way when this returns. */
  approve(confirmationId: string, by: string, how: string, signature?: string | null): Decided;
  deny(confirmationId: string, by: string, how: string): Decided;
  /** The agent's withdrawal: what waits is cancelled, what may be on its way is sealed. Null: no such row. */
  withdraw(requestId: string): CommandRow | null;
  /** Ends staged rows whose confirmation is over. Also done by itself, by timer. */
  expireDue(): void;
  /** The owner's latched stop: voids staged and ready, seals what was sent, tells every phone. */
  stopAll(how: string): void;
  /** Ends everything open of one agent: voids what waits, seals what may be under way. The latch is the caller's. */
  stopAgent(agent: string): void;
  /** Only the owner: lifts the stop, on phones that are away as soon as they are back. */
  resumeAll(how: string): void;
  stopped(): { readonly at: number; readonly how: string } | null;
  /** The owner's word that a restored host may act again on this phone (rule 5). */
  acceptTurnedBack(deviceId: string): void;
  /** Ends timers and waits; sends nothing. Open rows are taken up at the next start. */
  close(): void;
}
