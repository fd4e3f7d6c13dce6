/**
 * Asks phones about open commands and applies what they answer: on start, on every reconnect, and again
 * with a backoff while anything is open (rule 7). Not for what an answer proves (evidence.ts).
 */
import type { CommandEvent } from '../../../device-protocol/command-table.ts';
import type { NotARecord, RecordMessage, StatusAnswer } from '../../../device-protocol/messages.ts';
import type { Snapshot } from '../../../device-protocol/snapshot.ts';
import type { Link } from '../../devices/link.ts';
import type { CommandRow } from '../../store/rows.ts';
import { type Proof, proofOf, type Statement } from './evidence.ts';
import type { Heard, Moves } from './moves.ts';
import { ASK_IDS, TIMES, type TrackerParts } from './parts.ts';
import type { Sending } from './sending.ts';

/** The next question to one connected phone. */
interface Asking {
  readonly delayMs: number;
  readonly cancel: () => void;
}

/** Refusals of a submit that will be the same the next time: sealing ends it. With the reason that is kept. */
const NO_USE_AGAIN: Partial<Record<NotARecord['code'], string>> = {
  expired_submit: 'start_expired',
  storage_failed: 'device_full',
  busy: 'device_busy',
  key_used: 'act_refused',
  conflict: 'act_refused',
  hash_mismatch: 'internal',
  schema: 'internal',
  limit: 'internal',
};

export class Reconciling {
  readonly #parts: TrackerParts;
  readonly #moves: Moves;
  readonly #sending: Sending;
  readonly #asking = new Map<string, Asking>();

  constructor(parts: TrackerParts, moves: Moves, sending: Sending) {
    this.#parts = parts;
    this.#moves = moves;
    this.#sending = sending;
  }

  /** All open commands of this phone in one batch, staged ones included: a record found wins. */
  askAll(link: Link): void {
    this.#ask(link, this.#parts.store.commands.open(link.device_id));
    this.#schedule(link.device_id, TIMES.askFirstMs);
  }

  /** Something is open on this phone from now on: the backoff begins anew. */
  soon(deviceId: string): void {
    if (this.#asking.get(deviceId)?.delayMs !== TIMES.askFirstMs) this.#schedule(deviceId, TIMES.askFirstMs);
  }

  leave(deviceId: string): void {
    this.#asking.get(deviceId)?.cancel();
    this.#asking.delete(deviceId);
  }

  close(): void {
    for (const deviceId of [...this.#asking.keys()]) this.leave(deviceId);
  }

  record(link: Link, message: RecordMessage): void {
    const row = this.#own(link, message.request_id);
    if (row === null) return;
    this.#heard(link, row, { ...message, forgotten: false }, message.snapshot, null);
  }

  statusAnswer(link: Link, message: StatusAnswer): void {
    for (const { request_id, ...said } of message.records) {
      const row = this.#own(link, request_id);
      if (row === null) continue;
      const { ledger_id, boot_id, ask } = message;
      // `ask` 0 answers a seal, whatever was asked before.
      this.#heard(link, row, { ...said, ledger_id, boot_id }, null, ask === 0 ? null : ask);
    }
  }

  /** Never evidence (rule 1): at most a reason to stop wanting it, and to ask. */
  notARecord(link: Link, message: NotARecord): void {
    if (message.request_id === null) return;
    const row = this.#own(link, message.request_id);
    if (row === null) return;
    const useless = NO_USE_AGAIN[message.code];
    if (useless !== undefined && !row.seal_flag && (row.state === 'sent' || row.state === 'doubtful'))
      this.#sending.stopShort(row, 'refuse', useless);
    // Even the seal meets somebody else's request: the phone will never be able to say.
    else if (message.code === 'conflict' && row.seal_flag) this.#lose(row);
    // `other_boot`, `forgotten`, …: what became of earlier copies, the next question finds out.
    else this.soon(link.device_id);
  }

  /** The command of this message, if it is this phone's and still open. */
  #own(link: Link, requestId: string): CommandRow | null {
    const row = this.#parts.store.commands.get(requestId);
    return row !== null && row.device_id === link.device_id && row.final_at === null ? row : null;
  }

  #heard(link: Link, row: CommandRow, said: Statement, snapshot: Snapshot | null, ask: number | null): void {
    const proof = proofOf(row, said, link.can_be_turned_back);
    switch (proof.kind) {
      case 'final':
        this.#end(row, proof, { from: link, snapshot });
        return;
      case 'open': {
        const sent = this.#adopt(row);
        // Waiting behind another act, and nobody wants it any more: the seal still comes in time. Once only
        // for what comes unasked, so that a phone that never seals is not asked in a circle.
        const wanted = this.#moves.call(row.request_id)?.phase === 'wanted' && !row.seal_flag;
        if (proof.state === 'accepted' && !wanted && (ask !== null || !row.seal_flag))
          this.#sending.sendAgain(sent, link, ask);
        return;
      }
      case 'absent':
        this.#sending.noteAsked(row);
        if (row.state === 'ready') this.#sending.send(row.request_id);
        // Absent after our seal in its own boot: the phone could not write it. The next question repeats it.
        else if (ask === null) this.soon(link.device_id);
        else if (row.state !== 'staged' || row.seal_flag) this.#sending.sendAgain(row, link, ask);
        return;
      case 'outlived':
        if (!this.#neverLeft(row))
          this.#moves.move(row, row.state === 'sent' ? ['doubt', 'outlived'] : 'outlived', {
            error_code: row.error_code ?? 'rebooted',
          });
        return;
      case 'lost':
        // What this host durably never handed over did not run, whatever the phone has forgotten.
        if (row.error_code === 'host_turned_back' || !this.#neverLeft(row)) this.#lose(row);
        return;
    }
  }

  /** Ends a row that was never handed to a socket, because the phone it was bound to is no more. */
  #neverLeft(row: CommandRow): boolean {
    if (row.state !== 'staged' && row.state !== 'ready') return false;
    return (
      this.#moves.move(row, row.state === 'staged' ? (row.ending ?? 'refuse') : 'refuse', {
        error_code: row.error_code ?? 'rebooted',
      }) !== null
    );
  }

  #end(row: CommandRow, proof: Extract<Proof, { kind: 'final' }>, heard: Heard): void {
    const { refusal } = proof;
    const report = proof.report === null ? null : this.#parts.kept(row, proof.report);
    // The seal proves that a staged row, denied or withdrawn after a restart, never ran.
    if (row.state === 'staged' && proof.event === 'record_sealed' && row.ending !== null) {
      this.#moves.move(row, row.ending, { error_code: row.error_code }, heard);
      return;
    }
    const error_code = proof.event === 'record_sealed' ? (row.error_code ?? 'sealed') : proof.error_code;
    this.#moves.move(row, [...toSent(row), proof.event], { error_code, refusal, report }, heard);
  }

  /** A record was found for a row that never noted the sending: this host's memory was turned back. */
  #adopt(row: CommandRow): CommandRow {
    const path = toSent(row);
    return path.length === 0 ? row : (this.#moves.move(row, path, { error_code: null }) ?? row);
  }

  #lose(row: CommandRow): void {
    const path: CommandEvent[] = row.state === 'doubtful' ? ['lose'] : [...toSent(row), 'doubt', 'lose'];
    this.#moves.move(row, path, { error_code: 'outcome_lost' });
  }

  #schedule(deviceId: string, delayMs: number): void {
    this.leave(deviceId);
    const cancel = this.#moves.timer(delayMs, () => {
      this.#asking.delete(deviceId);
      const link = this.#parts.links.of(deviceId);
      if (link === null) return;
      const open = this.#parts.store.commands
        .open(deviceId)
        .filter((row) =>
          row.state !== 'staged' && row.state !== 'ready' ? true : this.#sending.mustAsk(row),
        );
      if (open.length === 0) return;
      // The next one first: an answer that fails to be stored must not end the asking.
      this.#schedule(deviceId, Math.min(delayMs * 2, TIMES.askMostMs));
      this.#ask(link, open);
    });
    this.#asking.set(deviceId, { delayMs, cancel });
  }

  #ask(link: Link, rows: readonly CommandRow[]): void {
    for (let from = 0; from < rows.length; from += ASK_IDS) {
      this.#sending.lastAsk += 1;
      const ids = rows.slice(from, from + ASK_IDS).map(({ request_id, seq }) => ({ request_id, seq }));
      link.status(this.#sending.lastAsk, ids);
    }
  }
}

/** The moves that bring a row to `sent`. */
function toSent(row: CommandRow): CommandEvent[] {
  if (row.state === 'staged') return ['approve', 'send'];
  return row.state === 'ready' ? ['send'] : [];
}
