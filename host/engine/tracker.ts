/**
 * Carries commands through their table: binds, sends, waits, seals, reconciles (protocol.md, "Host: life
 * of a command"). Time, chance and phones come in through the constructor. Not for judging, or for telling
 * an agent what happened.
 */
import type { NotARecord, RecordMessage, StatusAnswer } from '../../device-protocol/messages.ts';
import type { HostChance, HostClock } from '../devices/clock.ts';
import type { Link, LinkListener, Links } from '../devices/link.ts';
import type { CommandRow } from '../store/rows.ts';
import type { StoreApi } from '../store/store-api.ts';
import { bindRequest, findByKey } from './tracker/binding.ts';
import { Deciding } from './tracker/deciding.ts';
import { Moves } from './tracker/moves.ts';
import { guarded, TIMES, type TrackerParts } from './tracker/parts.ts';
import { Reconciling } from './tracker/reconciling.ts';
import { Sending } from './tracker/sending.ts';
import type {
  BindInput,
  Bound,
  Decided,
  Followed,
  Kept,
  KeyLookup,
  Recheck,
  TrackerApi,
} from './tracker/tracker-api.ts';

export interface TrackerGiven {
  readonly store: StoreApi;
  readonly clock: HostClock;
  readonly chance: HostChance;
  readonly links: Links;
  /** Default: nothing more is checked right before sending. */
  readonly recheck?: Recheck;
  /** Default: reports are stored as they came. */
  readonly kept?: Kept;
  /** Default: thrown on, which ends the process. */
  readonly onFault?: (fault: unknown) => void;
}

export class Tracker implements TrackerApi {
  readonly #parts: TrackerParts;
  readonly #moves: Moves;
  readonly #sending: Sending;
  readonly #reconciling: Reconciling;
  readonly #deciding: Deciding;
  #cancelPrune: () => void = () => {};
  #closed = false;

  constructor(given: TrackerGiven) {
    const parts: TrackerParts = {
      recheck: () => null,
      kept: (_row, report) => report,
      onFault: (fault) => {
        throw fault;
      },
      ...given,
    };
    this.#parts = parts;
    this.#moves = new Moves(parts);
    this.#sending = new Sending(parts, this.#moves, (deviceId) => this.#reconciling.soon(deviceId));
    this.#reconciling = new Reconciling(parts, this.#moves, this.#sending);
    this.#deciding = new Deciding(parts, this.#moves, this.#sending);
  }

  start(): void {
    const { store, links } = this.#parts;
    for (const row of store.commands.open()) this.#recover(row);
    links.listen(this.#listener());
    for (const link of links.all()) this.#opened(link);
    this.#prune();
  }

  findByKey(agent: string, deviceId: string, key: string, argsHash: string): KeyLookup {
    return findByKey(this.#parts, agent, deviceId, key, argsHash);
  }

  bind(input: BindInput): Bound {
    const bound = bindRequest(this.#parts, input);
    if (!bound.ok || bound.replayed) return bound;
    if (bound.row.state === 'ready' || bound.row.state === 'sent') this.#sending.openCall(bound.row);
    if (bound.row.state === 'staged') this.#deciding.awaitOwner(bound.row);
    return bound;
  }

  async run(
    requestId: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Followed> {
    this.#sending.send(requestId);
    let snapshot: Followed['snapshot'] = null;
    for (;;) {
      const row = this.#known(requestId);
      const owed = this.#moves.call(requestId) !== null;
      if (row.final_at !== null || row.state === 'staged' || !owed || options.signal?.aborted === true)
        return { row, snapshot };
      snapshot = (await this.#moves.waiters.next(requestId, options.signal)) ?? snapshot;
      // The store may be closed by now; what was known last is the answer, and it is still true.
      if (this.#closed) return { row, snapshot };
    }
  }

  async wait(requestId: string, ms: number, signal?: AbortSignal): Promise<Followed | null> {
    const { store, clock } = this.#parts;
    const untilMs = clock.monotonic() + ms;
    let snapshot: Followed['snapshot'] = null;
    for (;;) {
      const row = store.commands.get(requestId);
      if (row === null) return null;
      if (row.final_at !== null || clock.monotonic() >= untilMs || signal?.aborted === true)
        return { row, snapshot };
      snapshot = (await this.#moves.waiters.next(requestId, signal, untilMs)) ?? snapshot;
      if (this.#closed) return { row, snapshot };
    }
  }

  approve(confirmationId: string, by: string, how: string, signature: string | null = null): Decided {
    return this.#deciding.approve(confirmationId, by, how, signature);
  }

  deny(confirmationId: string, by: string, how: string): Decided {
    return this.#deciding.deny(confirmationId, by, how);
  }

  withdraw(requestId: string): CommandRow | null {
    return this.#deciding.withdraw(requestId);
  }

  expireDue(): void {
    this.#deciding.expireDue();
  }

  stopAll(how: string): void {
    this.#deciding.stopAll(how);
  }

  stopAgent(agent: string): void {
    this.#deciding.stopAgent(agent);
  }

  resumeAll(how: string): void {
    this.#deciding.resumeAll(how);
  }

  stopped(): { readonly at: number; readonly how: string } | null {
    return this.#deciding.stopped();
  }

  acceptTurnedBack(deviceId: string): void {
    this.#parts.store.devices.setTurnedBack(deviceId, null);
  }

  close(): void {
    this.#closed = true;
    this.#cancelPrune();
    this.#reconciling.close();
    this.#deciding.close();
    this.#moves.close();
  }

  /** What an earlier life of the host left: nothing of it ends before the phone was asked (rule 3). */
  #recover(row: CommandRow): void {
    if (row.state === 'staged') this.#deciding.awaitOwner(row);
    // It may have left in the moment between the last commit and the end, or in a life that was undone.
    if (row.state === 'ready') this.#moves.move(row, ['send', 'doubt']);
    if (row.state === 'sent') this.#moves.move(row, 'doubt');
  }

  #listener(): LinkListener {
    const on = (work: () => void): void => guarded(this.#parts, work);
    return {
      opened: (link: Link) => on(() => this.#opened(link)),
      closed: (link: Link) => on(() => this.#lost(link)),
      record: (link: Link, message: RecordMessage) => on(() => this.#reconciling.record(link, message)),
      notARecord: (link: Link, message: NotARecord) => on(() => this.#reconciling.notARecord(link, message)),
      statusAnswer: (link: Link, message: StatusAnswer) =>
        on(() => this.#reconciling.statusAnswer(link, message)),
      stopChanged: (link: Link) => on(() => this.#deciding.switched(link)),
    };
  }

  #opened(link: Link): void {
    this.#lookForTurnedBackHost(link);
    this.#deciding.agreeOnStop(link);
    this.#reconciling.askAll(link);
    for (const row of this.#parts.store.commands.open(link.device_id))
      if (row.state === 'ready') this.#sending.send(row.request_id);
  }

  /** Rule 5: the phone knows a `seq` that we never gave. What we still hold may only be asked about and sealed. */
  #lookForTurnedBackHost(link: Link): void {
    const { store, clock } = this.#parts;
    const device = store.devices.get(link.device_id);
    if (device === null || link.highest_seq <= device.last_seq) return;
    store.transaction(() => {
      store.devices.setTurnedBack(link.device_id, clock.now());
      store.devices.raiseSeq(link.device_id, link.highest_seq);
      for (const row of store.commands.open(link.device_id)) this.#sending.disown(row);
    });
  }

  #lost(link: Link): void {
    this.#reconciling.leave(link.device_id);
    for (const row of this.#parts.store.commands.open(link.device_id)) {
      if (row.state === 'sent') this.#moves.move(row, 'doubt');
      // The seal's answer cannot come any more: who waits for it is told so now.
      if (this.#moves.call(row.request_id)?.phase === 'sealing') this.#sending.answerUnknown(row.request_id);
    }
  }

  #prune(): void {
    const { store, clock } = this.#parts;
    store.commands.prune(clock.now() - TIMES.keepMs);
    this.#cancelPrune = this.#moves.timer(TIMES.pruneEveryMs, () => this.#prune());
  }

  #known(requestId: string): CommandRow {
    const row = this.#parts.store.commands.get(requestId);
    if (row === null) throw new Error(`no such request: ${requestId}`);
    return row;
  }
}
