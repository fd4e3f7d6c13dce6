/** PROTOCOL.md is enough: a companion written from it alone works with the real host, and its journal with ours. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Ledger } from '../../device-protocol/companion/ledger.ts';
import { hostTls } from '../../host/devices/certificate.ts';
import type { ListeningServer } from '../../host/devices/phone-api.ts';
import { Phones } from '../../host/devices/phones.ts';
import { listen, PHONE_PATH } from '../../host/devices/server.ts';
import { systemChance, systemClock } from '../../host/devices/system-clock.ts';
import { Tracker } from '../../host/engine/tracker.ts';
import type { CommandRow } from '../../host/store/rows.ts';
import { openMemoryStore, type Store } from '../../host/store/store.ts';
import { JournalFile } from '../../host/virtual-phone/disk.ts';
import { CompanionRig, payloadText } from '../support/companion-rig.ts';
import { freshFolder } from '../support/host-process.ts';
import { request } from '../tracker/world.ts';
import { SecondCompanion } from './second-companion.ts';

const DEVICE = 'second-1';
const SECRET = '5'.repeat(64);

let store: Store;
let phones: Phones;
let tracker: Tracker;
let server: ListeningServer;
let folder: ReturnType<typeof freshFolder>;
let presses: { to: string; done: () => void }[];
let living: SecondCompanion[];
const faults: unknown[] = [];
const began = performance.now();

beforeEach(async () => {
  store = openMemoryStore(systemChance);
  const onFault = (fault: unknown) => faults.push(fault);
  const tls = hostTls(store, systemChance);
  const { fingerprint } = tls;
  phones = new Phones({ store, clock: systemClock, chance: systemChance, fingerprint, onFault });
  tracker = new Tracker({ store, clock: systemClock, chance: systemChance, links: phones, onFault });
  tracker.start();
  phones.registerDevice(DEVICE, SECRET);
  server = await listen({ tls, phones });
  folder = freshFolder();
  presses = [];
  living = [];
});
afterEach(async () => {
  for (const one of living) await one.kill();
  await server.close();
  tracker.close();
  store.close();
  folder.remove();
  expect(faults.splice(0)).toEqual([]);
});

async function dial(endsAtOnce = true): Promise<SecondCompanion> {
  const one = new SecondCompanion({
    url: `wss://${server.host}:${server.port}${PHONE_PATH}`,
    device_id: DEVICE,
    secret: SECRET,
    fingerprint: server.fingerprint,
    journal: join(folder.path, 'ledger.journal'),
    clock: () => 500_000 + performance.now() - began,
    press: (to, done) => {
      presses.push({ to, done });
      if (endsAtOnce) setImmediate(done);
    },
  });
  living.push(one);
  await phones.connected(DEVICE, 10_000);
  return one;
}

async function die(one: SecondCompanion): Promise<void> {
  living = living.filter((other) => other !== one);
  await one.kill();
  while (phones.of(DEVICE) !== null) await new Promise((resolve) => setImmediate(resolve));
}

function bound(key: string, more: Partial<Parameters<Tracker['bind']>[0]> = {}): CommandRow {
  const answer = tracker.bind({
    ...request({ payload: payloadText({}, key.charCodeAt(0).toString(16)), idempotency_key: key, ...more }),
    device_id: DEVICE,
  });
  if (!answer.ok) throw new Error(answer.error_code);
  return answer.row;
}
const pressed = async (count: number): Promise<void> => {
  while (presses.length < count) await new Promise((resolve) => setImmediate(resolve));
};
const stateOf = (row: CommandRow) => store.commands.get(row.request_id)?.state;

describe('a companion written from the page', () => {
  it('imports nothing of the product', () => {
    const source = readFileSync(fileURLToPath(new URL('./second-companion.ts', import.meta.url)), 'utf8');
    const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, from]) => from);
    expect(imports).toEqual(['node:crypto', 'node:fs', 'node:tls', 'ws']);
  });

  it('acts once, however many copies there are, and tells what it saw', async () => {
    await dial(false);
    const row = bound('a');
    const all = Array.from({ length: 20 }, () => tracker.run(row.request_id));
    await pressed(1);
    const link = phones.of(DEVICE);
    if (link === null || row.payload === null) throw new Error('not connected');
    const copy = { ...row, payload: row.payload };
    const { request_id, payload, payload_sha256, host_id, seq, ledger_id, boot_id, not_after } = copy;
    const { stop_counter, key_hash } = row;
    const bytes = { request_id, payload, payload_sha256, host_id, seq, ledger_id, boot_id, not_after };
    for (let i = 0; i < 20; i++) link.submit({ ...bytes, stop_counter, key_hash }, null);
    presses[0]?.done();
    for (const { row: ended } of await Promise.all(all))
      expect(ended).toMatchObject({ state: 'done', report: { acted: true, strategy: 'global' } });
    expect(presses.map(({ to }) => to)).toEqual(['home']);
  });

  it('that dies while it acts comes back on its own journal, interrupted, and is not taken for another', async () => {
    const first = await dial(false);
    const row = bound('b');
    const run = tracker.run(row.request_id);
    await pressed(1);
    await die(first);
    expect(stateOf(row)).toBe('doubtful');
    await dial();
    expect((await run).row).toMatchObject({ state: 'interrupted', refusal: 'restarted' });
    const next = bound('c');
    expect((await tracker.run(next.request_id)).row.state).toBe('done');
    expect(presses).toHaveLength(2);
    expect(phones.health()[0]).toMatchObject({ connected: true, last_refusal: null });
  });

  it('seals what the host does not want any more, and a late copy meets the seal', async () => {
    const first = await dial(false);
    const running = bound('d');
    const run = tracker.run(running.request_id);
    await pressed(1);
    // It says that it is busy: the host gives up on the second one and has it sealed.
    const second = bound('e');
    expect((await tracker.run(second.request_id)).row).toMatchObject({
      state: 'sealed',
      error_code: 'device_busy',
    });
    presses[0]?.done();
    expect((await run).row.state).toBe('done');
    expect([...first.book.records.values()].map(({ state }) => state)).toEqual(['done', 'sealed']);
    expect(presses).toHaveLength(1);
  });

  it('is stopped by the owner and lifted again; what runs is cut, what was made before does not run', async () => {
    const one = await dial(false);
    const row = bound('f');
    const run = tracker.run(row.request_id);
    await pressed(1);
    tracker.stopAll('console');
    expect((await run).row).toMatchObject({ state: 'interrupted', refusal: 'stopped' });
    tracker.resumeAll('console');
    while (phones.of(DEVICE)?.stopState().stop_counter !== 2)
      await new Promise((resolve) => setImmediate(resolve));
    expect(one.book.stopped_by).toBeNull();
    const next = bound('g');
    const after = tracker.run(next.request_id);
    await pressed(2);
    presses[1]?.done();
    expect((await after).row.state).toBe('done');
  });

  it('writes a journal that ours reads, and reads one that ours wrote', async () => {
    const one = await dial();
    await tracker.run(bound('h').request_id);
    await tracker.run(bound('i').request_id);
    const { head } = one.book;
    const host = String(one.book.holder);
    await die(one);
    const { ledger, damaged } = Ledger.read(new JournalFile(folder.path));
    expect(damaged).toBe(false);
    expect(ledger?.head).toEqual(head);
    expect([...(ledger?.book(host).all() ?? [])].map(({ state }) => state)).toEqual(['done', 'done']);

    // Ours goes on with it, and the host notices nothing.
    const rig = new CompanionRig();
    rig.disk.put(readFileSync(join(folder.path, 'ledger.journal')));
    rig.clock.nowMs = 900_000;
    rig.boot();
    expect(rig.engine.view()).toMatchObject({ ledger_id: ledger?.ledger_id, records: 2, ready: true });
    rig.connect(host);
    const [id] = [...(ledger?.book(host).all() ?? [])].map(({ request_id }) => request_id);
    const ids = [{ request_id: String(id), seq: 1 }];
    expect(rig.tell({ type: 'status', ask: 1, ids, settled_below: 0 })[0]).toMatchObject({
      records: [{ state: 'done', report: { strategy: 'global' } }],
    });
    const bytes = rig.disk.bytes();
    if (bytes === null) throw new Error('no journal');
    const back = new JournalFile(folder.path);
    back.replace([bytes]);
    back.close();
    const again = await dial();
    expect(again.book.records.size).toBe(2);
    expect(again.book.length).toBeGreaterThan(Number(head.length));
    expect((await tracker.run(bound('j').request_id)).row.state).toBe('done');
    expect(store.devices.get(DEVICE)?.memory?.retired_ledgers).toEqual([]);
  });
});
