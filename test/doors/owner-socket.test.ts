/** The owner socket from outside: who gets in, what is answered, what a lost host looks like. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectEngine, type RemoteEngine } from '../../host/doors/owner-socket/client.ts';
import { ownerSocketPath } from '../../host/doors/owner-socket/place.ts';
import { type OwnerSocket, serveOwnerSocket } from '../../host/doors/owner-socket/server.ts';
import type { Caller } from '../../host/engine/engine.ts';
import { type FakeEngine, fakeEngine, PENDING } from './fake-engine.ts';

const caller: Caller = { agent: 'local', door: 'cli' };
let folder: string;
let engine: FakeEngine;
let host: OwnerSocket | null;
const open: (RemoteEngine | Socket)[] = [];
const logged: string[] = [];

const serve = async (dataDir = folder) => {
  host = await serveOwnerSocket({ dataDir, engine, log: (line) => logged.push(line) });
  return host;
};
const reach = async (dataDir = folder) => {
  const remote = await connectEngine(dataDir);
  open.push(remote);
  return remote;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  engine = fakeEngine();
  host = null;
  logged.length = 0;
});
afterEach(async () => {
  for (const one of open.splice(0)) 'destroy' in one ? one.destroy() : one.close();
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A connection that says exactly these bytes; answers are collected as they come. */
async function raw(): Promise<{ say(text: string): void; next(): Promise<Record<string, unknown>> }> {
  const socket = createConnection(ownerSocketPath(folder));
  open.push(socket);
  socket.on('error', () => {});
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
  expect(await next()).toEqual({ countersign: 1 });
  return { say: (text) => void socket.write(text), next };
}

describe('the engine across the owner socket', () => {
  it('answers like the engine itself: tools, calls, owner', async () => {
    await serve();
    const remote = await reach();
    expect(await remote.tools(caller)).toEqual(engine.tools(caller));
    expect(await remote.call(caller, 'device_list', {})).toEqual(
      await engine.call(caller, 'device_list', {}),
    );
    expect(await remote.call(caller, 'nope', [1])).toMatchObject({ error_code: 'tool_unknown' });
    expect(await remote.owner.pending()).toEqual([PENDING]);
    expect(await remote.owner.devices()).toEqual(engine.owner.devices());
    expect(await remote.owner.verifyLog()).toEqual(engine.owner.verifyLog());
    await remote.owner.approve('c-1', 'test');
    expect(await remote.owner.deny('c-9', 'test')).toMatchObject({ ok: false });
    expect(engine.decisions).toEqual(['approve:c-1:test', 'deny:c-9:test']);
  });

  it('hands arguments on as they came, also those that JSON writers lose', async () => {
    await serve();
    const remote = await reach();
    const args = JSON.parse('{"x":1e999,"y":-1,"__proto__":{"a":1},"text":"\\ud83d"}') as unknown;
    await remote.call(caller, 'tap', args);
    const came = engine.calls.at(-1)?.args as Record<string, unknown>;
    expect(came.x).toBe(Number.POSITIVE_INFINITY);
    expect(Object.keys(came)).toContain('__proto__');
    expect(came.text).toBe('\ud83d');
  });

  it('carries progress back and ends only the wait when the caller stops waiting', async () => {
    await serve();
    const remote = await reach();
    const stop = new AbortController();
    const said: string[] = [];
    const answer = await remote.call(
      caller,
      'request_status',
      { request_id: 'r', wait_ms: 25_000 },
      {
        signal: stop.signal,
        onProgress: (sentence) => {
          said.push(sentence);
          stop.abort();
        },
      },
    );
    expect(said.length).toBeGreaterThan(0);
    expect(answer).toMatchObject({ ok: true, result: { state: 'wait_ended' } });
    expect(engine.endedWaits).toBe(1);
  });

  it('ends the waits of a caller that went away', async () => {
    await serve();
    const remote = await reach();
    const pending = remote.call(
      caller,
      'request_status',
      { request_id: 'r', wait_ms: 25_000 },
      {
        onProgress: () => remote.close(),
      },
    );
    expect(await pending).toMatchObject({ ok: false, error_code: 'host_gone', effect: 'none' });
    await expect.poll(() => engine.endedWaits).toBe(1);
  });

  it('answers many at once, each its own', async () => {
    await serve();
    const remote = await reach();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, x) => remote.call(caller, 'tap', { x, y: 0, idempotency_key: 'k' })),
    );
    expect(answers.map((answer) => (answer.result as { echo: { x: number } }).echo.x)).toEqual(
      Array.from({ length: 200 }, (_, x) => x),
    );
  });
});

describe('a host that is lost', () => {
  it('is not there: said by its own code, also where a killed host left its socket behind', async () => {
    await expect(reach()).rejects.toMatchObject({ code: 'host_not_running' });
    await serve();
    const path = ownerSocketPath(folder);
    await host?.close();
    const left = createServer().listen(path);
    await new Promise((resolve) => left.once('listening', resolve));
    // Ending without unlinking is what a kill leaves.
    (left as Server & { _handle: { close(): void } })._handle.close();
    if (!existsSync(path)) writeFileSync(path, '');
    await expect(reach()).rejects.toMatchObject({ code: 'host_not_running' });
    await serve();
    expect(await (await reach()).tools(caller)).toEqual(engine.tools(caller));
  });

  it('leaves an act’s effect unknown if it was handed on, and none if it never left', async () => {
    await serve();
    const remote = await reach();
    engine.call = async () => {
      await host?.close();
      return new Promise(() => {});
    };
    const act = { x: 1, y: 1, idempotency_key: 'k' };
    expect(await remote.call(caller, 'tap', act)).toMatchObject({
      error_code: 'host_gone',
      effect: 'unknown',
      key: 'same_key',
    });
    expect(await remote.call(caller, 'tap', act)).toMatchObject({ error_code: 'host_gone', effect: 'none' });
  });

  it('is found again once it runs again, over the same proxy (D-57)', async () => {
    await serve();
    const remote = await reach();
    await remote.tools(caller);
    await host?.close();
    await serve();
    expect(await remote.call(caller, 'device_list', {})).toMatchObject({ ok: true });
  });

  it('of another version is refused before anything is asked', async () => {
    const path = ownerSocketPath(folder);
    const other = createServer((socket) => void socket.end('{"countersign":999}\n')).listen(path);
    await new Promise((resolve) => other.once('listening', resolve));
    await expect(reach()).rejects.toMatchObject({ code: 'host_other_version' });
    await new Promise((resolve) => other.close(resolve));
  });

  it('cannot be started twice on one data directory', async () => {
    await serve();
    await expect(serveOwnerSocket({ dataDir: folder, engine, log: () => {} })).rejects.toThrow(
      /another host/,
    );
    expect(await (await reach()).tools(caller)).toEqual(engine.tools(caller));
  });
});

describe('who gets in', () => {
  it.skipIf(process.platform === 'win32')(
    'is the owner’s account alone: socket 0600, folder 0700',
    async () => {
      await serve();
      expect(statSync(ownerSocketPath(folder)).mode & 0o777).toBe(0o600);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      await host?.close();
      host = null;
      chmodSync(folder, 0o755);
      await expect(serve()).rejects.toThrow(/0700/);
      expect(existsSync(ownerSocketPath(folder))).toBe(false);
    },
  );

  it('leads to one socket by whatever name the directory is called', async () => {
    await serve();
    const link = join(folder, 'link');
    symlinkSync(folder, link);
    expect(await (await reach(link)).tools(caller)).toEqual(engine.tools(caller));
  });

  it('works in a directory whose path is longer than a socket’s name may be', async () => {
    const deep = join(folder, 'd'.repeat(60), 'e'.repeat(60));
    mkdirSync(deep, { recursive: true, mode: 0o700 });
    await serve(deep);
    expect(Buffer.byteLength(ownerSocketPath(deep))).toBeLessThanOrEqual(103);
    expect(statSync(dirname(ownerSocketPath(deep))).mode & 0o777).toBe(0o700);
    expect(await (await reach(deep)).tools(caller)).toEqual(engine.tools(caller));
  });
});

describe('bad frames', () => {
  it('get a coded error each, and the connection goes on', async () => {
    await serve();
    const one = await raw();
    const codes: unknown[] = [];
    for (const frame of [
      'not json',
      '[]',
      '{"id":1}',
      '{"id":"a","method":"tools","params":{}}',
      '{"id":1,"method":"nope","params":{}}',
      '{"id":2,"method":"toString","params":{}}',
      '{"id":3,"method":"approve","params":{"confirmation_id":"c-1"}}',
      '{"id":4,"method":"devices","params":{"extra":1}}',
      `{"id":5,"method":"call","params":{"caller":{"agent":"local","door":"window"},"tool":"tap"}}`,
    ]) {
      one.say(`${frame}\n`);
      const answer = await one.next();
      codes.push([answer.id, (answer.error as { code: string }).code]);
    }
    expect(codes).toEqual([
      [null, 'bad_frame'],
      [null, 'bad_frame'],
      [null, 'bad_frame'],
      [null, 'bad_frame'],
      [1, 'method_unknown'],
      [2, 'method_unknown'],
      [3, 'params_bad'],
      [4, 'params_bad'],
      [5, 'params_bad'],
    ]);
    expect(engine.decisions).toEqual([]);
    one.say('{"id":6,"method":"devices","params":{}}\n');
    expect(await one.next()).toMatchObject({ id: 6, result: engine.owner.devices() });
  });

  it('that are too long are dropped while they come, and the next line is read', async () => {
    await serve();
    const one = await raw();
    const mega = ' '.repeat(1024 * 1024);
    for (let n = 0; n < 41; n++) one.say(mega);
    one.say('\n{"id":1,"method":"devices","params":{}}\n');
    expect(await one.next()).toMatchObject({ id: null, error: { code: 'too_long' } });
    expect(await one.next()).toMatchObject({ id: 1 });
  });

  it('keep a fault inside: a code for the caller, the stack for the host’s own log', async () => {
    await serve();
    engine.owner.devices = () => {
      throw new Error('a secret path /somewhere');
    };
    const one = await raw();
    one.say('{"id":1,"method":"devices","params":{}}\n');
    const answer = await one.next();
    expect(answer).toMatchObject({ id: 1, error: { code: 'fault' } });
    expect(JSON.stringify(answer)).not.toContain('somewhere');
    expect(logged.join('\n')).toContain('somewhere');
  });

  it('cannot ask for more at once than the limit', async () => {
    await serve();
    const one = await raw();
    const params = {
      caller,
      tool: 'request_status',
      args: { request_id: 'r', wait_ms: 25_000 },
    };
    for (let id = 0; id <= 256; id++) one.say(`${JSON.stringify({ id, method: 'call', params })}\n`);
    for (;;) {
      const answer = await one.next();
      if ('progress' in answer) continue;
      expect(answer).toMatchObject({ id: 256, error: { code: 'too_many' } });
      break;
    }
  });
});
