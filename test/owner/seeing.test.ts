/**
 * What may not be seen reaches no answer, whatever way is tried, no log and no file: a bank's screen until the
 * owner allows it, codes of one time until they are granted. What the owner sees is not cut by that.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '../../device-protocol/envelope.ts';
import { BANK_PIN } from '../../host/virtual-phone/apps/bank.ts';
import type { Agent } from '../support/mcp.ts';
import { newKey } from '../support/messages-walk.ts';
import { act, done, OwnerRig, PACKAGES, refused } from './rig.ts';

const rig = new OwnerRig();
let agent: Agent;
/** Everything the agent was ever told. */
const told: string[] = [];

const call = async (tool: string, args: Record<string, unknown> = {}): Promise<Envelope> => {
  const envelope = await agent.call(tool, args);
  told.push(JSON.stringify(envelope));
  return envelope;
};
const doing = (tool: string, args: Record<string, unknown> = {}) =>
  call(tool, { ...args, idempotency_key: newKey() });

/** Words that stand on the bank's screens and nowhere else. */
const BANK_WORDS = ['Current account', '1842.50', 'New transfer', 'Log out'];
const heard = (words: readonly string[]) => words.filter((word) => told.some((text) => text.includes(word)));

/** The bank's accounts page, as a person brings it up: PIN typed by hand, button pressed. */
async function openAccounts(): Promise<void> {
  const owner = await rig.agent();
  await rig.owner('release', 'virtual');
  await rig.owner('grant', 'local', '--see-categories', 'banking');
  await rig.phone.bringUp(PACKAGES.bank);
  const login = await done(owner.call('screen_find', { text: 'PIN' }));
  const [field] = login.items as { ref: string }[];
  const typed = await done(
    act(owner, 'set_text', {
      ref: field?.ref,
      observation_id: login.observation_id,
      text: BANK_PIN,
      submit: true,
    }),
  );
  await rig.owner('approve', String(typed.confirmation_id));
  await done(owner.call('screen_wait', { for: 'text', value: 'Current account', wait_ms: 10_000 }));
  await done(owner.call('task_complete', { outcome: 'done' }));
  await rig.owner('revoke', 'local');
}

beforeAll(async () => {
  await rig.start();
  agent = await rig.agent(await rig.token('reader', '--act-on', 'virtual'));
});
afterAll(() => rig.end());

describe('a bank’s screen', () => {
  it('is withheld from every kind of look, and the app is named', async () => {
    await call('screen_observe');
    const before = JSON.parse(told.at(-1) ?? '').result.observation_id as string;
    await openAccounts();
    const look = await call('screen_observe');
    expect(look).toMatchObject({ ok: true, result: { notes: [{ code: 'withheld' }] } });
    expect(JSON.stringify(look)).toContain(`${PACKAGES.bank} (banking) is withheld`);
    for (const detail of ['full', 'text'] as const) await call('screen_observe', { detail });
    await call('screen_observe', { since: before });
    expect(await call('screen_find', { text: 'account' })).toMatchObject({ error_code: 'content_withheld' });
    expect(await call('screen_screenshot')).toMatchObject({ error_code: 'content_withheld' });
    // Guessing word by word tells nothing: it could not be seen.
    expect(await call('screen_wait', { for: 'text', value: 'Current account', wait_ms: 0 })).toMatchObject({
      result: { met: null },
    });
    expect(await call('screen_wait', { for: 'gone', value: 'Current account', wait_ms: 0 })).toMatchObject({
      result: { met: null },
    });
    expect(await call('screen_wait', { for: 'app', value: PACKAGES.bank, wait_ms: 0 })).toMatchObject({
      result: { met: true },
    });
    expect(await call('clipboard_read')).toMatchObject({ result: { text: null, refused: 'withheld' } });
    expect(heard(BANK_WORDS)).toEqual([]);
  });

  it('is told neither by a preview, nor by what waits for the owner, nor by what became of it', async () => {
    // The button for a new transfer lies somewhere here: each point asks the owner, and must not say what it is.
    const points = [500, 700, 900].map((y) => ({ x: 540, y }));
    for (const point of points) await call('action_preview', { tool: 'tap', arguments: point });
    const staged = await doing('tap', { ...points[1], observe: 'full' });
    expect(staged).toMatchObject({ ok: true, result: { state: 'pending_confirmation' } });
    const { confirmation_id, request_id } = staged.result as Record<string, string>;
    const { items } = await rig.owner('pending');
    const [shown] = items as Record<string, unknown>[];
    // The owner decides by the whole screen.
    expect(shown).toMatchObject({ app: PACKAGES.bank, agent: 'reader' });
    expect(JSON.stringify(shown)).toContain('Current account');
    expect(shown?.rule).toEqual({ possible: false, why_not: 'every act in this app is asked about, always' });
    await rig.owner('approve', String(confirmation_id));
    await call('request_status', { request_id, wait_ms: 10_000 });
    await call('task_status');
    expect(heard(BANK_WORDS)).toEqual([]);
  });

  it('is not told by what went from the screen when it is left', async () => {
    const left = await doing('go', { to: 'home', observe: 'summary' });
    expect(left).toMatchObject({ ok: true, result: { changed: true } });
    expect((left.result as { change: { gone: string[] } }).change.gone).toEqual([]);
    expect(heard(BANK_WORDS)).toEqual([]);
  });

  it('stands in no row of the log and in no file', async () => {
    const log = JSON.stringify(await rig.owner('log', '--agent', 'reader', '--last', '500'));
    // What the agent itself guessed at stands there as its own words.
    expect(BANK_WORDS.filter((word) => word !== 'Current account' && log.includes(word))).toEqual([]);
    await rig.stop();
    const db = new Sqlite(join(rig.data.path, 'countersign.db'), { readonly: true });
    const rows = db.prepare(`SELECT * FROM commands WHERE agent = 'reader'`).all();
    const reports = JSON.stringify(rows);
    db.close();
    expect(rows.length).toBeGreaterThan(1);
    expect(BANK_WORDS.filter((word) => reports.includes(word))).toEqual([]);
    await rig.start();
    agent = await rig.agent((await rig.owner('agent', 'renew', 'reader')).token as string);
  });

  it('is seen as soon as the owner allows the category, or the app, and no longer than that', async () => {
    await openAccounts();
    await rig.owner('grant', 'reader', '--see-categories', 'banking');
    expect((await done(agent.call('screen_observe'))).text).toContain('Current account');
    await rig.owner('grant', 'reader', '--see-categories', 'none', '--see-apps', PACKAGES.bank);
    expect((await done(agent.call('screen_observe'))).text).toContain('1842.50');
    await rig.owner('grant', 'reader', '--see-apps', 'none');
    expect((await done(agent.call('screen_observe'))).text).not.toContain('1842.50');
    await rig.owner('grant', 'reader', '--see-categories', 'wallet');
    expect((await done(agent.call('screen_observe'))).text).not.toContain('1842.50');
    await done(act(agent, 'go', { to: 'home' }));
  });
});

describe('a code of one time', () => {
  const CODE = '493817';
  const arrive = (text: string) => rig.phone.tell(PACKAGES.messages, 'arrive', { id: 'anna', text });

  it('is dots in looks, finds, waits, changes and pictures, until it is granted', async () => {
    told.length = 0;
    await doing('app_open', { app: PACKAGES.messages });
    await rig.phone.tell(PACKAGES.messages, 'show', 'anna');
    await arrive(`Your verification code is ${CODE}. Do not share it.`);
    const look = await done(call('screen_observe', { detail: 'full' }));
    expect(String(look.text)).toContain('verification code is ••••••');
    await call('screen_find', { text: 'verification' });
    await call('screen_observe', { include_status_bar: true, detail: 'text' });
    await doing('go', { to: 'notifications', observe: 'full' });
    await call('screen_observe', { detail: 'full' });
    const picture = await done(call('screen_screenshot'));
    expect(Number(picture.blackened)).toBeGreaterThan(0);
    await doing('go', { to: 'back', observe: 'full' });
    await doing('go', { to: 'home', observe: 'full' });
    await doing('app_open', { app: PACKAGES.messages, observe: 'full' });
    expect(heard([CODE])).toEqual([]);
    const log = await rig.owner('log', '--last', '500');
    expect(JSON.stringify(log).includes(CODE)).toBe(false);
    // Guessing tells nothing: as far as this agent can see, it is not there.
    const guess = await agent.call('screen_wait', { for: 'text', value: CODE, wait_ms: 0 });
    expect(guess).toMatchObject({ result: { met: false } });

    await rig.owner('grant', 'reader', '--codes');
    expect(String((await done(agent.call('screen_observe', { detail: 'full' }))).text)).toContain(CODE);
    await rig.owner('grant', 'reader', '--no-codes');
    expect(String((await done(agent.call('screen_observe', { detail: 'full' }))).text)).not.toContain(CODE);
  });

  it('is dots where its words stand in the text beside it, and on the clipboard', async () => {
    told.length = 0;
    await arrive('Security code:');
    await arrive('77 42 19');
    const look = await done(call('screen_observe', { detail: 'full' }));
    expect(String(look.text)).toContain('•• •• ••');
    await doing('clipboard_write', { text: '880214' });
    const read = await done(call('clipboard_read'));
    expect([null, '••••••']).toContain(read.text);
    expect(heard(['77 42 19'])).toEqual([]);
    await done(call('task_complete', { outcome: 'done' }));
  });
});

describe('inspect --as', () => {
  it('shows a recorded screen as that agent would get it', async () => {
    const file = join(rig.data.path, 'bank.xml');
    writeFileSync(
      file,
      `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node index="0" text="Balance 12.00" resource-id="org.example.bank.android:id/balance" class="android.widget.TextView" package="org.example.bank.android" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,100][1080,200]" /></hierarchy>`,
    );
    expect((await rig.owner('inspect', file)).text).toContain('Balance 12.00');
    const veiled = await rig.owner('inspect', file, '--as', 'reader');
    expect(JSON.stringify(veiled)).not.toContain('Balance');
    expect(veiled.notes).toMatchObject([{ code: 'withheld' }]);
    await rig.owner('grant', 'reader', '--see-apps', PACKAGES.bank);
    expect((await rig.owner('inspect', file, '--as', 'reader')).text).toContain('Balance 12.00');
    expect(await rig.ask('inspect', file, '--as', 'nobody')).toMatchObject({ error_code: 'agent_unknown' });
    expect(await refused(agent.call('screen_find', { text: 'x', device_id: 'none' }))).toBe('device_unknown');
  });
});
