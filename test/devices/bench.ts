/**
 * A host and a phone on one bench: the production store, tracker and sessions on one side, the production
 * companion on the other, and between them a cable whose every frame a test may hold, drop or repeat. Not
 * for real sockets (server.test.ts).
 */

import { hostsWord } from '../../device-protocol/companion/approval.ts';
import { CompanionDialogue } from '../../device-protocol/companion/dialogue.ts';
import { CompanionEngine } from '../../device-protocol/companion/engine.ts';
import type { CompanionSettings } from '../../device-protocol/companion/engine-api.ts';
import type { HostMessage } from '../../device-protocol/messages.ts';
import { Phones } from '../../host/devices/phones.ts';
import type { WireEvents } from '../../host/devices/wire.ts';
import type { BindInput } from '../../host/engine/tracker/tracker-api.ts';
import { Tracker } from '../../host/engine/tracker.ts';
import type { CommandRow } from '../../host/store/rows.ts';
import { openMemoryStore, type Store } from '../../host/store/store.ts';
import { BenchBody, BenchClock, payloadText } from '../support/companion-rig.ts';
import { MemoryDisk } from '../support/memory-disk.ts';
import { countingChance, ManualClock, request } from '../tracker/world.ts';

export const DEVICE = 'phone-1';
export const SECRET = '5'.repeat(64);
export const FINGERPRINT = 'f'.repeat(64);

/** One socket. `silent`: nothing arrives any more in either direction, and nobody is told (D-28). */
export class Cable {
  silent = false;
  cut = false;
  events: WireEvents | null = null;
  dialogue: CompanionDialogue | null = null;
  readonly #pending: { readonly to: 'host' | 'phone'; readonly text: string }[] = [];
  /** Frames that arrived, by direction, for tests that look at them. */
  readonly toPhone: HostMessage[] = [];
  readonly toHost: { type: string }[] = [];
  /** Decides over each frame; default: it arrives. */
  filter: (to: 'host' | 'phone', type: string) => 'pass' | 'drop' | 'hold' = () => 'pass';
  readonly held: { readonly to: 'host' | 'phone'; readonly text: string }[] = [];

  put(to: 'host' | 'phone', text: string): boolean {
    if (this.cut) return false;
    if (!this.silent) this.#pending.push({ to, text });
    return true;
  }

  /** Delivers what is under way, and what that brings about. */
  flush(): void {
    for (;;) {
      const next = this.#pending.shift();
      if (next === undefined || this.cut) return;
      const fate = this.filter(next.to, (JSON.parse(next.text) as { type: string }).type);
      if (fate === 'hold') this.held.push(next);
      if (fate === 'pass') this.deliver(next);
    }
  }

  deliver({ to, text }: { readonly to: 'host' | 'phone'; readonly text: string }): void {
    if (to === 'host') {
      this.toHost.push(JSON.parse(text) as { type: string });
      this.events?.frame(text);
    } else {
      this.toPhone.push(JSON.parse(text) as HostMessage);
      this.dialogue?.frame(text);
    }
  }

  /** Either side ends it; each end is told, unless nothing gets through any more. */
  end(tellHost: boolean, tellPhone: boolean): void {
    if (this.cut) return;
    this.cut = true;
    if (this.silent) return;
    if (tellHost) this.events?.gone();
    if (tellPhone) this.dialogue?.gone();
  }
}

export class Bench {
  readonly clock = new ManualClock();
  readonly phoneClock = new BenchClock();
  readonly disk = new MemoryDisk();
  readonly body = new BenchBody();
  readonly faults: unknown[] = [];
  readonly cables: Cable[] = [];
  settings: CompanionSettings = {
    can_be_turned_back: false,
    companion: { version: '0.1.0', kind: 'virtual' },
    phone: { model: 'bench', android: null, sdk: null, serial: null, locale: 'en' },
    ledger_key: null,
  };
  secret = SECRET;
  /** Runs before this one belong to a process that is dead: nothing may end them. */
  livingRuns = 0;
  store: Store;
  phones!: Phones;
  tracker!: Tracker;
  engine!: CompanionEngine;
  #lives = 0;
  #random = 1;

  constructor(settings: Partial<CompanionSettings> = {}) {
    this.settings = { ...this.settings, ...settings };
    this.store = openMemoryStore(countingChance());
    this.startHost();
    this.phones.registerDevice(DEVICE, SECRET);
    this.startPhone();
  }

  get cable(): Cable {
    const cable = this.cables.at(-1);
    if (cable === undefined) throw new Error('nothing was dialled');
    return cable;
  }

  startHost(): void {
    this.#lives += 1;
    const chance = countingChance(this.#lives * 1_000_000);
    const { store, clock } = this;
    const onFault = (fault: unknown) => this.faults.push(fault);
    this.phones = new Phones({ store, clock, chance, fingerprint: FINGERPRINT, onFault });
    this.tracker = new Tracker({ store, clock, chance, links: this.phones, onFault });
    this.tracker.start();
  }

  /** The host is killed, and a new one starts on what was durable. Sockets break. */
  killHost(bytes: Uint8Array = this.store.serialize()): void {
    this.clock.forgetTimers();
    for (const cable of this.cables) cable.end(false, true);
    this.store = openMemoryStore(countingChance(this.#lives * 1_000_000 + 500_000), bytes);
    this.startHost();
  }

  startPhone(): void {
    this.phoneClock.forget();
    this.livingRuns = this.body.runs.length;
    this.engine = new CompanionEngine(
      {
        clock: this.phoneClock,
        disk: this.disk,
        body: this.body,
        chance: { hex: (count) => (this.#random++).toString(16).padStart(count * 2, '7') },
        policy: { refuses: () => null },
        approval: hostsWord,
      },
      this.settings,
    );
    this.engine.open();
  }

  /** The companion is killed and comes back, with another boot where asked for. Sockets break. */
  killPhone(how: 'restart' | 'reboot'): void {
    for (const cable of this.cables) cable.end(true, false);
    if (how === 'reboot') {
      this.phoneClock.boots += 1;
      this.phoneClock.nowMs = 1_000;
    }
    this.disk.cutPower(0, false);
    this.startPhone();
  }

  /** The phone dials. The frames go as far as the filter lets them. */
  dial(prepare: (cable: Cable) => void = () => {}, deviceId = DEVICE): Cable {
    const cable = new Cable();
    prepare(cable);
    this.cables.push(cable);
    cable.events = this.phones.accept({
      from: '127.0.0.1',
      send: (text) => cable.put('phone', text),
      destroy: () => cable.end(true, true),
      endWith: (text) => {
        cable.put('phone', text);
        cable.flush();
        cable.end(true, true);
      },
    });
    cable.dialogue = new CompanionDialogue(
      this.engine,
      {
        clock: this.phoneClock,
        chance: { hex: (count) => (this.#random++).toString(16).padStart(count * 2, '8') },
      },
      { device_id: deviceId, secret: this.secret, fingerprint: FINGERPRINT, host_id: null },
      { send: (text) => void cable.put('host', text), destroy: () => cable.end(true, false) },
    );
    cable.dialogue.start();
    cable.flush();
    return cable;
  }

  /** Both clocks go on; frames are delivered all the while. */
  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 250) {
      const step = Math.min(left, 250);
      this.clock.pass(step);
      this.phoneClock.pass(step);
      this.flush();
    }
  }

  flush(): void {
    for (let turn = 0; turn < 3; turn++) for (const cable of this.cables) cable.flush();
  }

  /** Binds and starts one act; the row as it is then. */
  act(key = 'k1', change: Partial<BindInput> = {}): CommandRow {
    const bound = this.tracker.bind(
      request({
        idempotency_key: key,
        payload: payloadText({}, key.replaceAll(/[^0-9a-f]/g, '')),
        ...change,
      }),
    );
    if (!bound.ok) throw new Error(`not bound: ${bound.error_code}`);
    void this.tracker.run(bound.row.request_id);
    this.flush();
    return this.row(bound.row);
  }

  row({ request_id }: { readonly request_id: string }): CommandRow {
    const row = this.store.commands.get(request_id);
    if (row === null) throw new Error('no such row');
    return row;
  }
}
