/**
 * Why a companion refuses a request, durably, or says of an act that ran that it did nothing: every code it
 * may write. Not for answers that are no records (messages.ts) or for what an agent is told (errors.ts).
 */

/** Of a record `refused`: it did not run and never will. */
export const REFUSALS = [
  /** The clock is past `not_after`: it waited too long. */
  'start_expired',
  /** Stopped, or made under another stop counter. */
  'paused',
  /** A person used the phone until its time was over. */
  'person_touch',
  /** The companion's process came back and found it waiting. */
  'restarted',
  /** No room for the entry that would close it. */
  'device_full',
  /** The verdict asks for an approval that is not there, or is of something else. */
  'approval_missing',
  /** The package policy that the phone holds by itself. */
  'package_refused',
  'device_locked',
  /** Which app is in front cannot be seen; or it is another one, or another window. */
  'foreground_unknown',
  'foreground_changed',
  /** Not on the screen any more; several that could be meant; not what was approved or seen; switched off. */
  'target_stale',
  'target_ambiguous',
  'target_changed',
  'target_disabled',
  /** Only ever in the old file of a ledger that was turned back. */
  'ledger_rolled_back',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Of a report: why an act that was started did not act, or not as asked. */
export const ACT_ERRORS = [
  'act_turned_down',
  'nothing_to_scroll',
  'target_covered',
  'target_stale',
  'text_not_taken',
  'app_not_in_front',
] as const;
export type ActError = (typeof ACT_ERRORS)[number];
