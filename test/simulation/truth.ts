/**
 * What really happened, seen by nobody inside, and the promises held against it (protocol.md, "The
 * promise"). Not for making things happen.
 */
import { COMMAND_EFFECT, type CommandState, isFinalCommand } from '../../device-protocol/command-table.ts';
import type { RecordState } from '../../device-protocol/record-table.ts';

export class Violation extends Error {}

interface Act {
  readonly staged: boolean;
  runs: number;
  /** The body said itself that it came to its end. */
  ended: boolean;
  /** Somebody was told that it did not run. */
  saidNone: string | null;
  saidDone: boolean;
  approved: boolean;
  sentCommitted: boolean;
  /** Final states told, by the ledger the request was bound to. */
  readonly told: Set<CommandState>;
  readonly ledger_id: string;
  readonly host: string;
}

export class Truth {
  readonly acts = new Map<string, Act>();
  /** The owner's stop on the phone holds: pressed and confirmed, not lifted. */
  stopHolds = false;
  readonly #trace: (line: string) => void;

  constructor(trace: (line: string) => void) {
    this.#trace = trace;
  }

  bound(requestId: string, host: string, ledger_id: string, staged: boolean): void {
    const act = { staged, runs: 0, ended: false, saidNone: null, saidDone: false, approved: false };
    if (!this.acts.has(requestId))
      this.acts.set(requestId, { ...act, sentCommitted: false, told: new Set(), ledger_id, host });
  }

  /**
   * A backup of a host came back: what it had ended by itself since, without the phone, it may find open
   * again and end otherwise (PROTOCOL.md, "Limits").
   */
  undone(host: string): void {
    for (const act of this.acts.values()) if (act.host === host && !act.sentCommitted) act.saidNone = null;
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
  ran(requestId: string, openInputs: number): void {
    const act = this.acts.get(requestId);
    this.#trace(`INPUT of ${short(requestId)}`);
    if (act === undefined) throw new Violation(`${requestId} ran and was never bound`);
    act.runs += 1;
    if (act.runs > 1) throw new Violation(`promise 1: ${short(requestId)} ran ${act.runs} times`);
    if (act.saidNone !== null)
      throw new Violation(`promise 2: ${short(requestId)} ran after it was said to be ${act.saidNone}`);
    if (!act.sentCommitted) throw new Violation(`rule 2: ${short(requestId)} ran before its row was sent`);
    if (act.staged && !act.approved) throw new Violation(`${short(requestId)} ran without the owner's yes`);
    if (this.stopHolds) throw new Violation(`rule 6: ${short(requestId)} ran under a stop`);
    if (openInputs > 0) throw new Violation(`one act at a time: ${short(requestId)} ran beside another`);
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
      act.saidDone = true;
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
      const state = stateOf(act.host, requestId);
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
