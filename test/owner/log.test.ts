/**
 * The log: one row a call with everything about it, found again fast, exported, cut only with the owner's word;
 * tampered with, it says where, and a phone remembers what a whole rewrite would hide. Unwritten, nothing is done.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../support/mcp.ts';
import { composeTo, newKey, sentCount, tapOn } from '../support/messages-walk.ts';
import { act, done, OwnerRig, PACKAGES, refused } from './rig.ts';

const rig = new OwnerRig();
let agent: Agent;

beforeAll(async () => {
  await rig.start();
  agent = await rig.agent();
});
afterAll(() => rig.end());

const items = (said: Record<string, unknown>) => said.items as Record<string, unknown>[];
const database = () => new Sqlite(join(rig.data.path, 'countersign.db'), { timeout: 5_000 });
/** Something done to the file while nobody holds it. */
async function tampered(work: (db: Sqlite.Database) => void): Promise<Record<string, unknown>> {
  await rig.stop();
  const db = database();
  work(db);
  db.close();
  await rig.start();
  agent = await rig.agent();
  return rig.ask('log', 'verify');
}
const TABLES = ['audit_head', 'audit_cuts', 'audit'] as const;
const COLUMNS = {
  audit_head: 'one, length, chain, calls',
  audit_cuts: 'up_to, chain, calls, at',
  audit: 'position, call, part, request_id, body, chain, words',
} as const;

/** The log as it was is put back after the work; nothing may be written in between. */
async function undone(work: () => Promise<void>): Promise<void> {
  const db = database();
  const kept = TABLES.map((table) => db.prepare(`SELECT ${COLUMNS[table]} FROM ${table}`).all() as object[]);
  db.close();
  await work();
  await rig.stop();
  const now = database();
  TABLES.forEach((table, at) => {
    now.exec(`DELETE FROM ${table}`);
    const put = now.prepare(
      `INSERT INTO ${table} (${COLUMNS[table]}) VALUES (${COLUMNS[table].replace(/\w+/g, '?')})`,
    );
    for (const row of kept[at] ?? []) put.run(...Object.values(row));
  });
  now.close();
  await rig.start();
  agent = await rig.agent();
}

const kinds = (said: Record<string, unknown>) =>
  (said.findings as { kind: string; entry: number }[]).map(({ kind, entry }) => [kind, entry]);

describe('a row of the log', () => {
  it('says who did what by which door, with what verdict, by whose word, and what came of it', async () => {
    await composeTo(agent, 'Anna', 'Hunter2-Test!');
    const key = newKey();
    const staged = await done(tapOn(agent, 'Send', key));
    await rig.owner('approve', String(staged.confirmation_id));
    const ended = await done(
      agent.call('request_status', { request_id: staged.request_id, wait_ms: 10_000 }),
    );
    expect(ended).toMatchObject({ state: 'done' });
    const rows = items(await rig.owner('log', '--request', String(staged.request_id)));
    expect(rows.map((row) => row.tool)).toEqual(['tap', 'approve', 'request_status']);
    expect(rows[0]).toEqual({
      number: expect.any(Number),
      at: expect.stringMatching(/^20.*Z$/),
      agent: 'local',
      door: 'mcp_stdio',
      tool: 'tap',
      kind: 'once',
      schema_version: 1,
      task_id: expect.stringMatching(/^t/),
      device_id: 'virtual',
      request_id: staged.request_id,
      arguments: { ref: expect.any(String), observation_id: expect.any(String), idempotency_key: key },
      verdict: 'high',
      reasons: expect.arrayContaining([expect.objectContaining({ class: 'send' })]),
      approval: null,
      strategy: null,
      target: { label: 'Send SMS', role: 'button', bounds: null },
      state: 'pending_confirmation',
      error_code: null,
      duration_ms: expect.any(Number),
      bytes_out: expect.any(Number),
      tokens_out: expect.any(Number),
      retries: null,
      replayed: false,
      say: 'tap “Send SMS”: pending confirmation',
    });
    expect(rows[1]).toMatchObject({ agent: 'owner', door: 'command line', state: 'done' });
    expect(rows[2]).toMatchObject({
      kind: 'reads',
      retries: 0,
      approval: { by: 'owner', how: 'command line', at: expect.any(String) },
      strategy: expect.any(String),
    });
    // Asked again with the same key: a hit.
    const look = await done(agent.call('screen_observe'));
    expect(look.text).toBeDefined();
    const typed = items(await rig.owner('log', '--tool', 'set_text'));
    expect(typed.at(-1)?.arguments).toMatchObject({ text: { redacted: 'string', length: 13 } });
    expect(JSON.stringify(await rig.owner('log', '--last', '500'))).not.toContain('Hunter2');
  });

  it('is there for what was refused, misspelt or unknown, too, and for a replay', async () => {
    const key = newKey();
    await done(agent.call('go', { to: 'home', idempotency_key: key }));
    await done(agent.call('go', { to: 'home', idempotency_key: key }));
    expect(items(await rig.owner('log', '--tool', 'go', '--last', '2')).map((row) => row.replayed)).toEqual([
      false,
      true,
    ]);
    expect(await refused(agent.call('tap', { idempotency_key: 'k' }))).toBe('aim_neither');
    expect(await refused(agent.call('fly', { away: true, secret: 'Zebra' }))).toBe('tool_unknown');
    const [wrong, unknown] = items(await rig.owner('log', '--last', '2'));
    expect(wrong).toMatchObject({ tool: 'tap', error_code: 'aim_neither', state: null });
    expect(unknown).toMatchObject({ tool: 'fly', error_code: 'tool_unknown', arguments: {} });
  });
});

describe('the log', () => {
  it('is searched by words and by every field', async () => {
    await done(act(agent, 'app_open', { app: PACKAGES.notes }));
    expect(items(await rig.owner('log', 'send', 'pending'))).toMatchObject([
      { tool: 'tap', state: 'pending_confirmation' },
    ]);
    expect(items(await rig.owner('log', 'SEND', 'Sms'))).not.toHaveLength(0);
    expect(items(await rig.owner('log', '--code', 'tool_unknown'))).toHaveLength(1);
    expect(items(await rig.owner('log', '--agent', 'owner')).every((row) => row.agent === 'owner')).toBe(
      true,
    );
    expect(items(await rig.owner('log', '--since', '1h', '--until', '50m'))).toEqual([]);
    const { task_id } = await agent.call('task_status');
    const ofTask = items(await rig.owner('log', '--task', String(task_id), '--last', '500'));
    expect(ofTask[0]).toMatchObject({ tool: 'go', task_id });
    expect(items(await rig.owner('log', 'nothing', 'of', 'the', 'kind'))).toEqual([]);
  });

  it('is drawn from in whole traces', async () => {
    const { traces } = await rig.owner('log', '--sample', '1');
    const [trace] = traces as { task_id: string; rows: Record<string, unknown>[] }[];
    const whole = items(await rig.owner('log', '--task', String(trace?.task_id), '--last', '1000'));
    expect(trace?.rows).toEqual(whole);
  });

  it('is exported line by line, and its chain can be followed by anybody', async () => {
    const rows = (await rig.run('log', 'export')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { number: number });
    expect(rows.map((row) => row.number)).toEqual(rows.map((_, at) => at + 1));
    const links = (await rig.run('log', 'export', '--links')).stdout.trim().split('\n');
    let chain = '0'.repeat(64);
    for (const [at, line] of links.entries()) {
      const link = JSON.parse(line) as Record<string, unknown>;
      const { position, call, part, request_id, body } = link;
      chain = createHash('sha256')
        .update(JSON.stringify(['countersign-audit-v1', chain, position, call, part, request_id, body]))
        .digest('hex');
      expect([at + 1, chain]).toEqual([position, link.chain]);
    }
    expect(links.length).toBeGreaterThan(rows.length);
  });

  it('holds, and says with whom it was compared', async () => {
    await rig.stop();
    await rig.start();
    agent = await rig.agent();
    expect(await rig.owner('log', 'verify')).toMatchObject({
      ok: true,
      findings: [],
      witnesses: expect.arrayContaining(['the phone virtual']),
    });
  });
});

describe('a log that was tampered with', () => {
  it('says where: an edit, a gap, another order, a cut end', async () => {
    await undone(async () => {
      expect(
        kinds(
          await tampered((db) =>
            db.exec(
              `UPDATE audit SET body = replace(body, 'Send SMS', 'Cancel') WHERE position = (SELECT max(position) FROM audit WHERE body LIKE '%Send SMS%')`,
            ),
          ),
        ),
      ).toMatchObject([['edited', expect.any(Number)]]);
    });
    await undone(async () => {
      expect(kinds(await tampered((db) => db.exec('DELETE FROM audit WHERE position = 5')))).toEqual([
        ['missing', 5],
      ]);
    });
    await undone(async () => {
      const said = await tampered((db) => {
        db.exec('UPDATE audit SET position = -position WHERE position IN (7, 11)');
        db.exec('UPDATE audit SET position = CASE position WHEN -7 THEN 11 ELSE 7 END WHERE position < 0');
      });
      expect(kinds(said)).toEqual([
        ['reordered', 7],
        ['reordered', 11],
      ]);
    });
    await undone(async () => {
      const said = await tampered((db) => db.exec('DELETE FROM audit WHERE position > 12'));
      expect(said).toMatchObject({ ok: false });
      expect(kinds(said)).toContainEqual(['cut_end', 13]);
    });
  });

  it('cannot be written anew as a whole, nor be replaced by an older one: the phone remembers', async () => {
    await done(act(agent, 'go', { to: 'home' }));
    await undone(async () => {
      const said = await tampered((db) => {
        // As an attacker would who knows everything: one body changed, every checksum after it made anew.
        let chain = '0'.repeat(64);
        for (const link of db.prepare('SELECT * FROM audit ORDER BY position').all() as Record<
          string,
          unknown
        >[]) {
          const body = link.position === 9 ? String(link.body).replace('"at":', '"At":') : link.body;
          chain = createHash('sha256')
            .update(
              JSON.stringify([
                'countersign-audit-v1',
                chain,
                link.position,
                link.call,
                link.part,
                link.request_id,
                body,
              ]),
            )
            .digest('hex');
          db.prepare('UPDATE audit SET body = ?, chain = ?, words = NULL WHERE position = ?').run(
            body,
            chain,
            link.position,
          );
        }
        db.prepare('UPDATE audit_head SET chain = ?').run(chain);
      });
      expect(said).toMatchObject({
        ok: false,
        findings: [
          { kind: 'witness', say: expect.stringContaining('the phone virtual remembers another log') },
        ],
      });
    });
    await undone(async () => {
      const said = await tampered((db) => {
        db.exec('DELETE FROM audit WHERE position > 10');
        const last = db.prepare('SELECT chain FROM audit WHERE position = 10').get() as { chain: string };
        db.prepare('UPDATE audit_head SET length = 10, chain = ?').run(last.chain);
      });
      expect(said).toMatchObject({ ok: false });
      expect(kinds(said)).toContainEqual(['witness', expect.any(Number)]);
    });
  });

  it('under the hands of the running host shows as well', async () => {
    await done(agent.call('device_list'));
    await undone(async () => {
      const db = database();
      db.exec(`DELETE FROM audit WHERE position = 6`);
      db.close();
      expect(kinds(await rig.ask('log', 'verify'))).toEqual([['missing', 6]]);
    });
  });
});

describe('retention', () => {
  it('cuts only what is old, with the owner’s word in the log itself', async () => {
    expect(await rig.ask('log', 'cut', '--before', '1h')).toMatchObject({
      ok: false,
      error_code: 'cut_too_late',
    });
    expect(await rig.ask('log', 'cut', '--before', '90d')).toMatchObject({
      ok: false,
      error_code: 'nothing_to_cut',
    });
  });
});

describe('a log that cannot be written', () => {
  it('lets nothing happen: no act, no look, no decision', async () => {
    await composeTo(agent, 'Anna', 'Unwritten');
    const staged = await done(tapOn(agent, 'Send'));
    const sent = await sentCount(rig.phone);
    const touches = (await rig.phone.touches()).length;
    const db = database();
    db.exec(`CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    expect(await act(agent, 'go', { to: 'home' })).toMatchObject({
      ok: false,
      error_code: 'audit_failed',
      effect: 'none',
    });
    expect(await refused(agent.call('screen_observe'))).toBe('audit_failed');
    expect((await rig.run('approve', String(staged.confirmation_id), '--json')).status).toBe(2);
    expect(await rig.phone.touches()).toHaveLength(touches);
    expect(await sentCount(rig.phone)).toBe(sent);
    db.exec('DROP TRIGGER full');
    db.close();
    expect(items(await rig.owner('pending'))).toHaveLength(1);
    await done(agent.call('request_withdraw', { request_id: staged.request_id }));
    expect(await rig.owner('log', 'verify')).toMatchObject({ ok: true });
  });
});
