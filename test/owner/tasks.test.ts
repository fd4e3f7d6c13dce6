/**
 * A task opens with an agent's first act and stands in every answer; its end settles everything; after a crash
 * it goes on where it was, and nothing runs again.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../support/mcp.ts';
import { refOf } from '../support/mcp.ts';
import { composeTo, newKey, sentCount, tapOn } from '../support/messages-walk.ts';
import { act, done, OwnerRig, PACKAGES, refused, until } from './rig.ts';

const rig = new OwnerRig();
let one: Agent;
let two: Agent;
let twoToken: string;

beforeAll(async () => {
  await rig.start();
  one = await rig.agent();
  twoToken = await rig.token('second', '--act-on', 'virtual');
  two = await rig.agent(twoToken);
});
afterAll(() => rig.end());

const items = (said: Record<string, unknown>) => said.items as Record<string, unknown>[];

describe('a task', () => {
  it('opens with the first act, stands in every answer from then on, and is each agent’s own', async () => {
    expect((await one.call('screen_observe')).task_id).toBeUndefined();
    expect(await done(one.call('task_status'))).toMatchObject({ task_id: null, state: 'none', total: 0 });
    const first = await act(one, 'go', { to: 'home' });
    expect(first.task_id).toMatch(/^t[0-9a-f]{16}$/);
    for (const next of [
      await one.call('screen_observe'),
      await one.call('device_list'),
      await one.call('tap', {}),
      await one.call('no_such_tool'),
      await one.call('batch', { calls: [{ tool: 'device_list' }], idempotency_key: newKey() }),
    ]) {
      expect([next.tool, next.task_id]).toEqual([next.tool, first.task_id]);
    }
    expect((await two.call('device_list')).task_id).toBeUndefined();
    await done(one.call('task_complete', { outcome: 'done' }));
    expect((await one.call('device_list')).task_id).toBeUndefined();
    const second = await act(one, 'go', { to: 'home' });
    expect(second.task_id).not.toBe(first.task_id);
    await done(one.call('task_complete', { outcome: 'done' }));
  });

  it('tells its steps in order, page by page, and what is safe next', async () => {
    const keys = [newKey(), newKey(), newKey()];
    await done(one.call('go', { to: 'home', idempotency_key: keys[0] }));
    await done(one.call('app_open', { app: PACKAGES.notes, idempotency_key: keys[1] }));
    await done(one.call('go', { to: 'home', idempotency_key: keys[2] }));
    const status = await done(one.call('task_status', { limit: 2 }));
    expect(status).toMatchObject({
      state: 'open',
      total: 3,
      count: 2,
      has_more: true,
      items: [
        { step: 1, tool: 'go', state: 'done', acted: true, idempotency_key: keys[0] },
        { step: 2, tool: 'app_open', state: 'done' },
      ],
      next_action: { tool: 'screen_observe' },
    });
    const rest = await done(one.call('task_status', { cursor: status.next_cursor }));
    expect(rest).toMatchObject({ count: 1, has_more: false, items: [{ step: 3, idempotency_key: keys[2] }] });
    expect(await refused(one.call('task_status', { cursor: '99' }))).toBe('cursor_bad');
    await done(one.call('task_complete', { outcome: 'failed', summary: 'only a try' }));
    expect(items(await rig.owner('tasks'))[0]).toMatchObject({
      agent: 'local',
      state: 'failed',
      steps: 3,
      summary: 'only a try',
    });
  });

  it('that ended stays ended: completing again settles nothing more and says so', async () => {
    const again = await done(one.call('task_complete', { outcome: 'done' }));
    expect(again).toMatchObject({ state: 'failed', settled: [] });
  });
});

describe('the phone', () => {
  it('is held by whoever acts on it, told to the other with the time, and freed by the task’s end (D-60)', async () => {
    await done(act(one, 'go', { to: 'home' }));
    const before = (await rig.phone.touches()).length;
    const held = await act(two, 'tap', { x: 500, y: 900 });
    expect(held).toMatchObject({
      ok: false,
      error_code: 'device_held',
      kind: 'unavailable',
      message: expect.stringMatching(/\(local\) drives this phone until 20/),
    });
    expect((held as { retry_after_ms?: number }).retry_after_ms).toBeGreaterThan(0);
    expect(await rig.phone.touches()).toHaveLength(before);
    // Looking is free.
    await done(two.call('screen_observe'));
    expect(items(await done(two.call('device_list')))).toMatchObject([
      { held_by: 'local', held_until: expect.any(String) },
    ]);
    await done(one.call('task_complete', { outcome: 'done' }));
    await done(act(two, 'go', { to: 'home' }));
    expect(await refused(act(one, 'go', { to: 'home' }))).toBe('device_held');
  });

  it('is given free by the owner, and taken from an agent that is stopped', async () => {
    await rig.owner('release', 'virtual');
    await done(act(one, 'go', { to: 'home' }));
    await rig.owner('stop', '--agent', 'local');
    await done(act(two, 'go', { to: 'home' }));
    await rig.owner('resume', '--agent', 'local');
    await done(two.call('task_complete', { outcome: 'done' }));
    await done(one.call('task_complete', { outcome: 'done' }));
  });
});

describe('the end of a task', () => {
  it('withdraws what waits for the owner, ends its waits, and its questions', async () => {
    const sent = await sentCount(rig.phone);
    await composeTo(one, 'Anna', 'Never mind');
    const staged = await done(tapOn(one, 'Send'));
    expect(staged).toMatchObject({ state: 'pending_confirmation' });
    const other = await rig.agent();
    const waiting = other.call('request_status', { request_id: staged.request_id, wait_ms: 25_000 });
    const asking = other.call('ask_owner', { question: 'Shall I go on?', wait_ms: 45_000 });
    const looking = other.call('screen_wait', { for: 'text', value: 'No such words', wait_ms: 25_000 });
    await until(async () => ((await rig.owner('pending')).questions as unknown[]).length === 1);
    const ended = await done(one.call('task_complete', { outcome: 'cancelled' }));
    expect(ended).toMatchObject({
      state: 'cancelled',
      settled: [{ request_id: staged.request_id, state: 'cancelled' }],
      questions_withdrawn: 1,
    });
    expect(await done(waiting)).toMatchObject({ state: 'cancelled', acted: false });
    expect(await done(asking)).toMatchObject({ state: 'withdrawn', answer: null });
    expect(await done(looking)).toMatchObject({ met: false, reason: 'wait_ended' });
    expect(items(await rig.owner('pending'))).toEqual([]);
    expect(await rig.ask('approve', String(staged.confirmation_id))).toMatchObject({ ok: false });
    expect(await sentCount(rig.phone)).toBe(sent);
  });

  it('can be the owner’s', async () => {
    await done(act(one, 'go', { to: 'home' }));
    const { task_id } = await one.call('task_status');
    expect(await rig.owner('tasks', 'end', String(task_id))).toMatchObject({ ok: true });
    expect((await one.call('device_list')).task_id).toBeUndefined();
    expect(await rig.ask('tasks', 'end', String(task_id))).toMatchObject({
      ok: false,
      error_code: 'task_unknown',
    });
  });

  it('takes off the clipboard what the agent put there', async () => {
    const clipboard = async () => (await rig.phone.world()).clipboard;
    await done(act(one, 'clipboard_write', { text: 'DE89 3704 0044 0532 0130 00' }));
    expect(JSON.stringify(await clipboard())).toContain('DE89');
    const ended = await done(one.call('task_complete', { outcome: 'done' }));
    expect(ended).toMatchObject({ clipboards_owed: [] });
    expect(JSON.stringify((await clipboard()) ?? null)).not.toContain('DE89');
    // A task that put nothing there takes nothing off.
    await done(act(two, 'clipboard_write', { text: 'mine' }));
    await done(two.call('task_complete', { outcome: 'done' }));
    const rows = items(await rig.owner('log', '--agent', 'countersign'));
    expect(rows.map((row) => [row.tool, row.state])).toEqual([
      ['clipboard_write', 'done'],
      ['clipboard_write', 'done'],
    ]);
  });

  it('owes a phone that is away its clipboard, over a restart too, and pays it', async () => {
    await done(act(one, 'clipboard_write', { text: 'owed text' }));
    await rig.phone.unplug();
    await until(async () => (await one.call('screen_observe')).ok === false);
    expect(await done(one.call('task_complete', { outcome: 'done' }))).toMatchObject({
      clipboards_owed: ['virtual'],
    });
    expect(items(await rig.owner('tasks'))[0]).toMatchObject({ clipboards_owed: ['virtual'] });
    await rig.stop('kill');
    await rig.start();
    one = await rig.agent();
    two = await rig.agent(twoToken);
    await until(async () => {
      const [newest] = items(await rig.owner('tasks'));
      return newest !== undefined && (newest.clipboards_owed as string[]).length === 0;
    });
    expect(JSON.stringify((await rig.phone.world()).clipboard ?? null)).not.toContain('owed text');
  });
});

describe('after a crash', () => {
  it('the task is found with its steps, a waiting one is told, and keys give results without running again (D-45)', async () => {
    const sent = await sentCount(rig.phone);
    await composeTo(one, 'Anna', 'Once only');
    const key = newKey();
    const staged = await done(tapOn(one, 'Send', key));
    const { task_id, result } = await one.call('task_status');
    const total = Number((result as { total: number }).total);
    await rig.stop('kill');
    await rig.start();
    one = await rig.agent();

    const status = await done(one.call('task_status'));
    expect(status).toMatchObject({
      task_id,
      state: 'open',
      total,
      next_action: { tool: 'request_status', args: { request_id: staged.request_id } },
    });
    const steps = items(status);
    expect(steps.slice(0, -1).every((step) => step.state === 'done')).toBe(true);
    expect(steps.at(-1)).toMatchObject({ tool: 'tap', state: 'pending_confirmation', idempotency_key: key });
    await rig.owner('approve', String(staged.confirmation_id));
    expect(
      await done(one.call('request_status', { request_id: staged.request_id, wait_ms: 10_000 })),
    ).toMatchObject({
      state: 'done',
    });
    expect(await sentCount(rig.phone)).toBe(sent + 1);

    // A program that begins anew sends everything again, with the same keys: it only gets what happened.
    const touches = (await rig.phone.touches()).length;
    for (const step of steps.filter((found) => found.tool === 'go')) {
      const again = await one.call('go', { to: 'home', idempotency_key: step.idempotency_key });
      expect(again).toMatchObject({ ok: true, result: { replayed: true, state: 'done' } });
    }
    const look = await done(one.call('screen_observe'));
    const resent = await one.call('tap', {
      ref: refOf(look, 'Attach'),
      observation_id: look.observation_id,
      idempotency_key: key,
    });
    expect(resent).toMatchObject({ ok: false, error_code: 'key_conflict', effect: 'none' });
    expect(await rig.phone.touches()).toHaveLength(touches);
    expect(await sentCount(rig.phone)).toBe(sent + 1);
    expect(await done(one.call('task_status'))).toMatchObject({
      task_id,
      next_action: { tool: 'screen_observe' },
    });
    await done(one.call('task_complete', { outcome: 'done' }));
  });
});
