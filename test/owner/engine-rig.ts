/**
 * The engine without a host: a store in memory, a clock that goes when it is told, and phones that show one
 * screen and do what they are told. For what takes hours, or several phones. Not for sockets or processes.
 */
import { join } from 'node:path';
import type { Envelope } from '../../device-protocol/envelope.ts';
import type { Hello, RecordMessage, SnapshotMessage, Submit } from '../../device-protocol/messages.ts';
import type { Payload } from '../../device-protocol/payload.ts';
import { requestDigest } from '../../device-protocol/request.ts';
import type { Snapshot, SnapshotNode } from '../../device-protocol/snapshot.ts';
import type { LinkListener, StopState } from '../../host/devices/link.ts';
import {
  type ClipboardAnswer,
  type Phone,
  PhoneError,
  type PhonesApi,
} from '../../host/devices/phone-api.ts';
import { Blobs } from '../../host/engine/blobs.ts';
import { createEngine, type StartedEngine } from '../../host/engine/create-engine.ts';
import { judgingBy } from '../../host/engine/judging.ts';
import { Looks } from '../../host/engine/looks.ts';
import { keptBy, recheckBy } from '../../host/engine/recheck.ts';
import { Tracker } from '../../host/engine/tracker.ts';
import { loadPolicyBook } from '../../host/judge/load-policy.ts';
import { loadSecretWords } from '../../host/judge/secrets-asked.ts';
import { packageRoot } from '../../host/package-root.ts';
import type { DeviceMemory } from '../../host/store/rows.ts';
import { openMemoryStore, type Store } from '../../host/store/store.ts';
import { countingChance, ManualClock } from '../tracker/world.ts';

const POLICIES = join(packageRoot(), 'policies');
let book: ReturnType<typeof loadPolicyBook> | null = null;
const theBook = () => {
  book ??= loadPolicyBook(POLICIES, null);
  return book;
};

export const APP = 'com.android.messaging';
const HEAD = { length: 1, chain: '0'.repeat(64) };

/** A conversation with Anna: a heading, a harmless button, and one that sends. */
function screen(): Snapshot {
  const node = (more: Partial<SnapshotNode>): SnapshotNode => ({
    parent: 0,
    window: 0,
    class_name: 'android.widget.Button',
    resource_id: null,
    package: APP,
    text: null,
    description: null,
    bounds: [0, 0, 1000, 100],
    flags: ['visible', 'enabled', 'clickable'],
    ...more,
  });
  return {
    taken_at_ms: 0,
    display: { width: 1000, height: 2000, rotation: 0 },
    locale: 'en',
    screen_on: true,
    locked: false,
    secure_lock: true,
    foreground: { package: APP, activity: `${APP}.Conversation`, title: 'Anna', user: 0 },
    windows: [
      {
        id: 1,
        kind: 'application',
        package: APP,
        title: 'Anna',
        bounds: [0, 0, 1000, 2000],
        layer: 0,
        active: true,
        focused: true,
        root: 0,
        unreadable: null,
      },
    ],
    nodes: [
      node({
        parent: -1,
        class_name: 'android.widget.FrameLayout',
        flags: ['visible', 'enabled'],
        bounds: [0, 0, 1000, 2000],
      }),
      node({ class_name: 'android.widget.TextView', text: 'Anna', flags: ['visible', 'enabled', 'heading'] }),
      node({ text: 'Details', bounds: [0, 200, 1000, 300] }),
      node({ text: 'Send', resource_id: `${APP}:id/send`, bounds: [0, 400, 1000, 500] }),
    ],
    unknown_facts: [],
    losses: [],
  };
}

export class FakePhone implements Phone {
  readonly session = 1;
  readonly ledger_id = 'a'.repeat(32);
  readonly boot_id = 'b'.repeat(32);
  readonly can_be_turned_back = false;
  readonly highest_seq = 0;
  alive = true;
  stopped: StopState['stopped_by'] = null;
  snapshot = screen();
  clipboard: ClipboardAnswer = { text: null, refused: 'empty' };
  /** Looks that fail before one works. */
  failing = 0;
  /** What it did, oldest first. */
  readonly acts: Payload['act'][] = [];
  audit_head: Hello['audit_head'] = null;
  readonly device_id: string;
  readonly #clock: ManualClock;
  readonly #listener: () => LinkListener | null;

  constructor(deviceId: string, clock: ManualClock, listener: () => LinkListener | null) {
    this.device_id = deviceId;
    this.#clock = clock;
    this.#listener = listener;
  }

  get hello(): Hello {
    return { audit_head: this.audit_head } as Hello;
  }
  stopState(): StopState {
    return { stop_counter: 0, stopped_by: this.stopped };
  }
  phoneNow(): number {
    return this.#clock.monotonic();
  }
  memory(): DeviceMemory {
    const { ledger_id, boot_id, session } = this;
    const seen = { elapsed_ms: this.phoneNow(), seen_at: this.#clock.now() };
    return { ledger_id, boot_id, session, ...HEAD, ...seen, retired_boots: [], retired_ledgers: [] };
  }

  submit(request: Submit['request']): boolean {
    const { act } = JSON.parse(request.payload) as Payload;
    this.acts.push(act);
    if (act.kind === 'clipboard_write')
      this.clipboard = act.text === '' ? { text: null, refused: 'empty' } : { text: act.text, refused: null };
    const record: RecordMessage = {
      type: 'record',
      request_id: request.request_id,
      seq: request.seq,
      digest: requestDigest(request),
      state: 'done',
      ledger_id: this.ledger_id,
      boot_id: this.boot_id,
      refusal: null,
      interruption: null,
      report: {
        acted: true,
        error_code: null,
        strategy: 'ref',
        hit: null,
        changed: false,
        change: null,
        foreground: this.snapshot.foreground,
        settled: true,
        settle_ms: 1,
        settle_reason: 'quiet',
        read_back: null,
        read_back_matches: null,
        at_edge: null,
        run_ms: 1,
      },
      snapshot: null,
      head: HEAD,
    };
    queueMicrotask(() => this.#listener()?.record(this, record));
    return true;
  }
  status(): boolean {
    return true;
  }
  seal(): boolean {
    return true;
  }
  stop(): boolean {
    this.stopped = 'host';
    return true;
  }
  resume(): boolean {
    this.stopped = null;
    return true;
  }
  async look(): Promise<SnapshotMessage> {
    if (this.failing > 0) {
      this.failing -= 1;
      throw new PhoneError('look_failed', 'busy');
    }
    return {
      type: 'snapshot',
      look: 1,
      snapshot: structuredClone(this.snapshot),
      settled: true,
      settle_ms: 1,
      settle_reason: 'quiet',
      screenshot: null,
      screenshot_refused: 'unsupported',
      head: HEAD,
    };
  }
  async listApps() {
    return [];
  }
  async readClipboard(): Promise<ClipboardAnswer> {
    return this.clipboard;
  }
}

export class EngineRig {
  readonly clock = new ManualClock();
  readonly store: Store;
  readonly phones: FakePhone[];
  readonly engine: StartedEngine;
  /** Diagnostics: a fault of the engine's own shows here. */
  readonly said: string[] = [];
  #keys = 0;
  #listener: LinkListener | null = null;

  constructor(devices: readonly string[] = ['p1']) {
    const { clock } = this;
    const chance = countingChance();
    this.store = openMemoryStore(chance);
    const { store } = this;
    this.phones = devices.map((id) => new FakePhone(id, clock, () => this.#listener));
    for (const id of devices) {
      store.devices.register(id, 'c'.repeat(64), clock.now());
      store.devices.seen(
        id,
        { model: 'Bench', kind: 'virtual', companion_version: '0', locale: 'en' },
        clock.now(),
      );
    }
    const phones: PhonesApi = {
      of: (id) => this.phones.find((one) => one.device_id === id && one.alive) ?? null,
      all: () => this.phones.filter((one) => one.alive),
      listen: (listener) => {
        this.#listener = listener;
      },
      health: () => [],
      registerDevice: () => {},
      connected: async () => {
        throw new Error('nobody waits for phones here');
      },
    };
    const judging = judgingBy({ book: theBook(), store, phones });
    const tracker = new Tracker({
      store,
      clock,
      chance,
      links: phones,
      recheck: recheckBy(store, clock),
      kept: keptBy(judging),
    });
    tracker.start();
    const blobs = new Blobs(clock, chance);
    this.engine = createEngine({
      store,
      tracker,
      phones,
      judging,
      secrets: loadSecretWords(POLICIES),
      looks: new Looks({ store, phones, clock, judging, blobs }),
      blobs,
      clock,
      chance,
      confirmationLifeMs: 300_000,
      viewUrl: () => null,
      log: (line) => this.said.push(line),
    });
  }

  call(tool: string, args: Record<string, unknown> = {}): Promise<Envelope> {
    return this.engine.call({ agent: 'local', door: 'library' }, tool, args);
  }

  act(tool: string, args: Record<string, unknown> = {}): Promise<Envelope> {
    this.#keys += 1;
    return this.call(tool, { device_id: 'p1', ...args, idempotency_key: `k${this.#keys}` });
  }

  /** Presses the element with these words on that phone. */
  async press(words: string, deviceId = 'p1'): Promise<Envelope> {
    const look = await this.call('screen_find', { device_id: deviceId, text: words });
    const { items, observation_id } = look.result as { items: { ref: string }[]; observation_id: string };
    return this.act('tap', { device_id: deviceId, ref: items[0]?.ref, observation_id });
  }

  /** Lets time pass, in steps in which what was woken can go on. */
  async pass(ms: number, steps = 20): Promise<void> {
    const each = Math.floor(ms / steps);
    for (let step = 0; step < steps; step++) {
      this.clock.pass(step === 0 ? ms - each * (steps - 1) : each);
      await settled();
    }
  }
}

/** Lets everything that is due in this turn happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
