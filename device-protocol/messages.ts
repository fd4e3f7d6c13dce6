/**
 * Every message on the link, both ways, one schema each. Order and meaning: PROTOCOL.md. Not for the
 * phone's screen (snapshot.ts) or the action (payload.ts), which these carry.
 */
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { RECORD_STATES } from './record-table.ts';
import { reportSchema } from './report.ts';
import { counter, hex128, hex256, requestSchema } from './request.ts';
import { snapshotSchema } from './snapshot.ts';

/** Where a journal stands: entries ever written (never falls) and the chained checksum after the last. */
export const headSchema = z.strictObject({ length: counter, chain: hex256 });
export type Head = z.infer<typeof headSchema>;

const deviceId = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/);

/* ---- before the session: nothing but these is answered ---- */

export const dialSchema = z.strictObject({
  type: z.literal('dial'),
  protocol: z.int(),
  device_id: deviceId,
  nonce: hex256,
});
export const challengeSchema = z.strictObject({
  type: z.literal('challenge'),
  protocol: z.int(),
  host_id: hex128,
  nonce: hex256,
});
export const proofSchema = z.strictObject({ type: z.literal('proof'), proof: hex256 });
/** The host's own proof, and what it remembers of this phone's ledger (rule 4). */
export const proofBackSchema = z.strictObject({
  type: z.literal('proof_back'),
  proof: hex256,
  remembered: z.strictObject({ ledger_id: hex128, length: counter }).nullable(),
});
export const helloSchema = z.strictObject({
  type: z.literal('hello'),
  ledger_id: hex128,
  boot_id: hex128,
  elapsed_ms: z.number().min(0),
  head: headSchema,
  /** Chain value at the length the host remembers; null when the ledger is shorter, or another one. */
  chain_at_remembered: hex256.nullable(),
  last_session: counter,
  stop_counter: counter,
  /** Why the phone is stopped now; null when it is not. */
  stopped_by: z.enum(['owner_on_phone', 'host']).nullable(),
  /** Highest `seq` this ledger ever saw from this host. */
  highest_seq: counter,
  /** The newest head of this host's log that a request carried here; null or absent where none did. */
  audit_head: headSchema.nullable().optional(),
  pruned_mark: counter,
  /** Emulators: snapshots can bring back ledger, clock and boot together. */
  can_be_turned_back: z.boolean(),
  companion: z.strictObject({ version: z.string().max(40), kind: z.enum(['virtual', 'android', 'jvm']) }),
  phone: z.strictObject({
    model: z.string().max(100),
    android: z.string().max(40).nullable(),
    sdk: z.int().nullable(),
    serial: z.string().max(100).nullable(),
    locale: z.string().max(35).nullable(),
  }),
});
/** The host's number for this session, above every earlier one of this ledger. */
export const sessionSchema = z.strictObject({
  type: z.literal('session'),
  session: counter,
  settled_below: counter,
  /** The host found that ledger or clock were turned back: a new ledger must begin. */
  ledger_rolled_back: z.boolean(),
});
export const readySchema = z.strictObject({
  type: z.literal('ready'),
  session: counter,
  ledger_id: hex128,
  boot_id: hex128,
  /** As of now: the owner may have pressed stop, or lifted it, since the hello. */
  stop_counter: counter,
  stopped_by: z.enum(['owner_on_phone', 'host']).nullable(),
  head: headSchema,
});

/* ---- host to companion, in a session ---- */

export const submitSchema = z.strictObject({
  type: z.literal('submit'),
  request: requestSchema,
  /** The owner's approval for a staged request; the phone checks it again. */
  approval: z
    .strictObject({
      by: z.string().max(64),
      request_digest: hex256,
      signature: z.string().max(4_000).nullable(),
    })
    .nullable(),
  settled_below: counter,
  /** Where the host's log stands: kept with the record, so that a log that was cut or rewritten shows. */
  audit_head: headSchema.optional(),
});
const idAndSeq = z.strictObject({ request_id: hex128, seq: counter });
export const statusSchema = z.strictObject({
  type: z.literal('status'),
  ask: counter,
  ids: z.array(idAndSeq).min(1).max(LIMITS.statusIds),
  settled_below: counter,
});
export const sealSchema = z.strictObject({
  type: z.literal('seal'),
  request_id: hex128,
  host_id: hex128,
  seq: counter.min(1),
  ledger_id: hex128,
  boot_id: hex128,
  /** As in the request: a tombstone may be pruned after it, like any other record. */
  not_after: counter,
  digest: hex256,
});
/** Ask for a fresh snapshot. Never runs anything. */
export const lookSchema = z.strictObject({
  type: z.literal('look'),
  look: counter,
  /** Wait until the screen rests, at most this long; 0 looks at once. */
  settle_ms: z.int().min(0).max(LIMITS.runLimitMs),
  screenshot: z.boolean(),
});
/** Apps that can be opened. Never runs anything. */
export const listAppsSchema = z.strictObject({ type: z.literal('list_apps'), look: counter });
export const readClipboardSchema = z.strictObject({ type: z.literal('read_clipboard'), look: counter });
export const stopSchema = z.strictObject({ type: z.literal('stop') });
export const resumeSchema = z.strictObject({ type: z.literal('resume'), stop_counter: counter });
export const pingSchema = z.strictObject({ type: z.literal('ping'), settled_below: counter });

/* ---- companion to host, in a session ---- */

/** What cut a started act: its effect cannot be known. */
export const INTERRUPTIONS = [
  /** The companion's process or the phone came back and found it started. */
  'restarted',
  /** Android reported the input as cancelled part-way, for instance by a person's touch. */
  'cancelled',
  /** It did not end within its run limit. */
  'run_limit',
  'stopped',
  /** The accessibility service was unbound. */
  'unbound',
  /** The host found that the phone was turned back; only ever stands in the old ledger's file. */
  'rolled_back',
] as const;
export type Interruption = (typeof INTERRUPTIONS)[number];

/** The companion's durable memory of one request: the only evidence there is. */
export const recordMessageSchema = z.strictObject({
  type: z.literal('record'),
  request_id: hex128,
  seq: counter,
  digest: hex256,
  state: z.enum(RECORD_STATES).exclude(['absent']),
  ledger_id: hex128,
  boot_id: hex128,
  /** Why it was refused (refusals.ts, or one of a newer companion); null in every other state. */
  refusal: z.string().max(64).nullable(),
  /** Why it was interrupted; null in every other state. */
  interruption: z.enum(INTERRUPTIONS).nullable(),
  /** Of `done`: what was seen. Once the host has acknowledged it, only `acted` and `error_code` may be left. */
  report: reportSchema.nullable(),
  /** The screen right after a `done` act, at the moment `changed` was judged; never stored. */
  snapshot: snapshotSchema.nullable(),
  head: headSchema,
});
/**
 * Answers that are no evidence and never lead to "did not run" (rule 1). An older session is ended with the
 * link's own `superseded`, and while recovering nothing is answered at all.
 */
export const NOT_A_RECORD = [
  'storage_failed',
  'conflict',
  'key_used',
  'busy',
  'schema',
  'limit',
  'hash_mismatch',
  'other_ledger',
  'other_boot',
  'expired_submit',
  'forgotten',
  'not_ready',
] as const;
export type NotARecordCode = (typeof NOT_A_RECORD)[number];
export const notARecordSchema = z.strictObject({
  type: z.literal('not_a_record'),
  /** Null where the message was too broken to have one. */
  request_id: hex128.nullable(),
  code: z.enum(NOT_A_RECORD),
  detail: z.string().max(300),
  ledger_id: hex128,
  boot_id: hex128,
  head: headSchema,
});
/**
 * Answers the ids of one `status`, in its order, as many as fit into a frame (at least one): what is missing
 * is asked for again. `ask` 0 answers a seal that was made for another boot: the id is `absent` here.
 */
export const statusAnswerSchema = z.strictObject({
  type: z.literal('status_answer'),
  ask: counter,
  ledger_id: hex128,
  boot_id: hex128,
  records: z.array(
    z.strictObject({
      request_id: hex128,
      seq: counter,
      /** Null for an absent id. */
      digest: hex256.nullable(),
      state: z.enum(RECORD_STATES),
      /** Absent, and its `seq` is at or below the pruned mark: nothing can be said. */
      forgotten: z.boolean(),
      refusal: z.string().max(64).nullable(),
      interruption: z.enum(INTERRUPTIONS).nullable(),
      report: reportSchema.nullable(),
    }),
  ),
  head: headSchema,
});
export const snapshotMessageSchema = z.strictObject({
  type: z.literal('snapshot'),
  look: counter,
  snapshot: snapshotSchema,
  settled: z.boolean().nullable(),
  settle_ms: z.int().min(0).nullable(),
  settle_reason: z.string().max(300).nullable(),
  /** PNG, base64; null when not asked for or not possible (`screenshot_refused` says why). */
  screenshot: z.string().nullable(),
  screenshot_refused: z
    .enum(['protected', 'withheld', 'timed_out', 'empty', 'black', 'unsupported'])
    .nullable(),
  head: headSchema,
});
export const appsMessageSchema = z.strictObject({
  type: z.literal('apps'),
  look: counter,
  apps: z
    .array(
      z.strictObject({
        package: z.string().max(300),
        label: z.string().max(300),
        user: z.int().min(0),
        /** Launcher entries; the first is the main one. */
        components: z.array(z.string().max(600)).max(16),
        system: z.boolean(),
      }),
    )
    .max(2_000),
  head: headSchema,
});
export const clipboardMessageSchema = z.strictObject({
  type: z.literal('clipboard'),
  look: counter,
  text: z.string().max(LIMITS.typedText).nullable(),
  refused: z.enum(['empty', 'not_text', 'not_allowed', 'withheld']).nullable(),
  head: headSchema,
});
/** A look, list of apps or clipboard that could not be had. Nothing ran. */
export const LOOK_FAILURES = ['busy', 'not_ready', 'too_large', 'timed_out'] as const;
export const lookFailedSchema = z.strictObject({
  type: z.literal('look_failed'),
  look: counter,
  code: z.enum(LOOK_FAILURES),
  detail: z.string().max(300),
  head: headSchema,
});
export const stopStateSchema = z.strictObject({
  type: z.literal('stop_state'),
  stop_counter: counter,
  stopped_by: z.enum(['owner_on_phone', 'host']).nullable(),
  head: headSchema,
});
export const pongSchema = z.strictObject({
  type: z.literal('pong'),
  elapsed_ms: z.number().min(0),
  head: headSchema,
});

/** A coded refusal of the link itself; the sender closes afterwards. */
export const LINK_REFUSALS = [
  'protocol_version',
  'auth_failed',
  'too_many_attempts',
  'unknown_device',
  'held',
  'superseded',
  'bad_message',
  'too_large',
  'too_slow',
] as const;
export type LinkRefusalCode = (typeof LINK_REFUSALS)[number];
export const refusedSchema = z.strictObject({
  type: z.literal('refused'),
  code: z.enum(LINK_REFUSALS),
  detail: z.string().max(300),
});

export const companionMessageSchema = z.discriminatedUnion('type', [
  dialSchema,
  proofSchema,
  helloSchema,
  readySchema,
  recordMessageSchema,
  notARecordSchema,
  statusAnswerSchema,
  snapshotMessageSchema,
  appsMessageSchema,
  clipboardMessageSchema,
  lookFailedSchema,
  stopStateSchema,
  pongSchema,
  refusedSchema,
]);
export type CompanionMessage = z.infer<typeof companionMessageSchema>;

export const hostMessageSchema = z.discriminatedUnion('type', [
  challengeSchema,
  proofBackSchema,
  sessionSchema,
  submitSchema,
  statusSchema,
  sealSchema,
  lookSchema,
  listAppsSchema,
  readClipboardSchema,
  stopSchema,
  resumeSchema,
  pingSchema,
  refusedSchema,
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;

export type Hello = z.infer<typeof helloSchema>;
export type SessionMessage = z.infer<typeof sessionSchema>;
export type Ready = z.infer<typeof readySchema>;
export type Status = z.infer<typeof statusSchema>;
export type RecordStatus = StatusAnswer['records'][number];
export type RecordMessage = z.infer<typeof recordMessageSchema>;
export type NotARecord = z.infer<typeof notARecordSchema>;
export type StatusAnswer = z.infer<typeof statusAnswerSchema>;
export type SnapshotMessage = z.infer<typeof snapshotMessageSchema>;
export type Submit = z.infer<typeof submitSchema>;
export type Seal = z.infer<typeof sealSchema>;
