/**
 * Bad input of every kind gets a coded, helpful answer and touches nothing: through a real client on the
 * real command, against a real host process.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Failure } from '../../device-protocol/envelope.ts';
import { freshFolder, type RunningHost, startHostProcess } from '../support/host-process.ts';
import { type Agent, agentOn } from '../support/mcp.ts';

const data = freshFolder();
let host: RunningHost;
let agent: Agent;

beforeAll(async () => {
  host = await startHostProcess(data.path);
  agent = await agentOn(data.path);
});
afterAll(async () => {
  await agent?.close();
  await host?.stop();
  data.remove();
});

async function failing(tool: string, args: Record<string, unknown>): Promise<Failure> {
  const envelope = await agent.call(tool, args);
  if (envelope.ok) throw new Error(`expected a failure: ${JSON.stringify(envelope).slice(0, 300)}`);
  expect(envelope.message.length).toBeGreaterThan(10);
  expect(envelope.suggested_action.say.length).toBeGreaterThan(10);
  expect(JSON.stringify(envelope)).not.toMatch(/\bat .*\.(ts|js):\d+|node_modules/);
  return envelope;
}

describe('bad input gets a coded, helpful answer', () => {
  it('names the nearest tools for one that does not exist', async () => {
    const envelope = await failing('screen_obserev', {});
    expect(envelope).toMatchObject({ kind: 'tool_not_found', error_code: 'tool_unknown' });
    expect(JSON.stringify(envelope.suggested_action)).toContain('screen_observe');
  });

  it('refuses a key that nobody reads and names the real one', async () => {
    const envelope = await failing('go', { to: 'home', idempotency_kye: 'a', idempotency_key: 'b1' });
    expect(envelope).toMatchObject({
      kind: 'invalid_args',
      error_code: 'argument_unknown',
      field: 'idempotency_kye',
    });
    expect(envelope.suggested_action.say).toContain('idempotency_key');
  });

  it('refuses two spellings of one key', async () => {
    const envelope = await failing('tap', {
      ref: 'e1',
      observationId: 'o1',
      observation_id: 'o1',
      idempotency_key: 'b2',
    });
    expect(envelope).toMatchObject({
      kind: 'invalid_args',
      error_code: 'argument_twice',
      field: 'observation_id',
    });
  });

  it.each([
    ['a ref without its observation', { ref: 'e1' }],
    ['x without y', { x: 5 }],
    ['neither a ref nor a point', {}],
    ['both a ref and a point', { ref: 'e1', observation_id: 'o1', x: 1, y: 1 }],
    ['a ref and half a point', { ref: 'e1', observation_id: 'o1', y: 1 }],
  ])('refuses %s and shows a valid call', async (_what, args) => {
    const envelope = await failing('tap', { ...args, idempotency_key: 'b3' });
    expect(envelope.kind).toBe('invalid_args');
    expect(envelope.error_code).toMatch(/^aim_(neither|both|half)$/);
  });

  it('refuses what is no number, and null for one', async () => {
    // JSON has no NaN: a client that has one sends null, or the word.
    for (const x of [null, 'NaN', 'Infinity', 1e99, 1.5]) {
      const envelope = await failing('tap', { x, y: 10, idempotency_key: 'b4' });
      expect(envelope).toMatchObject({ kind: 'invalid_args', field: 'x' });
    }
  });

  it('refuses a 10 MB argument and goes on working', async () => {
    const envelope = await failing('set_text', {
      ref: 'e1',
      observation_id: 'o1',
      text: 'x'.repeat(10 * 1024 * 1024),
      idempotency_key: 'b5',
    });
    expect(envelope.kind).toBe('invalid_args');
    expect((await agent.call('device_list')).ok).toBe(true);
  });

  it('says which phone is unknown', async () => {
    const envelope = await failing('screen_observe', { device_id: 'nobody' });
    expect(envelope).toMatchObject({ kind: 'not_found', error_code: 'device_unknown' });
    expect(envelope.suggested_action.tool).toBe('device_list');
  });

  it('has a code of its own for an act without a key', async () => {
    const envelope = await failing('go', { to: 'home' });
    expect(envelope).toMatchObject({
      kind: 'invalid_args',
      error_code: 'key_missing',
      field: 'idempotency_key',
    });
  });

  it('refuses the same key with other arguments, and nothing runs', async () => {
    const first = await agent.call('go', { to: 'home', idempotency_key: 'b6' });
    expect(first.ok).toBe(true);
    const envelope = await failing('go', { to: 'back', idempotency_key: 'b6' });
    expect(envelope).toMatchObject({
      kind: 'invalid_args',
      error_code: 'key_conflict',
      effect: 'none',
      key: 'new_key',
    });
  });

  it('answers the same key with the same arguments in another order by the first result', async () => {
    const first = await agent.call('go', { to: 'home', idempotency_key: 'b7' });
    const again = await agent.call('go', { idempotency_key: 'b7', to: 'home' });
    expect(again).toMatchObject({ ok: true, result: { replayed: true } });
    expect((again.result as { request_id: string }).request_id).toBe(
      (first.result as { request_id: string }).request_id,
    );
  });

  it('does not know a ref or an observation that it never gave', async () => {
    expect(
      await failing('tap', { ref: 'e1', observation_id: 'o999999', idempotency_key: 'b8' }),
    ).toMatchObject({
      kind: 'not_found',
      error_code: 'observation_unknown',
    });
    const look = await agent.call('screen_observe');
    const observation = (look.result as { observation_id: string }).observation_id;
    expect(
      await failing('tap', { ref: 'e999999', observation_id: observation, idempotency_key: 'b9' }),
    ).toMatchObject({
      kind: 'not_found',
      error_code: 'ref_unknown',
    });
  });

  it('answers a request id that is nobody’s', async () => {
    expect(await failing('request_status', { request_id: '0'.repeat(32) })).toMatchObject({
      kind: 'not_found',
      error_code: 'request_unknown',
    });
  });
});
