/** The virtual phone as a process of its own, dialing a real host over TLS. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { snapshotSchema } from '../../device-protocol/snapshot.ts';
import type { MessagesState } from '../../host/virtual-phone/apps/messages.ts';
import { spawnVirtualPhone } from '../../host/virtual-phone/spawn.ts';
import { HostBench } from './bench.ts';

const SPAWN = new URL('../../host/virtual-phone/spawn.ts', import.meta.url).href;

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.open();
});
afterEach(async () => {
  await bench.close();
  expect(bench.faults).toEqual([]);
});

const LOOK = { settleMs: 0, screenshot: false };

describe('a virtual phone', () => {
  it('dials, proves itself, says who it is and shows its home screen', async () => {
    await bench.spawn();
    const phone = await bench.connected();
    expect(phone.hello.companion.kind).toBe('virtual');
    expect(phone.hello.can_be_turned_back).toBe(true);
    const { snapshot } = await phone.look(LOOK);
    expect(snapshotSchema.parse(snapshot).foreground.package).toBe('com.android.launcher3');
    expect((await phone.listApps()).map((app) => app.package)).toContain('com.android.messaging');
  });

  it('keeps the secret out of its arguments and environment', async () => {
    if (process.platform !== 'linux') return;
    const { pid } = await bench.spawn();
    const secret = bench.order().secret;
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(secret);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(secret);
  });

  it('does not go on with a host that shows another certificate', async () => {
    await bench.spawn({ fingerprint: '0'.repeat(64) });
    while (!bench.log.some((line) => line.includes('another certificate'))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(bench.phones.of('phone-1')).toBeNull();
  });

  it('carries out an act, and tells the side channel what was touched', async () => {
    const spawned = await bench.spawn();
    await bench.connected();
    const control = await spawned.control();
    const { row, snapshot } = await bench.act({
      kind: 'app_open',
      package: 'com.android.messaging',
      component: null,
      user: 0,
    });
    expect(row.state).toBe('done');
    expect(row.report).toMatchObject({ acted: true, changed: true, strategy: 'intent' });
    expect(snapshot?.foreground.package).toBe('com.android.messaging');
    const kiosk = snapshot?.nodes.find((node) => node.text === 'Kiosk A') ?? expect.fail('not listed');
    const point = { x: kiosk.bounds[0] + 5, y: kiosk.bounds[1] + 5 };
    await bench.act({ kind: 'tap', aim: { by: 'point', point, under: null }, count: 1 });
    expect((await control.state('com.android.messaging')) as MessagesState).toMatchObject({
      open: 'kiosk-a',
    });
    const touches = await control.touches();
    expect(touches.map((touch) => [touch.by, touch.how, touch.id])).toEqual([
      ['companion', 'tap', 'swipeableContainer'],
    ]);
    control.close();
  });

  it('is the same phone after its process was killed: what was touched and what the apps hold is kept', async () => {
    const first = await bench.spawn();
    await bench.connected();
    await bench.act({ kind: 'app_open', package: 'com.android.contacts', component: null, user: 0 });
    const before = bench.phones.of('phone-1')?.hello;
    const control = await first.control();
    await control.personTap(500, 800);
    await control.kill().catch(() => {});
    expect(await first.ended).toBeNull();
    const second = await bench.spawn();
    const phone = await bench.connected();
    expect(phone.hello.ledger_id).toBe(before?.ledger_id);
    expect(phone.hello.boot_id).toBe(before?.boot_id);
    expect((await phone.look(LOOK)).snapshot.foreground.package).toBe('com.android.contacts');
    const again = await second.control();
    expect((await again.touches()).map((touch) => touch.by)).toEqual(['person']);
    again.close();
  });

  it('begins a new boot when it is switched off and on', async () => {
    const first = await bench.spawn();
    const before = (await bench.connected()).hello;
    await first.stop();
    await bench.spawn({ reboot: true });
    const after = (await bench.connected()).hello;
    expect(after.ledger_id).toBe(before.ledger_id);
    expect(after.boot_id).not.toBe(before.boot_id);
    expect(after.elapsed_ms).toBeLessThan(before.elapsed_ms + 60_000);
  });

  it('refuses a second process in the same folder, in plain words', async () => {
    await bench.spawn();
    await expect(bench.spawn()).rejects.toThrow('another virtual phone already runs');
  });

  it('says what is wrong with its order without repeating the secret', async () => {
    const order = { ...bench.order(), device_id: 'no spaces', surprise: 1 };
    const failure = await spawnVirtualPhone(order, () => {}).catch(String);
    expect(failure).toContain('device_id');
    expect(failure).toContain('surprise');
    expect(failure).not.toContain(order.secret);
  });

  it('comes back by itself after its link was cut, and stays away while it is unplugged', async () => {
    const spawned = await bench.spawn();
    const first = await bench.connected();
    const control = await spawned.control();
    await control.cutLink();
    while (bench.phones.of('phone-1') === first) await new Promise((resolve) => setImmediate(resolve));
    const second = await bench.connected();
    expect(second.session).toBeGreaterThan(first.session);
    await control.unplug();
    while (bench.phones.of('phone-1') !== null) await new Promise((resolve) => setImmediate(resolve));
    await control.plug();
    expect((await bench.connected()).session).toBeGreaterThan(second.session);
    control.close();
  });

  it('lets time pass only when the test says so, where its clock is driven', async () => {
    const spawned = await bench.spawn({ clock: 'driven' });
    const phone = await bench.connected();
    const control = await spawned.control();
    await control.bringUp('com.example.shop');
    const words = async () =>
      (await phone.look(LOOK)).snapshot.nodes.map((node) => node.description ?? node.text);
    expect(await words()).toContain('Loading');
    expect(await control.now()).toBe(0);
    await control.advance(1_200);
    expect(await words()).toContain('Blue mug');
    control.close();
  });

  it('starts nothing while its accessibility service is unbound (D-35)', async () => {
    const spawned = await bench.spawn();
    await bench.connected();
    const control = await spawned.control();
    await control.accessibility(false);
    const { row } = await bench.act({ kind: 'go', to: 'notifications' }, {}, 500);
    expect(row.state).not.toBe('done');
    expect((await control.world()).overlay).toBe('none');
    control.close();
  });

  it('ends with its parent, however that ends', async () => {
    const parent = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        '--input-type=module',
        '-e',
        `const { spawnVirtualPhone } = await import(${JSON.stringify(SPAWN)});
         const phone = await spawnVirtualPhone(JSON.parse(process.env.ORDER));
         console.log(phone.pid);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ORDER: JSON.stringify(bench.order()) } },
    );
    const pid = Number(
      await new Promise<string>((resolve) => parent.stdout.once('data', (data) => resolve(String(data)))),
    );
    await bench.connected();
    parent.kill('SIGKILL');
    while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
    expect(isAlive(pid)).toBe(false);
  });

  it('takes a picture: a PNG of the whole glass; of a protected window none', async () => {
    const spawned = await bench.spawn();
    const phone = await bench.connected();
    const shot = await phone.look({ settleMs: 0, screenshot: true });
    const png = Buffer.from(shot.screenshot ?? '', 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1080, 2400]);
    const control = await spawned.control();
    await control.bringUp('org.example.bank.android');
    const refused = await phone.look({ settleMs: 0, screenshot: true });
    expect([refused.screenshot, refused.screenshot_refused]).toEqual([null, 'protected']);
    control.close();
  });

  it('does nothing that it cannot write down: on a full disk no touch, with room again one act, one touch', async () => {
    const spawned = await bench.spawn();
    await bench.connected();
    const control = await spawned.control();
    const tap = {
      kind: 'tap',
      aim: { by: 'point', point: { x: 130, y: 1900 }, under: null },
      count: 1,
    } as const;
    await control.diskFull(true);
    const acting = bench.act(tap);
    while ((await control.refusedWrites()) === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await control.touches()).toEqual([]);
    await control.diskFull(false);
    const { row } = await acting;
    expect(await control.touches()).toHaveLength(row.state === 'done' ? 1 : 0);
    expect((await bench.act(tap)).row.state).toBe('done');
    expect(await control.touches()).toHaveLength(row.state === 'done' ? 2 : 1);
    control.close();
  });
});

describe('a scenario', () => {
  it('is shown, with its own phone and faults; a mistake in it is told with its place', async () => {
    const file = fileURLToPath(new URL('./scenarios/d-15-click-without-effect.yaml', import.meta.url));
    const spawned = await bench.spawn({ scenario: file });
    const phone = await bench.connected();
    expect((await phone.look(LOOK)).snapshot.foreground).toMatchObject({
      package: 'org.example.finger',
      title: 'Touch me',
    });
    await spawned.stop();
    const wrong = join(bench.folder, 'wrong.yaml');
    writeFileSync(wrong, 'scenario: x\napp: org.example.x\nscreens:\n  main: { title: 1, show: [] }\n');
    await expect(bench.spawn({ scenario: wrong })).rejects.toThrow('wrong.yaml:4:18: screens.main.title');
  });
});

describe('a recorded screen', () => {
  it('is shown, counts what touches it and never changes', async () => {
    const file = join(bench.folder, 'screen.xml');
    writeFileSync(
      file,
      `<hierarchy rotation="0"><node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="org.example" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1080,2400]"><node index="0" text="Go on" resource-id="org.example:id/go" class="android.widget.Button" package="org.example" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[100,200][400,300]"/></node></hierarchy>`,
    );
    const spawned = await bench.spawn({ recorded: file });
    const phone = await bench.connected();
    const { snapshot } = await phone.look(LOOK);
    expect(snapshot.nodes.map((node) => node.text)).toContain('Go on');
    const { row } = await bench.act({
      kind: 'tap',
      aim: { by: 'point', point: { x: 200, y: 250 }, under: null },
      count: 1,
    });
    expect(row.report).toMatchObject({ changed: false });
    const control = await spawned.control();
    expect((await control.touches()).map((touch) => touch.label)).toEqual(['Go on']);
    control.close();
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // No such process: it ended.
    return false;
  }
}
