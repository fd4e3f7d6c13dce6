/**
 * The owner's yes and no, the agent's withdrawal, the end of a confirmation's life, and the stop. Not for
 * who may ask (doors) or for sending (sending.ts).
 */
import type { Link } from '../../devices/link.ts';
import type { CommandRow } from '../../store/rows.ts';
import type { Moves } from './moves.ts';
import { TIMES, type TrackerParts } from './parts.ts';
import type { Ending, Sending } from './sending.ts';
import type { Decided } from './tracker-api.ts';

export class Deciding {
  readonly #parts: TrackerParts;
  readonly #moves: Moves;
  readonly #sending: Sending;
  readonly #expiries = new Map<string, () => void>();
  /** The counter a resume was last sent for, while its answer is waited for. */
  readonly #resuming = new WeakMap<Link, number>();
  /** Links a stop was handed to whose answer has not come: what they said of their switch is from before it. */
  readonly #stopping = new WeakSet<Link>();

  constructor(parts: TrackerParts, moves: Moves, sending: Sending) {
    this.#parts = parts;
    this.#moves = moves;
    this.#sending = sending;
  }

  /** Starts the life of a confirmation. A wall clock that jumped can only shorten it, never prolong it. */
  awaitOwner(row: CommandRow): void {
    if (row.expires_at === null) return;
    const life = row.expires_at - row.created_at;
    const left = Math.min(Math.max(row.expires_at - this.#parts.clock.now(), 0), life);
    this.#expiries.get(row.request_id)?.();
    this.#expiries.set(
      row.request_id,
      this.#moves.timer(left, () => this.#expire(row.request_id)),
    );
  }

  approve(confirmationId: string, by: string, how: string, signature: string | null): Decided {
    const row = this.#undecided(confirmationId);
    if (!row.ok) return row;
    const { store, clock } = this.#parts;
    if (store.settings.get('stop') !== null) return { ok: false, error_code: 'stopped', row: row.row };
    if (store.devices.get(row.row.device_id)?.turned_back_at != null)
      return { ok: false, error_code: 'host_turned_back', row: row.row };
    const ready = this.#moves.move(row.row, 'approve', {
      decided_by: by,
      decided_at: clock.now(),
      decided_how: how,
      approved_digest: row.row.digest,
      approval_signature: signature,
    });
    if (ready === null) return { ok: false, error_code: 'already_decided', row: row.row };
    this.#noLongerWaits(ready.request_id);
    // The call's time starts again now (rule 13); not_after already has room for it.
    this.#sending.openCall(ready);
    this.#sending.send(ready.request_id);
    return { ok: true, row: store.commands.get(ready.request_id) ?? ready };
  }

  deny(confirmationId: string, by: string, how: string): Decided {
    const row = this.#undecided(confirmationId);
    if (!row.ok) return row;
    const decision = { decided_by: by, decided_at: this.#parts.clock.now(), decided_how: how };
    return { ok: true, row: this.#end(row.row, 'deny', 'denied', decision) };
  }

  withdraw(requestId: string): CommandRow | null {
    const row = this.#parts.store.commands.get(requestId);
    if (row === null || row.final_at !== null) return row;
    return this.#end(row, 'cancel', 'withdrawn');
  }

  expireDue(): void {
    const now = this.#parts.clock.now();
    for (const row of this.#parts.store.commands.staged())
      if (row.expires_at !== null && row.expires_at <= now) this.#expire(row.request_id);
  }

  stopped(): { readonly at: number; readonly how: string } | null {
    return this.#parts.store.settings.get('stop') as { at: number; how: string } | null;
  }

  /** The latch is durable first, then the phones are told, then everything open is ended or sealed. */
  stopAll(how: string): void {
    const { store, clock, links } = this.#parts;
    store.transaction(() => {
      store.settings.set('stop', { at: clock.now(), how });
      for (const { device_id } of store.devices.list()) store.devices.setResumeOwed(device_id, false);
    });
    for (const link of links.all()) this.#tellStop(link);
    for (const row of store.commands.open()) this.#end(row, 'refuse', 'paused');
  }

  /** What of this agent runs already is not cut: the phone's own stop does that, for everybody. */
  stopAgent(agent: string): void {
    for (const row of this.#parts.store.commands.open())
      if (row.agent === agent) this.#end(row, 'refuse', 'paused');
  }

  resumeAll(how: string): void {
    const { store, clock, links } = this.#parts;
    store.transaction(() => {
      store.settings.set('stop', null);
      store.settings.set('resumed', { at: clock.now(), how });
      for (const { device_id } of store.devices.list()) store.devices.setResumeOwed(device_id, true);
    });
    for (const link of links.all()) this.agreeOnStop(link);
  }

  /**
   * Brings the phone's switch and the owner's latch together, and ends what waits for a counter that is
   * no more (rule 6): it could only be refused.
   */
  agreeOnStop(link: Link): void {
    const { store } = this.#parts;
    const { stop_counter, stopped_by } = link.stopState();
    if (this.stopped() !== null) {
      if (stopped_by === null) this.#tellStop(link);
    } else if (store.devices.get(link.device_id)?.resume_owed === true) {
      if (stopped_by === 'host') this.#resume(link, stop_counter);
      // A stop that is still under way will be answered, and then lifted.
      else if (!this.#stopping.has(link)) store.devices.setResumeOwed(link.device_id, false);
    }
    for (const row of store.commands.open(link.device_id))
      if (
        (row.state === 'staged' || row.state === 'ready') &&
        row.ledger_id === link.ledger_id &&
        row.boot_id === link.boot_id &&
        row.stop_counter !== stop_counter
      )
        this.#end(row, 'refuse', 'paused');
  }

  /** The phone said how its switch stands now. */
  switched(link: Link): void {
    this.#stopping.delete(link);
    this.agreeOnStop(link);
  }

  #tellStop(link: Link): void {
    this.#stopping.add(link);
    if (!link.stop()) this.#stopping.delete(link);
  }

  /** A phone that could not store the lift answers that it is stopped as before: told again, but not at once. */
  #resume(link: Link, stopCounter: number): void {
    if (this.#resuming.get(link) === stopCounter) return;
    this.#resuming.set(link, stopCounter);
    link.resume(stopCounter);
    this.#moves.timer(TIMES.resumeAgainMs, () => {
      this.#resuming.delete(link);
      if (this.#parts.links.of(link.device_id) === link) this.agreeOnStop(link);
    });
  }

  close(): void {
    for (const cancel of this.#expiries.values()) cancel();
    this.#expiries.clear();
  }

  #undecided(confirmationId: string): Extract<Decided, { ok: false }> | { ok: true; row: CommandRow } {
    const row = this.#parts.store.commands.byConfirmation(confirmationId);
    if (row === null) return { ok: false, error_code: 'request_unknown', row };
    if (row.state === 'staged' && row.expires_at !== null && row.expires_at <= this.#parts.clock.now())
      return { ok: false, error_code: 'approval_expired', row: this.#expire(row.request_id) };
    if (row.state === 'expired') return { ok: false, error_code: 'approval_expired', row };
    if (row.state !== 'staged' || row.ending !== null)
      return { ok: false, error_code: 'already_decided', row };
    return { ok: true, row };
  }

  #expire(requestId: string): CommandRow | null {
    const row = this.#parts.store.commands.get(requestId);
    this.#noLongerWaits(requestId);
    return row === null || row.state !== 'staged' ? row : this.#end(row, 'expire', 'approval_expired');
  }

  #end(row: CommandRow, ending: Ending, code: string, decision = {}): CommandRow {
    this.#noLongerWaits(row.request_id);
    return this.#sending.stopShort(row, ending, code, decision);
  }

  #noLongerWaits(requestId: string): void {
    this.#expiries.get(requestId)?.();
    this.#expiries.delete(requestId);
  }
}
