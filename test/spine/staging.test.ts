/**
 * What waits for the owner: denied, expired, approved, and a host that is killed in between. What reached
 * the phone is read from the phone's own counters.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ControlConnection, reachControl } from '../../host/virtual-phone/control-socket.ts';
import {
  countersign,
  freshFolder,
  phoneFolder,
  type RunningHost,
  startHostProcess,
} from '../support/host-process.ts';
import { type Agent, agentOn } from '../support/mcp.ts';
import { composeTo, newKey, observe, sentCount, tapOn } from '../support/messages-walk.ts';

const data = freshFolder();
let host: RunningHost;
let agent: Agent;
let control: ControlConnection;

async function begin(more: readonly string[] = []): Promise<void> {
  host = await startHostProcess(data.path, ['--virtual', '--phone-control', ...more]);
  agent = await agentOn(data.path);
  control = await reachControl(phoneFolder(data.path));
}
async function finish(): Promise<void> {
  await agent.close();
  control.close();
  await host.stop();
}
afterAll(() => {
  data.remove();
});

interface Pending {
  request_id: string;
  confirmation_id: string;
  expires_at: string;
  state: string;
}

/** Types `text` to `who` and presses Send: what comes back must wait for the owner. */
async function stage(who: string, text: string, key = newKey()): Promise<Pending> {
  await composeTo(agent, who, text);
  const staged = await tapOn(agent, 'Send', key);
  expect(staged).toMatchObject({
    ok: true,
    result: { state: 'pending_confirmation', risk: { level: 'high' } },
  });
  return staged.result as unknown as Pending;
}

const owner = (...args: string[]) => countersign([...args, '--data', data.path, '--json']);
const statusOf = async (id: string) =>
  (await agent.call('request_status', { request_id: id, wait_ms: 10_000 })).result;

describe('a request that waits for the owner', () => {
  beforeAll(() => begin());
  afterAll(finish);
  afterEach(async () => {
    const waiting = (await owner('pending')).json as { items: { confirmation_id: string }[] };
    for (const one of waiting.items) await owner('deny', one.confirmation_id);
  });

  it('sends nothing while it waits, shows the owner what it is, and sends once when approved', async () => {
    const before = await sentCount(control);
    const text = 'See you at six.';
    const pending = await stage('Anna', text);
    expect(await sentCount(control)).toBe(before);

    const shown = (await owner('pending')).json as { items: Record<string, unknown>[] };
    expect(shown.items).toHaveLength(1);
    expect(shown.items[0]).toMatchObject({
      confirmation_id: pending.confirmation_id,
      app: 'com.android.messaging',
      device_id: 'virtual',
      agent: 'local',
    });
    expect(String(shown.items[0]?.window_title)).toContain('Anna');
    expect(JSON.stringify(shown.items[0]?.reasons)).toContain('send');

    const approved = await owner('approve', pending.confirmation_id);
    expect(approved.status).toBe(0);
    expect(await statusOf(pending.request_id)).toMatchObject({
      state: 'done',
      acted: true,
      approval: { by: 'owner' },
    });
    expect(await sentCount(control)).toBe(before + 1);

    // Twice does nothing.
    const again = await owner('approve', pending.confirmation_id);
    expect(again.status).toBe(1);
    expect(await sentCount(control)).toBe(before + 1);
  });

  it('never runs once denied, and the same key says so again', async () => {
    const before = await sentCount(control);
    const key = newKey();
    const pending = await stage('Kiosk A', 'Not this one', key);
    expect((await owner('deny', pending.confirmation_id)).status).toBe(0);
    expect(await statusOf(pending.request_id)).toMatchObject({ state: 'denied', acted: false });
    expect((await owner('approve', pending.confirmation_id)).status).toBe(1);
    expect(await sentCount(control)).toBe(before);
  });

  it('refuses other acts on that phone while it waits, and lets the agent withdraw it', async () => {
    const before = await sentCount(control);
    const pending = await stage('Kiosk B', 'Perhaps');
    expect(await agent.call('go', { to: 'home', idempotency_key: newKey() })).toMatchObject({
      ok: false,
      kind: 'rejected',
      error_code: 'confirmation_pending',
    });
    expect((await observe(agent)).text).toContain('Perhaps');
    const withdrawn = await agent.call('request_withdraw', { request_id: pending.request_id });
    expect(withdrawn.result).toMatchObject({ state: 'cancelled' });
    expect((await owner('approve', pending.confirmation_id)).status).toBe(1);
    expect(await sentCount(control)).toBe(before);
  });

  it('refuses an approval when the conversation is another one by then, and nothing is sent', async () => {
    const before = await sentCount(control);
    const pending = await stage('Kiosk A', 'Ten past six');
    // A person turns to the other kiosk, whose screen has the same layout.
    await control.tell('com.android.messaging', 'show', 'kiosk-b');
    expect((await owner('approve', pending.confirmation_id)).status).toBe(0);
    const outcome = await statusOf(pending.request_id);
    expect(outcome).toMatchObject({ state: 'refused', acted: false });
    expect(await sentCount(control)).toBe(before);
  });
});

describe('a confirmation’s life', () => {
  it('ends by itself, and approving late does nothing', async () => {
    await begin(['--confirmation-seconds', '2']);
    const before = await sentCount(control);
    const pending = await stage('Anna', 'Too late');
    expect(await statusOf(pending.request_id)).toMatchObject({ state: 'expired', acted: false });
    const late = await owner('approve', pending.confirmation_id);
    expect(late.status).toBe(1);
    expect(await sentCount(control)).toBe(before);
    await finish();
  });
});

describe('a host killed between staging and approval', () => {
  it('still has the request, and the approval runs it exactly once', async () => {
    await begin();
    const before = await sentCount(control);
    const pending = await stage('Anna', 'After the crash');
    await agent.close();
    control.close();
    await host.kill();

    await begin();
    const shown = (await owner('pending')).json as { items: { confirmation_id: string }[] };
    expect(shown.items.map((one) => one.confirmation_id)).toEqual([pending.confirmation_id]);
    expect((await owner('approve', pending.confirmation_id)).status).toBe(0);
    expect(await statusOf(pending.request_id)).toMatchObject({ state: 'done', acted: true });
    expect(await sentCount(control)).toBe(before + 1);
    await finish();
  });
});
