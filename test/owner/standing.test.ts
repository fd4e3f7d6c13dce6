/**
 * Yes, no, and yes again: what runs is what was approved, once; a late, second or voided yes runs nothing; narrow
 * rules let exactly the same through for a while; two denials hold an agent, and a stop of one agent lasts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { phoneFolder } from '../support/host-process.ts';
import type { Agent } from '../support/mcp.ts';
import { composeTo, sentCount, tapOn } from '../support/messages-walk.ts';
import { act, done, OwnerRig, PACKAGES, refused, until } from './rig.ts';

const rig = new OwnerRig();
let agent: Agent;
let sent = 0;

const items = (said: Record<string, unknown>) => said.items as Record<string, unknown>[];
const statusOf = (id: unknown) => done(agent.call('request_status', { request_id: id, wait_ms: 15_000 }));

/** Types to somebody and presses Send. */
async function send(who: string, text: string) {
  await composeTo(agent, who, text);
  return done(tapOn(agent, 'Send'));
}

beforeAll(async () => {
  await rig.start();
  agent = await rig.agent();
});
afterAll(() => rig.end());
beforeEach(async () => {
  sent = await sentCount(rig.phone);
});

describe('what the owner is shown', () => {
  it('is everything the window shows, with a picture that marks the target', async () => {
    const staged = await send('Anna', 'Picture this');
    const id = String(staged.confirmation_id);
    const view = await until(async () => {
      const [one] = items(await rig.owner('pending'));
      return one?.has_picture === true ? one : null;
    });
    expect(view).toMatchObject({ app: PACKAGES.messages, element: 'Send SMS', rule: { possible: true } });
    expect(view.screen).toEqual(
      expect.arrayContaining([expect.stringContaining('Anna'), expect.stringContaining('Picture this')]),
    );
    const { createCanvas, loadImage } = await import('@napi-rs/canvas');
    // The picture is for the owner alone: no order of an agent's reaches it. Read from where it lies.
    const db = new Sqlite(join(rig.data.path, 'countersign.db'), { readonly: true });
    const row = db
      .prepare('SELECT bytes FROM pictures WHERE request_id = ?')
      .get(String(staged.request_id)) as { bytes: Buffer };
    db.close();
    const image = await loadImage(row.bytes);
    const canvas = createCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const { data } = canvas.getContext('2d').getImageData(0, 0, image.width, image.height);
    let marked = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === 213 && data[at + 1] === 0 && data[at + 2] === 0) marked += 1;
    expect(marked).toBeGreaterThan(50);
    await done(agent.call('request_withdraw', { request_id: staged.request_id }));
    // Gone with the request.
    const after = new Sqlite(join(rig.data.path, 'countersign.db'), { readonly: true });
    expect(after.prepare('SELECT count(*) AS count FROM pictures').get()).toEqual({ count: 0 });
    after.close();
    expect(await rig.ask('approve', id)).toMatchObject({ ok: false, error_code: 'already_decided' });
  });
});

describe('a yes', () => {
  it('to a screen that has changed runs nothing, and tells owner and agent both versions (D-49)', async () => {
    const staged = await send('Kiosk A', 'Ten past six');
    await rig.phone.tell(PACKAGES.messages, 'show', 'kiosk-b');
    const said = await rig.owner('approve', String(staged.confirmation_id));
    expect(said).toMatchObject({ state: 'refused' });
    expect(String(said.say)).toMatch(/nothing ran.*Window then “Kiosk A”, now “Kiosk B”/);
    const outcome = await statusOf(staged.request_id);
    expect(outcome).toMatchObject({
      state: 'refused',
      acted: false,
      was: { window_title: 'Kiosk A', label: 'Send SMS' },
    });
    expect(JSON.stringify(outcome.observation)).toContain('Kiosk B');
    expect(await rig.ask('approve', String(staged.confirmation_id))).toMatchObject({ ok: false });
    expect(await sentCount(rig.phone)).toBe(sent);
  });

  it('to what was changed on the computer since runs nothing, and is used up (D-43)', async () => {
    for (const change of [
      `payload = replace(payload, 'Send', 'Sand')`,
      `not_after = not_after + 1`,
      `digest = '${'0'.repeat(64)}'`,
    ]) {
      const staged = await send('Anna', 'Pay 82');
      const db = new Sqlite(join(rig.data.path, 'countersign.db'));
      db.prepare(`UPDATE commands SET ${change} WHERE request_id = ?`).run(String(staged.request_id));
      db.close();
      const said = await rig.ask('approve', String(staged.confirmation_id));
      expect([change, said.state]).toEqual([change, 'refused']);
      expect(await statusOf(staged.request_id)).toMatchObject({
        state: 'refused',
        error_code: 'act_refused',
      });
      expect(await rig.ask('approve', String(staged.confirmation_id))).toMatchObject({ ok: false });
    }
    expect(await sentCount(rig.phone)).toBe(sent);
  });

  it('after a stop, and after the stop was lifted, runs nothing', async () => {
    const staged = await send('Anna', 'Stopped');
    await rig.owner('stop');
    expect(await rig.ask('approve', String(staged.confirmation_id))).toMatchObject({ ok: false });
    expect(await statusOf(staged.request_id)).toMatchObject({ state: 'refused', error_code: 'paused' });
    expect(await refused(act(agent, 'go', { to: 'home' }))).toBe('stopped');
    await rig.stop('kill');
    await rig.start();
    agent = await rig.agent();
    expect(await refused(act(agent, 'go', { to: 'home' }))).toBe('stopped');
    await rig.owner('resume');
    expect(await rig.ask('approve', String(staged.confirmation_id))).toMatchObject({ ok: false });
    await until(async () => (await act(agent, 'go', { to: 'home' })).ok);
    expect(await sentCount(rig.phone)).toBe(sent);
  });

  it('after the phone was started anew runs nothing', async () => {
    const staged = await send('Anna', 'Before the reboot');
    await rig.stop();
    // The phone's own boot file: started later than now means that the machine was started since.
    const path = join(phoneFolder(rig.data.path), 'boot.json');
    const boot = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify({ ...boot, bootedAtNs: '9'.repeat(19) }));
    await rig.start();
    agent = await rig.agent();
    const said = await rig.ask('approve', String(staged.confirmation_id));
    expect(said.ok === true && said.state === 'done').toBe(false);
    expect(['refused', 'unknown']).toContain((await statusOf(staged.request_id)).state);
    expect(await sentCount(rig.phone)).toBe(sent);
  });

  it('is refused where the grant allows it no longer by then', async () => {
    const staged = await send('Anna', 'Too late for that');
    await rig.owner('grant', 'local', '--read-only');
    const said = await rig.ask('approve', String(staged.confirmation_id));
    expect(said).toMatchObject({ state: 'refused' });
    expect(String(said.say)).toContain('grant_changed');
    await rig.owner('revoke', 'local');
    expect(await statusOf(staged.request_id)).toMatchObject({
      state: 'refused',
      error_code: 'grant_changed',
    });
    expect(await sentCount(rig.phone)).toBe(sent);
  });
});

describe('a standing rule', () => {
  it('lets the same through to the same recipient, so many times, and counts', async () => {
    const staged = await send('Anna', 'One');
    const made = await rig.owner(
      'approve',
      String(staged.confirmation_id),
      '--again',
      '--times',
      '2',
      '--until',
      '1h',
    );
    expect(made.rule_id).toMatch(/^r[0-9a-f]{12}$/);
    for (const text of ['Two', 'Three']) {
      expect(await send('Anna', text)).toMatchObject({
        state: 'done',
        risk: { level: 'high', decision: 'ask' },
        approval: { by: 'owner', how: `rule ${String(made.rule_id)}` },
      });
    }
    expect(await sentCount(rig.phone)).toBe(sent + 3);
    expect(items(await rig.owner('rules'))).toMatchObject([
      {
        rule_id: made.rule_id,
        agent: 'local',
        state: 'used_up',
        used: 2,
        most: 2,
        matches: { package: PACKAGES.messages },
      },
    ]);
    const fourth = await send('Anna', 'Four');
    expect(fourth).toMatchObject({ state: 'pending_confirmation' });
    await done(agent.call('request_withdraw', { request_id: fourth.request_id }));
    // The log says by whose word each went through.
    const rows = items(await rig.owner('log', '--tool', 'tap', '--last', '200'));
    expect(rows.filter((row) => JSON.stringify(row.approval).includes(String(made.rule_id)))).toHaveLength(2);
  });

  it('is for nobody else: another recipient, another agent, another element', async () => {
    const staged = await send('Anna', 'Five');
    await rig.owner('approve', String(staged.confirmation_id), '--again', '--times', '9');
    const elsewhere = await send('Kiosk A', 'Six');
    expect(elsewhere).toMatchObject({ state: 'pending_confirmation' });
    await done(agent.call('request_withdraw', { request_id: elsewhere.request_id }));
    // In one press too many things differ: the field's own key is not the button.
    await composeTo(agent, 'Anna', 'Seven');
    const key = await done(act(agent, 'press_key', { key: 'ime_action' }));
    expect(key).toMatchObject({ state: 'pending_confirmation' });
    await done(agent.call('request_withdraw', { request_id: key.request_id }));
    await done(agent.call('task_complete', { outcome: 'done' }));

    const other = await rig.agent(await rig.token('other', '--act-on', 'virtual'));
    await composeTo(other, 'Anna', 'Eight');
    const theirs = await done(tapOn(other, 'Send'));
    expect(theirs).toMatchObject({ state: 'pending_confirmation' });
    await done(other.call('task_complete', { outcome: 'done' }));
    expect(await sentCount(rig.phone)).toBe(sent + 1);
  });

  it('can be taken back, and is asked about again at once', async () => {
    const live = items(await rig.owner('rules')).find((rule) => rule.state === 'live');
    expect(await send('Anna', 'Nine')).toMatchObject({ state: 'done' });
    await rig.owner('rules', 'revoke', String(live?.rule_id));
    const again = await send('Anna', 'Ten');
    expect(again).toMatchObject({ state: 'pending_confirmation' });
    await done(agent.call('request_withdraw', { request_id: again.request_id }));
    expect(await rig.ask('rules', 'revoke', String(live?.rule_id))).toMatchObject({
      error_code: 'rule_unknown',
    });
  });

  it('cannot be made in a bank, of a point without words, or for ever', async () => {
    await rig.owner('grant', 'local', '--see-categories', 'banking');
    await rig.phone.bringUp(PACKAGES.bank);
    const login = await done(tapOn(agent, 'Log in'));
    expect(login).toMatchObject({ state: 'pending_confirmation' });
    const id = String(login.confirmation_id);
    expect(await rig.ask('approve', id, '--again')).toMatchObject({
      ok: false,
      error_code: 'rule_impossible',
      message: expect.stringContaining('every act in this app is asked about, always'),
    });
    // Nothing was decided by that.
    expect(items(await rig.owner('pending'))).toHaveLength(1);
    await done(agent.call('request_withdraw', { request_id: login.request_id }));
    await rig.owner('revoke', 'local');
    await done(act(agent, 'go', { to: 'home' }));
    const staged = await send('Anna', 'Eleven');
    expect(
      await rig.ask('approve', String(staged.confirmation_id), '--again', '--until', '90d'),
    ).toMatchObject({
      error_code: 'rule_impossible',
    });
    await done(agent.call('request_withdraw', { request_id: staged.request_id }));
  });
});

describe('a no', () => {
  it('twice in a row holds the agent, until the owner lets it go; a yes between counts anew', async () => {
    const deny = async (text: string) =>
      rig.owner('deny', String((await send('Anna', text)).confirmation_id));
    await deny('No one');
    const staged = await send('Anna', 'Yes');
    await rig.owner('approve', String(staged.confirmation_id));
    await deny('No two');
    expect(await refused(agent.call('request_withdraw', { request_id: 'r' }))).toBe('request_unknown');
    expect(String((await deny('No three')).say)).toContain('held after 2 denials');
    const held = await act(agent, 'go', { to: 'home' });
    expect(held).toMatchObject({ ok: false, error_code: 'agent_held', kind: 'unavailable' });
    await done(agent.call('screen_observe'));
    await rig.stop('kill');
    await rig.start();
    agent = await rig.agent();
    expect(await refused(act(agent, 'go', { to: 'home' }))).toBe('agent_held');
    expect(items(await rig.owner('agent', 'list'))[0]).toMatchObject({ agent: 'local', state: 'held' });
    await rig.owner('resume', '--agent', 'local');
    await done(act(agent, 'go', { to: 'home' }));
    expect(await rig.ask('resume', '--agent', 'local')).toMatchObject({ error_code: 'agent_not_stopped' });
  });

  it('can stop the agent that asked, and nobody else; the stop outlives the host', async () => {
    const other = await rig.agent(String((await rig.owner('agent', 'renew', 'other')).token));
    const staged = await send('Anna', 'Stop me');
    const said = await rig.owner('deny', String(staged.confirmation_id), '--stop');
    expect(said).toMatchObject({ state: 'denied' });
    expect(await refused(act(agent, 'go', { to: 'home' }))).toBe('agent_stopped');
    expect(await refused(act(agent, 'tap', { x: 500, y: 900 }))).toBe('agent_stopped');
    await done(act(other, 'go', { to: 'home' }));
    await done(other.call('task_complete', { outcome: 'done' }));
    await rig.stop('kill');
    await rig.start();
    agent = await rig.agent();
    expect(await refused(act(agent, 'go', { to: 'home' }))).toBe('agent_stopped');
    // Lifting everybody's stop does not lift this one.
    await rig.owner('stop');
    await rig.owner('resume');
    expect(await refused(act(agent, 'go', { to: 'home' }))).toBe('agent_stopped');
    await rig.owner('resume', '--agent', 'local');
    await until(async () => (await act(agent, 'go', { to: 'home' })).ok);
  });

  it('by a stop of one agent voids what waits of it alone', async () => {
    const staged = await send('Anna', 'Void me');
    await rig.owner('stop', '--agent', 'local');
    expect(items(await rig.owner('pending'))).toEqual([]);
    expect(await rig.ask('approve', String(staged.confirmation_id))).toMatchObject({
      ok: false,
      error_code: 'already_decided',
    });
    expect(await statusOf(staged.request_id)).toMatchObject({ state: 'refused', error_code: 'paused' });
    await rig.owner('resume', '--agent', 'local');
    expect(await rig.ask('approve', String(staged.confirmation_id))).toMatchObject({ ok: false });
    expect(await sentCount(rig.phone)).toBe(sent);
  });
});
