/**
 * What the companion asks of an approval while no owner's key is enrolled on the phone: the host's word,
 * bound to exactly this request. Not for signatures of passkeys or Keystore keys: who enrols a key brings
 * another `CompanionApproval`.
 */
import type { CompanionApproval } from './ports.ts';

export const hostsWord: CompanionApproval = {
  refuses(_request, digest, payload, approval) {
    // An approval of something else is none, whatever the verdict asked for.
    if (approval !== null && approval.request_digest !== digest) return 'approval_missing';
    if (payload.verdict.decision === 'allow') return null;
    if (payload.verdict.decision === 'ask' && approval !== null) return null;
    return 'approval_missing';
  },
};
