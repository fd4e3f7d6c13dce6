/** What an agent may ask of a look beyond the first: what changed since, the rest of a cut one, the bar above. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reachControl } from '../../host/virtual-phone/control-socket.ts';
import { freshFolder, phoneFolder, type RunningHost, startHostProcess } from '../support/host-process.ts';
import { type Agent, agentOn } from '../support/mcp.ts';
import { newKey, observe } from '../support/messages-walk.ts';

const data = freshFolder();
let host: RunningHost;
let agent: Agent;

beforeAll(async () => {
  host = await startHostProcess(data.path, ['--virtual', '--phone-control']);
  agent = await agentOn(data.path);
});
afterAll(async () => {
  await agent?.close();
  await host?.stop();
  data.remove();
});

const open = (app: string) => agent.call('app_open', { app, idempotency_key: newKey() });

describe('a second look', () => {
  it('tells only what changed since the first, and nothing where nothing did', async () => {
    await open('com.android.contacts');
    const first = await observe(agent);
    const same = await agent.call('screen_observe', { since: first.observation_id });
    expect(same.result).toMatchObject({
      since: first.observation_id,
      delta: { new: 0, changed: 0, gone: 0 },
    });
    expect(String((same.result as { text: string }).text).length).toBeLessThan(String(first.text).length / 2);
  });

  it('keeps the refs of what stayed', async () => {
    await open('com.android.contacts');
    const first = await observe(agent);
    const second = await observe(agent);
    expect(second.text).toBe(first.text);
    expect(second.observation_id).not.toBe(first.observation_id);
  });

  it('shows the status bar only when asked', async () => {
    const without = await observe(agent);
    const withBar = await agent.call('screen_observe', { include_status_bar: true });
    expect(String(without.text)).not.toContain('Battery');
    expect(String((withBar.result as { text: string }).text)).toContain('Battery');
  });

  it('refuses a cursor that is not ours, and an earlier look that is not there', async () => {
    for (const cursor of ['', 'zzz', Buffer.from('{"device":"virtual"}').toString('base64url')]) {
      expect(await agent.call('screen_observe', { cursor })).toMatchObject({
        ok: false,
        error_code: 'cursor_bad',
      });
    }
    expect(await agent.call('screen_observe', { since: 'o999999' })).toMatchObject({
      ok: false,
      error_code: 'observation_unknown',
    });
  });

  it('names a bank that is in front, and shows nothing of it: not in a look, a picture or an outcome', async () => {
    const phone = await reachControl(phoneFolder(data.path));
    await phone.bringUp('org.example.bank.android');
    const look = await observe(agent);
    expect(look.notes).toMatchObject([{ code: 'withheld' }]);
    expect(String(look.text)).toContain('org.example.bank.android');
    expect(String(look.text).split('\n')).toHaveLength(2);
    expect(await agent.call('screen_screenshot')).toMatchObject({
      ok: false,
      error_code: 'content_withheld',
    });
    expect(await agent.call('screen_find', { text: 'PIN' })).toMatchObject({
      ok: false,
      error_code: 'content_withheld',
    });
    const act = { x: 540, y: 1200, idempotency_key: newKey() };
    expect(await agent.call('tap', act)).not.toMatchObject({ ok: true, result: { state: 'done' } });
    phone.close();
  });
});
