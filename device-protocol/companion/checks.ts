/**
 * The checks of a submit in the order of rule 12, and those of a seal, each as one pure decision: what the
 * ledger, the clock, the stop, the policy, the approval and the screen say to it. Not for writing or
 * answering (acts.ts).
 */
import { LIMITS } from '../limits.ts';
import type { NotARecordCode, Seal, Submit } from '../messages.ts';
import { type Payload, payloadSchema } from '../payload.ts';
import type { Refusal } from '../refusals.ts';
import { isWellFormed, type Request, requestDigest, sha256OfText } from '../request.ts';
import { parseJson, utf8Bytes } from '../wire.ts';
import type { Ledger } from './ledger.ts';
import type { CompanionPorts } from './ports.ts';
import type { LedgerRecord } from './records.ts';

/** A submit whose bytes are what they say, not started yet. `payload` was read once, from those very bytes. */
export interface Candidate {
  readonly request: Request;
  readonly digest: string;
  readonly payload: Payload;
  readonly approval: Submit['approval'];
}

export type Checked =
  /** The ledger knows it already. */
  | { readonly kind: 'known'; readonly record: LedgerRecord }
  /** Nothing is written. */
  | { readonly kind: 'not_a_record'; readonly code: NotARecordCode; readonly detail: string }
  /** A durable refusal. */
  | { readonly kind: 'refuse'; readonly code: Refusal; readonly digest: string }
  | { readonly kind: 'pass'; readonly candidate: Candidate };

const not = (code: NotARecordCode, detail: string) => ({ kind: 'not_a_record', code, detail }) as const;

export function checkSubmit(
  submit: Submit,
  hostId: string,
  ledger: Ledger,
  ports: CompanionPorts,
  nowMs: number,
): Checked {
  const { request, approval } = submit;
  // Rule 11: the key of a record is the host that proved itself, never one that a body claims.
  if (request.host_id !== hostId) return not('schema', 'request.host_id is not the host of this session');
  if (utf8Bytes(request.payload) > LIMITS.payloadBytes)
    return not('limit', `payload of more than ${LIMITS.payloadBytes} bytes`);
  if (!isWellFormed(request.payload)) return not('schema', 'payload is not well-formed Unicode');
  if (sha256OfText(request.payload) !== request.payload_sha256)
    return not('hash_mismatch', 'payload_sha256 is not the hash of payload');

  const digest = requestDigest(request);
  const book = ledger.book(hostId);
  const known = book.byId(request.request_id);
  if (known !== undefined)
    return known.digest === digest
      ? { kind: 'known', record: known }
      : not('conflict', 'this request_id was used with another digest');
  if (request.ledger_id !== ledger.ledger_id) return not('other_ledger', 'made for another ledger');
  if (request.boot_id !== ledger.boot_id) return not('other_boot', 'made for another boot');
  if (request.seq <= book.mark) return not('forgotten', 'seq is at or below the pruned mark');
  if (book.bySeq(request.seq) !== undefined) return not('conflict', 'this seq was used by another request');
  if (book.byKey(request.key_hash) !== undefined)
    return not('key_used', 'this key_hash was used by another request');
  if (nowMs > request.not_after) return not('expired_submit', 'past not_after');

  const parsed = parseJson(request.payload, payloadSchema, LIMITS.payloadBytes);
  if (!parsed.ok) return not(parsed.code === 'limit' ? 'limit' : 'schema', `payload: ${parsed.detail}`);
  const candidate = { request, digest, payload: parsed.message, approval };
  const refusal = refusalAtStart(candidate, ledger, ports, nowMs);
  return refusal === null ? { kind: 'pass', candidate } : { kind: 'refuse', code: refusal, digest };
}

export type CheckedSeal =
  /** Where it is still `accepted` it moves to `sealed`; anything further is too late. */
  | Extract<Checked, { kind: 'known' | 'not_a_record' }>
  /** It was made for an earlier boot: here it is absent, and never runs any more. Nothing is written. */
  | { readonly kind: 'absent' }
  /** Only now is it written that this request never runs. */
  | { readonly kind: 'tombstone' };

/** In this order: known, ledger, mark, boot, and only then a tombstone. */
export function checkSeal(seal: Seal, hostId: string, ledger: Ledger): CheckedSeal {
  if (seal.host_id !== hostId) return not('schema', 'host_id is not the host of this session');
  const book = ledger.book(hostId);
  const known = book.byId(seal.request_id);
  if (known !== undefined)
    return known.digest === seal.digest
      ? { kind: 'known', record: known }
      : not('conflict', 'this request_id was used with another digest');
  if (seal.ledger_id !== ledger.ledger_id) return not('other_ledger', 'made for another ledger');
  if (seal.seq <= book.mark) return not('forgotten', 'seq is at or below the pruned mark');
  if (seal.boot_id !== ledger.boot_id) return { kind: 'absent' };
  if (book.bySeq(seal.seq) !== undefined) return not('conflict', 'this seq was used by another request');
  return { kind: 'tombstone' };
}

/**
 * Everything that is looked at on arrival and again at the start, but for who the request is. (The mark never passes an open record, so it need not be asked again.)
 */
export function refusalAtStart(
  { request, digest, payload, approval }: Candidate,
  ledger: Ledger,
  ports: CompanionPorts,
  nowMs: number,
): Refusal | null {
  if (nowMs > request.not_after) return 'start_expired';
  if (ledger.stopped_by !== null || request.stop_counter !== ledger.stop_counter) return 'paused';
  return (
    ports.policy.refuses(payload, ports.body.foreground()) ??
    ports.approval.refuses(request, digest, payload, approval) ??
    ports.body.check(payload)
  );
}
