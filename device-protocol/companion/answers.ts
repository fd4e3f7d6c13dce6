/** The messages a companion answers with, made from ledger and record. Not for when (acts.ts, engine.ts). */
import { LIMITS } from '../limits.ts';
import type { CompanionMessage, NotARecordCode, RecordMessage, RecordStatus, Status } from '../messages.ts';
import { utf8Bytes } from '../wire.ts';
import type { Ledger } from './ledger.ts';
import type { ActEnd } from './ports.ts';
import type { LedgerRecord } from './records.ts';

/** A status answer stops before it outgrows a frame; what is left out is asked for again. */
const STATUS_BYTES = LIMITS.messageBytes / 2;

export function recordMessage(ledger: Ledger, record: LedgerRecord, end?: ActEnd): RecordMessage {
  return {
    type: 'record',
    request_id: record.request_id,
    seq: record.seq,
    digest: record.digest,
    ledger_id: ledger.ledger_id,
    boot_id: ledger.boot_id,
    ...ledger.stateOf(record),
    state: record.state,
    snapshot: record.state === 'done' && end?.kind === 'report' ? end.snapshot : null,
    head: ledger.head,
  };
}

export function notARecord(
  ledger: Ledger,
  requestId: string | null,
  code: NotARecordCode,
  detail: string,
): CompanionMessage {
  const { ledger_id, boot_id, head } = ledger;
  return { type: 'not_a_record', request_id: requestId, code, detail, ledger_id, boot_id, head };
}

export function stopState(ledger: Ledger): CompanionMessage {
  const { stop_counter, stopped_by, head } = ledger;
  return { type: 'stop_state', stop_counter, stopped_by, head };
}

export function statusAnswer(
  ledger: Ledger,
  hostId: string,
  ask: number,
  ids: Status['ids'],
): CompanionMessage {
  const book = ledger.book(hostId);
  const records: RecordStatus[] = [];
  let bytes = 0;
  for (const { request_id, seq } of ids) {
    const record = book.byId(request_id);
    const answer: RecordStatus =
      record === undefined
        ? {
            request_id,
            seq,
            digest: null,
            state: 'absent',
            forgotten: seq <= book.mark,
            refusal: null,
            interruption: null,
            report: null,
          }
        : { request_id, seq: record.seq, digest: record.digest, forgotten: false, ...ledger.stateOf(record) };
    bytes += utf8Bytes(JSON.stringify(answer));
    if (records.length > 0 && bytes > STATUS_BYTES) break;
    records.push(answer);
  }
  const { ledger_id, boot_id, head } = ledger;
  return { type: 'status_answer', ask, ledger_id, boot_id, records, head };
}
