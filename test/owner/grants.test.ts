/**
 * What the owner grants holds on every door, in the list and at dispatch, from the moment it is said; and a grant
 * that cannot be is refused with the place and the reason.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countersign } from '../support/host-process.ts';
import type { Agent } from '../support/mcp.ts';
import { refOf } from '../support/mcp.ts';
import { composeTo, newKey, tapOn } from '../support/messages-walk.ts';
import { act, done, OwnerRig, PACKAGES, refused } from './rig.ts';

const rig = new OwnerRig();
let agent: Agent;
let token: string;
const grant = (...args: string[]) => rig.owner('grant', 'worker', ...args);
const names = async () => (await agent.tools()).map((tool) => tool.name);

beforeAll(async () => {
  await rig.start();
  token = await rig.token('worker', '--act-on', 'virtual');
  agent = await rig.agent(token);
});
afterAll(() => rig.end());

describe('a grant of tools', () => {
  it('lists only those, and refuses the others on every way to them', async () => {
    await grant('--tools', 'screen_observe,go,batch,action_preview,device_list');
    const listed = await names();
    expect(listed).toContain('go');
    expect(listed).not.toContain('tap');
    expect(listed).not.toContain('screen_screenshot');
    const before = (await rig.phone.touches()).length;
    const args = { x: 500, y: 900, idempotency_key: newKey() };
    expect(await refused(agent.call('tap', args))).toBe('tool_not_granted');
    expect(await refused(agent.call('tool_use', { tool: 'tap', arguments: args }))).toBe('tool_not_granted');
    const preview = await done(agent.call('action_preview', { tool: 'tap', arguments: { x: 500, y: 900 } }));
    expect(preview).toMatchObject({ would: 'refuse', refused_by: [{ error_code: 'tool_not_granted' }] });
    const batch = await done(
      agent.call('batch', {
        calls: [{ tool: 'app_list' }, { tool: 'device_list' }],
        idempotency_key: newKey(),
      }),
    );
    expect(batch.results).toMatchObject([{ ok: false, error_code: 'tool_not_granted' }, { ok: true }]);
    const found = await done(agent.call('tools_search', { query: 'tap an element' }));
    expect((found.items as { tool: string }[]).map((one) => one.tool)).not.toContain('tap');
    const cli = await countersign(['call', 'tap', JSON.stringify(args), '--data', rig.data.path, '--json'], {
      env: { COUNTERSIGN_TOKEN: token },
    });
    expect(cli.json).toMatchObject({ ok: false, error_code: 'tool_not_granted' });
    expect(await rig.phone.touches()).toHaveLength(before);
    await grant('--tools', 'all');
    expect(await names()).toContain('tap');
  });
});

describe('a grant of phones and of acting', () => {
  it('hides other phones, and answers for them as for none', async () => {
    expect(await rig.ask('grant', 'worker', '--devices', 'pixel')).toMatchObject({
      ok: false,
      error_code: 'grant_bad',
      message: 'devices: there is no phone "pixel"; there are virtual.',
    });
    await grant('--devices', 'none');
    expect(await done(agent.call('device_list'))).toMatchObject({ count: 0 });
    expect(await refused(agent.call('screen_observe', { device_id: 'virtual' }))).toBe('device_unknown');
    await grant('--devices', 'virtual');
    await done(agent.call('screen_observe', { device_id: 'virtual' }));
    await grant('--devices', 'all');
  });

  it('may allow real phones only, which the virtual one is not', async () => {
    await grant('--act-on', 'android');
    expect(await refused(act(agent, 'go', { to: 'home' }))).toBe('read_only');
    await grant('--read-only');
    expect(await names()).not.toContain('go');
    await grant('--act-on', 'virtual,jvm');
    await done(act(agent, 'go', { to: 'home' }));
  });
});

describe('a grant of apps (D-73)', () => {
  beforeAll(() => grant('--packages', `${PACKAGES.notes},com.android.launcher3`));
  afterAll(() => grant('--packages', 'all', '--see-apps', 'none'));

  it('ends acting and reading as soon as another app is in front, and says why', async () => {
    await done(act(agent, 'app_open', { app: PACKAGES.notes }));
    expect(String((await done(agent.call('screen_observe'))).text)).toContain('Shopping');
    await rig.phone.bringUp(PACKAGES.contacts);
    const look = await done(agent.call('screen_observe'));
    expect(look).toMatchObject({ notes: [{ code: 'withheld' }] });
    expect(String(look.text)).toContain('not in your grant');
    expect(JSON.stringify(look)).not.toContain('Ada Abel');
    expect(await refused(agent.call('screen_find', { text: 'Ada Abel' }))).toBe('content_withheld');
    expect(await refused(agent.call('screen_screenshot'))).toBe('content_withheld');
    const before = (await rig.phone.touches()).length;
    expect(await refused(act(agent, 'tap', { x: 500, y: 900 }))).toBe('app_not_granted');
    expect(await refused(act(agent, 'press_key', { key: 'tab' }))).toBe('app_not_granted');
    expect(await refused(act(agent, 'scroll', { direction: 'down' }))).toBe('app_not_granted');
    expect(await rig.phone.touches()).toHaveLength(before);
    expect(await refused(act(agent, 'app_open', { app: PACKAGES.messages }))).toBe('app_not_granted');
    // The way back stays open.
    await done(act(agent, 'go', { to: 'home' }));
    expect((await done(agent.call('app_list'))).items).toMatchObject([{ package: PACKAGES.notes }]);
  });

  it('may let an agent read an app without acting in it', async () => {
    await grant('--see-apps', PACKAGES.contacts);
    await rig.phone.bringUp(PACKAGES.contacts);
    const look = await done(agent.call('screen_observe'));
    expect(String(look.text)).toContain('Ada Abel');
    const aim = { ref: refOf(look, 'Ada Abel'), observation_id: look.observation_id };
    expect(await refused(act(agent, 'tap', aim))).toBe('app_not_granted');
  });

  it('takes in all below a name that ends with a star, and nothing that only begins alike', async () => {
    await grant('--packages', 'com.android.*', '--see-apps', 'none');
    await rig.phone.bringUp(PACKAGES.contacts);
    expect(String((await done(agent.call('screen_observe'))).text)).toContain('Ada Abel');
    await grant('--packages', 'com.android.contact.*');
    expect(String((await done(agent.call('screen_observe'))).text)).not.toContain('Ada Abel');
  });

  it('shows of notifications only those of its apps, and no picture of recent apps', async () => {
    await grant('--packages', `com.android.systemui,com.android.launcher3,${PACKAGES.notes}`);
    await rig.phone.tell(PACKAGES.messages, 'arrive', { id: 'anna', text: 'Bring the red folder' });
    await done(act(agent, 'go', { to: 'home' }));
    const bar = async () =>
      String((await done(agent.call('screen_observe', { include_status_bar: true, detail: 'full' }))).text);
    expect(await bar()).not.toContain('Messages notification');
    expect(await bar()).toMatch(/\d\d:\d\d/);
    await done(act(agent, 'go', { to: 'notifications' }));
    const shade = await done(agent.call('screen_observe', { detail: 'full' }));
    expect(String(shade.text)).toContain('Flashlight');
    expect(JSON.stringify(shade)).not.toContain('red folder');
    await grant('--packages', 'all');
    expect(String((await done(agent.call('screen_observe', { detail: 'full' }))).text)).toContain(
      'red folder',
    );
    await done(act(agent, 'go', { to: 'home' }));
    expect(await bar()).toContain('Messages notification');
    await done(act(agent, 'go', { to: 'recents' }));
    expect(await refused(agent.call('screen_screenshot'))).toBe('picture_refused');
    await done(act(agent, 'go', { to: 'home' }));
  });

  it('holds for what is remembered, too: a look from before the change is no look any more', async () => {
    await grant('--packages', 'all');
    await rig.phone.bringUp(PACKAGES.contacts);
    const look = await done(agent.call('screen_observe'));
    await grant('--codes');
    expect(await refused(agent.call('screen_observe', { since: look.observation_id }))).toBe(
      'observation_unknown',
    );
    const aim = { ref: refOf(look, 'Ada Abel'), observation_id: look.observation_id };
    expect(await refused(act(agent, 'tap', aim))).toBe('observation_unknown');
  });
});

describe('limits', () => {
  it('of acts an hour and of a task stop acting, not looking, and say so', async () => {
    await grant('--steps-a-run', '2');
    await agent.call('task_complete', { outcome: 'done' });
    for (let step = 0; step < 2; step++) await done(act(agent, 'go', { to: 'home' }));
    expect(await refused(act(agent, 'go', { to: 'home' }))).toBe('steps_used');
    await done(agent.call('screen_observe'));
    await done(agent.call('task_complete', { outcome: 'failed', summary: 'used up' }));
    await done(act(agent, 'go', { to: 'home' }));
    await grant('--steps-a-run', 'none', '--acts-an-hour', '1');
    const late = await act(agent, 'go', { to: 'home' });
    expect(late).toMatchObject({
      ok: false,
      error_code: 'rate_limited',
      kind: 'unavailable',
      retryable: true,
    });
    expect(late).toMatchObject({ retry_after_ms: expect.any(Number), key: 'same_key' });
    await done(agent.call('screen_observe'));
    await grant('--acts-an-hour', 'none');
    await done(act(agent, 'go', { to: 'home' }));
  });

  it('of calls a minute and of tokens an hour stop everything, with the time to wait', async () => {
    await grant('--calls-a-minute', '3');
    const codes = [];
    for (let call = 0; call < 6; call++) {
      const envelope = await agent.call('device_list');
      codes.push(envelope.ok ? 'ok' : envelope.error_code);
    }
    expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThanOrEqual(2);
    await grant('--calls-a-minute', 'none', '--tokens-an-hour', '10');
    expect(await agent.call('device_list')).toMatchObject({
      ok: false,
      error_code: 'rate_limited',
      message: expect.stringContaining('10 tokens an hour'),
    });
    await grant('--tokens-an-hour', 'none');
    await done(agent.call('device_list'));
  });

  it('of one tool only ever lower what its declaration derives', async () => {
    const said = await rig.ask('grant', 'worker', '--limit', 'tap:attempts=2');
    expect(said).toMatchObject({
      error_code: 'grant_bad',
      message: 'limits.tap.attempts: tap allows at most 1; a grant can only lower that.',
    });
    expect(await rig.ask('grant', 'worker', '--limit', 'tap:timeout_ms=90000')).toMatchObject({ ok: false });
    expect(await rig.ask('grant', 'worker', '--limit', 'device_list:tokens=500')).toMatchObject({
      ok: false,
    });
    await rig.phone.bringUp(PACKAGES.contacts);
    const seen = await done(agent.call('screen_wait', { for: 'text', value: 'Ada Jansen', wait_ms: 5_000 }));
    expect(seen).toMatchObject({ met: true, observation: { truncated: false } });
    await grant('--limit', 'screen_observe:tokens=200');
    const cut = await done(agent.call('screen_observe'));
    expect(cut).toMatchObject({ truncated: true, cut_by: 'tokens' });
    expect(Number(cut.shown)).toBeLessThan(Number(cut.total));
    const rest = await done(agent.call('screen_observe', { cursor: cut.next_cursor }));
    expect(rest.text).not.toBe(cut.text);
  });
});

describe('a grant of addresses and of a profile', () => {
  it('opens addresses of the named hosts without asking, and asks about all others', async () => {
    await grant('--hosts', '.example.org');
    const open = (url: string) => done(act(agent, 'link_open', { url }));
    expect(await open('https://news.example.org/today')).toMatchObject({
      state: 'done',
      risk: { level: 'low' },
      foreground_app: { package: 'com.android.browser' },
    });
    for (const url of [
      'https://example.com/',
      'https://example.org.evil.net/',
      'https://user@example.org/',
    ]) {
      const staged = await act(agent, 'link_open', { url });
      const { state, request_id } = staged.result as Record<string, string>;
      expect([url, state === 'done']).toEqual([url, false]);
      if (state === 'pending_confirmation') await done(agent.call('request_withdraw', { request_id }));
    }
    await grant('--hosts', 'none');
  });

  it('lets a profile say yes where it may, and the log says that the profile did', async () => {
    await grant('--profile', 'ci');
    await composeTo(agent, 'Anna', 'By profile');
    const sent = await tapOn(agent, 'Send');
    expect(sent).toMatchObject({
      ok: true,
      result: {
        state: 'done',
        risk: { level: 'high', decision: 'allow' },
        approval: { by: 'profile ci', how: 'profile' },
      },
    });
    const [row] = (await rig.owner('log', '--request', String(sent.result?.request_id))).items as Record<
      string,
      unknown
    >[];
    expect(row).toMatchObject({ verdict: 'high', approval: { by: 'profile ci' } });
    await grant('--profile', 'balanced');
    await composeTo(agent, 'Anna', 'By owner');
    expect(await done(tapOn(agent, 'Send'))).toMatchObject({ state: 'pending_confirmation' });
    await done(agent.call('task_complete', { outcome: 'done' }));
  });
});

describe('a grant that ends', () => {
  it('is over at its moment: nothing is listed, nothing is done, until the owner says more', async () => {
    await grant('--until', '1s');
    await expect.poll(names, { timeout: 10_000 }).toEqual([]);
    expect(await agent.call('screen_observe')).toMatchObject({
      ok: false,
      error_code: 'grant_expired',
      kind: 'rejected',
    });
    expect((await rig.owner('grants', 'worker')).items).toMatchObject([
      { agent: 'worker', over: true, tools: [] },
    ]);
    await grant('--until', 'never');
    await done(agent.call('screen_observe'));
  });

  it('can be taken back whole: the agent is as in the beginning', async () => {
    const { view } = await rig.owner('revoke', 'worker');
    expect(view).toMatchObject({ agent: 'worker', set: false, grant: { act_on: [] } });
    expect(await refused(act(agent, 'go', { to: 'home' }))).toBe('read_only');
    await grant('--act-on', 'virtual');
  });
});

describe('a grant that cannot be', () => {
  const wrong: [string, string[], RegExp][] = [
    ['an unknown tool', ['--tools', 'tapp'], /^tools: there is no tool "tapp"; near: tap/],
    ['an unknown kind of phone', ['--act-on', 'ios'], /^act_on\.0: /],
    ['a package that is none', ['--packages', 'com..x'], /^packages\.0: a package/],
    ['a shell in a package', ['--packages', 'com.android.settings; reboot'], /^packages\.0: /],
    [
      'an unknown category',
      ['--see-categories', 'bank'],
      /^see\.categories: there is no category "bank"; withheld are .*banking/,
    ],
    [
      'a category nobody may see',
      ['--see-categories', 'password_manager'],
      /^see\.categories: "password_manager" is never shown/,
    ],
    [
      'an app nobody may see',
      ['--see-apps', 'com.lastpass.lpandroid'],
      /^see\.apps: "com\.lastpass\.lpandroid" \(password_manager\) is never shown/,
    ],
    [
      'a category that is shown anyway',
      ['--see-categories', 'messaging'],
      /^see\.categories: "messaging" is shown anyway/,
    ],
    [
      'an unknown profile',
      ['--profile', 'lax'],
      /^profile: there is no profile "lax"; there are watchful, balanced, ci/,
    ],
    ['a moment that is over', ['--until', '2020-01-01'], /^until: this moment is over/],
  ];
  it.each(wrong)('is refused: %s', async (_what, args, message) => {
    const before = await rig.owner('grants', 'worker');
    const said = await rig.ask('grant', 'worker', ...args);
    expect(said).toMatchObject({ ok: false, error_code: 'grant_bad' });
    expect(String(said.message)).toMatch(message);
    expect(await rig.owner('grants', 'worker')).toEqual(before);
  });

  it('names a field that nobody reads, and an agent that is not there', async () => {
    const file = await countersign(['grant', 'worker', '--from', '-', '--data', rig.data.path, '--json'], {
      input: '{"tool":["tap"]}',
    });
    expect(file.json).toMatchObject({
      error_code: 'grant_bad',
      message: expect.stringMatching(/^tool: nobody reads it; there are tools, /),
    });
    expect(await rig.ask('grant', 'nobody', '--read-only')).toMatchObject({
      error_code: 'agent_unknown',
      message: expect.stringContaining('worker'),
    });
  });

  it('that lies damaged in the store allows nothing', async () => {
    const { default: Sqlite } = await import('better-sqlite3');
    const db = new Sqlite(`${rig.data.path}/countersign.db`);
    db.prepare(`UPDATE agents SET grant_json = '{"tools":7}' WHERE name = 'worker'`).run();
    db.close();
    expect(await names()).toEqual(['tools_search', 'tool_use', 'skill_list', 'skill_read']);
    expect(await refused(agent.call('screen_observe'))).toBe('tool_not_granted');
    expect(await refused(act(agent, 'go', { to: 'home' }))).toBe('tool_not_granted');
    await rig.owner('revoke', 'worker');
  });
});
