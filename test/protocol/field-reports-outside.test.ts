/**
 * Field reports on the whole way: a real host, a real virtual phone, real MCP clients and the command line;
 * what counts is what the phone was touched and what its apps hold. The companion alone: field-reports.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '../../device-protocol/envelope.ts';
import { done, OwnerRig, PACKAGES, until } from '../owner/rig.ts';
import { type Agent, refOf } from '../support/mcp.ts';
import { composeTo, newKey, sentCount } from '../support/messages-walk.ts';

const PATIENCE_MS = 90_000;
const rig = new OwnerRig();
let agent: Agent;

beforeAll(async () => {
  await rig.start(['--mcp-port', '0']);
  agent = await rig.agent();
}, PATIENCE_MS);
afterAll(() => rig.end());

const touches = async () => (await rig.phone.touches()).length;
/** A gesture that counts once on the glass and takes as long as it is told to. */
const swipe = (key: string, duration_ms = 100) => ({
  x: 500,
  y: 1_500,
  to_x: 500,
  to_y: 900,
  duration_ms,
  idempotency_key: key,
});
const outcome = (envelope: Envelope): Record<string, unknown> => {
  if (envelope.ok) return envelope.result;
  return envelope.result ?? { error_code: envelope.error_code };
};
/** Host killed or stopped, and started again on the same data; the phone comes back by itself. */
async function again(how: 'stop' | 'kill'): Promise<void> {
  await rig.stop(how);
  await rig.start(['--mcp-port', '0']);
  agent = await rig.agent();
  await until(async () => {
    const { items } = await done(agent.call('device_list'));
    return (items as { health: string }[]).some(({ health }) => health === 'ready');
  });
}

/** The agent's act with this key, once there is one. */
function stepOf(key: string): Promise<{ request_id: string; state: string }> {
  return until(async () => {
    const { items } = await done(agent.call('task_status', { limit: 100 }));
    const steps = items as { idempotency_key: string; request_id: string; state: string }[];
    return steps.find((one) => one.idempotency_key === key);
  });
}

describe('D-27: the person’s finger and the gesture cancel each other', () => {
  it(
    'cut half way it is interrupted, neither done nor failed, and not repeated',
    async () => {
      await done(agent.call('go', { to: 'home', idempotency_key: newKey() }));
      await rig.phone.faults({ cut_gestures: 1 });
      const key = newKey();
      const before = await touches();
      const cut = await agent.call('swipe', swipe(key, 400));
      expect(cut).toMatchObject({ ok: false, error_code: 'interrupted', effect: 'unknown' });
      expect(await agent.call('swipe', swipe(key, 400))).toMatchObject({
        ok: false,
        error_code: 'interrupted',
        result: { replayed: true, request_id: outcome(cut).request_id },
      });
      expect(await touches()).toBe(before);
    },
    PATIENCE_MS,
  );

  it(
    'never answered it is unknown in time, the status says so, and it is not repeated',
    async () => {
      await rig.phone.faults({ lose_gestures: 1 });
      const before = await touches();
      const lost = await agent.call('swipe', { ...swipe(newKey()), timeout_ms: 2_000 });
      expect(lost).toMatchObject({ ok: false, effect: 'unknown' });
      const { request_id } = outcome(lost);
      const status = await done(agent.call('request_status', { request_id, wait_ms: 25_000 }));
      expect(status).toMatchObject({ state: 'interrupted' });
      expect(await touches()).toBe(before);
    },
    PATIENCE_MS,
  );
});

describe('D-36: the accessibility service is unbound and comes back as a new instance', () => {
  it(
    'the next look works by itself and is fresh, and so does the next act',
    async () => {
      await done(agent.call('app_open', { app: PACKAGES.notes, idempotency_key: newKey() }));
      const first = await done(agent.call('screen_observe'));
      await rig.phone.accessibility(false);
      expect(await agent.call('screen_observe')).toMatchObject({ ok: false, effect: 'none' });
      const refused = await agent.call('go', { to: 'home', timeout_ms: 1_500, idempotency_key: newKey() });
      expect(refused).toMatchObject({ ok: false, effect: 'none' });
      await rig.phone.bringUp(PACKAGES.settings);
      await rig.phone.accessibility(true);
      const second = await done(agent.call('screen_observe'));
      expect(second.observation_id).not.toBe(first.observation_id);
      expect(String(second.text)).not.toBe(String(first.text));
      await done(agent.call('go', { to: 'home', idempotency_key: newKey() }));
    },
    PATIENCE_MS,
  );
});

describe('D-38: the reply is lost, the caller asks again', () => {
  it(
    '“Send” is pressed once: asked again by another client, and after the host was killed',
    async () => {
      await composeTo(agent, 'Anna', 'see you at eight');
      const sent = await sentCount(rig.phone);
      const look = await done(agent.call('screen_observe'));
      const call = {
        ref: refOf(look, /Send/),
        observation_id: look.observation_id,
        idempotency_key: newKey(),
      };
      const held = await done(agent.call('tap', call));
      expect(held).toMatchObject({ state: 'pending_confirmation' });
      await rig.owner('approve', String(held.confirmation_id));
      const { request_id } = held;
      await done(agent.call('request_status', { request_id, wait_ms: 20_000 }));
      expect(await sentCount(rig.phone)).toBe(sent + 1);

      const other = await rig.agent();
      expect(await done(other.call('tap', call))).toMatchObject({
        request_id,
        state: 'done',
        replayed: true,
      });
      await again('kill');
      const third = await done(agent.call('tap', call));
      expect(third).toMatchObject({ request_id, state: 'done', replayed: true, acted: true });
      expect(await sentCount(rig.phone)).toBe(sent + 1);
    },
    PATIENCE_MS,
  );

  it(
    'a caller that dies before its answer finds the one result under its key',
    async () => {
      await done(agent.call('go', { to: 'home', idempotency_key: newKey() }));
      const before = await touches();
      const key = newKey();
      const dying = await rig.agent();
      const lost = dying.call('swipe', swipe(key, 2_000)).catch(() => 'lost');
      await stepOf(key);
      await dying.close();
      expect(await lost).toBe('lost');
      // While it still runs: the second call waits for the first one's result.
      const found = await done(agent.call('swipe', swipe(key, 2_000)));
      expect(found).toMatchObject({ state: 'done', replayed: true });
      expect(await touches()).toBe(before + 1);
    },
    PATIENCE_MS,
  );
});

describe('D-39: the same key with other content', () => {
  it(
    'is a conflict on every door, and the field keeps the first text',
    async () => {
      await composeTo(agent, 'Anna', 'start');
      const look = await done(agent.call('screen_observe'));
      const field = { ref: refOf(look, /field/i), observation_id: look.observation_id };
      const key = newKey();
      const ten = { ...field, text: '10', mode: 'replace', idempotency_key: key };
      const first = await done(agent.call('set_text', ten));
      expect(first).toMatchObject({ state: 'done', read_back: { value: '10' } });
      const conflict = { ok: false, error_code: 'key_conflict', effect: 'none' };
      expect(await agent.call('set_text', { ...ten, text: '1000' })).toMatchObject(conflict);
      expect(await agent.call('tap', { ...field, idempotency_key: key })).toMatchObject(conflict);
      expect(
        await rig.ask('call', 'set_text', JSON.stringify({ ...ten, text: '1000' }), '--device', 'virtual'),
      ).toMatchObject(conflict);

      // Another order of the keys, the phone named or not, another wish for the answer: the same call.
      const turned = Object.fromEntries(Object.entries(ten).reverse());
      for (const same of [turned, { ...ten, observe: 'summary' }, { ...turned, device_id: 'virtual' }])
        expect(await done(agent.call('set_text', same))).toMatchObject({
          request_id: first.request_id,
          replayed: true,
          read_back: { value: '10' },
        });
      const fresh = await done(agent.call('screen_observe'));
      expect(String(fresh.text)).toContain('10');
      expect(String(fresh.text)).not.toContain('1000');
    },
    PATIENCE_MS,
  );
});

describe('D-40: copies while the first still runs', () => {
  it(
    'twenty of them over two connections: one run, one request, every one told the result',
    async () => {
      await done(agent.call('go', { to: 'home', idempotency_key: newKey() }));
      const before = await touches();
      const other = await rig.agent();
      const key = newKey();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          done((i % 2 === 0 ? agent : other).call('swipe', swipe(key, 2_000))),
        ),
      );
      expect(new Set(answers.map(({ request_id }) => request_id)).size).toBe(1);
      expect(answers.map(({ state }) => state)).toEqual(answers.map(() => 'done'));
      expect(answers.filter(({ replayed }) => replayed !== true)).toHaveLength(1);
      expect(await touches()).toBe(before + 1);
    },
    PATIENCE_MS,
  );
});

describe('D-41: one call delivered several times, over several doors', () => {
  it(
    'is one run across MCP and the command line, and stays it after a restart',
    async () => {
      await done(agent.call('go', { to: 'home', idempotency_key: newKey() }));
      const before = await touches();
      const key = newKey();
      const line = () => rig.ask('call', 'swipe', JSON.stringify(swipe(key, 1_500)));
      const [first, second, third] = await Promise.all([
        done(agent.call('swipe', swipe(key, 1_500))),
        line(),
        done(agent.call('swipe', swipe(key, 1_500))),
      ]);
      const byLine = (second as { result: Record<string, unknown> }).result;
      expect([byLine.request_id, third.request_id]).toEqual([first.request_id, first.request_id]);
      expect([first.state, byLine.state, third.state]).toEqual(['done', 'done', 'done']);
      expect(await touches()).toBe(before + 1);
      await again('stop');
      const late = (await line()) as { result: Record<string, unknown> };
      expect(late.result).toMatchObject({ request_id: first.request_id, state: 'done', replayed: true });
      expect(await touches()).toBe(before + 1);
    },
    PATIENCE_MS,
  );

  it(
    'of another agent is another act: keys are each agent’s own',
    async () => {
      const second = await rig.agent(await rig.token('second', '--act-on', 'virtual'));
      const key = newKey();
      const mine = await done(agent.call('go', { to: 'home', idempotency_key: key }));
      // The first agent still holds the phone: only once it lets go may another act on it.
      await done(agent.call('task_complete', { outcome: 'done' }));
      const theirs = await done(second.call('go', { to: 'home', idempotency_key: key }));
      expect(theirs.request_id).not.toBe(mine.request_id);
      expect(theirs.replayed ?? false).toBe(false);
      await done(second.call('task_complete', { outcome: 'done' }));
    },
    PATIENCE_MS,
  );
});

describe('D-42: the time is over while the act is still landing', () => {
  it(
    'is answered as unknown, is found done by status, and a withdrawal says that it came too late',
    async () => {
      await done(agent.call('go', { to: 'home', idempotency_key: newKey() }));
      const before = await touches();
      const key = newKey();
      const slow = { ...swipe(key, 4_000), timeout_ms: 1_000 };
      const over = await agent.call('swipe', slow);
      expect(over).toMatchObject({
        ok: false,
        kind: 'timeout',
        error_code: 'outcome_unknown',
        effect: 'unknown',
        key: 'same_key',
      });
      const { request_id } = outcome(over);
      // Still landing: the agent wants it back, and learns that it had started.
      const late = await agent.call('request_withdraw', { request_id });
      expect(outcome(late)).not.toMatchObject({ state: 'cancelled' });
      expect(outcome(late)).not.toMatchObject({ state: 'sealed' });
      const status = await done(agent.call('request_status', { request_id, wait_ms: 20_000 }));
      expect(status).toMatchObject({ state: 'done', acted: true });
      expect(await done(agent.call('swipe', slow))).toMatchObject({
        request_id,
        state: 'done',
        replayed: true,
      });
      expect(await touches()).toBe(before + 1);
    },
    PATIENCE_MS,
  );

  it(
    'before it started, a withdrawal says that it never runs, and it never does',
    async () => {
      await done(agent.call('go', { to: 'home', idempotency_key: newKey() }));
      const before = await touches();
      const [first, behind] = [newKey(), newKey()];
      const running = agent.call('swipe', swipe(first, 4_000));
      await stepOf(first);
      const waiting = agent.call('swipe', { ...swipe(behind), timeout_ms: 20_000 });
      const { request_id } = await stepOf(behind);
      await agent.call('request_withdraw', { request_id });
      const [ran, withdrawn] = [await running, await waiting];
      expect(ran).toMatchObject({ ok: true, result: { state: 'done' } });
      expect(withdrawn).toMatchObject({ ok: false, effect: 'none' });
      expect(await done(agent.call('request_status', { request_id }))).toMatchObject({ state: 'sealed' });
      expect(await touches()).toBe(before + 1);
    },
    PATIENCE_MS,
  );
});
