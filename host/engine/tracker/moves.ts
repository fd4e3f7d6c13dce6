/**
 * The only place of the engine that moves a command: through the store's one moving function, then it
 * ends the call's timer, wakes who waits, and sees to it that erased bytes are overwritten. Not for
 * deciding which move is right.
 */
import { type CommandEvent, isFinalCommand } from '../../../device-protocol/command-table.ts';
import type { Snapshot } from '../../../device-protocol/snapshot.ts';
import type { Link } from '../../devices/link.ts';
import type { CommandRow } from '../../store/rows.ts';
import type { CommandPatch } from '../../store/store-api.ts';
import { guarded, TIMES, type TrackerParts } from './parts.ts';
import { Waiters } from './waiters.ts';

/**
 * A call somebody made in this life of the host. `wanted`: its time is not over, it may be submitted;
 * `sealing`: its time is over and the phone was asked to seal. No call: nobody is owed an answer.
 */
export interface LiveCall {
  phase: 'wanted' | 'sealing';
  /** Ends the phase's timer. */
  cancel: () => void;
  /**
   * Absence in answers to questions up to this number was said before the bytes had left. Null: they have
   * not been handed to a socket yet.
   */
  submittedAtAsk: number | null;
}

/** What a move was made for, where a phone's answer was the reason. */
export interface Heard {
  readonly from: Link | null;
  readonly snapshot: Snapshot | null;
}
const NOTHING_HEARD: Heard = { from: null, snapshot: null };

export class Moves {
  readonly waiters: Waiters;
  readonly #parts: TrackerParts;
  readonly #calls = new Map<string, LiveCall>();
  #cancelScrub: (() => void) | null = null;

  constructor(parts: TrackerParts) {
    this.#parts = parts;
    this.waiters = new Waiters(parts.clock);
  }

  /** Created by this life of the host: only such a row may end without the phone being asked (rule 3). */
  fresh(row: CommandRow): boolean {
    return row.born_in === this.#parts.store.life;
  }

  call(requestId: string): LiveCall | null {
    return this.#calls.get(requestId) ?? null;
  }

  openCall(requestId: string, ms: number, over: () => void): void {
    this.closeCall(requestId);
    this.#calls.set(requestId, { phase: 'wanted', cancel: this.timer(ms, over), submittedAtAsk: null });
  }

  /** Nobody is owed an answer any more; whoever follows is told what is known now. */
  closeCall(requestId: string, snapshot: Snapshot | null = null): void {
    const call = this.#calls.get(requestId);
    if (call === undefined) return;
    call.cancel();
    this.#calls.delete(requestId);
    this.waiters.notify(requestId, snapshot);
  }

  timer(ms: number, work: () => void): () => void {
    const { clock } = this.#parts;
    return clock.at(clock.monotonic() + ms, () => guarded(this.#parts, work));
  }

  /** One commit for the whole path. Null, and nothing written, where the table lacks one of the moves. */
  move(
    row: CommandRow,
    events: CommandEvent | readonly CommandEvent[],
    patch: CommandPatch = {},
    heard: Heard = NOTHING_HEARD,
  ): CommandRow | null {
    const { store, clock } = this.#parts;
    const path = typeof events === 'string' ? [events] : events;
    const moved = this.#path(() => {
      const end = path.reduce<CommandRow>((at, event, index) => {
        const last = index === path.length - 1;
        const next = store.commands.move(at.request_id, event, last ? patch : {}, clock.now());
        if (next === null) throw NO_SUCH_MOVE;
        return next;
      }, row);
      // With the evidence, where the ledger stood when it was given: one commit (rule 4).
      if (heard.from !== null) store.devices.remember(row.device_id, heard.from.memory());
      return end;
    });
    if (moved === null) return null;
    if (isFinalCommand(moved.state)) {
      this.#scrubSoon();
      this.closeCall(moved.request_id, heard.snapshot);
    }
    this.waiters.notify(moved.request_id, heard.snapshot);
    return moved;
  }

  patch(row: CommandRow, patch: CommandPatch): CommandRow {
    return this.#parts.store.commands.patch(row.request_id, patch, this.#parts.clock.now());
  }

  close(): void {
    for (const call of this.#calls.values()) call.cancel();
    this.#calls.clear();
    this.#cancelScrub?.();
    this.#cancelScrub = null;
    this.waiters.notifyAll();
  }

  #path(work: () => CommandRow): CommandRow | null {
    try {
      return this.#parts.store.transaction(work);
    } catch (error) {
      if (error === NO_SUCH_MOVE) return null;
      throw error;
    }
  }

  #scrubSoon(): void {
    if (this.#cancelScrub !== null) return;
    this.#cancelScrub = this.timer(TIMES.scrubAfterMs, () => {
      this.#cancelScrub = null;
      this.#parts.store.scrub();
    });
  }
}

const NO_SUCH_MOVE = Symbol('no such move');
