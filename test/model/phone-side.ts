/**
 * Everything a phone may do next: take a message, give its input, end, wait, forget, crash, be rebooted or
 * reinstalled. What it decides it asks the production code: the checks of a submit and of a seal, the record
 * table, what may be forgotten. Not for the host (host-side.ts).
 */
import { checkSeal, checkSubmit, refusalAtStart } from '../../device-protocol/companion/checks.ts';
import type { Ledger } from '../../device-protocol/companion/ledger.ts';
import type { CompanionPorts } from '../../device-protocol/companion/ports.ts';
import { HostBook } from '../../device-protocol/companion/records.ts';
import type { Submit } from '../../device-protocol/messages.ts';
import {
  isFinalRecord,
  type KeptState,
  moveRecord,
  type RecordEvent,
  type RecordState,
} from '../../device-protocol/record-table.ts';
import { type Request, requestDigest, sha256OfText } from '../../device-protocol/request.ts';
import { payloadText } from '../support/companion-rig.ts';
import { bit, isOut, type Message, send } from './messages.ts';
import type { Weakening } from './weakenings.ts';
import type { World } from './world.ts';

/** One thing that may happen: its name, and the state after it. */
export type Next = (name: string, change: (w: World) => void) => void;

const HOST = 'a'.repeat(32);
const LEDGERS = ['1'.repeat(32), '2'.repeat(32)] as const;
const BOOTS = ['3'.repeat(32), '4'.repeat(32)] as const;
const NOT_AFTER = 1_000;
const EARLY = 500;
const LATE = 2_000;

const payload = payloadText();
export const REQUEST: Request = {
  request_id: '5'.repeat(32),
  payload,
  payload_sha256: sha256OfText(payload),
  host_id: HOST,
  seq: 1,
  ledger_id: LEDGERS[0],
  boot_id: BOOTS[0],
  not_after: NOT_AFTER,
  stop_counter: 0,
  key_hash: '6'.repeat(64),
};
export const DIGEST = requestDigest(REQUEST);
export const ledgerId = (ledger: 0 | 1): string => LEDGERS[ledger];
export const bootId = (boot: 0 | 1): string => BOOTS[boot];

const ASK_CURRENT = bit({ to: 'phone', kind: 'ask_current' });
const ASK_STALE = bit({ to: 'phone', kind: 'ask_stale' });
const SUBMIT = bit({ to: 'phone', kind: 'submit' });
const SEAL = bit({ to: 'phone', kind: 'seal' });
const NOT_A_RECORD = bit({ to: 'host', kind: 'not_a_record' });

/** What the production code looks at: a ledger's book with the one record in it, or none. */
interface View {
  readonly ledger: 0 | 1;
  readonly boot: 0 | 1;
  readonly record: RecordState;
  readonly forgotten: boolean;
}

function bookOf({ record, forgotten }: View): HostBook {
  const book = new HostBook(HOST);
  const { request_id, seq, key_hash, boot_id, not_after } = REQUEST;
  if (record !== 'absent')
    book.add({ request_id, seq, digest: DIGEST, key_hash, boot_id, not_after }, record);
  if (forgotten) book.forget(REQUEST.seq);
  return book;
}

function ledgerOf(view: View): Ledger {
  const book = bookOf(view);
  const facts = {
    ledger_id: LEDGERS[view.ledger],
    boot_id: BOOTS[view.boot],
    stopped_by: null,
    stop_counter: 0,
    book: () => book,
  };
  // The checks read these five facts and nothing else.
  return facts as unknown as Ledger;
}

const portsSaying = (refusal: string | null): CompanionPorts =>
  ({
    policy: { refuses: () => null },
    approval: { refuses: () => null },
    body: {
      foreground: () => ({ package: null, activity: null, title: null, user: null }),
      check: () => refusal,
    },
  }) as unknown as CompanionPorts;

const SCREEN = [null, 'target_stale'] as const;
type Screen = (typeof SCREEN)[number];

/** Production decisions are pure, so each is asked for once: by everything that it may depend on. */
class Asked<T> {
  readonly #known = new Map<string, T>();

  of(view: View, more: string, decide: () => T): T {
    const key = `${view.ledger} ${view.boot} ${view.record} ${view.forgotten} ${more}`;
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    const made = decide();
    this.#known.set(key, made);
    return made;
  }
}

const submits = new Asked<ReturnType<typeof checkSubmit>['kind']>();
function submitSays(view: View, request: Request, nowMs: number, screen: Screen) {
  return submits.of(view, `${request.ledger_id} ${request.boot_id} ${nowMs} ${screen}`, () => {
    const submit: Submit = { type: 'submit', request, approval: null, settled_below: 0 };
    return checkSubmit(submit, HOST, ledgerOf(view), portsSaying(screen), nowMs).kind;
  });
}

const seals = new Asked<ReturnType<typeof checkSeal>['kind']>();
function sealSays(view: View) {
  return seals.of(view, '', () => {
    const { request_id, host_id, seq, ledger_id, boot_id, not_after } = REQUEST;
    const identity = { request_id, host_id, seq, ledger_id, boot_id, not_after };
    return checkSeal({ type: 'seal', ...identity, digest: DIGEST }, HOST, ledgerOf(view)).kind;
  });
}

const starts = new Asked<'starts' | 'refused'>();
function startSays(view: View, nowMs: number, screen: Screen) {
  return starts.of(view, `${nowMs} ${screen}`, () => {
    const candidate = { request: REQUEST, digest: DIGEST, payload: JSON.parse(payload), approval: null };
    const refusal = refusalAtStart(candidate, ledgerOf(view), portsSaying(screen), nowMs);
    return refusal === null ? 'starts' : 'refused';
  });
}

const forgets = new Asked<boolean>();
function mayForget(view: View, nowMs: number) {
  return forgets.of(view, String(nowMs), () => {
    const book = bookOf(view);
    return book.markFor(1, false, BOOTS[view.boot], nowMs) > book.mark;
  });
}

export class PhoneSide {
  readonly #weak: ReadonlySet<Weakening>;
  readonly #moved: (state: RecordState, event: RecordEvent) => void;

  constructor(weak: ReadonlySet<Weakening>, moved: (state: RecordState, event: RecordEvent) => void) {
    this.#weak = weak;
    this.#moved = moved;
  }

  next(w: World, next: Next): void {
    if (isOut(w, SUBMIT)) this.#submit(w, next);
    if (isOut(w, SEAL)) next('the phone takes the seal', (to) => this.#seal(to));
    for (const [asked, at] of [
      ['current', ASK_CURRENT],
      ['stale', ASK_STALE],
    ] as const)
      if (isOut(w, at)) next(`the phone answers a ${asked} question`, (to) => this.#answer(to, asked));
    if (w.queued && w.running === 'no') this.#fromQueue(w, next);
    if (w.running === 'to_perform') next('the input is given', (to) => perform(to, 'performed'));
    if (w.running === 'to_perform_unwritten')
      next('the input is given, and nothing is written', (to) => perform(to, 'performed_unwritten'));
    if (w.running === 'performed_unwritten')
      next('started is written at last', (to) => {
        to.running = 'performed';
        this.#write(to, 'submit_started');
      });
    if (w.running === 'performed') next('the act ends', (to) => this.#end(to, 'finish'));
    if (w.running === 'to_perform' || w.running === 'performed')
      next('the act is cut', (to) => this.#end(to, 'interrupt'));
    this.#forget(w, next);
    this.#accidents(w, next);
  }

  #submit(w: World, next: Next): void {
    const view = this.#view(w, 'submit_ignores_mark');
    const request = {
      ...REQUEST,
      boot_id: this.#weak.has('boot_not_compared') ? BOOTS[w.boot] : REQUEST.boot_id,
      ledger_id: this.#weak.has('ledger_not_compared') ? LEDGERS[w.ledger] : REQUEST.ledger_id,
    };
    const now = this.#weak.has('time_not_compared') ? EARLY : nowOf(w);
    next('the phone cannot write and says so', (to) => send(to, NOT_A_RECORD));
    for (const screen of SCREEN) {
      const say = submitSays(view, request, now, screen);
      if (say === 'known') next('the phone knows the submit', (to) => this.#tell(to));
      if (say === 'not_a_record') next('the phone turns the submit away', (to) => send(to, NOT_A_RECORD));
      if (say === 'refuse')
        next('the phone refuses the submit', (to) => {
          if (this.#weak.has('refusal_not_durable')) this.#tell(to, 'refused');
          else this.#write(to, 'submit_refused');
        });
      if (say === 'pass') {
        next('the submit waits behind another act', (to) => {
          to.queued = true;
          this.#write(to, 'submit_queued');
        });
        if (w.running === 'no') next('the submit starts', (to) => this.#start(to, 'submit_started'));
      }
    }
  }

  #start(w: World, event: RecordEvent): void {
    if (this.#weak.has('acts_before_started')) {
      w.running = 'to_perform_unwritten';
      return;
    }
    w.running = 'to_perform';
    this.#write(w, event);
  }

  #fromQueue(w: World, next: Next): void {
    // A queue that holds what is no longer accepted: only where a rule was taken out.
    if (w.record !== 'accepted') {
      next('what is not accepted any more starts', (to) => {
        to.queued = false;
        to.running = 'to_perform';
      });
      return;
    }
    for (const screen of SCREEN) {
      const say = startSays(this.#view(w), nowOf(w), screen);
      next(say === 'starts' ? 'what waited starts' : 'what waited is refused', (to) => {
        to.queued = false;
        if (say === 'starts') to.running = 'to_perform';
        this.#write(to, say === 'starts' ? 'start' : 'refuse');
      });
    }
  }

  #end(w: World, event: 'finish' | 'interrupt'): void {
    w.running = 'no';
    if (event === 'finish' && this.#weak.has('done_not_durable')) this.#tell(w, 'done');
    else this.#write(w, event);
  }

  #seal(w: World): void {
    const say = sealSays(this.#view(w, 'seal_ignores_mark'));
    if (say === 'absent') this.#answer(w, 'current');
    if (say === 'tombstone') {
      if (this.#weak.has('seal_not_durable')) this.#tell(w, 'sealed');
      else this.#write(w, 'seal');
    }
    if (say !== 'known') return;
    if (w.record === 'accepted') {
      if (!this.#weak.has('seal_leaves_the_queue')) w.queued = false;
      this.#write(w, 'seal');
    } else
      this.#tell(w, w.record === 'started' && this.#weak.has('seals_what_started') ? 'sealed' : undefined);
  }

  #forget(w: World, next: Next): void {
    // A later request's record was forgotten, and this one never came: the mark passes it all the same.
    if (w.record === 'absent' && !w.forgotten)
      next('the mark passes it', (to) => {
        to.forgotten = true;
      });
    if (w.record === 'absent' || w.running !== 'no') return;
    const early = this.#weak.has('forgets_too_early') && isFinalRecord(w.record);
    if (early || mayForget(this.#view(w), nowOf(w)))
      next('the record is forgotten', (to) => {
        to.record = 'absent';
        to.queued = false;
        to.forgotten = !this.#weak.has('forgets_without_mark');
      });
  }

  #accidents(w: World, next: Next): void {
    if (w.boot === 0 && !w.late)
      next('time passes', (to) => {
        to.late = true;
      });
    if (w.phoneCrashes > 0)
      next('the companion is killed and comes back', (to) => {
        to.phoneCrashes -= 1;
        this.#restart(to);
      });
    if (w.reboots > 0)
      next('the phone is rebooted', (to) => {
        to.reboots -= 1;
        to.boot = 1;
        to.late = false;
        this.#restart(to);
      });
    if (w.reinstalls > 0)
      next('the companion is reinstalled', (to) => {
        to.reinstalls -= 1;
        Object.assign(to, {
          ledger: 1,
          boot: 1,
          late: false,
          record: 'absent',
          forgotten: false,
          queued: false,
          running: 'no',
        } satisfies Partial<World>);
      });
  }

  #restart(w: World): void {
    w.running = 'no';
    w.queued = false;
    if (w.record === 'started' && this.#weak.has('started_refused_at_restart')) w.record = 'refused';
    else if (w.record === 'started') this.#write(w, 'interrupt');
    else if (w.record === 'accepted') this.#write(w, 'refuse');
  }

  /** Moves the record by the table, durably, and tells it. */
  #write(w: World, event: RecordEvent): void {
    const from = this.#weak.has('known_not_looked_up') && event.startsWith('submit') ? 'absent' : w.record;
    const state = moveRecord(from, event);
    // Only where a rule was taken out, something may be tried that the table lacks.
    if (state === null && this.#weak.size > 0) return;
    if (state === null) throw new Error(`the table lacks ${from} ${event}`);
    this.#moved(from, event);
    w.record = state;
    if (state === 'done') w.doneOnce = true;
    this.#tell(w);
  }

  #tell(w: World, state: RecordState = w.record): void {
    if (state === 'absent') throw new Error('nothing to tell');
    const message: Message =
      w.ledger === 1
        ? { to: 'host', kind: 'record', state: 'done', ledger: 1, boot: 1 }
        : { to: 'host', kind: 'record', state: state satisfies KeptState, ledger: 0, boot: w.boot };
    send(w, bit(message));
  }

  #answer(w: World, asked: 'current' | 'stale'): void {
    if (w.ledger === 1) {
      send(w, bit({ to: 'host', kind: 'status', state: 'absent', ledger: 1, boot: 1, asked: 'any' }));
      return;
    }
    const state = w.record === 'absent' && w.forgotten ? 'forgotten' : w.record;
    const tells = state === 'accepted' || (state === 'absent' && w.boot === 0);
    send(
      w,
      bit({ to: 'host', kind: 'status', state, ledger: 0, boot: w.boot, asked: tells ? asked : 'any' }),
    );
  }

  #view(w: World, ignoring: 'submit_ignores_mark' | 'seal_ignores_mark' | null = null): View {
    return {
      ledger: w.ledger,
      boot: w.boot,
      record: this.#weak.has('known_not_looked_up') && w.running === 'no' ? 'absent' : w.record,
      forgotten: w.forgotten && (ignoring === null || !this.#weak.has(ignoring)),
    };
  }
}

function nowOf(w: World): number {
  return w.boot === 0 && w.late ? LATE : EARLY;
}

function perform(w: World, running: World['running']): void {
  w.running = running;
  w.inputs = w.inputs === 0 ? 1 : 2;
}
