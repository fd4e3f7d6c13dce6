/**
 * What takes minutes, hours and several phones: limits that come back, holds that end, questions and tasks that
 * lapse, rules that are over, a log that is cut, looks that are tried again, what a person copied meanwhile.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { EngineRig, settled } from './engine-rig.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let rigs: EngineRig[] = [];
function rigOf(devices?: readonly string[]): EngineRig {
  const rig = new EngineRig(devices);
  rigs.push(rig);
  return rig;
}
afterEach(() => {
  for (const rig of rigs) rig.engine.close();
  rigs = [];
});

const { owner } = { owner: (rig: EngineRig) => rig.engine.owner };
const order = (rig: EngineRig, ...args: Parameters<EngineRig['engine']['owner']['order']>) =>
  owner(rig).order(...args);

describe('limits', () => {
  it('of acts an hour come back when the hour is over, and say when', async () => {
    const rig = rigOf();
    await order(rig, 'grant', { agent: 'local', change: { rates: { acts_an_hour: 2 } } }, 'test');
    await rig.act('go', { to: 'home' });
    await rig.pass(10 * MINUTE);
    await rig.act('go', { to: 'home' });
    expect(await rig.act('go', { to: 'home' })).toMatchObject({
      error_code: 'rate_limited',
      retry_after_ms: 50 * MINUTE,
    });
    await rig.pass(50 * MINUTE + 1);
    expect(await rig.act('go', { to: 'home' })).toMatchObject({ ok: true });
    expect(await rig.act('go', { to: 'home' })).toMatchObject({ ok: false });
  });

  it('of tokens an hour come back, too', async () => {
    const rig = rigOf();
    await order(rig, 'grant', { agent: 'local', change: { rates: { tokens_an_hour: 200 } } }, 'test');
    const codes = async () => {
      const envelope = await rig.call('screen_observe', { device_id: 'p1' });
      return envelope.ok ? 'ok' : envelope.error_code;
    };
    let calls = 0;
    while ((await codes()) === 'ok') calls += 1;
    expect(calls).toBeGreaterThan(0);
    await rig.pass(62 * MINUTE);
    expect(await codes()).toBe('ok');
  });
});

describe('requests that wait', () => {
  it('are three an agent at most, on however many phones', async () => {
    const rig = rigOf(['p1', 'p2', 'p3', 'p4']);
    for (const phone of ['p1', 'p2', 'p3'])
      expect(await rig.press('Send', phone)).toMatchObject({ result: { state: 'pending_confirmation' } });
    expect(await rig.press('Send', 'p4')).toMatchObject({ ok: false, error_code: 'too_many_pending' });
    expect(rig.phones.flatMap((phone) => phone.acts)).toEqual([]);
    const [first] = owner(rig).pending();
    await owner(rig).deny(String(first?.confirmation_id), 'test');
    expect(await rig.press('Send', 'p4')).toMatchObject({ result: { state: 'pending_confirmation' } });
  });

  it('go through by a rule until its time is over, whatever is left of it', async () => {
    const rig = rigOf();
    const staged = await rig.press('Send');
    const id = String((staged.result as { confirmation_id: string }).confirmation_id);
    const rule = { until: rig.clock.now() + HOUR, times: 10 };
    await order(rig, 'approve', { confirmation_id: id, rule }, 'test');
    expect(await rig.press('Send')).toMatchObject({ result: { state: 'done' } });
    await rig.pass(HOUR + 1);
    expect(await rig.press('Send')).toMatchObject({ result: { state: 'pending_confirmation' } });
    expect(rig.phones[0]?.acts).toHaveLength(2);
  });

  it('is asked about again where the screen names somebody else, or gives another reason', async () => {
    const rig = rigOf();
    const staged = await rig.press('Send');
    const id = String((staged.result as { confirmation_id: string }).confirmation_id);
    await order(
      rig,
      'approve',
      { confirmation_id: id, rule: { until: rig.clock.now() + HOUR, times: 10 } },
      'test',
    );
    const [phone] = rig.phones;
    if (phone === undefined) throw new Error('no phone');
    const anna = phone.snapshot;
    phone.snapshot = JSON.parse(JSON.stringify(anna).replaceAll('"Anna"', '"Bert"'));
    expect(await rig.press('Send')).toMatchObject({ result: { state: 'pending_confirmation' } });
    await rig.call('request_withdraw', { confirmation_id: owner(rig).pending()[0]?.confirmation_id });
    phone.snapshot = JSON.parse(
      JSON.stringify(anna).replace('"text":"Send"', '"text":"Send","hint":"Delete"'),
    );
    expect(await rig.press('Send')).toMatchObject({ result: { state: 'pending_confirmation' } });
    await rig.call('request_withdraw', { confirmation_id: owner(rig).pending()[0]?.confirmation_id });
    phone.snapshot = anna;
    expect(await rig.press('Send')).toMatchObject({ result: { state: 'done' } });
  });
});

describe('a hold of the phone', () => {
  it('ends by itself two minutes after the holder’s last act', async () => {
    const rig = rigOf();
    const { token } = (await order(rig, 'agent_add', { name: 'b' }, 'test')) as { token: string };
    await order(rig, 'grant', { agent: 'b', change: { act_on: ['virtual'] } }, 'test');
    const caller = rig.engine.callerOf(token, 'library');
    if (caller === null) throw new Error('no agent');
    const other = (key: string) =>
      rig.engine.call(caller, 'go', { to: 'home', device_id: 'p1', idempotency_key: key });
    await rig.act('go', { to: 'home' });
    expect(await other('a')).toMatchObject({ error_code: 'device_held', retry_after_ms: 2 * MINUTE });
    await rig.pass(MINUTE);
    await rig.act('go', { to: 'home' });
    await rig.pass(MINUTE + 1);
    expect(await other('a')).toMatchObject({ error_code: 'device_held' });
    await rig.pass(MINUTE);
    expect(await other('a')).toMatchObject({ ok: true });
  });
});

describe('what nobody ends', () => {
  it('lapses: a question after an hour, a task after six hours without anything', async () => {
    const rig = rigOf();
    const asked = await rig.call('ask_owner', { question: 'Anybody?' });
    const { question_id } = asked.result as { question_id: string };
    await rig.pass(HOUR + 1);
    expect(await rig.call('ask_owner', { question_id })).toMatchObject({
      result: { state: 'expired', answer: null },
    });
    expect(await order(rig, 'answer', { question_id, text: 'late' }, 'test')).toMatchObject({ ok: false });
    await rig.act('go', { to: 'home' });
    await rig.pass(5 * HOUR, 400);
    await rig.act('go', { to: 'home' });
    await rig.pass(5 * HOUR, 400);
    const { task_id } = await rig.call('device_list');
    expect(task_id).toBe(asked.task_id);
    await rig.pass(HOUR + MINUTE, 400);
    expect(rig.store.tasks.get(String(task_id))).toMatchObject({
      outcome: 'lapsed',
      settled_at: expect.any(Number),
    });
    expect((await rig.call('device_list')).task_id).toBeUndefined();
  });
});

describe('a look that fails', () => {
  it('is tried again by itself, as often as effect and grant allow, and the log says how often', async () => {
    const rig = rigOf();
    const [phone] = rig.phones;
    if (phone === undefined) throw new Error('no phone');
    phone.failing = 2;
    const look = rig.call('screen_observe', { device_id: 'p1' });
    await rig.pass(5_000, 50);
    expect(await look).toMatchObject({ ok: true });
    expect(owner(rig).log({ last: 1 })).toMatchObject([{ tool: 'screen_observe', retries: 2 }]);
    phone.failing = 3;
    const three = rig.call('screen_observe', { device_id: 'p1' });
    await rig.pass(5_000, 50);
    expect(await three).toMatchObject({ ok: false, error_code: 'look_failed' });
    await order(
      rig,
      'grant',
      { agent: 'local', change: { limits: { screen_observe: { attempts: 1 } } } },
      'test',
    );
    phone.failing = 1;
    expect(await rig.call('screen_observe', { device_id: 'p1' })).toMatchObject({ ok: false });
    expect(owner(rig).log({ last: 1 })).toMatchObject([{ retries: 0 }]);
  });
});

describe('a clipboard at a task’s end', () => {
  it('is left alone where a person copied something since', async () => {
    const rig = rigOf();
    const [phone] = rig.phones;
    if (phone === undefined) throw new Error('no phone');
    await rig.act('clipboard_write', { text: 'the agent’s' });
    phone.clipboard = { text: 'a person’s', refused: null };
    await rig.call('task_complete', { outcome: 'done' });
    expect(phone.clipboard.text).toBe('a person’s');
    await rig.act('clipboard_write', { text: 'the agent’s' });
    await rig.call('task_complete', { outcome: 'done' });
    expect(phone.clipboard.text).toBeNull();
    // Where it cannot be read, it is emptied: what is there may be the agent's.
    await rig.act('clipboard_write', { text: 'the agent’s' });
    phone.clipboard = { text: null, refused: 'not_allowed' };
    await rig.call('task_complete', { outcome: 'done' });
    expect(phone.acts.at(-1)).toEqual({ kind: 'clipboard_write', text: '', sensitive: false });
  });

  it('waits while everything is stopped, and is emptied once the stop is lifted', async () => {
    const rig = rigOf();
    const [phone] = rig.phones;
    if (phone === undefined) throw new Error('no phone');
    await rig.act('clipboard_write', { text: 'the agent’s' });
    await owner(rig).stop('test');
    expect(await rig.call('task_complete', { outcome: 'done' })).toMatchObject({
      result: { clipboards_owed: ['p1'] },
    });
    await rig.pass(MINUTE, 100);
    expect(phone.clipboard.text).toBe('the agent’s');
    phone.stopped = null;
    await owner(rig).resume('test');
    await rig.pass(MINUTE, 100);
    expect(phone.clipboard.text).toBeNull();
  });
});

describe('retention of the log', () => {
  it('removes what is older, keeps the last day, signs for it, and still holds', async () => {
    const rig = rigOf();
    for (let day = 0; day < 5; day++) {
      await rig.act('go', { to: 'home' });
      await rig.pass(24 * HOUR);
    }
    const before = owner(rig).log({}).length;
    expect(await order(rig, 'log_cut', { before: rig.clock.now() - HOUR }, 'test')).toMatchObject({
      ok: false,
      error_code: 'cut_too_late',
    });
    const cut = await order(rig, 'log_cut', { before: rig.clock.now() - 60 * HOUR }, 'test');
    expect(cut).toMatchObject({ ok: true, calls: 3 });
    const left = owner(rig).log({});
    expect(left).toHaveLength(before - 3 + 1);
    expect(left.at(-1)).toMatchObject({ agent: 'owner', tool: 'log_cut', arguments: { calls: 3 } });
    expect(owner(rig).verifyLog()).toMatchObject({ ok: true, findings: [] });
    // Damaged as it is, it is not cut: that would hide the damage.
    rig.store.raw.exec('DELETE FROM audit WHERE position = (SELECT min(position) FROM audit)');
    expect(await order(rig, 'log_cut', { before: rig.clock.now() - 30 * HOUR }, 'test')).toMatchObject({
      ok: false,
      error_code: 'log_damaged',
    });
  });

  it('does not happen where the owner’s word for it cannot be written', async () => {
    const rig = rigOf();
    await rig.act('go', { to: 'home' });
    await rig.pass(72 * HOUR);
    rig.store.raw.exec(
      `CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    );
    await expect(order(rig, 'log_cut', { before: rig.clock.now() - 48 * HOUR }, 'test')).rejects.toThrow(
      'disk full',
    );
    rig.store.raw.exec('DROP TRIGGER full');
    expect(owner(rig).log({}).length).toBeGreaterThan(0);
    expect(owner(rig).verifyLog()).toMatchObject({ ok: true });
  });
});

describe('an order', () => {
  it('that is none, or does not fit its shape, changes nothing and is an answer', async () => {
    const rig = rigOf();
    const wild = owner(rig).order as (name: string, params: unknown, how: string) => Promise<unknown>;
    expect(await wild('drop_everything', {}, 'x')).toMatchObject({ ok: false, error_code: 'order_unknown' });
    expect(await wild('constructor', {}, 'x')).toMatchObject({ ok: false, error_code: 'order_unknown' });
    for (const params of [{}, { agent: 7 }, { agent: 'local', more: 1 }, null, 'x']) {
      expect(await wild('stop_agent', params, 'x')).toMatchObject({ ok: false, error_code: 'params_bad' });
    }
    await settled();
    expect(owner(rig).log({})).toEqual([]);
  });
});
