/**
 * A world for the tracker whose time, chance and phone are moved by hand: a real store in memory, a clock
 * that only goes when told, a phone that notes what was sent and answers what a test makes it say. Not for
 * tests of sessions or of a real companion.
 */
import type { RecordMessage, Seal, StatusAnswer, Submit } from '../../device-protocol/messages.ts';
import type { HostChance, HostClock } from '../../host/devices/clock.ts';
import type { Link, LinkListener, Links, StopState } from '../../host/devices/link.ts';
import type { BindInput, Recheck } from '../../host/engine/tracker/tracker-api.ts';
import { Tracker } from '../../host/engine/tracker.ts';
import type { CommandRow, DeviceMemory } from '../../host/store/rows.ts';
import { openMemoryStore, type Store } from '../../host/store/store.ts';

export class ManualClock implements HostClock {
  #now = 1_700_000_000_000;
  #monotonic = 1_000;
  #timers: { at: number; wake: () => void }[] = [];
  now(): number {
    return this.#now;
  }
  monotonic(): number {
    return this.#monotonic;
  }
  at(atMs: number, wake: () => void): () => void {
    const timer = { at: atMs, wake };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }
  /** Lets `ms` pass, waking timers in their order. */
  pass(ms: number): void {
    const until = this.#monotonic + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#step(Math.max(next.at, this.#monotonic));
      next.wake();
    }
    this.#step(until);
  }
  /** The wall clock alone jumps. */
  jump(ms: number): void {
    this.#now += ms;
  }
  /** Timers of a process that was killed never wake. */
  forgetTimers(): void {
    this.#timers = [];
  }
  #step(to: number): void {
    this.#now += to - this.#monotonic;
    this.#monotonic = to;
  }
}

/** A counter in hex: unlike enough, and the same in every run. */
export function countingChance(start = 1): HostChance {
  let count = start;
  return {
    hex: (bytes) =>
      (count++)
        .toString(16)
        .padStart(bytes * 2, '0')
        .slice(-bytes * 2),
  };
}

export const LEDGER = 'a'.repeat(32);
export const BOOT = 'b'.repeat(32);
export const DEVICE = 'phone-1';
const HEAD = { length: 1, chain: '0'.repeat(64) };

export class ScriptedLink implements Link {
  readonly device_id = DEVICE;
  alive = true;
  ledger_id = LEDGER;
  boot_id = BOOT;
  can_be_turned_back = false;
  highest_seq = 0;
  stop: () => boolean = () => this.#note('stop', {});
  state: StopState = { stop_counter: 0, stopped_by: null };
  /** Sends answer false: the socket is gone, though nobody has told yet. */
  broken = false;
  readonly sent: ({ type: string } & Record<string, unknown>)[] = [];
  readonly session: number;
  readonly #clock: HostClock;
  /** Called for each message as it leaves. */
  onSend: (type: string) => void = () => {};

  constructor(clock: HostClock, session = 1) {
    this.#clock = clock;
    this.session = session;
  }
  stopState(): StopState {
    return this.state;
  }
  memory(): DeviceMemory {
    return {
      ledger_id: this.ledger_id,
      boot_id: this.boot_id,
      ...HEAD,
      session: this.session,
      elapsed_ms: this.phoneNow(),
      seen_at: this.#clock.now(),
      retired_boots: [],
      retired_ledgers: [],
    };
  }
  phoneNow(): number {
    return 50_000 + this.#clock.monotonic();
  }
  submit(request: Submit['request'], approval: Submit['approval']): boolean {
    return this.#note('submit', { request, approval });
  }
  status(ask: number, ids: readonly { readonly request_id: string; readonly seq: number }[]): boolean {
    return this.#note('status', { ask, ids });
  }
  seal(of: Omit<Seal, 'type'>): boolean {
    return this.#note('seal', of);
  }
  resume(stop_counter: number): boolean {
    return this.#note('resume', { stop_counter });
  }
  all(type: string): Record<string, unknown>[] {
    return this.sent.filter((one) => one.type === type);
  }
  #note(type: string, rest: object): boolean {
    this.onSend(type);
    if (this.broken) return false;
    this.sent.push({ ...rest, type });
    return true;
  }
}

export class ScriptedLinks implements Links {
  listener: LinkListener | null = null;
  current: Link | null = null;
  of(deviceId: string): Link | null {
    return deviceId === DEVICE ? this.current : null;
  }
  all(): Link[] {
    return this.current === null ? [] : [this.current];
  }
  listen(listener: LinkListener): void {
    this.listener = listener;
  }
  heard(): LinkListener {
    if (this.listener === null) throw new Error('the tracker does not listen');
    return this.listener;
  }
}

export interface World {
  readonly clock: ManualClock;
  readonly links: ScriptedLinks;
  readonly store: Store;
  readonly tracker: Tracker;
  readonly faults: unknown[];
}

export interface WorldOptions {
  readonly bytes?: Uint8Array | null;
  readonly clock?: ManualClock;
  readonly recheck?: Recheck;
  readonly start?: number;
  /** No `start()`: a test does it. */
  readonly asleep?: boolean;
}

export function world(options: WorldOptions = {}): World {
  const clock = options.clock ?? new ManualClock();
  const links = new ScriptedLinks();
  const chance = countingChance(options.start ?? 1);
  const store = openMemoryStore(chance, options.bytes ?? null);
  if (store.devices.get(DEVICE) === null) store.devices.register(DEVICE, 'c'.repeat(64), clock.now());
  const faults: unknown[] = [];
  const tracker = new Tracker({
    store,
    clock,
    chance,
    links,
    onFault: (fault) => faults.push(fault),
    ...(options.recheck === undefined ? {} : { recheck: options.recheck }),
  });
  if (options.asleep !== true) tracker.start();
  return { clock, links, store, tracker, faults };
}

/** The host process is killed and started again on what was durable. */
export function restarted(before: World, options: WorldOptions = {}): World {
  const bytes = before.store.serialize();
  before.clock.forgetTimers();
  return world({ ...options, bytes, clock: before.clock, start: 100_000 + before.clock.now() });
}

/** The phone connects; what it says is up to the test. */
export function connect(w: World, change: (link: ScriptedLink) => void = () => {}): ScriptedLink {
  const link = new ScriptedLink(w.clock, (w.links.current?.session ?? 0) + 1);
  change(link);
  if (w.links.current !== null) disconnect(w);
  w.links.current = link;
  w.links.heard().opened(link);
  return link;
}

export function disconnect(w: World): void {
  const link = w.links.current as ScriptedLink | null;
  if (link === null) throw new Error('nothing is connected');
  link.alive = false;
  w.links.current = null;
  w.links.heard().closed(link);
}

export function request(change: Partial<BindInput> = {}): BindInput {
  return {
    device_id: DEVICE,
    agent: 'local',
    tool: 'tap',
    idempotency_key: 'k1',
    args_hash: 'd'.repeat(64),
    payload: '{"secret":"Hunter2-Test!"}',
    verdict: { level: 'low', decision: 'allow', reasons: [] },
    timeout_ms: 10_000,
    decision: { to: 'ready' },
    display: { text: 'Hunter2-Test!' },
    lasting: { label: 'Send' },
    ...change,
  };
}

export const STAGED = { to: 'staged', confirmation_life_ms: 300_000 } as const;

/** Binds, and answers the row; a test that expects a refusal calls `bind` itself. */
export function bound(w: World, change: Partial<BindInput> = {}): CommandRow {
  const answer = w.tracker.bind(request(change));
  if (!answer.ok) throw new Error(`not bound: ${answer.error_code}`);
  return answer.row;
}

export function stateOf(w: World, row: { readonly request_id: string }): string {
  return w.store.commands.get(row.request_id)?.state ?? 'none';
}

type Said = Partial<Omit<RecordMessage, 'type'>> & Pick<RecordMessage, 'state'>;

/** The record of `row`, as the phone tells it. */
export function recordOf(row: CommandRow, said: Said): RecordMessage {
  return {
    type: 'record',
    request_id: row.request_id,
    seq: row.seq,
    digest: row.digest,
    ledger_id: LEDGER,
    boot_id: BOOT,
    refusal: null,
    interruption: null,
    report: null,
    snapshot: null,
    head: HEAD,
    ...said,
  };
}

/** The phone tells a record, on the current link. */
export function tell(w: World, row: CommandRow, said: Said): void {
  if (w.links.current === null) throw new Error('nothing is connected');
  w.links.heard().record(w.links.current, recordOf(row, said));
}

type Status = Partial<StatusAnswer['records'][number]> &
  Partial<Pick<StatusAnswer, 'ledger_id' | 'boot_id' | 'ask'>>;

/** The phone answers the newest question about `row`: absent, unless `said` says more. */
export function answer(w: World, row: CommandRow, said: Status = {}): void {
  const link = w.links.current as ScriptedLink | null;
  if (link === null) throw new Error('nothing is connected');
  const { ledger_id = LEDGER, boot_id = BOOT, ask, ...rest } = said;
  w.links.heard().statusAnswer(link, {
    type: 'status_answer',
    ask: ask ?? (link.all('status').at(-1)?.ask as number | undefined) ?? 1,
    ledger_id,
    boot_id,
    head: HEAD,
    records: [
      {
        request_id: row.request_id,
        seq: row.seq,
        digest: rest.state === undefined || rest.state === 'absent' ? null : row.digest,
        state: 'absent',
        forgotten: false,
        refusal: null,
        interruption: null,
        report: null,
        ...rest,
      },
    ],
  });
}

/** Lets everything that is already due in the microtask queue happen. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}
