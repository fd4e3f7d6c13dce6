/** MCP over HTTP as `countersign start` serves it: agents by their tokens, grants at once, the phone's effect. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlConnection, reachControl } from '../../host/virtual-phone/control-socket.ts';
import {
  countersign,
  freshFolder,
  MAIN,
  phoneFolder,
  type RunningHost,
  startHostProcess,
} from '../support/host-process.ts';

const folder = freshFolder();
let host: RunningHost;
let phone: ControlConnection;
let url: URL;

async function owner(...args: string[]): Promise<Record<string, unknown>> {
  const ran = await countersign([...args, '--json', '--data', folder.path]);
  if (ran.status !== 0) throw new Error(`${args.join(' ')}: ${ran.stdout}${ran.stderr}`);
  return ran.json as Record<string, unknown>;
}
const tokenOf = async (name: string) => String((await owner('agent', 'add', name)).token);

async function over(token: string): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}
const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

beforeAll(async () => {
  host = await startHostProcess(folder.path, [
    '--virtual',
    '--phone-control',
    '--mcp-port',
    '0',
    '--console-port',
    '0',
  ]);
  url = new URL(String(host.ready.mcp_http_url));
  phone = await reachControl(phoneFolder(folder.path));
});
afterAll(async () => {
  phone?.close();
  await host?.stop();
  folder.remove();
});

describe('over HTTP', () => {
  it('an agent may do what its grant says, from its next request on', async () => {
    const client = await over(await tokenOf('web'));
    expect(await names(client)).not.toContain('go');
    const go = { name: 'go', arguments: { to: 'home', idempotency_key: 'h1' } };
    expect((await client.callTool(go)).structuredContent).toMatchObject({
      ok: false,
      error_code: 'read_only',
    });
    await owner('grant', 'web', '--act-on', 'virtual');
    expect(await names(client)).toContain('go');
    expect((await client.callTool(go)).structuredContent).toMatchObject({
      ok: true,
      result: { state: 'done' },
    });
    await owner('agent', 'revoke', 'web');
    await expect(client.callTool(go)).rejects.toThrow();
    await client.close();
  });

  it('the same key is the same act on HTTP and on stdio, and once on the phone', async () => {
    const token = await tokenOf('both');
    await owner('grant', 'both', '--act-on', 'virtual');
    const web = await over(token);
    const stdio = new Client({ name: 'test', version: '0' });
    await stdio.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, 'mcp', '--data', folder.path],
        env: { ...(process.env as Record<string, string>), COUNTERSIGN_TOKEN: token },
        stderr: 'ignore',
      }),
    );
    const act = {
      name: 'swipe',
      arguments: { x: 500, y: 1_500, to_x: 500, to_y: 700, idempotency_key: 'k' },
    };
    const before = (await phone.touches()).length;
    const answers = await Promise.all([web.callTool(act), stdio.callTool(act), web.callTool(act)]);
    const ids = answers.map(
      ({ structuredContent }) => (structuredContent as { result: { request_id: string } }).result.request_id,
    );
    expect(new Set(ids).size).toBe(1);
    expect((await phone.touches()).length - before).toBe(1);
    await Promise.all([web.close(), stdio.close()]);
  });

  it('the built-in agent has no token, so it does not come in here', async () => {
    await expect(over('local')).rejects.toThrow();
    await expect(over('')).rejects.toThrow();
  });
});

describe('a token in a file', () => {
  const mcp = (file: string) =>
    countersign(['mcp', '--data', folder.path], { env: { COUNTERSIGN_TOKEN_FILE: file } });

  it('names the agent where only its owner can read it', async () => {
    const file = join(folder.path, 'token');
    writeFileSync(file, `${await tokenOf('filed')}\n`, { mode: 0o600 });
    expect((await mcp(file)).status).toBe(0);
    chmodSync(file, 0o644);
    const open = await mcp(file);
    expect(open.status).toBe(2);
    expect(open.stderr).toContain('token_file_open');
    expect(open.stdout).toBe('');
  });

  it('that is not there is no reason to be somebody else', async () => {
    const ran = await mcp(join(folder.path, 'none'));
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain('token_file_unreadable');
  });
});

it('refuses to listen beyond this computer without a certificate', async () => {
  const ran = await countersign([
    'start',
    '--json',
    '--data',
    join(folder.path, 'other'),
    '--mcp-address',
    '0.0.0.0',
  ]);
  expect(ran.status).toBe(2);
  expect(ran.json).toMatchObject({ ok: false, error_code: 'mcp_http_unsafe' });
});
