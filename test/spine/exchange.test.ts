/** The two-step exchange of every agent: look, then act on a ref; by two real clients of two eras. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcomeSchema } from '../../device-protocol/outcome.ts';
import { freshFolder, type RunningHost, startHostProcess } from '../support/host-process.ts';
import { type Agent, agentOn, CLIENT_KINDS, refOf } from '../support/mcp.ts';

const data = freshFolder();
let host: RunningHost;

beforeAll(async () => {
  host = await startHostProcess(data.path);
});
afterAll(async () => {
  await host?.stop();
  data.remove();
});

describe.each(CLIENT_KINDS)('an agent on %s', (kind) => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await agentOn(data.path, kind);
  });
  afterAll(async () => agent?.close());

  it('takes a ref from an observation and taps it, and is told what was really seen', async () => {
    const home = await agent.call('go', { to: 'home', idempotency_key: `${kind}-home` });
    expect(home.ok).toBe(true);
    const look = await agent.call('screen_observe');
    expect(look).toMatchObject({ ok: true, tool: 'screen_observe', warnings: [] });
    const observation = look.result as Record<string, unknown>;
    expect(observation.device_id).toBe('virtual');
    const tap = await agent.call('tap', {
      ref: refOf(observation, 'Contacts'),
      observation_id: observation.observation_id,
      observe: 'summary',
      idempotency_key: `${kind}-tap`,
    });
    expect(tap.ok).toBe(true);
    const outcome = outcomeSchema.parse(tap.result);
    expect(outcome).toMatchObject({
      state: 'done',
      acted: true,
      changed: true,
      strategy: 'ref',
      settled: true,
    });
    expect(outcome.foreground_app?.package).toContain('contacts');
    expect(outcome.target?.label).toContain('Contacts');
    expect(outcome.risk.level).toBe('low');
    expect(String((outcome.observation as Record<string, unknown>).text)).not.toBe('');
    const status = await agent.call('request_status', { request_id: outcome.request_id });
    expect(status.result).toMatchObject({ state: 'done', acted: true, changed: true });
  });

  it('says what it changed of spellings and number strings', async () => {
    const look = await agent.call('screen_observe', { includeStatusBar: 'true' });
    expect(look.ok).toBe(true);
    expect(look.warnings.join(' ')).toContain('include_status_bar');
  });
});
