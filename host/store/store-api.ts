/**
 * What may be asked of the store. Every method is synchronous; when one that writes returns, the write is
 * on the disk (`synchronous=FULL`), unless it runs inside `transaction`, which is then one commit.
 */
import type { CommandEvent } from '../../device-protocol/command-table.ts';
import type {
  AgentRow,
  AuditCheck,
  AuditCompletion,
  AuditFilter,
  AuditLink,
  AuditOpening,
  AuditRow,
  AuditWitness,
  CommandRow,
  DeviceMemory,
  DeviceRow,
  QuestionRow,
  RuleRow,
  TaskRow,
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
  /** Every command of a task, oldest first. */
  ofTask(taskId: string): CommandRow[];
  countOfTask(taskId: string): number;
  /** How many commands of this agent were made since `since`, and when the oldest of them was. */
  madeSince(agent: string, since: number): { readonly count: number; readonly oldest: number | null };
  /** The newest command of any task on this phone; null where there never was one. */
  newestOn(deviceId: string): CommandRow | null;
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
  /** Oldest first, at most `filter.last`. */
  search(filter: AuditFilter): AuditRow[];
  /** Ids of tasks that stand in the log, newest first. */
  taskIds(): string[];
  /** Links after `position`, at most `most`, as they stand in the file. */
  links(position: number, most: number): AuditLink[];
  /**
   * Follows the chain from its start, or its last cut, and compares it with what witnesses remember. Without
   * `now` (wall clock) rows that are dated in the future are not looked for.
   */
  verify(witnesses?: readonly AuditWitness[], now?: number): AuditCheck;
  /** Where a cut that keeps everything since `before` would fall; null where nothing may go. */
  cutPoint(before: number): AuditCutPoint | null;
  /** Removes what lies before the point. The owner's word for it must stand in the log already. */
  cut(point: AuditCutPoint, at: number): void;
  /** How many links and the last checksum, as of the last commit: what a witness elsewhere may keep. */
  head(): { readonly length: number; readonly chain: string };
}

/** A place in the log before which every call is complete. */
export interface AuditCutPoint {
  /** The last link that goes, and its checksum, from which the rest goes on. */
  readonly up_to: number;
  readonly chain: string;
  /** Calls that go. */
  readonly calls: number;
  /** Number of the first call that stays. */
  readonly next_call: number;
}

export interface AgentsApi {
  get(name: string): AgentRow | null;
  byTokenHash(hash: string): AgentRow | null;
  list(): AgentRow[];
  /** Makes the agent, or gives it another token; the one before ends with that. */
  setToken(name: string, token: { readonly hash: string; readonly credential: string }, at: number): void;
  /** Its token and grant are gone; the name stays known. */
  revoke(name: string, at: number): void;
  /** Null: back to the default. */
  setGrant(name: string, grant: unknown, at: number): void;
  setStopped(name: string, stopped: AgentRow['stopped'], at: number): void;
  setHeld(name: string, held: AgentRow['held'], at: number): void;
  setDenials(name: string, count: number, at: number): void;
}

export interface TasksApi {
  get(taskId: string): TaskRow | null;
  openOf(agent: string): TaskRow | null;
  lastOf(agent: string): TaskRow | null;
  /** Newest first. */
  recent(last: number): TaskRow[];
  /** Open ones, and ended ones that are not settled yet. */
  unsettled(): TaskRow[];
  /** Throws where the agent has an open one. */
  open(taskId: string, agent: string, at: number): TaskRow;
  /** The first end stays. */
  end(taskId: string, outcome: NonNullable<TaskRow['outcome']>, say: string | null, at: number): TaskRow;
  settled(taskId: string, at: number): void;
  /** Forgets settled tasks, and their questions, that were opened before `before`. Answers how many. */
  prune(before: number): number;
  setClipboards(taskId: string, deviceIds: readonly string[]): void;
}

export interface QuestionsApi {
  get(questionId: string): QuestionRow | null;
  /** Oldest first; of one agent or of all. */
  waiting(agent?: string): QuestionRow[];
  ofTask(taskId: string): QuestionRow[];
  insert(
    row: Pick<
      QuestionRow,
      'question_id' | 'agent' | 'task_id' | 'question' | 'warning' | 'asked_at' | 'expires_at'
    >,
  ): QuestionRow;
  /** Null where it does not wait any longer: nothing was written. */
  end(
    questionId: string,
    state: Exclude<QuestionRow['state'], 'waiting'>,
    answer: string | null,
    how: string,
    at: number,
  ): QuestionRow | null;
  /** The answer was handed over; the first time counts. */
  told(questionId: string, at: number): void;
  forgetAnswers(taskId: string): void;
}

export interface RulesApi {
  get(ruleId: string): RuleRow | null;
  list(): RuleRow[];
  /** Those that may still be used, oldest first. */
  live(agent: string, deviceId: string, now: number): RuleRow[];
  insert(row: Omit<RuleRow, 'used' | 'revoked_at' | 'revoked_how'>): RuleRow;
  /** Counts one use; false where there is none left, and nothing was written. */
  spend(ruleId: string, now: number): boolean;
  /** Answers how many were live. */
  revoke(which: { readonly rule_id: string } | { readonly agent: string }, how: string, at: number): number;
}

export interface PicturesApi {
  /** False where the request waits no longer, or has one: nothing was stored. */
  put(requestId: string, contentType: string, bytes: Uint8Array): boolean;
  get(requestId: string): { readonly contentType: string; readonly bytes: Uint8Array } | null;
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
  readonly agents: AgentsApi;
  readonly tasks: TasksApi;
  readonly questions: QuestionsApi;
  readonly rules: RulesApi;
  readonly pictures: PicturesApi;
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
