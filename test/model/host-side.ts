/**
 * Everything a host may do next with the one request: let the owner decide, send, ask, seal, give up waiting,
 * take an answer, lose its link, crash. Each move is the command table's, and what an answer proves is asked
 * of the production code (evidence.ts); when something is sent or sealed mirrors sending.ts and
 * reconciling.ts, because those act on a store. Not for the phone (phone-side.ts).
 */

import type { CommandState } from '../../device-protocol/command-table.ts';
import {
  COMMAND_EFFECT,
  COMMAND_STATES,
  type CommandEvent,
  isFinalCommand,
  moveCommand,
} from '../../device-protocol/command-table.ts';
import { type Proof, proofOf } from '../../host/engine/tracker/evidence.ts';
import { becomeStale, bit, isOut, keepOnly, MESSAGES, type Message, send, takeBack } from './messages.ts';
import { bootId, DIGEST, ledgerId, type Next, REQUEST } from './phone-side.ts';
import type { Weakening } from './weakenings.ts';
import type { World } from './world.ts';

const SUBMIT = bit({ to: 'phone', kind: 'submit' });
const SEAL = bit({ to: 'phone', kind: 'seal' });
const ASK = bit({ to: 'phone', kind: 'ask_current' });

const FINAL = COMMAND_STATES.filter(isFinalCommand);
/** The host’s part of a request that is final. */
const OVER = {
  sealFlag: false,
  ending: 'none',
  fresh: false,
  asked: false,
  call: 'none',
  hand: 'nothing',
  handed: false,
  link: 'none',
} as const satisfies Partial<World>;

const NAMES = MESSAGES.map((message) =>
  message.kind === 'record' || message.kind === 'status'
    ? `the host takes ${message.kind} ${message.state} (ledger ${message.ledger}, boot ${message.boot})`
    : 'the host takes an answer that is no record',
);

type Ending = Exclude<World['ending'], 'none'>;
type Answer = Extract<Message, { kind: 'record' | 'status' }>;

export class HostSide {
  readonly #weak: ReadonlySet<Weakening>;
  readonly #moved: (state: CommandState, event: CommandEvent) => void;
  readonly #proofs: readonly (Proof | null)[];
  /** For each message the first one that proves the same: the host cannot tell them apart. */
  readonly #same: readonly number[];

  constructor(weak: ReadonlySet<Weakening>, moved: (state: CommandState, event: CommandEvent) => void) {
    this.#weak = weak;
    this.#moved = moved;
    this.#proofs = MESSAGES.map((message) =>
      message.kind === 'record' || message.kind === 'status' ? this.#proofOf(message) : null,
    );
    const seen = new Map<string, number>();
    this.#same = MESSAGES.map((message, at) => {
      const proof = this.#proofs[at];
      if (proof == null) return at;
      // Whether and when it was asked counts for what may still change only.
      const mayChange = proof.kind === 'absent' || (proof.kind === 'open' && proof.state === 'accepted');
      const asked = mayChange && message.kind === 'status' ? message.asked : null;
      const key = JSON.stringify([proof, asked]);
      const first = seen.get(key) ?? at;
      seen.set(key, first);
      return first;
    });
  }

  /** Brings a state to the one form of all that nothing can tell apart from now on. */
  settle(w: World): void {
    if (isFinalCommand(w.row)) {
      const sameEffect = FINAL.find((state) => COMMAND_EFFECT[state] === COMMAND_EFFECT[w.row]);
      Object.assign(w, OVER, { row: sameEffect ?? w.row, hostCrashes: 0 });
      keepOnly(w, [SUBMIT, SEAL]);
      return;
    }
    for (let at = 0; at < MESSAGES.length; at++) {
      const first = this.#same[at] ?? at;
      if (first !== at && isOut(w, at)) {
        takeBack(w, at);
        send(w, first);
      }
    }
  }

  next(w: World, next: Next): void {
    if (isFinalCommand(w.row)) return;
    if (w.hand !== 'nothing') {
      // Commit and handing over follow each other without a pause: only the process may end in between.
      this.#handing(w, next);
      this.#crash(w, next);
      return;
    }
    this.#owner(w, next);
    if (w.row === 'received') return;
    this.#sending(w, next);
    this.#waiting(w, next);
    MESSAGES.forEach((message, at) => {
      if (message.to !== 'host' || !isOut(w, at) || w.link === 'none') return;
      next(NAMES[at] ?? '', (to) => this.#take(to, message, this.#proofs[at] ?? null));
    });
    this.#link(w, next);
  }

  #owner(w: World, next: Next): void {
    if (w.row === 'received') {
      next('bound, and let through', (to) => {
        this.#move(to, 'allow');
        to.call = 'wanted';
      });
      next('bound, and staged', (to) => this.#move(to, 'stage'));
      next('bound, and refused', (to) => this.#move(to, 'refuse'));
      return;
    }
    if (w.row === 'staged' && w.ending === 'none') {
      next('the owner approves', (to) => {
        this.#move(to, 'approve');
        to.call = 'wanted';
      });
      next('the owner denies', (to) => this.#stopShort(to, 'deny'));
      next('the confirmation expires', (to) => this.#stopShort(to, 'expire'));
    }
    next('the agent withdraws', (to) => this.#stopShort(to, 'cancel'));
    next('everything is stopped', (to) => this.#stopShort(to, 'refuse'));
  }

  #handing(w: World, next: Next): void {
    if (w.hand === 'committed')
      next('the bytes are handed over', (to) => {
        to.hand = 'nothing';
        this.#handOver(to);
      });
    if (w.hand === 'uncommitted')
      next('sent is committed at last', (to) => {
        to.hand = 'nothing';
        this.#move(to, 'send');
      });
  }

  #sending(w: World, next: Next): void {
    if (w.call !== 'wanted' || w.handed) return;
    if (w.row !== 'ready') return;
    if (w.link === 'other_boot' || w.link === 'other_ledger') {
      if (this.#fresh(w)) next('the phone came back as another', (to) => this.#stopShort(to, 'refuse'));
      return;
    }
    if (w.link === 'none' || (!this.#fresh(w) && !w.asked)) return;
    if (this.#weak.has('sends_before_commit'))
      next('the bytes are handed over before the commit', (to) => {
        to.hand = 'uncommitted';
        this.#handOver(to);
      });
    else
      next('sent is committed', (to) => {
        to.hand = 'committed';
        this.#move(to, 'send');
      });
  }

  #waiting(w: World, next: Next): void {
    if (w.call === 'wanted')
      next('the call’s time is over', (to) => {
        this.#stopShort(to, 'expire');
        if (isFinalCommand(to.row)) return;
        if (to.link === 'none') this.#giveUp(to);
        else to.call = 'sealing';
      });
    if (w.call === 'sealing') next('no answer to the seal', (to) => this.#giveUp(to));
    const mustAsk = w.sealFlag || (!this.#fresh(w) && !w.asked);
    if (w.link !== 'none' && ((w.row !== 'staged' && w.row !== 'ready') || mustAsk))
      next('the host asks', (to) => send(to, ASK));
  }

  #link(w: World, next: Next): void {
    if (w.link !== 'none')
      next('the link is lost', (to) => {
        to.link = 'none';
        if (to.row === 'sent') this.#move(to, 'doubt');
        if (to.call === 'sealing') this.#giveUp(to);
      });
    next('the phone says hello', (to) => {
      if (to.row === 'sent' && to.link !== 'none') this.#move(to, 'doubt');
      to.link = to.ledger === 1 ? 'other_ledger' : to.boot === 1 ? 'other_boot' : 'bound';
      send(to, ASK);
    });
    this.#crash(w, next);
  }

  #crash(w: World, next: Next): void {
    if (w.hostCrashes === 0) return;
    next('the host is killed and comes back', (to) => {
      to.hostCrashes -= 1;
      to.fresh = false;
      to.asked = false;
      to.call = 'none';
      to.hand = 'nothing';
      to.handed = false;
      to.link = 'none';
      // It may have left in the moment between the last commit and the end.
      if (to.row === 'ready' && !this.#weak.has('ends_without_asking')) this.#path(to, ['send', 'doubt']);
      if (to.row === 'sent') this.#move(to, 'doubt');
    });
  }

  /* ---- answers ---- */

  #take(w: World, message: Message, proof: Proof | null): void {
    if (message.kind === 'not_a_record') {
      if (this.#weak.has('not_a_record_proves') && (w.row === 'sent' || w.row === 'doubtful'))
        this.#move(w, 'record_refused');
      else if (!w.sealFlag && (w.row === 'sent' || w.row === 'doubtful')) this.#stopShort(w, 'refuse');
      return;
    }
    if (proof === null || (message.kind !== 'record' && message.kind !== 'status')) return;
    const asked = message.kind === 'status' ? message.asked : null;
    switch (proof.kind) {
      case 'final':
        if (w.row === 'staged' && proof.event === 'record_sealed' && w.ending !== 'none')
          this.#move(w, w.ending);
        else this.#path(w, [...toSent(w.row), proof.event]);
        return;
      case 'open': {
        this.#path(w, toSent(w.row));
        const wanted = w.call === 'wanted' && !w.sealFlag;
        if (proof.state === 'accepted' && !wanted && (asked !== null || !w.sealFlag))
          this.#sendAgain(w, asked);
        return;
      }
      case 'absent':
        if (!this.#fresh(w)) w.asked = true;
        if (this.#weak.has('absence_proves') && (w.row === 'sent' || w.row === 'doubtful'))
          this.#move(w, 'record_refused');
        else if (w.row !== 'ready' && asked !== null && (w.row !== 'staged' || w.sealFlag))
          this.#sendAgain(w, asked);
        return;
      case 'outlived':
        if (!this.#neverLeft(w)) this.#path(w, w.row === 'sent' ? ['doubt', 'outlived'] : ['outlived']);
        return;
      case 'lost':
        if (!this.#neverLeft(w))
          this.#path(w, w.row === 'doubtful' ? ['lose'] : [...toSent(w.row), 'doubt', 'lose']);
        return;
    }
  }

  #sendAgain(w: World, asked: 'current' | 'stale' | 'any' | null): void {
    if (w.sealFlag && !this.#weak.has('resubmits_after_seal')) {
      send(w, SEAL);
      return;
    }
    if (w.call !== 'wanted' && !(w.sealFlag && this.#weak.has('resubmits_after_seal'))) {
      this.#stopShort(w, 'expire');
      return;
    }
    if (asked === 'stale' || w.link !== 'bound') return;
    if (!this.#fresh(w) && !w.asked) return;
    this.#handOver(w);
  }

  #neverLeft(w: World): boolean {
    if (w.row !== 'staged' && w.row !== 'ready') return false;
    this.#move(w, w.row === 'staged' && w.ending !== 'none' ? w.ending : 'refuse');
    return true;
  }

  /* ---- steps ---- */

  #stopShort(w: World, ending: Ending): void {
    const waiting = w.row === 'staged' || w.row === 'ready';
    if (waiting && this.#fresh(w)) {
      this.#move(w, w.row === 'ready' && ending === 'deny' ? 'refuse' : ending);
      return;
    }
    w.sealFlag = true;
    if (w.row === 'staged') {
      if (w.ending === 'none') w.ending = ending;
    } else if (w.row === 'ready') this.#path(w, ['send', 'doubt']);
    if (w.link !== 'none') send(w, SEAL);
  }

  #handOver(w: World): void {
    becomeStale(w);
    send(w, SUBMIT);
    w.handed = true;
  }

  /** The call gets its answer though the request is still open. */
  #giveUp(w: World): void {
    w.call = 'none';
    if (w.row === 'sent') this.#move(w, 'doubt');
    if (this.#weak.has('no_answer_proves') && w.row === 'doubtful') this.#move(w, 'record_refused');
  }

  #fresh(w: World): boolean {
    return w.fresh || this.#weak.has('ends_without_asking');
  }

  #path(w: World, events: readonly CommandEvent[]): void {
    for (const event of events) this.#move(w, event);
  }

  #move(w: World, event: CommandEvent): void {
    const state = moveCommand(w.row, event);
    if (state === null) throw new Error(`the table lacks ${w.row} ${event}`);
    this.#moved(w.row, event);
    w.row = state;
    if (!isFinalCommand(state)) return;
    w.call = 'none';
    w.hand = 'nothing';
    w.handed = false;
  }

  #proofOf(message: Answer): Proof {
    const { state, ledger, boot } = message;
    const said = {
      state: state === 'forgotten' ? 'absent' : state,
      digest: state === 'forgotten' || state === 'absent' ? null : DIGEST,
      forgotten: state === 'forgotten' && !this.#weak.has('forgotten_proves'),
      refusal: null,
      interruption: null,
      report: null,
      ledger_id: ledgerId(this.#weak.has('other_ledger_proves') ? 0 : ledger),
      boot_id: bootId(boot),
    } as const;
    return proofOf({ ...REQUEST, digest: DIGEST }, said, false);
  }
}

/** The moves that bring a row to `sent`: a record was found for one that never noted the sending. */
function toSent(row: CommandState): CommandEvent[] {
  if (row === 'staged') return ['approve', 'send'];
  return row === 'ready' ? ['send'] : [];
}
