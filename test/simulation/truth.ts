/**
 * What really happened, seen by nobody inside, and the promises held against it (protocol.md, "The
 * promise"). Not for making things happen.
 */
import { COMMAND_EFFECT, type CommandState, isFinalCommand } from '../../device-protocol/command-table.ts';
import type { RecordState } from '../../device-protocol/record-table.ts';

export class Violation extends Error {}

/** What was bound, as far as the truth needs it. */
export interface BoundAct {
  readonly request_id: string;
  readonly host_id: string;
  readonly ledger_id: string;
  readonly boot_id: string;
  readonly not_after: number;
  readonly key_hash: string;
  readonly payload: string;
  readonly staged: boolean;
}

interface Act extends BoundAct {
  runs: number;
  /** The body said itself that it came to its end. */
  ended: boolean;
  /** Somebody was told that it did not run. */
  saidNone: string | null;
  approved: boolean;
  sentCommitted: boolean;
  /** Stops that had been confirmed when it was bound. */
  readonly stops: number;
  /** Final states told. */
  readonly told: Set<CommandState>;
}

/** The phone at the moment of an input, as it really is. */
export interface Moment {
  readonly elapsedMs: number;
  /** Which boot this is, by number; and which one a boot_id was given in. */
  readonly boot: number;
  readonly bootOf: (boot_id: string) => number | undefined;
  readonly payload: unknown;
  readonly openInputs: number;
  /** Whether the ledger holds a record of this request. */
  readonly keeps: (hostId: string, requestId: string) => boolean;
}

export class Truth {
  readonly acts = new Map<string, Act>();
  /** The owner's stop on the phone holds: pressed and confirmed, not lifted. */
  stopHolds = false;
  /** Stops confirmed by the phone so far. */
  stops = 0;
  readonly #trace: (line: string) => void;

  constructor(trace: (line: string) => void) {
    this.#trace = trace;
  }

  bound(act: BoundAct): void {
    const fresh = { runs: 0, ended: false, saidNone: null, approved: false, sentCommitted: false };
    if (!this.acts.has(act.request_id))
      this.acts.set(act.request_id, { ...act, ...fresh, stops: this.stops, told: new Set() });
  }

  /**
   * A backup of a host came back: what it had ended by itself since, without the phone, it may find open
   * again and end otherwise (PROTOCOL.md, "Limits").
   */
  undone(host: string): void {
    for (const act of this.acts.values()) if (act.host_id === host && !act.sentCommitted) act.saidNone = null;
  }

  approved(requestId: string): void {
    const act = this.acts.get(requestId);
    if (act !== undefined) act.approved = true;
  }

  sent(requestId: string): void {
    const act = this.acts.get(requestId);
    if (act !== undefined) act.sentCommitted = true;
  }

  /** The first input of an act reached the phone's system. */
  ran(requestId: string | undefined, now: Moment): void {
    const act = this.acts.get(requestId ?? '');
    if (requestId === undefined || act === undefined) throw new Violation('something ran that nobody bound');
    const name = short(requestId);
    this.#trace(`INPUT of ${name}`);
    act.runs += 1;
    if (act.runs > 1) throw new Violation(`promise 1: ${name} ran ${act.runs} times`);
    if (act.saidNone !== null)
      throw new Violation(`promise 2: ${name} ran after it was said to be ${act.saidNone}`);
    if (!act.sentCommitted) throw new Violation(`rule 2: ${name} ran before its row was sent`);
    if (act.staged && !act.approved) throw new Violation(`approval: ${name} ran without the owner's yes`);
    if (this.stopHolds) throw new Violation(`rule 6: ${name} ran under a stop`);
    if (act.stops !== this.stops)
      throw new Violation(`rule 6: ${name} was bound before a stop and ran after it`);
    if (now.openInputs > 0) throw new Violation(`one act at a time: ${name} ran beside another`);
    if (now.elapsedMs > act.not_after) throw new Violation(`not_after: ${name} started too late`);
    if (now.bootOf(act.boot_id) !== now.boot) throw new Violation(`boot: ${name} ran in another boot`);
    if (JSON.stringify(now.payload) !== JSON.stringify(JSON.parse(act.payload)))
      throw new Violation(`bytes: ${name} ran as something else than was bound`);
    for (const other of this.acts.values())
      if (
        other !== act &&
        other.host_id === act.host_id &&
        other.key_hash === act.key_hash &&
        other.runs > 0 &&
        now.keeps(other.host_id, other.request_id)
      )
        throw new Violation(`rule 5: ${name} is the second act of one key`);
  }

  /** A further input of an act that has begun. */
  wentOn(requestId: string, running: string | null): void {
    if (running !== requestId)
      throw new Violation(
        `rule 8: an input of ${short(requestId)} although its record is not started any more`,
      );
    if (this.stopHolds) throw new Violation(`rule 8: an input of ${short(requestId)} under a stop`);
  }

  ended(requestId: string): void {
    const act = this.acts.get(requestId);
    if (act !== undefined) act.ended = true;
  }

  /** A host committed, or told somebody, this state of a request. */
  said(requestId: string, state: CommandState, toWhom: string): void {
    const act = this.acts.get(requestId);
    if (act === undefined || !isFinalCommand(state)) return;
    act.told.add(state);
    const effect = COMMAND_EFFECT[state];
    if (effect === 'none') {
      act.saidNone = state;
      if (act.runs > 0)
        throw new Violation(`promise 2: ${short(requestId)} ran and ${toWhom} heard ${state}`);
    }
    if (effect === 'happened') {
      if (act.runs === 0)
        throw new Violation(`promise 2: ${short(requestId)} never ran and ${toWhom} heard done`);
      if (!act.ended)
        throw new Violation(`promise 2: ${short(requestId)} never ended and ${toWhom} heard done`);
    }
  }

  /** A companion came up: what hosts said because of its records must still stand in them. */
  recovered(
    ledger_id: string,
    stateOf: (host: string, requestId: string) => RecordState | 'forgotten',
  ): void {
    for (const [requestId, act] of this.acts) {
      if (act.ledger_id !== ledger_id) continue;
      const state = stateOf(act.host_id, requestId);
      if (state === 'forgotten') continue;
      for (const told of act.told)
        if ((told === 'done' || told === 'sealed' || told === 'interrupted') && state !== told)
          throw new Violation(
            `not durable: ${short(requestId)} was said to be ${told}, its record is ${state}`,
          );
    }
  }
}

export const short = (id: string): string => id.slice(0, 6);
