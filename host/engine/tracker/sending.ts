/**
 * Hands requests and seals to a phone: the checks right before (rule 13), the commit before the first
 * byte (rule 2), the flag before the seal. Not for what comes back (reconciling.ts).
 */
import { requestDigest, sha256OfText } from '../../../device-protocol/request.ts';
import type { Link } from '../../devices/link.ts';
import type { CommandRow } from '../../store/rows.ts';
import type { Moves } from './moves.ts';
import { TIMES, type TrackerParts } from './parts.ts';

/** How a command that may not have run is to end. */
export type Ending = 'deny' | 'expire' | 'cancel' | 'refuse';

interface Decision {
  readonly decided_by: string;
  readonly decided_at: number;
  readonly decided_how: string;
}

/** What stands in the way of sending now. `wait`: nothing yet, try again when the phone has answered. */
type Obstacle =
  | { readonly say: 'wait' }
  | { readonly say: 'end'; readonly ending: Ending; readonly code: string };

const end = (ending: Ending, code: string): Obstacle => ({ say: 'end', ending, code });

export class Sending {
  /** The newest status question's number. */
  lastAsk = 0;
  readonly #parts: TrackerParts;
  readonly #moves: Moves;
  /** Rows of an earlier life that the phone, asked in this life, said it has no record of. */
  readonly #asked = new Set<string>();
  readonly #onSent: (deviceId: string) => void;

  /** `onSent`: something is open on this phone from now on. */
  constructor(parts: TrackerParts, moves: Moves, onSent: (deviceId: string) => void) {
    this.#parts = parts;
    this.#moves = moves;
    this.#onSent = onSent;
  }

  noteAsked(row: CommandRow): void {
    if (!this.#moves.fresh(row)) this.#asked.add(row.request_id);
  }

  /** A waiting row that only the phone can let go on, or let end. */
  mustAsk(row: CommandRow): boolean {
    return row.seal_flag || (!this.#moves.fresh(row) && !this.#asked.has(row.request_id));
  }

  /** Starts the call's time: until it is over the request may be submitted. */
  openCall(row: CommandRow): void {
    this.#moves.openCall(row.request_id, row.timeout_ms, () => this.#timeOver(row.request_id));
  }

  /** Sends what was not handed over yet and is wanted, if nothing stands in the way; else ends or leaves it. */
  send(requestId: string): void {
    const row = this.#parts.store.commands.get(requestId);
    const call = this.#moves.call(requestId);
    if (row === null || call?.phase !== 'wanted' || call.submittedAtAsk !== null) return;
    if (row.state !== 'ready' && row.state !== 'sent') return;
    const link = this.#parts.links.of(row.device_id);
    const obstacle = this.#obstacle(row, link);
    if (obstacle !== null || link === null) {
      if (obstacle?.say === 'end') this.stopShort(row, obstacle.ending, obstacle.code);
      return;
    }
    const sent =
      row.state === 'sent' ? row : this.#moves.move(row, 'send', { sent_at: this.#parts.clock.now() });
    if (sent === null) return;
    call.submittedAtAsk = this.lastAsk;
    // Not one byte left: but `sent` is durable, so from here on only the phone can say.
    if (!this.#submit(sent, link)) this.#moves.move(sent, 'doubt');
    this.#onSent(row.device_id);
  }

  /** The phone has no record: the same bytes again while the call is wanted, else the seal. */
  sendAgain(row: CommandRow, link: Link, answeredAsk: number | null): void {
    const call = this.#moves.call(row.request_id);
    if (row.seal_flag) {
      this.#seal(row);
      return;
    }
    if (call?.phase !== 'wanted') {
      this.stopShort(row, 'expire', null);
      return;
    }
    if (answeredAsk !== null && answeredAsk <= (call.submittedAtAsk ?? 0)) return;
    const obstacle = this.#obstacle(row, link);
    if (obstacle?.say === 'end') {
      this.stopShort(row, obstacle.ending, obstacle.code);
      return;
    }
    if (obstacle !== null) return;
    call.submittedAtAsk = this.lastAsk;
    this.#submit(row, link);
  }

  /**
   * Ends what provably never left this life of the host; whatever may have left is sealed instead, and
   * only the phone's answer ends it. Answers the row as it is then.
   */
  stopShort(
    row: CommandRow,
    ending: Ending,
    code: string | null,
    decision: Partial<Decision> = {},
  ): CommandRow {
    const waiting = row.state === 'staged' || row.state === 'ready';
    if (waiting && this.#moves.fresh(row))
      return this.#moves.move(row, ending, { error_code: code, ...decision }) ?? row;
    const flagged = { seal_flag: true, error_code: row.error_code ?? code, ...decision };
    let sealed: CommandRow;
    if (row.state === 'staged') sealed = this.#moves.patch(row, { ...flagged, ending: row.ending ?? ending });
    else if (row.state === 'ready') sealed = this.#moves.move(row, ['send', 'doubt'], flagged) ?? row;
    else sealed = row.seal_flag ? row : this.#moves.patch(row, flagged);
    this.#seal(sealed);
    this.#onSent(row.device_id);
    return sealed;
  }

  /** This host was turned back: its old waiting rows may only be asked about and sealed (rule 5). */
  disown(row: CommandRow): void {
    const flagged = { seal_flag: true, error_code: 'host_turned_back' };
    if (row.state === 'staged') this.#moves.patch(row, { ...flagged, ending: row.ending ?? 'refuse' });
    if (row.state === 'ready') this.#moves.move(row, ['send', 'doubt'], flagged);
    this.#moves.closeCall(row.request_id);
  }

  /** The flag is durable: asks the phone to make sure that it never runs. */
  #seal(row: CommandRow): void {
    if (!row.seal_flag) throw new Error('a seal without its flag');
    const { request_id, host_id, seq, ledger_id, boot_id, not_after, digest } = row;
    this.#parts.links
      .of(row.device_id)
      ?.seal({ request_id, host_id, seq, ledger_id, boot_id, not_after, digest });
  }

  #timeOver(requestId: string): void {
    const row = this.#parts.store.commands.get(requestId);
    const call = this.#moves.call(requestId);
    if (row === null || call === null) return;
    const stopped = this.stopShort(row, 'expire', row.state === 'ready' ? 'start_expired' : null);
    if (stopped.final_at !== null) return;
    if (this.#parts.links.of(row.device_id) === null) {
      this.answerUnknown(requestId);
      return;
    }
    call.phase = 'sealing';
    call.cancel = this.#moves.timer(TIMES.sealWaitMs, () => this.answerUnknown(requestId));
  }

  /** The call gets its answer though the request is still open; reconciling goes on. */
  answerUnknown(requestId: string): void {
    const row = this.#parts.store.commands.get(requestId);
    if (row?.state === 'sent') this.#moves.move(row, 'doubt');
    this.#moves.closeCall(requestId);
  }

  #obstacle(row: CommandRow, link: Link | null): Obstacle | null {
    const { store } = this.#parts;
    if (!holdsTogether(row)) return end('refuse', 'act_refused');
    if (store.settings.get('stop') !== null) return end('refuse', 'paused');
    const device = store.devices.get(row.device_id);
    if (device === null || device.turned_back_at !== null) return end('refuse', 'host_turned_back');
    const refused = this.#parts.recheck(row);
    if (refused !== null) return end('refuse', refused);
    if (link === null || !link.alive) return { say: 'wait' };
    // What has to be said of another ledger or boot, the phone's answer to the question decides.
    if (link.ledger_id !== row.ledger_id || link.boot_id !== row.boot_id)
      return this.#moves.fresh(row) && row.state === 'ready' ? end('refuse', 'rebooted') : { say: 'wait' };
    if (!this.#moves.fresh(row) && !this.#asked.has(row.request_id)) return { say: 'wait' };
    const { stop_counter, stopped_by } = link.stopState();
    if (stopped_by !== null || stop_counter !== row.stop_counter) return end('refuse', 'paused');
    if (link.phoneNow() >= row.not_after) return end('expire', 'start_expired');
    return null;
  }

  #submit(row: CommandRow, link: Link): boolean {
    if (row.payload === null) throw new Error('a request without its bytes');
    return link.submit(
      {
        request_id: row.request_id,
        payload: row.payload,
        payload_sha256: row.payload_sha256,
        host_id: row.host_id,
        seq: row.seq,
        ledger_id: row.ledger_id,
        boot_id: row.boot_id,
        not_after: row.not_after,
        stop_counter: row.stop_counter,
        key_hash: row.key_hash,
      },
      row.approved_digest === null
        ? null
        : {
            by: row.decided_by ?? 'owner',
            request_digest: row.approved_digest,
            signature: row.approval_signature,
          },
    );
  }
}

/** What leaves is what was bound, and what was approved, if it had to be (D-43). */
function holdsTogether(row: CommandRow): boolean {
  return (
    row.payload !== null &&
    sha256OfText(row.payload) === row.payload_sha256 &&
    requestDigest(row) === row.digest &&
    (row.confirmation_id === null || row.approved_digest === row.digest)
  );
}
