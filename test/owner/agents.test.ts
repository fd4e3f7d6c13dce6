/**
 * Agents prove who they are by tokens: told once, kept as hashes, replaced and taken back at once, and seen
 * nowhere else. A new one may look and nothing more.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countersign } from '../support/host-process.ts';
import { act, done, OwnerRig, refused } from './rig.ts';

const rig = new OwnerRig();
beforeAll(() => rig.start());
afterAll(() => rig.end());

const items = (said: Record<string, unknown>) => said.items as Record<string, unknown>[];

describe('an agent', () => {
  it('is made by the owner, told its token once, and listed without it', async () => {
    const token = await rig.token('shopper');
    expect(token).toMatch(/^cs_[0-9a-f]{64}$/);
    const listed = await rig.owner('agent', 'list');
    expect(items(listed)).toMatchObject([
      { agent: 'local', state: 'built_in', read_only: false },
      { agent: 'shopper', state: 'open', read_only: true },
    ]);
    expect(JSON.stringify(listed)).not.toContain(token);
    expect(await rig.ask('agent', 'add', 'shopper')).toMatchObject({ ok: false, error_code: 'agent_exists' });
  });

  it('cannot have a name that means somebody else, or no name', async () => {
    for (const name of ['owner', 'local', 'Countersign', 'a b', '../x', '', 'x'.repeat(41)]) {
      const said = await rig.ask('agent', 'add', name);
      expect([name, said.ok, said.error_code]).toEqual([name, false, 'params_bad']);
    }
  });

  it('may look, not act, until the owner says otherwise; acts are neither listed nor done', async () => {
    const agent = await rig.agent(await rig.token('reader'));
    const names = (await agent.tools()).map((tool) => tool.name);
    expect(names).toContain('screen_observe');
    expect(names).toContain('ask_owner');
    expect(names.filter((name) => ['tap', 'set_text', 'go', 'app_open'].includes(name))).toEqual([]);
    await done(agent.call('screen_observe'));
    expect((await done(agent.call('device_list'))).items).toMatchObject([{ may_act: false }]);
    const before = (await rig.phone.touches()).length;
    expect(await refused(act(agent, 'tap', { x: 500, y: 800 }))).toBe('read_only');
    expect(
      await refused(agent.call('tool_use', { tool: 'go', arguments: { to: 'home', idempotency_key: 'u1' } })),
    ).toBe('read_only');
    expect(await rig.phone.touches()).toHaveLength(before);

    await rig.owner('grant', 'reader', '--act-on', 'virtual');
    expect((await agent.tools()).map((tool) => tool.name)).toContain('tap');
    expect(await done(act(agent, 'go', { to: 'home' }))).toMatchObject({ state: 'done' });
    await done(agent.call('task_complete', { outcome: 'done' }));
  });

  it('is who its token says on the command line too, and in the log', async () => {
    const token = await rig.token('cli-agent');
    const env = { COUNTERSIGN_TOKEN: token };
    const call = (...args: string[]) =>
      countersign(['call', ...args, '--data', rig.data.path, '--json'], { env });
    expect((await call('device_list')).json).toMatchObject({
      ok: true,
      result: { items: [{ may_act: false }] },
    });
    expect((await call('go', '{"to":"home"}', '--new-key')).json).toMatchObject({
      ok: false,
      error_code: 'read_only',
    });
    const rows = items(await rig.owner('log', '--agent', 'cli-agent'));
    expect(rows.map((row) => [row.agent, row.door, row.tool])).toEqual([
      ['cli-agent', 'cli', 'device_list'],
      ['cli-agent', 'cli', 'go'],
    ]);
  });

  it('that shows a token nobody knows is nobody, never the built-in one', async () => {
    for (const token of ['cs_wrong', `cs_${'0'.repeat(64)}`, '']) {
      const ran = await countersign(['call', 'device_list', '--data', rig.data.path, '--json'], {
        env: { COUNTERSIGN_TOKEN: token },
      });
      expect([token, ran.status, (ran.json as { error_code: string }).error_code]).toEqual([
        token,
        2,
        'token_unknown',
      ]);
      const mcp = await countersign(['mcp', '--data', rig.data.path], { env: { COUNTERSIGN_TOKEN: token } });
      expect(mcp.status).toBe(2);
      expect(mcp.stdout).toBe('');
    }
  });

  it('whose token is replaced or taken back is out at once, also where it is already connected', async () => {
    const old = await rig.token('mover', '--act-on', 'virtual');
    const agent = await rig.agent(old);
    await done(agent.call('device_list'));
    const { token: fresh } = await rig.owner('agent', 'renew', 'mover');
    expect(await refused(agent.call('device_list'))).toBe('agent_revoked');
    expect(await agent.tools()).toEqual([]);
    const again = await rig.agent(String(fresh));
    // The grant belongs to the name, not to the token.
    expect((await done(again.call('device_list'))).items).toMatchObject([{ may_act: true }]);

    await rig.owner('agent', 'revoke', 'mover');
    expect(await refused(again.call('device_list'))).toBe('agent_revoked');
    expect(items(await rig.owner('agent', 'list')).find((one) => one.agent === 'mover')).toMatchObject({
      state: 'revoked',
      read_only: true,
    });
    // The name may be given again, and begins anew.
    const third = await rig.agent(await rig.token('mover'));
    expect(await refused(act(third, 'go', { to: 'home' }))).toBe('read_only');
  });

  it('holds nothing of another: neither requests, pictures, observations nor tasks', async () => {
    const one = await rig.agent();
    const two = await rig.agent(await rig.token('stranger', '--act-on', 'virtual'));
    const look = await done(one.call('screen_observe'));
    const gone = await done(act(one, 'go', { to: 'home' }));
    const picture = await done(one.call('screen_screenshot'));
    expect(await refused(two.call('request_status', { request_id: gone.request_id }))).toBe(
      'request_unknown',
    );
    expect(await refused(two.call('request_withdraw', { request_id: gone.request_id }))).toBe(
      'request_unknown',
    );
    expect(await refused(two.call('screen_observe', { since: look.observation_id }))).toBe(
      'observation_unknown',
    );
    await expect(two.resource(String(picture.blob))).rejects.toThrow();
    const { task_id } = await one.call('task_status');
    expect(await refused(two.call('task_status', { task_id }))).toBe('task_unknown');
    await done(one.call('task_complete', { outcome: 'done' }));
  });

  it('leaves its token in no file, log, error, or list of processes', async () => {
    const token = await rig.token('secretive');
    const agent = await rig.agent(token);
    await done(agent.call('screen_observe'));
    await agent.call('screen_find', { text: 'Notes' });
    const log = await rig.run('log', '--json', '--last', '500');
    const listed = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    const bare = token.slice(3);
    expect(rig.host.stderr()).not.toContain(bare);
    expect(log.stdout + log.stderr).not.toContain(bare);
    expect(listed).toContain('countersign');
    expect(listed).not.toContain(bare);
    await agent.close();
    await rig.stop();
    for (const file of readdirSync(rig.data.path)) {
      const bytes = readFileSync(join(rig.data.path, file));
      expect([file, bytes.includes(bare), bytes.includes(Buffer.from(bare, 'hex'))]).toEqual([
        file,
        false,
        false,
      ]);
    }
    await rig.start();
    // It still opens what it opened before the restart.
    await done((await rig.agent(token)).call('device_list'));
  });
});
