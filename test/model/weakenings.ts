/**
 * Rules that can be taken out of the model, one by one or together, to see that it notices: a check that
 * cannot fail proves nothing. `covered` ones are held by another rule as well, which is named (rule 14).
 */
export const WEAKENINGS = {
  acts_before_started: 'the input is given before `started` is durable',
  refusal_not_durable: 'a refused submit is answered and not written',
  seal_not_durable: 'a seal is answered and not written',
  done_not_durable: '`done` is reported and not written',
  known_not_looked_up: 'a submit of a known id is checked as if it were new',
  started_refused_at_restart: 'what was started is told as refused after a restart',
  seal_leaves_the_queue: 'a sealed request stays in the queue of those that wait',
  seals_what_started: 'a seal of a started request is answered as sealed',
  forgets_without_mark: 'a record is dropped and no mark is raised',
  seal_ignores_mark: 'a seal at or below the mark is answered as if nothing had been forgotten',
  submit_ignores_mark: 'a submit at or below the mark is checked as if it were new',
  forgets_too_early: 'a record is forgotten while a late copy could still pass its checks',
  boot_not_compared: 'a submit of another boot is checked as if it were of this one',
  ledger_not_compared: 'a submit of another ledger is checked as if it were of this one',
  time_not_compared: 'a submit past its last start is checked as if it were in time',
  sends_before_commit: '`sent` is committed only after the bytes have left',
  ends_without_asking: 'a row found at start is taken for one that never left',
  other_ledger_proves: 'absent on another ledger is taken for "did not run"',
  forgotten_proves: 'forgotten is taken for absent',
  absence_proves: 'absent in the same boot is taken for "did not run"',
  no_answer_proves: 'a call that is over without an answer ends as "did not run"',
  not_a_record_proves: 'an answer that is no record is taken for a refusal',
  resubmits_after_seal: 'a request is submitted again after its seal was sent',
} as const;

export type Weakening = keyof typeof WEAKENINGS;

/** Held by another rule too: alone it must not break anything, together with the other it must. */
export const COVERED: readonly { readonly alone: Weakening; readonly by: Weakening }[] = [
  { alone: 'submit_ignores_mark', by: 'forgets_too_early' },
  { alone: 'forgets_too_early', by: 'submit_ignores_mark' },
  { alone: 'time_not_compared', by: 'submit_ignores_mark' },
  { alone: 'ledger_not_compared', by: 'boot_not_compared' },
  { alone: 'sends_before_commit', by: 'ends_without_asking' },
  { alone: 'ends_without_asking', by: 'sends_before_commit' },
];
