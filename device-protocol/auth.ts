/**
 * Mutual proof of the pairing secret (protocol.md, "The link"): HMAC-SHA256 (RFC 2104, from @noble/hashes)
 * over one transcript, with a label for each side so that a proof cannot be sent back. Not for the order
 * of the handshake (companion/dialogue.ts, host-dialogue.ts) or for how often somebody may try (host/devices).
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** Everything both sides must have seen alike: a relay with its own certificate cannot make it agree. */
export interface Transcript {
  readonly protocol: number;
  readonly device_id: string;
  readonly host_id: string;
  /** The companion's nonce of `dial`, 64 hex digits. */
  readonly companion_nonce: string;
  /** The host's nonce of `challenge`, 64 hex digits. */
  readonly host_nonce: string;
  /** SHA-256 of the host certificate's DER as this side knows it, 64 hex digits. */
  readonly fingerprint: string;
}

export type Side = 'companion' | 'host';

/** One line each, so that no two different transcripts read alike (none of the values may hold a newline). */
export function transcriptText(side: Side, transcript: Transcript): string {
  return [
    'countersign-auth-v1',
    side,
    String(transcript.protocol),
    transcript.device_id,
    transcript.host_id,
    transcript.companion_nonce,
    transcript.host_nonce,
    transcript.fingerprint,
  ].join('\n');
}

/** The proof of `side`, lower-case hex. `secret` is the pairing secret, 64 hex digits. */
export function proofOf(side: Side, transcript: Transcript, secret: string): string {
  return bytesToHex(hmac(sha256, hexToBytes(secret), utf8ToBytes(transcriptText(side, transcript))));
}

/** Compares two texts in a time that depends on their lengths only, never on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  let different = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) different |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(1, b.length));
  return different === 0;
}

export function provesSecret(side: Side, transcript: Transcript, secret: string, proof: string): boolean {
  return equalInConstantTime(proofOf(side, transcript, secret), proof);
}
