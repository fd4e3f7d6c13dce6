/**
 * One act from its first input to its report: the screen before, what was hit and how, the wait, the screen
 * after, what differs. Every step looks first whether the act is still its own (protocol.md, rule 8).
 */

import { changeBetween } from '../../../device-protocol/companion/change.ts';
import type { ActEnd, ActRun } from '../../../device-protocol/companion/ports.ts';
import type { ActError } from '../../../device-protocol/refusals.ts';
import type { Report } from '../../../device-protocol/report.ts';
import type { Snapshot } from '../../../device-protocol/snapshot.ts';
import type { PhoneClock } from '../clock.ts';
import type { Gesture, Glass, GlassInput } from '../glass.ts';
import { nodeAt, wordsAt } from './senses.ts';
import { awaitRest, type Rest } from './settling.ts';

/** Whatever an act learns beside before and after. */
export type Learnt = Partial<
  Pick<Report, 'acted' | 'read_back' | 'read_back_matches' | 'at_edge' | 'until'> & {
    readonly error_code: ActError | null;
  }
>;

/** performAction may return false because the app was slow and act later (protocol.md, rule 10). */
const SLOW_ANSWER_MS = 1_000;

export class Run {
  readonly before: Snapshot;
  readonly glass: Glass;
  private readonly clock: PhoneClock;
  private readonly run: ActRun;
  private readonly done: (end: ActEnd) => void;
  private readonly startedMs: number;
  private strategy: Report['strategy'] = 'none';
  private hit: Report['hit'] = null;
  private ended = false;

  constructor(of: { glass: Glass; clock: PhoneClock; run: ActRun; end: (end: ActEnd) => void }) {
    this.glass = of.glass;
    this.clock = of.clock;
    this.run = of.run;
    this.done = of.end;
    this.startedMs = of.clock.elapsedMs();
    this.before = of.glass.look();
  }

  /** False ends the run as interrupted: no further input may be given. */
  private mine(): boolean {
    if (this.ended) return false;
    if (this.run.stillMine()) return true;
    this.interrupt();
    return false;
  }

  /** No time for another step of the same kind: better to end and say so than to be cut. */
  nearlyOver(): boolean {
    const { run_limit_ms, settle } = this.run.payload;
    return this.clock.elapsedMs() - this.startedMs > run_limit_ms - 2 * settle.ceiling_ms;
  }

  interrupt(): void {
    if (this.ended) return;
    this.ended = true;
    this.done({ kind: 'interrupted' });
  }

  /** Writes down what the input lands on. */
  aims(strategy: Report['strategy'], node: number | null, way: 'node_action' | 'gesture' | 'none'): void {
    this.strategy = strategy;
    if (node === null) return;
    const { class_name, resource_id, bounds } = nodeAt(this.before, node);
    this.hit = { class_name, resource_id, words: wordsAt(this.before, node), bounds, way };
  }

  /** Gives one input at once and goes on with Android's answer. */
  give(input: GlassInput, then: (took: boolean) => void): void {
    if (!this.mine()) return;
    then(this.glass.give(input, 'companion'));
  }

  /** Gives a gesture; a cancelled one ends the act as interrupted, one without an answer never ends here. */
  gesture(gesture: Gesture, then: () => void): void {
    if (!this.mine()) return;
    this.glass.gesture(gesture, (how) => {
      if (how === 'cancelled') this.interrupt();
      else then();
    });
  }

  /** Lets `ms` pass between two inputs. */
  pause(ms: number, then: () => void): void {
    this.clock.at(this.clock.elapsedMs() + ms, () => {
      if (this.mine()) then();
    });
  }

  /** Waits for rest and goes on with a fresh look. */
  settle(then: (rest: Rest) => void): void {
    awaitRest(this.glass, this.clock, this.run.payload.settle, this.before, (rest) => {
      if (this.mine()) then(rest);
    });
  }

  /** The ordinary end: wait, look, compare, report. `took` is Android's answer to the input. */
  finish(took: boolean, learn: (after: Snapshot) => Learnt = () => ({})): void {
    const answeredAfterMs = this.clock.elapsedMs() - this.startedMs;
    this.settle((rest) => {
      const { changed } = changeBetween(this.before, rest.after);
      const late = changed !== false || answeredAfterMs > SLOW_ANSWER_MS;
      const acted = took ? true : late ? null : false;
      this.report(rest, {
        acted,
        error_code: acted === false ? 'act_turned_down' : null,
        ...learn(rest.after),
      });
    });
  }

  /** Ends without having given any input. */
  nothingDone(learnt: Learnt): void {
    if (this.mine()) this.report(null, learnt);
  }

  report(rest: Rest | null, learnt: Learnt): void {
    if (this.ended) return;
    this.ended = true;
    const after = rest?.after ?? this.before;
    const { changed, change } =
      rest === null ? { changed: null, change: null } : changeBetween(this.before, after);
    const report: Report = {
      acted: null,
      error_code: null,
      strategy: this.strategy,
      hit: this.hit,
      changed,
      change,
      foreground: after.foreground,
      settled: rest?.settled ?? null,
      settle_ms: rest?.tookMs ?? null,
      settle_reason: rest?.reason ?? null,
      read_back: null,
      read_back_matches: null,
      at_edge: null,
      ...learnt,
      run_ms: this.clock.elapsedMs() - this.startedMs,
    };
    this.done({ kind: 'report', report, snapshot: after });
  }
}
