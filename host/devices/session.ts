/**
 * One live session with one phone, after the handshake: sends, asks, beats, and passes on what comes back.
 * Not for the handshake (arrival.ts), for which session of a phone counts (phones.ts), or for what a
 * record proves (host/engine/tracker).
 */
import type { Opened } from '../../device-protocol/host-dialogue.ts';
import { HEARTBEAT, LIMITS } from '../../device-protocol/limits.ts';
import type {
  CompanionMessage,
  Head,
  Hello,
  HostMessage,
  Seal,
  SnapshotMessage,
  Submit,
} from '../../device-protocol/messages.ts';
import { headGoesOn } from '../../device-protocol/turned-back.ts';
import { frameOf, parseCompanionFrame } from '../../device-protocol/wire.ts';
import type { DeviceMemory } from '../store/rows.ts';
import type { HostClock } from './clock.ts';
import type { LinkListener, StopState } from './link.ts';
import {
  type AppEntry,
  type AskOptions,
  type ClipboardAnswer,
  type LookOptions,
  type Phone,
  PhoneError,
} from './phone-api.ts';
import { PhoneTime } from './phone-time.ts';
import { type Answers, Questions } from './questions.ts';
import type { Wire } from './wire.ts';

export interface SessionGiven {
  /** What the handshake found; head and clock of its memory are kept up to date from here. */
  readonly opened: Opened;
  readonly wire: Wire;
  readonly clock: HostClock;
  readonly settledBelow: () => number;
  /** Where the log stands now: the phone keeps it with the request (risk.md, rule 9). */
  readonly auditHead: () => Head;
  /** Told only while this is the phone's current session: `end` silences it. */
  readonly listener: () => LinkListener | null;
  /** The session ended by itself: peer silent, socket broken, phone turned back under our eyes. */
  readonly onEnd: (why: string) => void;
  /** At every answered heartbeat. */
  readonly onBeat: () => void;
  /** A message that could not be used. */
  readonly onBadMessage: (code: string, detail: string) => void;
}

/** Beyond its own settling, an answer to a look may take this long: a large tree, a slow phone. */
const LOOK_EXTRA_MS = 10_000;
const ASK_MS = 10_000;

export class Session implements Phone {
  readonly device_id: string;
  readonly session: number;
  readonly ledger_id: string;
  readonly boot_id: string;
  readonly can_be_turned_back: boolean;
  readonly highest_seq: number;
  readonly hello: Hello;
  readonly #given: SessionGiven;
  readonly #questions: Questions;
  #alive = true;
  #stop: StopState;
  #head: Head;
  readonly #time: PhoneTime;
  #heardAtMs: number;
  #cancelBeat: () => void;

  constructor(given: SessionGiven) {
    const { hello, ready, device_id, hello_at_ms, memory } = given.opened;
    this.#given = given;
    this.hello = hello;
    this.device_id = device_id;
    this.session = ready.session;
    this.ledger_id = ready.ledger_id;
    this.boot_id = ready.boot_id;
    this.can_be_turned_back = hello.can_be_turned_back;
    this.highest_seq = hello.highest_seq;
    this.#stop = { stop_counter: ready.stop_counter, stopped_by: ready.stopped_by };
    this.#head = ready.head;
    this.#time = new PhoneTime(given.clock, {
      elapsedMs: hello.elapsed_ms,
      atMs: hello_at_ms,
      seenAt: memory.seen_at,
    });
    this.#heardAtMs = given.clock.monotonic();
    this.#questions = new Questions(given.clock, device_id);
    this.#cancelBeat = this.#beatLater();
  }

  get alive(): boolean {
    return this.#alive;
  }

  stopState(): StopState {
    return this.#stop;
  }

  phoneNow(): number {
    return this.#time.now();
  }

  /** Our monotonic clock when the phone last told its own. */
  get toldAtMs(): number {
    return this.#time.told.atMs;
  }

  memory(): DeviceMemory {
    return {
      ...this.#given.opened.memory,
      length: this.#head.length,
      chain: this.#head.chain,
      elapsed_ms: this.#time.told.elapsedMs,
      seen_at: this.#time.told.seenAt,
    };
  }

  /** Wall clock of the last frame. */
  heardAt(): number {
    return this.#given.clock.now() - (this.#given.clock.monotonic() - this.#heardAtMs);
  }

  submit(request: Submit['request'], approval: Submit['approval']): boolean {
    return this.#send({
      type: 'submit',
      request,
      approval,
      settled_below: this.#given.settledBelow(),
      audit_head: this.#given.auditHead(),
    });
  }

  status(ask: number, ids: readonly { readonly request_id: string; readonly seq: number }[]): boolean {
    if (ids.length > LIMITS.statusIds) throw new Error('too many ids in one question');
    return this.#send({ type: 'status', ask, ids: [...ids], settled_below: this.#given.settledBelow() });
  }

  seal(of: Omit<Seal, 'type'>): boolean {
    return this.#send({ type: 'seal', ...of });
  }

  stop(): boolean {
    return this.#send({ type: 'stop' });
  }

  resume(stopCounter: number): boolean {
    return this.#send({ type: 'resume', stop_counter: stopCounter });
  }

  look(options: LookOptions): Promise<SnapshotMessage> {
    return this.#ask('snapshot', { timeoutMs: options.settleMs + LOOK_EXTRA_MS, ...options }, (look) => ({
      type: 'look',
      look,
      settle_ms: options.settleMs,
      screenshot: options.screenshot,
    }));
  }

  async listApps(options: AskOptions = {}): Promise<readonly AppEntry[]> {
    const answer = await this.#ask('apps', options, (look) => ({ type: 'list_apps', look }));
    return answer.apps;
  }

  async readClipboard(options: AskOptions = {}): Promise<ClipboardAnswer> {
    const { text, refused } = await this.#ask('clipboard', options, (look) => ({
      type: 'read_clipboard',
      look,
    }));
    return { text, refused };
  }

  /** A frame of this session's socket. Everything that is wrong with it is a coded value. */
  frame(text: string): void {
    if (!this.#alive) return;
    this.#heardAtMs = this.#given.clock.monotonic();
    const parsed = parseCompanionFrame(text);
    if (!parsed.ok) {
      this.#given.onBadMessage(parsed.code, parsed.detail);
      // Which look it answered cannot be read any more; whoever waits learns it now rather than late.
      if (parsed.type === 'snapshot' || parsed.type === 'apps' || parsed.type === 'clipboard')
        this.#questions.failOldest(parsed.type, 'the phone’s answer was not valid');
      return;
    }
    if ('head' in parsed.message && !this.#headGoesOn(parsed.message.head)) {
      this.#fail('the phone’s ledger was turned back');
      return;
    }
    this.#message(parsed.message);
  }

  /** No longer the current session, or no longer connected: everything that waits is told. */
  end(): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#cancelBeat();
    this.#questions.close();
  }

  #message(message: CompanionMessage): void {
    const listener = this.#given.listener();
    switch (message.type) {
      case 'record':
        listener?.record(this, message);
        return;
      case 'not_a_record':
        listener?.notARecord(this, message);
        return;
      case 'status_answer':
        listener?.statusAnswer(this, message);
        return;
      case 'stop_state':
        this.#stop = { stop_counter: message.stop_counter, stopped_by: message.stopped_by };
        listener?.stopChanged(this, this.#stop);
        return;
      case 'snapshot':
      case 'apps':
      case 'clipboard':
        this.#questions.answered(message);
        return;
      case 'look_failed':
        this.#questions.failed(message.look, `${message.code}: ${message.detail}`);
        return;
      case 'pong':
        if (this.#time.tell(message.elapsed_ms)) this.#given.onBeat();
        else this.#fail('the phone’s clock was turned back');
        return;
      case 'refused':
        this.#given.onBadMessage(message.code, message.detail);
        this.#fail(`the phone ended the session: ${message.code}`);
        return;
      case 'dial':
      case 'proof':
      case 'hello':
      case 'ready':
        this.#given.onBadMessage('bad_message', `${message.type} inside a session`);
        this.#fail('a message of the handshake inside a session');
        return;
    }
  }

  #headGoesOn(head: Head): boolean {
    if (!headGoesOn(this.#head, head)) return false;
    this.#head = head;
    return true;
  }

  async #ask<K extends keyof Answers>(
    kind: K,
    options: AskOptions,
    message: (look: number) => HostMessage,
  ): Promise<Answers[K]> {
    if (!this.#alive) throw new PhoneError('device_offline', `${this.device_id} is not connected`);
    const { look, answer } = this.#questions.ask(kind, options.timeoutMs ?? ASK_MS, options.signal);
    if (!this.#send(message(look))) this.#questions.failed(look, 'the connection broke');
    return answer;
  }

  #beatLater(): () => void {
    const { clock } = this.#given;
    return clock.at(clock.monotonic() + HEARTBEAT.everyMs, () => {
      if (clock.monotonic() - this.#heardAtMs >= HEARTBEAT.goneAfterMs) {
        this.#fail('the phone was silent too long');
        return;
      }
      this.#cancelBeat = this.#beatLater();
      this.#send({ type: 'ping', settled_below: this.#given.settledBelow() });
    });
  }

  #send(message: HostMessage): boolean {
    if (!this.#alive) return false;
    const frame = frameOf(message);
    if (frame === null) throw new Error(`a ${message.type} larger than a frame may be`);
    return this.#given.wire.send(frame);
  }

  #fail(why: string): void {
    if (this.#alive) this.#given.onEnd(why);
  }
}
