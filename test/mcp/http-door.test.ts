/** What the HTTP door lets through, and how it turns away everything else: raw requests, real clients. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listTools } from '../../device-protocol/tools/listing.ts';
import { TOOL_NAMES } from '../../device-protocol/tools/tools.ts';
import { BODY_BYTES, HttpDoorError, openHttpDoor } from '../../host/doors/mcp/http/http-door.ts';
import { SESSION_IDLE_MS, SESSIONS_PER_AGENT } from '../../host/doors/mcp/http/sessions.ts';
import {
  ANNA,
  ask,
  BERT,
  type Bench,
  INITIALIZE,
  legacy,
  modern,
  openBench,
  openSession,
} from './http-bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.door.close());

const TAP = { name: 'tap', arguments: { x: 1, y: 2, idempotency_key: 'k' } };

describe('who gets in', () => {
  it.each([
    ['no token', null],
    ['an unknown token', 'guess'],
    ['an empty one', ''],
    ['half a token', ANNA.slice(0, -1)],
  ])('answers 401 to %s and tells nothing', async (_, token) => {
    const answer = await ask(bench.door, { ...modern('tools/list'), token });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
    expect(answer.text).not.toMatch(/anna|guess|tap/);
    expect(bench.engine.calls).toEqual([]);
  });

  it('reads no token from the address', async () => {
    const answer = await ask(bench.door, {
      ...modern('tools/list'),
      token: null,
      path: `/mcp?token=${ANNA}`,
    });
    expect(answer.status).toBe(401);
  });

  it('ends a revoked token with its next request, in an open session too', async () => {
    const session = await openSession(bench.door);
    expect((await ask(bench.door, legacy('tools/list', {}, session))).status).toBe(200);
    bench.tokens.delete(ANNA);
    expect((await ask(bench.door, legacy('tools/list', {}, session))).status).toBe(401);
  });

  it('lets nobody guess: twenty wrong tokens close the door for a while, for the right one as well', async () => {
    for (let n = 0; n < 20; n += 1) await ask(bench.door, { ...modern('tools/list'), token: `guess-${n}` });
    const closed = await ask(bench.door, modern('tools/list'));
    expect(closed.status).toBe(429);
    expect(Number(closed.headers['retry-after'])).toBeGreaterThan(0);
    bench.clockMs += 60_000;
    expect((await ask(bench.door, modern('tools/list'))).status).toBe(200);
  });

  it.each([
    ['a foreign page', { origin: 'https://evil.example' }, 403],
    ['a page without an origin of its own', { origin: 'null' }, 403],
    ['a name that was rebound to us', { host: 'evil.example' }, 403],
    ['a page of this computer that has the token', { origin: 'http://localhost:6274' }, 200],
  ])('answers %s as it should', async (_, headers, status) => {
    const message = modern('tools/list');
    const answer = await ask(bench.door, { ...message, headers: { ...message.headers, ...headers } });
    expect(answer.status).toBe(status);
  });

  it('says nothing of CORS to a page that asks first', async () => {
    const answer = await ask(bench.door, {
      method: 'OPTIONS',
      token: null,
      headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' },
    });
    expect(answer.status).toBe(401);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('listens beyond this computer only with a certificate', async () => {
    const open = openHttpDoor({
      address: '0.0.0.0',
      port: 0,
      callerOf: () => null,
      buildServer: () => {
        throw new Error('nobody comes in');
      },
      now: () => 0,
      log: () => {},
    });
    await expect(open).rejects.toBeInstanceOf(HttpDoorError);
  });
});

describe('what is no message', () => {
  it.each([
    ['another path', { path: '/' }, 404],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' }, 415],
    ['broken JSON', { body: '{"jsonrpc":' }, 400],
    ['a message that is too large', { body: 'x'.repeat(BODY_BYTES + 1) }, 413],
    ['GET outside a session', { method: 'GET' }, 405],
    ['PUT', { method: 'PUT', body: '{}' }, 405],
    ['a call of 2025 without a session', legacy('tools/list'), 400],
    ['a session that never was', legacy('tools/list', {}, 'c0ffee'), 404],
    ['a message of 2026 without its headers', { ...modern('tools/list'), headers: {} }, 400],
    ['a method that is not there', modern('tools/destroy'), 404],
  ])('answers %s with a JSON-RPC error', async (_, message, status) => {
    const answer = await ask(bench.door, message);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    expect(answer.text).not.toMatch(/\/work|node_modules|at .*:\d+/);
  });

  it('goes on after each of them', async () => {
    await ask(bench.door, { body: '{' });
    expect((await ask(bench.door, modern('tools/list'))).status).toBe(200);
  });
});

describe('agents beside each other', () => {
  it('knows each by its token, whatever the message claims', async () => {
    const as = (token: string) => ask(bench.door, { ...modern('tools/call', TAP), token });
    await Promise.all([as(ANNA), as(BERT), as(ANNA)]);
    expect(bench.engine.calls.map(({ caller }) => caller.agent).sort()).toEqual(['anna', 'anna', 'bert']);
  });

  it('takes another agent’s session for an unknown one', async () => {
    const session = await openSession(bench.door);
    const stolen = await ask(bench.door, { ...legacy('tools/call', TAP, session), token: BERT });
    const unknown = await ask(bench.door, { ...legacy('tools/call', TAP, 'none'), token: BERT });
    expect([stolen.status, stolen.text]).toEqual([unknown.status, unknown.text]);
    expect(bench.engine.calls).toEqual([]);
  });

  it('answers each of a hundred parallel calls with its own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, x) => {
        const params = { name: 'tap', arguments: { x, y: 1, idempotency_key: `k${x}` } };
        return ask(bench.door, { ...modern('tools/call', params), token: x % 2 === 0 ? ANNA : BERT });
      }),
    );
    const seen = answers.map(({ json }) => {
      expect(json).toHaveProperty('result.structuredContent.result.echo.y', 1);
      return (json as { result: { structuredContent: { result: { echo: { x: number } } } } }).result
        .structuredContent.result.echo.x;
    });
    expect(seen).toEqual(Array.from({ length: 100 }, (_, x) => x));
  });

  it('slows one agent down without the other noticing', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 205; n += 1) statuses.add((await ask(bench.door, modern('ping'))).status);
    expect(statuses).toContain(429);
    expect((await ask(bench.door, { ...modern('tools/list'), token: BERT })).status).toBe(200);
    bench.clockMs += 1_000;
    expect((await ask(bench.door, modern('tools/list'))).status).toBe(200);
  });

  it('ends only the wait when a client leaves', async () => {
    const client = new ModernClient({ name: 'test', version: '0' });
    await client.connect(
      new ModernHttp(new URL(bench.door.url), {
        requestInit: { headers: { authorization: `Bearer ${ANNA}` } },
      }),
    );
    const leave = new AbortController();
    const params = { name: 'request_status', arguments: { request_id: 'r-1', wait_ms: 20_000 } };
    const waiting = client.callTool(params, { signal: leave.signal }).catch(() => 'left');
    while (bench.engine.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    leave.abort();
    expect(await waiting).toBe('left');
    while (bench.engine.endedWaits === 0) await new Promise((resolve) => setImmediate(resolve));
    await client.close();
  });
});

describe('sessions of 2025', () => {
  it('end when they are deleted', async () => {
    const session = await openSession(bench.door);
    const ended = await ask(bench.door, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    expect(ended.status).toBe(200);
    expect((await ask(bench.door, legacy('tools/list', {}, session))).status).toBe(404);
  });

  it('end when they were not used for half an hour, as soon as another opens', async () => {
    const session = await openSession(bench.door);
    bench.clockMs += SESSION_IDLE_MS;
    await openSession(bench.door, BERT);
    expect((await ask(bench.door, legacy('tools/list', {}, session))).status).toBe(404);
  });

  it('are so many for each agent; the longest unused makes room', async () => {
    const others = await openSession(bench.door, BERT);
    const own: string[] = [];
    for (let n = 0; n < SESSIONS_PER_AGENT; n += 1) own.push(await openSession(bench.door));
    await ask(bench.door, legacy('tools/list', {}, own[0]));
    await openSession(bench.door);
    const status = async (session = '', token = ANNA) =>
      (await ask(bench.door, { ...legacy('tools/list', {}, session), token })).status;
    expect(await status(own[0])).toBe(200);
    expect(await status(own[1])).toBe(404);
    expect(await status(others, BERT)).toBe(200);
  });

  it('are not left behind by an initialize that fails', async () => {
    for (let n = 0; n < SESSIONS_PER_AGENT + 4; n += 1) {
      const bad = legacy('initialize', { ...INITIALIZE, protocolVersion: 7 });
      expect((await ask(bench.door, bad)).status).toBeLessThan(500);
    }
    expect((await ask(bench.door, legacy('tools/list', {}, await openSession(bench.door)))).status).toBe(200);
  });
});

const headers = { authorization: `Bearer ${ANNA}` };
const clients = [
  {
    name: 'client 2.4.0, 2026-07-28',
    open: async (url: URL) => {
      const client = new ModernClient(
        { name: 'test', version: '0' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      await client.connect(new ModernHttp(url, { requestInit: { headers } }));
      return client;
    },
  },
  {
    name: 'sdk 1.32.2, 2025-11-25',
    open: async (url: URL) => {
      const client = new LegacyClient({ name: 'test', version: '0' });
      await client.connect(new LegacyHttp(url, { requestInit: { headers } }) as never);
      return client as unknown as ModernClient;
    },
  },
];

describe.each(clients)('$name over HTTP', ({ open }) => {
  it('lists, calls, gets envelopes and a picture', async () => {
    const client = await open(new URL(bench.door.url));
    try {
      const { tools } = await client.listTools();
      expect(tools).toEqual(listTools(TOOL_NAMES, { tier: 'core', small: false }));
      expect(await client.callTool({ name: 'nope' })).toMatchObject({ isError: true });
      const shot = await client.callTool({ name: 'screen_screenshot', arguments: {} });
      expect(shot.content).toMatchObject([{ type: 'text' }, { type: 'image' }, { type: 'resource_link' }]);
      const whole = await client.readResource({ uri: 'countersign://blob/whole' });
      expect(whole.contents).toHaveLength(1);
    } finally {
      await client.close();
    }
  });
});
