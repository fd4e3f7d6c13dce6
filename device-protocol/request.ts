/**
 * A tracked request and the digest that binds it: what is compared, approved and signed
 * (protocol.md, "A request"). SHA-256 is FIPS 180-4, from @noble/hashes.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { LIMITS } from './limits.ts';

export const hex128 = z.string().regex(/^[0-9a-f]{32}$/);
export const hex256 = z.string().regex(/^[0-9a-f]{64}$/);

/** `seq` and counters stay below 2^53, so that JSON carries them exactly. */
export const counter = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const requestSchema = z.strictObject({
  request_id: hex128,
  /** The action as JSON text; its exact UTF-8 bytes are hashed, stored and executed. */
  payload: z.string().min(2).max(LIMITS.payloadBytes),
  payload_sha256: hex256,
  host_id: hex128,
  /** The host's ever-increasing number for this device, from 1. */
  seq: counter.min(1),
  ledger_id: hex128,
  boot_id: hex128,
  /** Last moment it may start, milliseconds of the phone's elapsedRealtime in that boot. */
  not_after: counter,
  /** The phone's stop counter it was made under (protocol.md, rule 6). */
  stop_counter: counter,
  /** SHA-256 of agent and idempotency key (rule 5). */
  key_hash: hex256,
});
export type Request = z.infer<typeof requestSchema>;

/** Everything the digest binds: the request without the payload's text, which enters by its hash. */
export type BoundFields = Omit<Request, 'payload'>;

const DIGEST_LABEL = 'countersign-request-v1';

/** Lone surrogates have no UTF-8 form: such a text must be refused, never replaced by U+FFFD. */
export function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}

/** Lower-case hex SHA-256 of the UTF-8 bytes of `text`. Throws on text that is not well-formed Unicode. */
export function sha256OfText(text: string): string {
  if (!isWellFormed(text)) throw new Error('text is not well-formed Unicode');
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The request's digest, lower-case hex: label and bound fields, one a line, in the order of the table. */
export function requestDigest(request: BoundFields): string {
  return sha256OfText(
    [
      DIGEST_LABEL,
      request.request_id,
      request.payload_sha256,
      request.host_id,
      String(request.seq),
      request.ledger_id,
      request.boot_id,
      String(request.not_after),
      String(request.stop_counter),
      request.key_hash,
    ].join('\n'),
  );
}

/** Hash of (agent, idempotency key), so that the phone can refuse a second request of one key. */
export function keyHash(agent: string, idempotencyKey: string): string {
  return sha256OfText(`countersign-key-v1\n${JSON.stringify([agent, idempotencyKey])}`);
}
