/**
 * Another companion, written from PROTOCOL.md alone: it imports nothing of the product. It knows one act
 * (`go`), never writes its journal anew and never forgets; everything it says and writes is as the page wants
 * it. It is here to show that the page is enough. Not an example of good style for one.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type ConnectionOptions, connect } from 'node:tls';
import WebSocket from 'ws';

type Json = Record<string, unknown>;
const sha = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const NOTHING = { refusal: null, interruption: null, report: null };

interface Kept extends Json {
  request_id: string;
  seq: number;
  digest: string;
  key_hash: string | null;
  state: string;
  refusal: string | null;
  interruption: string | null;
  report: Json | null;
}

/** Section 9: from, event, to. */
const MOVES: Record<string, string> = {
  'absent submit_started': 'started',
  'absent submit_refused': 'refused',
  'absent seal': 'sealed',
  'started finish': 'done',
  'started interrupt': 'interrupted',
};

/** Section 15: the journal and what it adds up to. */
class Book {
  readonly #handle: number;
  #end = 0;
  chain: Buffer = Buffer.alloc(32);
  length = 0;
  readonly chains: string[] = [];
  base: Json = {};
  boot_id = '';
  session = 0;
  stop_counter = 0;
  stopped_by: string | null = null;
  holder: string | null = null;
  at = 0;
  highest_seq = 0;
  readonly records = new Map<string, Kept>();

  constructor(path: string, clock: () => number) {
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    this.#handle = openSync(path, existsSync(path) ? 'r+' : 'w+');
    let at = 0;
    while (bytes.length - at >= 8) {
      const length = bytes.readUInt32BE(at);
      if (bytes.readUInt32BE(at + 4) !== ~length >>> 0 || bytes.length - at < 40 + length) break;
      const framed = bytes.subarray(at, at + 8 + length);
      const value = JSON.parse(framed.subarray(8).toString('utf8')) as Json;
      const chain = sha(this.chain, framed);
      if (!chain.equals(bytes.subarray(at + 8 + length, at + 40 + length))) throw new Error('damaged');
      this.#take(value, chain);
      at += 40 + length;
    }
    if (at < bytes.length) ftruncateSync(this.#handle, at);
    this.#end = at;
    const now = Math.floor(clock());
    if (this.length === 0)
      this.write({
        entry: 'base',
        version: 1,
        ledger_id: randomBytes(16).toString('hex'),
        began: 'first',
        ledger_key: null,
        at: now,
        continues: { length: 0, chain: '0'.repeat(64) },
        kept: 0,
        told: [],
        boot_id: randomBytes(16).toString('hex'),
        boot_count: 1,
        session: 0,
        stop_counter: 0,
        stopped_by: null,
        holder: null,
        hosts: [],
      });
    for (const { host_id, request_id, state } of [...this.records.values()])
      if (state === 'started')
        this.move(String(host_id), request_id, 'interrupt', { interruption: 'restarted' }, now);
  }

  /** Append, sync, and only then does it count. */
  write(value: Json): void {
    const text = Buffer.from(JSON.stringify(value));
    const header = Buffer.alloc(8);
    header.writeUInt32BE(text.length, 0);
    header.writeUInt32BE(~text.length >>> 0, 4);
    const chain = sha(this.chain, header, text);
    const bytes = Buffer.concat([header, text, chain]);
    writeSync(this.#handle, bytes, 0, bytes.length, this.#end);
    fsyncSync(this.#handle);
    this.#end += bytes.length;
    this.#take(value, chain);
  }

  move(host_id: string, request_id: string, event: string, closing: Json, at: number): void {
    this.write({ entry: 'move', at, host_id, request_id, ...NOTHING, ...closing, event });
  }

  #take(value: Json, chain: Buffer): void {
    this.chain = chain;
    this.length += 1;
    this.chains[this.length] = chain.toString('hex');
    this.at = Math.max(this.at, Number(value.at));
    const known = this.records.get(String(value.request_id));
    const { refusal, interruption, report } = value as { [name: string]: never };
    if (value.entry === 'base') Object.assign(this, { base: value, boot_id: value.boot_id });
    if (value.entry === 'session') {
      this.session = Number(value.session);
      this.holder ??= String(value.host_id);
    }
    if (value.entry === 'stop')
      Object.assign(this, { stop_counter: value.stop_counter, stopped_by: value.stopped_by });
    if (value.entry === 'record' || value.entry === 'move') {
      const state = MOVES[`${known?.state ?? 'absent'} ${value.event}`];
      if (state === undefined) throw new Error(`illegal ${String(value.event)}`);
      const record = { ...(known ?? value), state, refusal, interruption, report } as unknown as Kept;
      this.records.set(record.request_id, record);
      this.highest_seq = Math.max(this.highest_seq, record.seq);
    }
  }

  get head(): Json {
    return { length: this.length, chain: this.chain.toString('hex') };
  }

  get place(): { ledger_id: unknown; boot_id: string; head: Json } {
    return { ledger_id: this.base.ledger_id, boot_id: this.boot_id, head: this.head };
  }

  close(): void {
    closeSync(this.#handle);
  }
}

export interface SecondOptions {
  readonly url: string;
  readonly device_id: string;
  readonly secret: string;
  readonly fingerprint: string;
  readonly journal: string;
  /** elapsedRealtime. */
  readonly clock: () => number;
  /** Gives the input; `done` may be called later, or never. */
  readonly press: (to: string, done: () => void) => void;
}

export class SecondCompanion {
  readonly book: Book;
  readonly #given: SecondOptions;
  readonly #socket: WebSocket;
  #host = '';
  #nonce = '';
  #transcript: string[] = [];
  #running: string | null = null;
  #next: (() => void) | null = null;
  #inSession = false;

  constructor(given: SecondOptions) {
    this.#given = given;
    this.book = new Book(given.journal, given.clock);
    this.#socket = new WebSocket(given.url, {
      perMessageDeflate: false,
      createConnection: ((options: ConnectionOptions) => {
        const socket = connect({ ...options, rejectUnauthorized: false, servername: '' });
        socket.once('secureConnect', () => {
          const raw = socket.getPeerX509Certificate()?.raw;
          if (raw === undefined || sha(raw).toString('hex') !== given.fingerprint) socket.destroy();
        });
        return socket;
      }) as never,
    });
    this.#socket.on('error', () => {});
    this.#socket.on('open', () => {
      this.#nonce = randomBytes(32).toString('hex');
      this.#say({ type: 'dial', protocol: 1, device_id: given.device_id, nonce: this.#nonce });
    });
    this.#socket.on('message', (data) => {
      const answer = this.#answer(JSON.parse(data.toString()) as Json);
      if (answer !== null) this.#say(answer);
      // The input comes once `started` is durable, and it may as well be told by then.
      const act = this.#next;
      this.#next = null;
      act?.();
    });
  }

  /** The process is gone: nothing more is said or written. */
  async kill(): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.once('close', resolve));
    this.#inSession = false;
    this.#socket.removeAllListeners('message');
    this.#socket.terminate();
    await closed;
    this.book.close();
  }

  #say(message: Json): void {
    this.#socket.send(JSON.stringify(message));
  }

  #proof(side: string): string {
    const text = ['countersign-auth-v1', side, ...this.#transcript].join('\n');
    return createHmac('sha256', Buffer.from(this.#given.secret, 'hex')).update(text).digest('hex');
  }

  #answer(message: Json): Json | null {
    const { book } = this;
    switch (message.type) {
      case 'challenge': {
        this.#host = String(message.host_id);
        const { device_id, fingerprint } = this.#given;
        this.#transcript = ['1', device_id, this.#host, this.#nonce, String(message.nonce), fingerprint];
        return { type: 'proof', proof: this.#proof('companion') };
      }
      case 'proof_back': {
        if (!timingSafeEqual(Buffer.from(String(message.proof)), Buffer.from(this.#proof('host'))))
          return { type: 'refused', code: 'auth_failed', detail: '' };
        const remembered = message.remembered as { ledger_id: string; length: number } | null;
        const sameLedger = remembered?.ledger_id === book.base.ledger_id;
        return {
          type: 'hello',
          ...book.place,
          elapsed_ms: this.#given.clock(),
          chain_at_remembered: sameLedger ? (book.chains[remembered?.length ?? 0] ?? null) : null,
          last_session: book.session,
          stop_counter: book.stop_counter,
          stopped_by: book.stopped_by,
          highest_seq: book.highest_seq,
          audit_head: null,
          pruned_mark: 0,
          can_be_turned_back: true,
          companion: { version: '0.0.2', kind: 'jvm' },
          phone: { model: 'second', android: null, sdk: null, serial: null, locale: null },
        };
      }
      case 'session':
        if (message.ledger_rolled_back === true) throw new Error('it was never turned back');
        book.write({ entry: 'session', at: this.#now(), host_id: this.#host, session: message.session });
        this.#inSession = true;
        return {
          type: 'ready',
          session: message.session,
          ...book.place,
          stop_counter: book.stop_counter,
          stopped_by: book.stopped_by,
        };
      case 'ping':
        return { type: 'pong', elapsed_ms: this.#given.clock(), head: book.head };
      case 'submit':
        return this.#submit(message);
      case 'seal':
        return this.#seal(message);
      case 'status':
        return this.#status(message);
      case 'stop':
      case 'resume':
        return this.#stop(message);
      default:
        throw new Error(`${String(message.type)} is not known here`);
    }
  }

  #now(): number {
    return Math.floor(this.#given.clock());
  }

  /** Section 10.1. */
  #submit({ request, approval }: Json): Json {
    const { book } = this;
    const of = request as { [name: string]: string & number };
    const { payload, ...bound } = of;
    const id = String(of.request_id);
    const no = (code: string): Json => this.#no(id, code);
    if (of.host_id !== this.#host) return no('schema');
    if (sha(String(payload)).toString('hex') !== of.payload_sha256) return no('hash_mismatch');
    const names = 'request_id payload_sha256 host_id seq ledger_id boot_id not_after stop_counter key_hash';
    const lines = names.split(' ').map((name) => String(bound[name]));
    const digest = sha(['countersign-request-v1', ...lines].join('\n')).toString('hex');
    const known = book.records.get(id);
    if (known !== undefined) return known.digest === digest ? this.#told(known) : no('conflict');
    if (of.ledger_id !== book.base.ledger_id) return no('other_ledger');
    if (of.boot_id !== book.boot_id) return no('other_boot');
    const others = [...book.records.values()];
    if (others.some(({ seq }) => seq === of.seq)) return no('conflict');
    if (others.some(({ key_hash }) => key_hash === of.key_hash)) return no('key_used');
    if (this.#given.clock() > Number(of.not_after)) return no('expired_submit');
    const { act, verdict } = JSON.parse(String(payload)) as { act: Json; verdict: Json };
    const given = approval as { request_digest: string } | null;
    const missing =
      (given !== null && given.request_digest !== digest) ||
      (verdict.decision !== 'allow' && (verdict.decision !== 'ask' || given === null));
    const refusal =
      book.stopped_by !== null || of.stop_counter !== book.stop_counter
        ? 'paused'
        : missing
          ? 'approval_missing'
          : act.kind === 'go'
            ? null
            : 'package_refused';
    if (refusal === null && this.#running !== null) return no('busy');
    const { host_id, seq, key_hash, boot_id, not_after } = of;
    const identity = { host_id, request_id: id, seq, digest, key_hash, boot_id, not_after };
    const event = refusal === null ? 'submit_started' : 'submit_refused';
    book.write({ entry: 'record', at: this.#now(), ...identity, ...NOTHING, refusal, event });
    if (refusal === null) {
      this.#running = id;
      this.#next = () => this.#press(id, String(act.to));
    }
    return this.#told(book.records.get(id) as Kept);
  }

  #press(id: string, to: string): void {
    const beganMs = this.#given.clock();
    this.#given.press(to, () => {
      if (!this.#inSession || this.#running !== id) return;
      this.#running = null;
      const report = {
        acted: true,
        error_code: null,
        strategy: 'global',
        hit: null,
        changed: null,
        change: null,
        foreground: null,
        settled: null,
        settle_ms: null,
        settle_reason: null,
        read_back: null,
        read_back_matches: null,
        at_edge: null,
        run_ms: Math.round(this.#given.clock() - beganMs),
      };
      this.book.move(this.#host, id, 'finish', { report }, this.#now());
      this.#say(this.#told(this.book.records.get(id) as Kept));
    });
  }

  /** Section 11.1. */
  #seal(seal: Json): Json {
    const { book } = this;
    const id = String(seal.request_id);
    const no = (code: string): Json => this.#no(id, code);
    const known = book.records.get(id);
    if (seal.host_id !== this.#host) return no('schema');
    if (known !== undefined) return known.digest === seal.digest ? this.#told(known) : no('conflict');
    if (seal.ledger_id !== book.base.ledger_id) return no('other_ledger');
    if (seal.boot_id !== book.boot_id) return this.#status({ ask: 0, ids: [seal] });
    const { host_id, seq, digest, boot_id, not_after } = seal;
    const identity = { host_id, request_id: id, seq, digest, key_hash: null, boot_id, not_after };
    book.write({ entry: 'record', at: this.#now(), ...identity, ...NOTHING, event: 'seal' });
    return this.#told(book.records.get(id) as Kept);
  }

  #status({ ask, ids }: Json): Json {
    const records = (ids as { request_id: string; seq: number }[]).map(({ request_id, seq }) => {
      const known = this.book.records.get(request_id);
      if (known === undefined)
        return { request_id, seq, digest: null, state: 'absent', forgotten: false, ...NOTHING };
      const { digest, state, refusal, interruption, report } = known;
      return { request_id, seq: known.seq, digest, state, forgotten: false, refusal, interruption, report };
    });
    return { type: 'status_answer', ask, ...this.book.place, records };
  }

  /** Section 13. */
  #stop(message: Json): Json {
    const { book } = this;
    const counter = { entry: 'stop', at: this.#now(), stop_counter: book.stop_counter + 1 };
    if (message.type === 'stop' && book.stopped_by === null) {
      book.write({ ...counter, stopped_by: 'host' });
      const id = this.#running;
      this.#running = null;
      if (id !== null) {
        book.move(this.#host, id, 'interrupt', { interruption: 'stopped' }, this.#now());
        this.#say(this.#told(book.records.get(id) as Kept));
      }
    }
    const lifts = book.stopped_by === 'host' && message.stop_counter === book.stop_counter;
    if (message.type === 'resume' && lifts) book.write({ ...counter, stopped_by: null });
    const { stop_counter, stopped_by, head } = book;
    return { type: 'stop_state', stop_counter, stopped_by, head };
  }

  #no(request_id: string, code: string): Json {
    return { type: 'not_a_record', request_id, code, detail: '', ...this.book.place };
  }

  #told({ request_id, seq, digest, state, refusal, interruption, report }: Kept): Json {
    const record = { request_id, seq, digest, state, refusal, interruption, report, snapshot: null };
    return { type: 'record', ...record, ...this.book.place };
  }
}
