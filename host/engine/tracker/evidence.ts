/**
 * What an answer of the phone proves about one command: protocol.md's promises as one pure function. Not
 * for what is done about it (reconciling.ts).
 */
import type { CommandEvent } from '../../../device-protocol/command-table.ts';
import { isErrorCode } from '../../../device-protocol/errors.ts';
import type { RecordState } from '../../../device-protocol/record-table.ts';
import type { Report } from '../../../device-protocol/report.ts';
import type { CommandRow } from '../../store/rows.ts';

/** One record, or its absence, as `record` and `status_answer` state it. */
export interface Statement {
  readonly state: RecordState;
  /** Null for an absent id. */
  readonly digest: string | null;
  readonly forgotten: boolean;
  readonly refusal: string | null;
  readonly interruption: string | null;
  readonly report: Report | null;
  /** The ledger that was asked, and the boot it is in now. */
  readonly ledger_id: string;
  readonly boot_id: string;
}

export type Proof =
  /** The record is final: this is what became of it. */
  | {
      readonly kind: 'final';
      readonly event: Extract<CommandEvent, `record_${string}`>;
      readonly error_code: string | null;
      readonly refusal: string | null;
      readonly report: Report | null;
    }
  /** There is a record, and it may still change. */
  | { readonly kind: 'open'; readonly state: 'accepted' | 'started' }
  /** No record on the bound ledger in the bound boot: it may still arrive; seal or resubmit. */
  | { readonly kind: 'absent' }
  /** It never ran and never will, without a record. */
  | { readonly kind: 'outlived' }
  /** Nothing can ever be learnt. `elsewhere`: the ledger that would know is gone. */
  | { readonly kind: 'lost'; readonly why: 'forgotten' | 'other_ledger' | 'turned_back' | 'conflict' };

type Bound = Pick<CommandRow, 'digest' | 'ledger_id' | 'boot_id'>;

export function proofOf(row: Bound, said: Statement, canBeTurnedBack: boolean): Proof {
  if (said.ledger_id !== row.ledger_id) return { kind: 'lost', why: 'other_ledger' };
  if (said.state === 'absent') {
    if (said.forgotten) return { kind: 'lost', why: 'forgotten' };
    if (said.boot_id === row.boot_id) return { kind: 'absent' };
    // Rule 4: a snapshot of an emulator may have taken the record with it.
    return canBeTurnedBack ? { kind: 'lost', why: 'turned_back' } : { kind: 'outlived' };
  }
  // Somebody else's request has this id: our bytes can never be found there.
  if (said.digest !== row.digest) return { kind: 'lost', why: 'conflict' };
  const final = {
    kind: 'final',
    refusal: said.refusal ?? said.interruption,
    report: said.report,
  } as const;
  switch (said.state) {
    case 'accepted':
    case 'started':
      return { kind: 'open', state: said.state };
    case 'done':
      return { ...final, event: 'record_done', error_code: said.report?.error_code ?? null };
    case 'refused':
      return { ...final, event: 'record_refused', error_code: refusalCode(said.refusal) };
    case 'interrupted':
      return { ...final, event: 'record_interrupted', error_code: 'interrupted' };
    case 'sealed':
      // Rule 4 again: a seal that was perhaps written after a snapshot took the act back proves nothing.
      if (canBeTurnedBack && said.boot_id !== row.boot_id) return { kind: 'lost', why: 'turned_back' };
      return { ...final, event: 'record_sealed', error_code: null };
  }
}

/** The phone's refusals are codes of errors.ts; one we do not know yet is still a refusal. */
function refusalCode(refusal: string | null): string {
  return refusal !== null && isErrorCode(refusal) ? refusal : 'act_refused';
}
