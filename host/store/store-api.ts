/**
 * What may be asked of the store. Every method is synchronous; when one that writes returns, the write is
 * on the disk (`synchronous=FULL`), unless it runs inside `transaction`, which is then one commit.
 */
import type { CommandEvent } from '../../device-protocol/command-table.ts';
import type {
  AuditCheck,
  AuditCompletion,
  AuditOpening,
  AuditRow,
  CommandRow,
  DeviceMemory,
  DeviceRow,
} from './rows.ts';

/** What a move may write beside the state. */
export type CommandPatch = Partial<
  Pick<
    CommandRow,
    | 'seal_flag'
    | 'ending'
    | 'sent_at'
    | 'error_code'
    | 'refusal'
    | 'report'
    | 'decided_by'
    | 'decided_at'
    | 'decided_how'
    | 'approved_digest'
    | 'approval_signature'
  >
>;

export interface CommandsApi {
  /** A new row in state `received`, with the device's next `seq`. Throws on a used (agent, device, key). */
  insert(row: Omit<CommandRow, 'state' | 'final_at' | 'updated_at' | 'born_in'>): CommandRow;
  /** Gives the next `seq` of this phone (within the same transaction as `insert`). */
  takeSeq(deviceId: string): number;
  get(requestId: string): CommandRow | null;
  byConfirmation(confirmationId: string): CommandRow | null;
  byKey(agent: string, deviceId: string, key: string): CommandRow | null;
  /** Not final, oldest first; of one phone or of all. */
  open(deviceId?: string): CommandRow[];
  staged(): CommandRow[];
  /** Newest first. */
  recent(filter: {
    readonly agent?: string;
    readonly device_id?: string;
    readonly task_id?: string;
    readonly last: number;
  }): CommandRow[];
  /**
   * The one function that moves: by the command table, only from the state the row is in. Null where the
   * table has no such move: nothing was written. A final state erases payload and display.
   */
  move(requestId: string, event: CommandEvent, patch: CommandPatch, at: number): CommandRow | null;
  /** Writes beside the state, on a row that is not final. */
  patch(requestId: string, patch: CommandPatch, at: number): CommandRow;
  /** Every lower `seq` of this phone is final here. Staged requests count as open. */
  settledBelow(deviceId: string): number;
  /** Forgets final rows created before `before` (requests and keys live 30 days). Answers how many. */
  prune(before: number): number;
}

export interface DevicesApi {
  /** Creates or re-keys; the secret is 64 hex digits. */
  register(deviceId: string, secret: string, at: number): void;
  get(deviceId: string): DeviceRow | null;
  list(): DeviceRow[];
  secret(deviceId: string): string | null;
  remember(deviceId: string, memory: DeviceMemory): void;
  /** Facts from hello, and that it was seen. */
  seen(
    deviceId: string,
    facts: {
      readonly model: string;
      readonly kind: 'virtual' | 'android' | 'jvm';
      readonly companion_version: string;
      readonly locale: string | null;
    } | null,
    at: number,
  ): void;
  /** Never lowers it. */
  raiseSeq(deviceId: string, seq: number): void;
  setTurnedBack(deviceId: string, at: number | null): void;
  setResumeOwed(deviceId: string, owed: boolean): void;
}

export interface AuditApi {
  /** Throws where it cannot be written: then the act must not happen. */
  open(opening: AuditOpening): number;
  complete(number: number, completion: AuditCompletion): void;
  /**
   * As `complete`, but written with the next commit of anything, which saves a sync an act. Whoever uses it
   * calls `flush` soon after (a timer of 50 ms, say); reading the log and `close` flush by themselves. What
   * a kill takes in between shows as a call that was cut before it could be completed.
   */
  completeSoon(number: number, completion: AuditCompletion): void;
  flush(): void;
  /** Oldest first. */
  list(filter: { readonly last?: number; readonly requestId?: string }): AuditRow[];
  verify(): AuditCheck;
  /** How many links and the last checksum: what a witness elsewhere may keep. */
  head(): { readonly length: number; readonly chain: string };
}

export interface SettingsApi {
  /** Null where nothing was ever set. The value is JSON. */
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

export interface CountersApi {
  /** The next number of this phone's counter, never given twice, restarts included. Handed out in blocks. */
  next(deviceId: string, name: 'ref' | 'observation'): number;
}

export interface IdentityApi {
  readonly host_id: string;
  /** PEM of the self-signed certificate and its key; null until `setTls`. */
  tls(): { readonly key: string; readonly cert: string } | null;
  setTls(key: string, cert: string): void;
}

export interface StoreApi {
  /** This opening of the store: rows born in another life are asked about before they end (rule 3). */
  readonly life: string;
  readonly identity: IdentityApi;
  readonly devices: DevicesApi;
  readonly commands: CommandsApi;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  readonly counters: CountersApi;
  /** One commit for everything inside, or nothing of it. Nests. Must not be async. */
  transaction<T>(work: () => T): T;
  /** Overwrites what was erased: empties the write-ahead log (D-68). */
  scrub(): void;
  /** The whole database's bytes, as of the last commit. */
  serialize(): Uint8Array;
  close(): void;
}

/** Why a store could not be opened. */
export class StoreError extends Error {
  readonly code: 'store_in_use' | 'store_newer' | 'store_damaged' | 'store_not_durable';
  constructor(code: 'store_in_use' | 'store_newer' | 'store_damaged' | 'store_not_durable', message: string) {
    super(message);
    this.code = code;
  }
}
