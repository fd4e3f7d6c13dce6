/** The answers of a submit's checks in the order of rule 12: what the tests and the document are held to. */
export const SUBMIT_ORDER = [
  'schema',
  'hash_mismatch',
  'record',
  'other_ledger',
  'other_boot',
  'forgotten',
  'conflict',
  'key_used',
  'expired_submit',
  'schema',
  'paused',
  'package_refused',
  'approval_missing',
  'target_stale',
] as const;
