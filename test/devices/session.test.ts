/** Sessions between the production host and the production companion, on a cable that a test controls. */
import { describe, expect, it } from 'vitest';
import { HEARTBEAT } from '../../device-protocol/limits.ts';
import { PhoneError } from '../../host/devices/phone-api.ts';
import { SNAPSHOT } from '../support/companion-rig.ts';
import { request } from '../tracker/world.ts';
import { Bench, type Cable, DEVICE } from './bench.ts';

const online = (bench: Bench) => bench.phones.of(DEVICE) !== null;

describe('a phone dials', () => {
  it('is there after the handshake, with what it said of itself', async () => {
    const bench = new Bench();
    const waiting = bench.phones.connected(DEVICE, 1_000);
    bench.dial();
    expect((await waiting).device_id).toBe(DEVICE);
    expect(bench.phones.health()).toEqual([
      expect.objectContaining({
        device_id: DEVICE,
        connected: true,
        companion_version: '0.1.0',
        kind: 'virtual',
        model: 'bench',
        stopped_by: null,
        last_refusal: null,
      }),
    ]);
    expect(bench.faults).toEqual([]);
  });

  it('has its time estimated, never ahead of it, however long the hello was under way', () => {
    const bench = new Bench();
    const cable = bench.dial((one) => {
      one.filter = (to, type) => (to === 'host' && type === 'hello' ? 'hold' : 'pass');
    });
    bench.pass(2_000);
    const hello = cable.held[0];
    if (hello !== undefined) cable.deliver(hello);
    bench.flush();
    const phone = bench.phones.of(DEVICE);
    expect(phone?.phoneNow()).toBe(bench.phoneClock.nowMs - 2_000);
    bench.pass(HEARTBEAT.everyMs);
    expect(phone?.phoneNow()).toBe(bench.phoneClock.nowMs);
    // Four seconds in which the phone's clock stood still: what it tells counts, not the estimate.
    bench.clock.pass(4_000);
    bench.pass(HEARTBEAT.everyMs);
    expect(phone?.phoneNow()).toBe(bench.phoneClock.nowMs);
  });

  it('is not there with a wrong secret, and is told to wait after ten wrong proofs', () => {
    const bench = new Bench();
    bench.secret = '6'.repeat(64);
    for (let i = 0; i < 10; i++) {
      const cable = bench.dial();
      expect(cable.toPhone.at(-1)).toMatchObject({ type: 'refused', code: 'auth_failed' });
      expect(cable.cut).toBe(true);
    }
    expect(bench.dial().toPhone).toEqual([expect.objectContaining({ code: 'too_many_attempts' })]);
    expect(bench.phones.health()[0]).toMatchObject({
      connected: false,
      last_refusal: { code: 'too_many_attempts' },
    });
    bench.secret = '5'.repeat(64);
    bench.pass(60_000);
    bench.dial();
    expect(online(bench)).toBe(true);
  });

  it('is not there when nobody paired it', () => {
    const bench = new Bench();
    const cable = bench.dial(() => {}, 'stranger');
    // As for a wrong secret: a stranger learns no names.
    expect(cable.toPhone.at(-1)).toMatchObject({ type: 'refused', code: 'auth_failed' });
    expect(bench.phones.all()).toEqual([]);
  });

  it('gets no answer to anything but the handshake before it has proven itself', () => {
    for (const text of [
      '{"type":"pong","elapsed_ms":1,"head":{"length":1,"chain":"0"}}',
      'not json',
      '{"type":"dial"}',
      `{"type":"dial","protocol":2,"device_id":"x","nonce":"${'0'.repeat(64)}"}`,
      JSON.stringify({ type: 'proof', proof: '0'.repeat(64) }),
    ]) {
      const bench = new Bench();
      const said: string[] = [];
      let ended = false;
      const events = bench.phones.accept({
        from: 'x',
        send: (frame) => said.push(frame) > 0,
        destroy: () => {},
        endWith: (frame) => {
          said.push(frame);
          ended = true;
        },
      });
      events.frame(text);
      expect(said).toHaveLength(1);
      expect(JSON.parse(said[0] ?? '')).toMatchObject({ type: 'refused' });
      expect(ended).toBe(true);
      expect(bench.faults).toEqual([]);
    }
  });

  it('is given up on when it does not come to the point', () => {
    const bench = new Bench();
    const cable = bench.dial((one) => {
      one.filter = (to, type) => (to === 'host' && type === 'proof' ? 'hold' : 'pass');
    });
    bench.clock.pass(15_000);
    expect(cable.toPhone.at(-1)).toMatchObject({ type: 'refused', code: 'too_slow' });
    const late = cable.held[0];
    if (late !== undefined) cable.deliver(late);
    expect(online(bench)).toBe(false);
  });

  it('loses its session when it is paired anew with another secret', () => {
    const bench = new Bench();
    const cable = bench.dial();
    bench.phones.registerDevice(DEVICE, '7'.repeat(64));
    expect(cable.cut).toBe(true);
    expect(online(bench)).toBe(false);
    bench.dial();
    expect(online(bench)).toBe(false);
  });
});

describe('a link that goes silent', () => {
  it('is declared gone within the stated limit, and its socket destroyed (D-28)', () => {
    const bench = new Bench();
    const cable = bench.dial();
    bench.pass(60_000);
    expect(online(bench)).toBe(true);
    const row = bench.act('a');
    expect(row.state).toBe('done');
    cable.silent = true;
    const tap = bench.act('b', { timeout_ms: 40_000 });
    expect(tap.state).toBe('sent');
    bench.pass(HEARTBEAT.goneAfterMs + HEARTBEAT.everyMs);
    expect(online(bench)).toBe(false);
    expect(cable.cut).toBe(true);
    expect(bench.row(tap).state).toBe('doubtful');
    expect(bench.body.runs).toHaveLength(1);
  });

  it('a new connection is up at once when the network is back, while the dead socket never closes (D-34)', () => {
    const bench = new Bench();
    const old = bench.dial();
    old.silent = true;
    const row = bench.act('a', { timeout_ms: 60_000 });
    bench.pass(5_000);
    bench.dial();
    expect(online(bench)).toBe(true);
    expect(bench.row(row).state).toBe('done');
    expect(bench.body.runs).toHaveLength(1);
  });

  it('does not send late what waited while it was gone, without a fresh check', () => {
    const bench = new Bench();
    bench.dial();
    const bound = bench.act('a', { decision: { to: 'staged', confirmation_life_ms: 300_000 } });
    bench.cable.silent = true;
    bench.pass(20_000);
    bench.tracker.stopAll('cli');
    bench.dial();
    bench.pass(1_000);
    expect(bench.row(bound)).toMatchObject({ state: 'refused', error_code: 'paused' });
    expect(bench.body.runs).toHaveLength(0);
  });
});

describe('two connections of one phone', () => {
  it('the newer one counts; the late close of the old one does not touch it (D-33)', () => {
    const bench = new Bench();
    const old = bench.dial();
    const first = bench.phones.of(DEVICE);
    old.silent = true;
    const fresh = bench.dial();
    expect(bench.phones.of(DEVICE)).not.toBe(first);
    bench.pass(2_000);
    old.events?.gone();
    old.events?.frame('{"type":"pong"}');
    expect(bench.phones.of(DEVICE)?.session).toBe((first?.session ?? 0) + 1);
    expect(fresh.cut).toBe(false);
    expect(bench.act('a').state).toBe('done');
  });

  it('what the old one still says is not credited to the new one', () => {
    const bench = new Bench();
    bench.body.endsAtOnce = false;
    const old = bench.dial((cable) => {
      cable.filter = (to, type) => (to === 'host' && type === 'record' ? 'hold' : 'pass');
    });
    const row = bench.act('a');
    expect(old.held.length).toBe(1);
    bench.dial();
    for (const late of old.held) old.deliver(late);
    // The status question of the new session found it started; the old frame changed nothing.
    expect(bench.row(row).state).toBe('doubtful');
    bench.body.runs[0]?.end({ kind: 'interrupted' });
    bench.flush();
    expect(bench.row(row)).toMatchObject({ state: 'interrupted', refusal: 'cancelled' });
  });

  it('refuses what is asked of an ended session', async () => {
    const bench = new Bench();
    bench.dial();
    const phone = bench.phones.of(DEVICE);
    bench.dial();
    expect(phone?.alive).toBe(false);
    expect(phone?.stop()).toBe(false);
    await expect(phone?.look({ settleMs: 0, screenshot: false })).rejects.toMatchObject({
      code: 'device_offline',
    });
  });
});

describe('looking', () => {
  const look = (bench: Bench, options = {}) => {
    const phone = bench.phones.of(DEVICE);
    if (phone === null) throw new Error('not connected');
    const answer = phone.look({ settleMs: 0, screenshot: false, ...options });
    answer.catch(() => {});
    bench.flush();
    return answer;
  };
  const seen = {
    snapshot: SNAPSHOT,
    settled: true,
    settle_ms: 3,
    settle_reason: 'quiet',
    screenshot: null,
    screenshot_refused: null,
  } as const;

  it('answers with what the phone sees, each look its own', async () => {
    const bench = new Bench();
    bench.dial();
    const [first, second] = [look(bench), look(bench)];
    bench.body.looks[1]?.({ ...seen, settle_ms: 22 });
    bench.body.looks[0]?.({ ...seen, settle_ms: 11 });
    bench.flush();
    expect((await first).settle_ms).toBe(11);
    expect((await second).settle_ms).toBe(22);
  });

  it('lists apps and reads the clipboard', async () => {
    const bench = new Bench();
    bench.dial();
    const apps = bench.phones.of(DEVICE)?.listApps();
    const clipboard = bench.phones.of(DEVICE)?.readClipboard();
    bench.flush();
    expect(await apps).toEqual([]);
    expect(await clipboard).toEqual({ text: null, refused: 'empty' });
  });

  it('fails aloud: no answer in time, the caller gave up, the link broke, the phone could not', async () => {
    const bench = new Bench();
    bench.dial();
    const late = look(bench, { timeoutMs: 500 });
    const giveUp = new AbortController();
    const given = look(bench, { signal: giveUp.signal });
    giveUp.abort();
    bench.pass(500);
    const unbound = look(bench);
    bench.engine.bodyBound(false);
    const unable = look(bench);
    await expect(late).rejects.toMatchObject({ code: 'look_failed', message: 'no answer within 500 ms' });
    await expect(given).rejects.toMatchObject({ code: 'look_failed' });
    for (const one of [unbound, unable])
      await expect(one).rejects.toMatchObject({
        code: 'look_failed',
        message: expect.stringContaining('not_ready'),
      });
    bench.engine.bodyBound(true);
    const broken = look(bench);
    bench.cable.end(true, true);
    await expect(broken).rejects.toBeInstanceOf(PhoneError);
    await expect(broken).rejects.toMatchObject({ code: 'device_offline' });
    await expect(bench.phones.connected(DEVICE, 0, AbortSignal.abort())).rejects.toMatchObject({
      code: 'device_offline',
    });
  });

  it('learns at once that an answer was not valid', async () => {
    const bench = new Bench();
    const cable = bench.dial();
    const answer = look(bench);
    cable.events?.frame('{"type":"snapshot","look":1,"snapshot":"nonsense"}');
    await expect(answer).rejects.toMatchObject({ code: 'look_failed' });
    expect(online(bench)).toBe(true);
  });
});

describe('messages that are wrong', () => {
  const frames: [string, string][] = [
    ['not JSON', 'x'],
    ['an array', '[]'],
    ['an unknown type', '{"type":"nonsense"}'],
    ['a missing field', '{"type":"pong"}'],
    ['an unknown field', '{"type":"pong","elapsed_ms":1,"head":{"length":1,"chain":"0"},"x":1}'],
    ['nested too deep', `{"type":${'['.repeat(3_000)}${']'.repeat(3_000)}}`],
    ['a lone surrogate', '{"type":"refused","code":"held","detail":"\\ud800"}'],
    ['a forbidden key', '{"type":"pong","__proto__":{}}'],
    ['larger than a frame', `"${'x'.repeat(9 * 1024 * 1024)}"`],
    ['a record of nobody', '{"type":"record","request_id":null}'],
  ];
  it.each(frames)('%s: a coded value, the session goes on', (_title, text) => {
    const bench = new Bench();
    const cable = bench.dial();
    cable.events?.frame(text);
    expect(bench.faults).toEqual([]);
    expect(bench.phones.health()[0]?.last_refusal?.code).toMatch(/^(schema|limit|too_large)$/);
    expect(bench.act('a').state).toBe('done');
  });

  it('a message of the handshake inside a session ends it', () => {
    const bench = new Bench();
    const cable = bench.dial();
    cable.events?.frame(JSON.stringify({ type: 'proof', proof: '0'.repeat(64) }));
    expect(online(bench)).toBe(false);
    expect(cable.cut).toBe(true);
  });
});

describe('a phone that was turned back', () => {
  it('under our eyes: the session ends, and the next one begins a new ledger; open requests are unknown', () => {
    const bench = new Bench({ can_be_turned_back: true });
    bench.dial();
    const before = bench.disk.durableBytes();
    bench.body.endsAtOnce = false;
    const row = bench.act('a');
    bench.pass(4_000);
    // The emulator goes back to its snapshot, clock and all, with the act not begun.
    for (const cable of bench.cables) cable.end(true, false);
    bench.disk.put(before);
    bench.phoneClock.nowMs -= 4_000;
    bench.startPhone();
    const ledger = bench.engine.view().ledger_id;
    bench.dial();
    expect(bench.engine.view().ledger_id).not.toBe(ledger);
    bench.pass(1_000);
    expect(bench.row(row)).toMatchObject({ state: 'unknown', error_code: 'outcome_lost' });
  });

  it('is not one whose host had its wall clock set, within one life of the host', () => {
    const bench = new Bench();
    bench.dial();
    const ledger = bench.engine.view().ledger_id;
    bench.clock.jump(3_600_000);
    bench.dial();
    bench.cable.end(true, true);
    bench.clock.jump(-7_200_000);
    bench.dial();
    expect(bench.engine.view().ledger_id).toBe(ledger);
    // A clock that really lost four seconds is found out, whatever the wall clock says.
    bench.pass(20_000);
    bench.phoneClock.nowMs -= 4_000;
    bench.startPhone();
    bench.clock.jump(-3_600_000);
    bench.dial();
    expect(bench.engine.view().ledger_id).not.toBe(ledger);
  });

  it('a head that falls inside a session ends the session', () => {
    const bench = new Bench();
    const cable = bench.dial();
    cable.events?.frame(
      JSON.stringify({ type: 'pong', elapsed_ms: 20_000, head: { length: 0, chain: '0'.repeat(64) } }),
    );
    expect(online(bench)).toBe(false);
  });

  it('is not a phone whose two dials crossed: each hello answers what its own was asked', () => {
    const bench = new Bench();
    // The second dial is asked while nothing is remembered, and answers when the first has become a session.
    const first = bench.dial((one) => {
      one.filter = (to, type) => (to === 'host' && type === 'ready' ? 'hold' : 'pass');
    });
    const ledger = bench.engine.view().ledger_id;
    const second = bench.dial((one) => {
      one.filter = (to, type) => (to === 'phone' && type === 'proof_back' ? 'hold' : 'pass');
    });
    for (const cable of [first, second]) {
      const frame = cable.held[0];
      if (frame === undefined) throw new Error('nothing was held');
      cable.deliver(frame);
    }
    bench.flush();
    bench.dial();
    expect(online(bench)).toBe(true);
    expect(bench.engine.view().ledger_id).toBe(ledger);
    expect(bench.faults).toEqual([]);
  });

  it('is found out by a host that was killed meanwhile: what it remembers is on the disk with the outcome', () => {
    const bench = new Bench({ can_be_turned_back: true });
    bench.dial();
    const early = bench.disk.durableBytes();
    expect(bench.act('a').state).toBe('done');
    bench.killHost();
    bench.disk.put(early);
    bench.startPhone();
    const ledger = bench.engine.view().ledger_id;
    bench.dial();
    expect(bench.engine.view().ledger_id).not.toBe(ledger);
  });
});

describe('the whole way', () => {
  it('the phone’s process is killed while it acts: unknown until its own record answers (D-37)', () => {
    const bench = new Bench();
    bench.dial();
    bench.body.endsAtOnce = false;
    const row = bench.act('a', { timeout_ms: 60_000 });
    bench.killPhone('restart');
    expect(bench.row(row).state).toBe('doubtful');
    bench.dial();
    expect(bench.row(row)).toMatchObject({ state: 'interrupted', refusal: 'restarted' });
    expect(bench.body.runs).toHaveLength(1);
  });

  it('the submit is lost and the phone reboots: it did not run, and never will', () => {
    const bench = new Bench();
    bench.dial((cable: Cable) => {
      cable.filter = (to, type) => (to === 'phone' && type === 'submit' ? 'hold' : 'pass');
    });
    const row = bench.act('a');
    const late = bench.cable.held[0];
    bench.killPhone('reboot');
    const cable = bench.dial();
    expect(bench.row(row)).toMatchObject({ state: 'refused', error_code: 'rebooted' });
    // The delayed packet arrives after all: bound to another boot, it never runs.
    if (late !== undefined) cable.dialogue?.frame(late.text);
    bench.flush();
    expect(bench.body.runs).toHaveLength(0);
    expect(bench.row(row).state).toBe('refused');
  });

  it('the same on an emulator: unknown', () => {
    const bench = new Bench({ can_be_turned_back: true });
    bench.dial((cable) => {
      cable.filter = (to, type) => (to === 'phone' && type === 'submit' ? 'drop' : 'pass');
    });
    const row = bench.act('a');
    bench.killPhone('reboot');
    bench.dial();
    expect(bench.row(row).state).toBe('unknown');
  });

  it('the submit is lost and the link holds: asked about, sent again, run once', () => {
    const bench = new Bench();
    let lost = 0;
    bench.dial((cable) => {
      cable.filter = (to, type) => (to === 'phone' && type === 'submit' && lost++ === 0 ? 'drop' : 'pass');
    });
    const row = bench.act('a');
    bench.pass(2_000);
    expect(bench.row(row).state).toBe('done');
    expect(bench.body.runs).toHaveLength(1);
  });

  it('the host is killed between sending and the answer: found out by status, run once (D-38)', () => {
    const bench = new Bench();
    bench.dial((cable) => {
      cable.filter = (to, type) => (to === 'host' && type === 'record' ? 'drop' : 'pass');
    });
    const row = bench.act('a');
    expect(row.state).toBe('sent');
    bench.killHost();
    bench.dial();
    expect(bench.row(row).state).toBe('done');
    expect(bench.body.runs).toHaveLength(1);
  });

  it('the host comes back from an older backup: it says so, acts no more, and seals what it finds', () => {
    const bench = new Bench();
    bench.dial();
    bench.act('a');
    const backup = bench.store.serialize();
    bench.act('b');
    bench.killHost(backup);
    bench.dial();
    expect(bench.tracker.bind(request({ idempotency_key: 'c' }))).toMatchObject({
      ok: false,
      error_code: 'host_turned_back',
    });
    bench.tracker.acceptTurnedBack(DEVICE);
    expect(bench.act('c').state).toBe('done');
    expect(bench.body.runs).toHaveLength(3);
  });

  it('the owner stops while an act runs, and lifts it: the old submit does not run after that (rule 6)', () => {
    const bench = new Bench();
    bench.dial((cable) => {
      cable.filter = (to, type) => (to === 'phone' && type === 'submit' ? 'hold' : 'pass');
    });
    const row = bench.act('a', { timeout_ms: 60_000 });
    bench.tracker.stopAll('cli');
    bench.flush();
    bench.tracker.resumeAll('cli');
    bench.flush();
    expect(bench.phones.of(DEVICE)?.stopState()).toMatchObject({ stopped_by: null });
    const late = bench.cable.held[0];
    if (late !== undefined) bench.cable.deliver(late);
    bench.pass(5_000);
    expect(bench.body.runs).toHaveLength(0);
    expect(bench.row(row).state).toBe('sealed');
    bench.cable.filter = () => 'pass';
    expect(bench.act('b').state).toBe('done');
  });

  it('a stop pressed on the phone while it connects is known from the first moment', () => {
    const bench = new Bench();
    bench.dial((cable) => {
      cable.filter = (to, type) => {
        if (to === 'phone' && type === 'session') bench.engine.stopOnPhone();
        return 'pass';
      };
    });
    expect(bench.phones.of(DEVICE)?.stopState()).toEqual({ stop_counter: 1, stopped_by: 'owner_on_phone' });
    expect(bench.phones.health()[0]?.stopped_by).toBe('owner_on_phone');
    expect(bench.tracker.bind(request())).toMatchObject({ error_code: 'stopped' });
    bench.engine.resumeOnPhone();
    bench.flush();
    expect(bench.act('a').state).toBe('done');
  });

  it('acknowledges what is final, so that the phone may forget it', () => {
    const bench = new Bench();
    const cable = bench.dial();
    bench.act('a');
    bench.pass(HEARTBEAT.everyMs);
    expect(cable.toPhone.findLast(({ type }) => type === 'ping')).toMatchObject({ settled_below: 2 });
  });
});
