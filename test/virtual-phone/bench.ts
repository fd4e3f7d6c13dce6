/**
 * A real host's sessions and tracker with a virtual phone in its own process, on a real socket. What tests
 * of the process use; nothing here knows the phone's insides but through its side channel.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Act, Payload } from '../../device-protocol/payload.ts';
import { hostTls } from '../../host/devices/certificate.ts';
import type { ListeningServer, Phone } from '../../host/devices/phone-api.ts';
import { Phones } from '../../host/devices/phones.ts';
import { listen, PHONE_PATH } from '../../host/devices/server.ts';
import { systemChance, systemClock } from '../../host/devices/system-clock.ts';
import { Tracker } from '../../host/engine/tracker.ts';
import { openMemoryStore, type Store } from '../../host/store/store.ts';
import type { PhoneOrder } from '../../host/virtual-phone/options.ts';
import { type SpawnedPhone, spawnVirtualPhone } from '../../host/virtual-phone/spawn.ts';
import { request } from '../tracker/world.ts';

export const DEVICE = 'phone-1';
const SECRET = '5'.repeat(64);

export class HostBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'countersign-phone-test-'));
  readonly faults: unknown[] = [];
  readonly log: string[] = [];
  readonly store: Store = openMemoryStore(systemChance);
  readonly phones: Phones;
  readonly tracker: Tracker;
  private server!: ListeningServer;
  private readonly spawned: SpawnedPhone[] = [];
  private keys = 0;

  private constructor() {
    const onFault = (fault: unknown) => this.faults.push(fault);
    const { fingerprint } = hostTls(this.store, systemChance);
    const { store } = this;
    this.phones = new Phones({ store, clock: systemClock, chance: systemChance, fingerprint, onFault });
    this.tracker = new Tracker({
      store,
      clock: systemClock,
      chance: systemChance,
      links: this.phones,
      onFault,
    });
    this.tracker.start();
    this.phones.registerDevice(DEVICE, SECRET);
  }

  static async open(): Promise<HostBench> {
    const bench = new HostBench();
    bench.server = await listen({ tls: hostTls(bench.store, systemChance), phones: bench.phones });
    return bench;
  }

  order(more: Partial<PhoneOrder> = {}): PhoneOrder {
    return {
      device_id: DEVICE,
      secret: SECRET,
      host_url: `wss://${this.server.host}:${this.server.port}${PHONE_PATH}`,
      fingerprint: this.server.fingerprint,
      state_folder: join(this.folder, 'phone'),
      control: true,
      ...more,
    };
  }

  async spawn(more: Partial<PhoneOrder> = {}): Promise<SpawnedPhone> {
    const phone = await spawnVirtualPhone(this.order(more), (line) => this.log.push(line));
    this.spawned.push(phone);
    return phone;
  }

  connected(): Promise<Phone> {
    return this.phones.connected(DEVICE, 15_000);
  }

  /** Runs one act to its end, as the engine would. */
  async act(act: Act, more: Partial<Payload> = {}, timeoutMs = 10_000) {
    const payload: Payload = {
      version: 1,
      salt: '0'.repeat(32),
      agent: 'local',
      act,
      expect: { package: null, window_title: null, shown_print: null },
      shown: [],
      verdict: { level: 'low', decision: 'allow', reasons: [] },
      run_limit_ms: 20_000,
      settle: { reaction_ms: 300, quiet_ms: 200, ceiling_ms: 3_000 },
      ...more,
    };
    this.keys += 1;
    const bound = this.tracker.bind(
      request({
        payload: JSON.stringify(payload),
        idempotency_key: `k${this.keys}`,
        args_hash: `h${this.keys}`,
        timeout_ms: timeoutMs,
      }),
    );
    if (!bound.ok) throw new Error(bound.error_code);
    return this.tracker.run(bound.row.request_id);
  }

  async close(): Promise<void> {
    await Promise.all(this.spawned.map((phone) => phone.stop()));
    this.tracker.close();
    this.phones.close();
    await this.server.close();
    this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
