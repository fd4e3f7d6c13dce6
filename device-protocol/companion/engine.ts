/**
 * The companion's engine: sessions, the messages of a session, the owner's switch, looks. What acts do is
 * in acts.ts, what is written in keeper.ts. How to carry one: engine-api.ts. Not for frames or proofs
 * (dialogue.ts).
 */
import type {
  CompanionMessage,
  Hello,
  HostMessage,
  LOOK_FAILURES,
  NotARecordCode,
  Ready,
  Seal,
  SessionMessage,
  Status,
} from '../messages.ts';
import type { WireFault } from '../wire.ts';
import { Acts, type Answer } from './acts.ts';
import { notARecord, recordMessage, statusAnswer, stopState } from './answers.ts';
import type {
  CompanionEngineApi,
  CompanionSettings,
  EngineView,
  LinkRefusal,
  SessionLink,
} from './engine-api.ts';
import type { LaterEntry, StoppedBy } from './entries.ts';
import { Keeper } from './keeper.ts';
import type { Ledger } from './ledger.ts';
import type { ActEnd, CompanionPorts } from './ports.ts';
import type { LedgerRecord } from './records.ts';

/** Looks that may be under way at once. */
export const LOOKS_MAX = 8;
/** Beyond its own settling a look may take this long; the host gives up a little later. */
export const LOOK_LIMIT_MS = 8_000;
const NOT_BOUND = 'the accessibility service is not bound';
/** A stop that the disk refused is written again after this long. */
const OWED_STOP_MS = 500;

type LookFailure = (typeof LOOK_FAILURES)[number];

interface Session {
  readonly host_id: string;
  readonly link: SessionLink;
}

export class CompanionEngine implements CompanionEngineApi {
  readonly #ports: CompanionPorts;
  readonly #settings: CompanionSettings;
  readonly #keeper: Keeper;
  readonly #acts: Acts;
  #session: Session | null = null;
  /** Looks under way: each can be ended with a reason, once. */
  readonly #looks = new Set<(code: LookFailure, detail: string) => void>();
  /** The latest elapsedRealtime seen: below it, the phone was put back while we lived. */
  #seenMs = 0;
  /** A stop that was asked for and could not be written yet: nothing runs before it is. */
  #owedStop: StoppedBy = null;
  #whenReady: (() => void)[] = [];
  #wakeAtMs: number | null = null;
  #cancelWake: () => void = () => {};
  #stepping = false;
  #closed = false;

  constructor(ports: CompanionPorts, settings: CompanionSettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#keeper = new Keeper(ports, settings, {
      closed: () => this.#acts.reset(),
      recovered: (moved) => {
        for (const { host_id, record } of moved) this.#tellRecord(host_id, record);
      },
    });
    this.#acts = new Acts(ports, this.#keeper, {
      record: (hostId, record, end) => this.#tellRecord(hostId, record, end),
      freed: () => this.#settle(),
    });
  }

  open(): void {
    this.#keeper.recover();
    this.#settle();
  }

  whenReady(then: () => void): void {
    if (this.#ready()) then();
    else this.#whenReady.push(then);
  }

  close(): void {
    this.#closed = true;
    this.#cancelWake();
  }

  view(): EngineView {
    const ledger = this.#keeper.ledger;
    return {
      ready: this.#ready(),
      ledger_id: ledger?.ledger_id ?? null,
      ledger_began: ledger?.began ?? null,
      boot_id: ledger?.boot_id ?? null,
      stop_counter: ledger?.stop_counter ?? null,
      stopped_by: ledger?.stopped_by ?? this.#owedStop,
      holder: ledger?.holder ?? null,
      in_session: this.#session !== null,
      running: this.#acts.runningId,
      waiting: this.#acts.waiting,
      records: ledger?.records ?? 0,
    };
  }

  /* ---- sessions ---- */

  hello(
    hostId: string,
    remembered: { ledger_id: string; length: number } | null,
  ): Hello | LinkRefusal | null {
    const ledger = this.#current();
    if (ledger === null) return null;
    const held = this.#heldFrom(ledger, hostId);
    if (held !== null) return held;
    // Rule 5: what an older session still delivers must not raise the highest seq after it was told.
    this.#endSession('a newer connection of this phone');
    const book = ledger.book(hostId);
    return {
      type: 'hello',
      ledger_id: ledger.ledger_id,
      boot_id: ledger.boot_id,
      elapsed_ms: this.#ports.clock.elapsedMs(),
      head: ledger.head,
      chain_at_remembered:
        remembered?.ledger_id === ledger.ledger_id ? ledger.chainAt(remembered.length) : null,
      last_session: ledger.session,
      stop_counter: ledger.stop_counter,
      stopped_by: ledger.stopped_by,
      highest_seq: book.highest_seq,
      audit_head: book.audit_head ?? null,
      pruned_mark: book.mark,
      can_be_turned_back: this.#settings.can_be_turned_back,
      companion: this.#settings.companion,
      phone: this.#settings.phone,
    };
  }

  begin(hostId: string, message: SessionMessage, link: SessionLink): Ready | LinkRefusal | null {
    let ledger = this.#current();
    if (ledger === null) return null;
    const held = this.#heldFrom(ledger, hostId);
    if (held !== null) return held;
    if (message.ledger_rolled_back) {
      this.#acts.reset();
      const anew = this.#keeper.beginAnew();
      ledger = this.#keeper.ledger;
      if (!anew || ledger === null) {
        this.#settle();
        return null;
      }
    } else if (message.session <= ledger.session) {
      return { refused: 'superseded', detail: `session ${ledger.session} was there before` };
    }
    const entry: LaterEntry = {
      entry: 'session',
      at: this.#keeper.now(),
      host_id: hostId,
      session: message.session,
    };
    const written = this.#keeper.write([entry]);
    this.#settle();
    if (!written || this.#current() === null) return null;
    this.#endSession('a newer connection of this phone');
    this.#session = { host_id: hostId, link };
    this.#acknowledge(hostId, message.settled_below);
    return {
      type: 'ready',
      session: message.session,
      ledger_id: ledger.ledger_id,
      boot_id: ledger.boot_id,
      stop_counter: ledger.stop_counter,
      stopped_by: ledger.stopped_by,
      head: ledger.head,
    };
  }

  receive(link: SessionLink, message: HostMessage): void {
    const hostId = this.#sessionOf(link);
    if (hostId === null) return;
    switch (message.type) {
      case 'submit':
        this.#acknowledge(hostId, message.settled_below);
        this.#answer(hostId, message.request.request_id, this.#acts.submit(hostId, message));
        break;
      case 'status':
        this.#acknowledge(hostId, message.settled_below);
        this.#status(hostId, message);
        break;
      case 'seal':
        this.#seal(hostId, message);
        break;
      case 'stop':
        if (this.#keeper.ledger?.stopped_by === null) this.#stop('host');
        this.#tellStopState();
        break;
      case 'resume': {
        const ledger = this.#keeper.ledger as Ledger;
        if (ledger.stopped_by === 'host' && ledger.stop_counter === message.stop_counter) this.#lift();
        this.#tellStopState();
        break;
      }
      case 'ping':
        this.#acknowledge(hostId, message.settled_below);
        this.#send((ledger) => ({
          type: 'pong',
          elapsed_ms: this.#ports.clock.elapsedMs(),
          head: ledger.head,
        }));
        break;
      case 'look':
      case 'list_apps':
      case 'read_clipboard':
        this.#read(hostId, message);
        break;
      default:
        // Messages of the handshake have their place before the session only.
        this.#tellNot(hostId, null, 'schema', `${message.type} has no place in a session`);
    }
    this.#settle();
  }

  receiveFault(link: SessionLink, fault: WireFault): void {
    const hostId = this.#sessionOf(link);
    if (hostId === null) return;
    const code = fault.code === 'schema' ? 'schema' : 'limit';
    this.#tellNot(hostId, fault.request_id, code, `${fault.type ?? 'frame'}: ${fault.detail}`.slice(0, 300));
  }

  gone(link: SessionLink): void {
    if (this.#session?.link === link) this.#session = null;
  }

  /* ---- the owner, Android ---- */

  stopOnPhone(): void {
    if (this.#current()?.stopped_by !== 'owner_on_phone') this.#stop('owner_on_phone');
    this.#tellStopState();
    this.#settle();
  }

  resumeOnPhone(): void {
    const ledger = this.#current();
    this.#owedStop = null;
    if (ledger !== null && ledger.stopped_by !== null) this.#lift();
    this.#tellStopState();
    this.#settle();
  }

  changeHolder(hostId: string | null): void {
    const ledger = this.#current();
    if (ledger === null || ledger.holder === hostId) return;
    this.#endSession('the owner gave this phone to another host');
    this.#acts.void('stopped', [{ entry: 'holder', at: this.#keeper.now(), host_id: hostId }]);
    this.#settle();
  }

  bodyBound(bound: boolean): void {
    this.#acts.setBound(bound);
    // What was asked of a service that is gone is not waited for; another instance is asked anew (D-36).
    if (!bound) for (const end of [...this.#looks]) end('not_ready', NOT_BOUND);
    this.#settle();
  }

  /* ---- inside ---- */

  /** The ledger if it is open, after a look at the clock: a phone that was put back recovers first. */
  #current(): Ledger | null {
    const { clock } = this.#ports;
    const now = clock.elapsedMs();
    const ledger = this.#keeper.ledger;
    if (ledger !== null && (now < this.#seenMs || clock.bootCount() !== ledger.boot_count)) {
      this.#seenMs = now;
      this.#fallSilent();
      this.#keeper.recover();
      this.#settle();
    }
    this.#seenMs = Math.max(this.#seenMs, now);
    return this.#ready() ? this.#keeper.ledger : null;
  }

  /** Recovery is over, and no stop that was pressed is still unwritten. */
  #ready(): boolean {
    return this.#keeper.ledger !== null && this.#owedStop === null;
  }

  /** The host of this link, if it is the current session and anything may be answered at all. */
  #sessionOf(link: SessionLink): string | null {
    if (this.#current() === null) return null;
    if (this.#session?.link === link) return this.#session.host_id;
    link.close('superseded', 'a newer session of this phone took over');
    return null;
  }

  #heldFrom(ledger: Ledger, hostId: string): LinkRefusal | null {
    if (ledger.holder === null || ledger.holder === hostId) return null;
    return { refused: 'held', detail: 'another host controls this phone; its owner can change that there' };
  }

  #endSession(why: string): void {
    const old = this.#session;
    this.#session = null;
    old?.link.close('superseded', why);
  }

  #acknowledge(hostId: string, settledBelow: number): void {
    const book = this.#keeper.ledger?.book(hostId);
    if (book !== undefined) book.settled_below = Math.max(book.settled_below, settledBelow);
  }

  #stop(by: Exclude<StoppedBy, null>): void {
    const ledger = this.#keeper.ledger;
    this.#owedStop = by;
    const at = this.#keeper.now();
    if (ledger !== null)
      this.#acts.void('stopped', [
        { entry: 'stop', at, stop_counter: ledger.stop_counter + 1, stopped_by: by },
      ]);
    // Recovery may have come between and begun a new ledger: only what the ledger says counts.
    if (this.#keeper.ledger?.stopped_by === by) this.#owedStop = null;
  }

  #lift(): void {
    const ledger = this.#keeper.ledger as Ledger;
    const at = this.#keeper.now();
    this.#keeper.write([{ entry: 'stop', at, stop_counter: ledger.stop_counter + 1, stopped_by: null }]);
  }

  #seal(hostId: string, seal: Seal): void {
    const answer = this.#acts.seal(hostId, seal);
    if (answer.kind === 'absent')
      this.#status(hostId, { ask: 0, ids: [{ request_id: seal.request_id, seq: seal.seq }] });
    else this.#answer(hostId, seal.request_id, answer);
  }

  #answer(hostId: string, requestId: string, answer: Answer): void {
    if (answer.kind === 'known') this.#tellRecord(hostId, answer.record);
    if (answer.kind === 'not_a_record') this.#tellNot(hostId, requestId, answer.code, answer.detail);
  }

  #status(hostId: string, { ask, ids }: Pick<Status, 'ask' | 'ids'>): void {
    this.#send((ledger) => statusAnswer(ledger, hostId, ask, ids));
  }

  #read(
    hostId: string,
    message: Extract<HostMessage, { type: 'look' | 'list_apps' | 'read_clipboard' }>,
  ): void {
    const { look } = message;
    const failed = (code: LookFailure, detail: string): void =>
      this.#send((ledger) => ({ type: 'look_failed', look, code, detail, head: ledger.head }));
    if (!this.#acts.bound) {
      failed('not_ready', NOT_BOUND);
      return;
    }
    if (this.#looks.size >= LOOKS_MAX) {
      failed('busy', `${LOOKS_MAX} looks are under way already`);
      return;
    }
    const session = this.#session;
    let isOpen = true;
    const over = (tell: () => void): void => {
      // An answer after its time, or a second one, is nobody's any more.
      if (!isOpen) return;
      isOpen = false;
      cancel();
      this.#looks.delete(end);
      // A look is answered to the session that asked, or to nobody.
      if (!this.#closed && this.#session === session && session?.host_id === hostId) tell();
    };
    const end = (code: LookFailure, detail: string): void => over(() => failed(code, detail));
    this.#looks.add(end);
    const { body, clock } = this.#ports;
    const limitMs = (message.type === 'look' ? message.settle_ms : 0) + LOOK_LIMIT_MS;
    const cancel = clock.at(clock.elapsedMs() + limitMs, () =>
      end('timed_out', `no answer within ${limitMs} ms`),
    );
    const answer = (make: (ledger: Ledger) => CompanionMessage): void => over(() => this.#send(make));
    if (message.type === 'look')
      body.look({ settle_ms: message.settle_ms, screenshot: message.screenshot }, (seen) =>
        answer(({ head }) => ({ type: 'snapshot', look, ...seen, head })),
      );
    else if (message.type === 'list_apps')
      body.listApps((apps) => answer(({ head }) => ({ type: 'apps', look, apps, head })));
    else body.readClipboard((clip) => answer(({ head }) => ({ type: 'clipboard', look, ...clip, head })));
  }

  #send(make: (ledger: Ledger) => CompanionMessage): void {
    const ledger = this.#keeper.ledger;
    if (this.#session !== null && ledger !== null) this.#session.link.send(make(ledger));
  }

  #tellRecord(hostId: string, record: LedgerRecord, end?: ActEnd): void {
    if (this.#session?.host_id === hostId) this.#send((ledger) => recordMessage(ledger, record, end));
  }

  #tellNot(hostId: string, requestId: string | null, code: NotARecordCode, detail: string): void {
    if (this.#session?.host_id === hostId)
      this.#send((ledger) => notARecord(ledger, requestId, code, detail));
  }

  #tellStopState(): void {
    this.#send(stopState);
  }

  /** Does everything that is due and sets the one timer. */
  #settle(): void {
    if (this.#stepping || this.#closed) return;
    this.#stepping = true;
    do {
      const retry = this.#keeper.retryAtMs;
      if (retry !== null && this.#keeper.now() >= retry) this.#keeper.recover();
      if (this.#owedStop !== null && this.#keeper.ledger !== null) this.#stop(this.#owedStop);
    } while (this.#owedStop === null && this.#acts.step());
    if (this.#session !== null && this.#acts.idle) this.#keeper.compactIfDue();
    this.#stepping = false;
    this.#setTimer();
    if (!this.#ready()) this.#fallSilent();
    else for (const then of this.#whenReady.splice(0)) then();
  }

  /** Nothing may be answered until recovery is over: the host notices by the closed socket, not by waiting. */
  #fallSilent(): void {
    const session = this.#session;
    this.#session = null;
    session?.link.close(null, 'recovering');
  }

  #setTimer(): void {
    // While a stop is owed no act goes on, so nothing of theirs is due.
    const next = this.#owedStop === null ? this.#acts.nextDueMs() : this.#keeper.now() + OWED_STOP_MS;
    const due = [next, this.#keeper.retryAtMs].filter((at) => at !== null);
    const at = due.length === 0 || this.#closed ? null : Math.min(...due);
    if (at === this.#wakeAtMs) return;
    this.#cancelWake();
    this.#wakeAtMs = at;
    this.#cancelWake = () => {};
    if (at === null) return;
    this.#cancelWake = this.#ports.clock.at(at, () => {
      this.#wakeAtMs = null;
      if (this.#closed) return;
      this.#current();
      this.#settle();
    });
  }
}
