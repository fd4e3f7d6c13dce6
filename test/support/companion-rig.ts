/**
 * A companion on a bench: the production engine over a disk in memory, a clock that a test moves, hands that
 * do what a test says, and a host that sends what a test says. Not for sockets and frames.
 */
import { hostsWord } from '../../device-protocol/companion/approval.ts';
import { CompanionEngine } from '../../device-protocol/companion/engine.ts';
import type { CompanionSettings, SessionLink } from '../../device-protocol/companion/engine-api.ts';
import type { ActEnd, ActRun, CompanionPorts, Look } from '../../device-protocol/companion/ports.ts';
import type { CompanionMessage, Hello, HostMessage, Ready } from '../../device-protocol/messages.ts';
import type { Payload } from '../../device-protocol/payload.ts';
import type { Refusal } from '../../device-protocol/refusals.ts';
import type { Report } from '../../device-protocol/report.ts';
import { keyHash, type Request, requestDigest, sha256OfText } from '../../device-protocol/request.ts';
import type { Foreground, Snapshot } from '../../device-protocol/snapshot.ts';
import { MemoryDisk } from './memory-disk.ts';

export const HOST = 'a'.repeat(32);

export class BenchClock {
  nowMs = 10_000;
  boots = 1;
  #timers: { atMs: number; wake: () => void }[] = [];

  elapsedMs(): number {
    return this.nowMs;
  }

  bootCount(): number {
    return this.boots;
  }

  at(atMs: number, wake: () => void): () => void {
    const timer = { atMs, wake };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Lets `ms` pass, waking whoever is due on the way, in order. */
  pass(ms: number): void {
    const until = this.nowMs + ms;
    for (;;) {
      const next = this.#timers.filter((one) => one.atMs <= until).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.wake();
    }
    this.nowMs = until;
  }

  /** The process is gone, and its timers with it. */
  forget(): void {
    this.#timers = [];
  }
}

export const FOREGROUND: Foreground = { package: 'dev.example', activity: null, title: 'Example', user: 0 };

export const SNAPSHOT: Snapshot = {
  taken_at_ms: 0,
  display: { width: 100, height: 200, rotation: 0 },
  locale: null,
  screen_on: true,
  locked: false,
  secure_lock: false,
  foreground: FOREGROUND,
  windows: [],
  nodes: [],
  unknown_facts: [],
  losses: [],
};

export const REPORT: Report = {
  acted: true,
  error_code: null,
  strategy: 'global',
  hit: null,
  changed: true,
  change: null,
  foreground: FOREGROUND,
  settled: true,
  settle_ms: 40,
  settle_reason: 'quiet',
  read_back: null,
  read_back_matches: null,
  at_edge: null,
  run_ms: 60,
};

/** Hands that remember every act and end it when the test says so (or at once). */
export class BenchBody {
  readonly runs: { run: ActRun; end: (end: ActEnd) => void }[] = [];
  endsAtOnce = true;
  touchMs: number | null = null;
  refusal: Refusal | null = null;
  front: Foreground = FOREGROUND;
  readonly looks: ((look: Look) => void)[] = [];

  foreground(): Foreground {
    return this.front;
  }

  lastPersonTouchMs(): number | null {
    return this.touchMs;
  }

  check(): Refusal | null {
    return this.refusal;
  }

  perform(run: ActRun, end: (end: ActEnd) => void): void {
    this.runs.push({ run, end });
    if (this.endsAtOnce) end({ kind: 'report', report: REPORT, snapshot: SNAPSHOT });
  }

  look(_request: unknown, end: (look: Look) => void): void {
    this.looks.push(end);
  }

  listApps(end: (apps: []) => void): void {
    end([]);
  }

  readClipboard(end: (clipboard: { text: null; refused: 'empty' }) => void): void {
    end({ text: null, refused: 'empty' });
  }
}

const SETTINGS: CompanionSettings = {
  can_be_turned_back: false,
  companion: { version: '0.0.0', kind: 'virtual' },
  phone: { model: 'bench', android: null, sdk: null, serial: null, locale: null },
  ledger_key: null,
};

export function payloadText(over: Partial<Payload> = {}, salt = '0'): string {
  const payload: Payload = {
    version: 1,
    salt: salt.padStart(32, '0'),
    agent: 'tester',
    act: { kind: 'go', to: 'home' },
    expect: { package: null, window_title: null, shown_print: null },
    shown: [],
    verdict: { level: 'low', decision: 'allow', reasons: [] },
    run_limit_ms: 5_000,
    settle: { reaction_ms: 0, quiet_ms: 0, ceiling_ms: 1_000 },
    ...over,
  };
  return JSON.stringify(payload);
}

/** What a link said since it was last asked. */
export class BenchLink implements SessionLink {
  readonly said: CompanionMessage[] = [];
  closed: { code: string | null; detail: string } | null = null;

  send(message: CompanionMessage): void {
    this.said.push(message);
  }

  close(code: string | null, detail: string): void {
    this.closed = { code, detail };
  }

  take(): CompanionMessage[] {
    return this.said.splice(0);
  }
}

export class CompanionRig {
  readonly clock = new BenchClock();
  readonly disk = new MemoryDisk();
  readonly body = new BenchBody();
  policyRefusal: Refusal | null = null;
  settings: CompanionSettings = SETTINGS;
  engine!: CompanionEngine;
  link!: BenchLink;
  hello!: Hello;
  ready!: Ready;
  #random = 1;
  #seq = 0;
  #session = 0;

  constructor(settings: Partial<CompanionSettings> = {}) {
    this.settings = { ...SETTINGS, ...settings };
    this.start();
  }

  get ports(): CompanionPorts {
    return {
      clock: this.clock,
      disk: this.disk,
      body: this.body,
      chance: { hex: (count) => (this.#random++).toString(16).padStart(count * 2, '7') },
      policy: { refuses: () => this.policyRefusal },
      approval: hostsWord,
    };
  }

  /** A new process of the companion, and a session with HOST. */
  start(): void {
    this.boot();
    this.connect();
  }

  boot(): void {
    this.clock.forget();
    this.engine = new CompanionEngine(this.ports, this.settings);
    this.engine.open();
  }

  connect(hostId = HOST, over: Partial<Extract<HostMessage, { type: 'session' }>> = {}): BenchLink {
    const hello = this.engine.hello(hostId, null);
    if (hello === null || 'refused' in hello) throw new Error(`no hello: ${JSON.stringify(hello)}`);
    this.hello = hello;
    this.#session = Math.max(this.#session, hello.last_session) + 1;
    this.link = new BenchLink();
    const ready = this.engine.begin(
      hostId,
      { type: 'session', session: this.#session, settled_below: 0, ledger_rolled_back: false, ...over },
      this.link,
    );
    if (ready === null || 'refused' in ready) throw new Error(`not ready: ${JSON.stringify(ready)}`);
    this.ready = ready;
    return this.link;
  }

  /** A request bound to what the companion states now. */
  request(over: Partial<Request> = {}): Request {
    const seq = over.seq ?? ++this.#seq;
    this.#seq = Math.max(this.#seq, seq);
    const payload = over.payload ?? payloadText({}, String(seq));
    const view = this.engine.view();
    return {
      request_id: seq.toString(16).padStart(32, 'c'),
      payload,
      payload_sha256: sha256OfText(payload),
      host_id: HOST,
      seq,
      ledger_id: view.ledger_id ?? '',
      boot_id: view.boot_id ?? '',
      not_after: this.clock.nowMs + 10_000,
      stop_counter: view.stop_counter ?? 0,
      key_hash: keyHash('tester', `key ${seq}`),
      ...over,
    };
  }

  submit(request: Request, over: Partial<Extract<HostMessage, { type: 'submit' }>> = {}): CompanionMessage[] {
    return this.tell({ type: 'submit', request, approval: null, settled_below: 0, ...over });
  }

  seal(request: Request, over: Partial<Extract<HostMessage, { type: 'seal' }>> = {}): CompanionMessage[] {
    const { request_id, host_id, seq, ledger_id, boot_id, not_after } = request;
    const digest = requestDigest(request);
    return this.tell({
      type: 'seal',
      request_id,
      host_id,
      seq,
      ledger_id,
      boot_id,
      not_after,
      digest,
      ...over,
    });
  }

  status(...requests: Request[]): CompanionMessage[] {
    const ids = requests.map(({ request_id, seq }) => ({ request_id, seq }));
    return this.tell({ type: 'status', ask: 1, ids, settled_below: 0 });
  }

  /** Sends one message over the current link and answers what came back at once. */
  tell(message: HostMessage, link = this.link): CompanionMessage[] {
    link.take();
    this.engine.receive(link, message);
    return link.take();
  }

  /** States of a request's records, as told: the last one counts. */
  stateOf(request: Request): string {
    const answer = this.status(request)[0];
    if (answer?.type !== 'status_answer') return 'no answer';
    const found = answer.records[0];
    return found?.forgotten === true ? 'forgotten' : (found?.state ?? 'no answer');
  }
}
