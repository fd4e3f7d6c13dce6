/** `countersign mcp` beside a running host: who it is to the host, how it ends, what a lost host looks like. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OwnerSocket, serveOwnerSocket } from '../../host/doors/owner-socket/server.ts';
import { type FakeEngine, fakeEngine } from './fake-engine.ts';
import { countersignMcp, PROGRAM, ROOT, type StdioChild, stdioChild } from './stdio-child.ts';

let folder: string;
let engine: FakeEngine;
let host: OwnerSocket | null;
const children: StdioChild[] = [];

const serve = async () => {
  host = await serveOwnerSocket({ dataDir: folder, engine, log: () => {} });
};
function client(...args: string[]): StdioChild {
  const child = countersignMcp('--data', folder, ...args);
  children.push(child);
  return child;
}
const call = (one: StdioChild, id: number, name: string, args: unknown) =>
  one.request(id, 'tools/call', { name, arguments: args });

/** Which of these processes are there. */
const alive = (pids: readonly number[]) =>
  pids.filter((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  });

/** Processes that `parent` started. */
function childrenOf(parent: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, above]) => (above === parent && pid !== undefined ? [pid] : []));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  engine = fakeEngine();
  host = null;
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill('SIGKILL');
    await child.exited;
  }
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('countersign mcp', () => {
  it('uses the running host, as the built-in agent at the stdio door', async () => {
    await serve();
    const one = client();
    await one.open();
    const answer = await call(one, 1, 'device_list', {});
    expect(answer.result.structuredContent.ok).toBe(true);
    expect(engine.calls).toEqual([
      { caller: { agent: 'local', door: 'mcp_stdio' }, tool: 'device_list', args: {} },
    ]);
  });

  it('lists by tier and by context', async () => {
    await serve();
    const count = async (...args: string[]) => {
      const one = client(...args);
      await one.open();
      return (await one.request(1, 'tools/list')).result.tools.length as number;
    };
    const [core, standard, all, small] = await Promise.all([
      count(),
      count('--tools', 'standard'),
      count('--tools', 'all'),
      count('--context', '4096'),
    ]);
    expect(core).toBeLessThan(standard ?? 0);
    expect(standard).toBeLessThanOrEqual(all ?? 0);
    expect(small).toBeLessThan(core ?? 0);
  });

  it('cancels only the wait, across the socket too', async () => {
    await serve();
    const one = client();
    await one.open();
    one.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'request_status',
        arguments: { request_id: 'r', wait_ms: 25_000 },
        _meta: { progressToken: 7 },
      },
    });
    await one.next((answer) => answer.method === 'notifications/progress');
    one.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => engine.endedWaits).toBe(1);
  });

  it('ends with status 0 when its client closes, without ending the host', async () => {
    await serve();
    const one = client();
    await one.open();
    expect(await one.end()).toBe(0);
    const two = client();
    await two.open();
    expect((await call(two, 1, 'device_list', {})).result.structuredContent.ok).toBe(true);
  });

  it('goes on with a host of its own when the running one ends, and with the next that runs', async () => {
    await serve();
    const one = client();
    const two = client();
    await Promise.all([one.open(), two.open()]);
    await Promise.all([
      call(one, 1, 'tap', { x: 1, y: 1, idempotency_key: 'k' }),
      call(two, 1, 'device_list', {}),
    ]);
    expect(engine.calls).toHaveLength(2);
    await host?.close();
    host = null;
    // Nobody runs any longer: one of the two starts a host, which has no phone, and the other finds it.
    const act = { x: 1, y: 1, idempotency_key: 'k2' };
    const [first, second] = await Promise.all([call(one, 2, 'tap', act), call(two, 2, 'tap', act)]);
    for (const answer of [first, second]) {
      expect(answer.result.structuredContent).toMatchObject({ ok: false, error_code: 'device_none' });
    }
    expect(engine.calls).toHaveLength(2);
    // Whichever holds the host goes away; the other goes on all the same.
    await one.end();
    const after = await call(two, 3, 'tap', act);
    expect(after.result.structuredContent).toMatchObject({ ok: false, error_code: 'device_none' });
  });

  it('says that the host is gone where none can be had, and tries again at the next call', async () => {
    await serve();
    const one = client();
    await one.open();
    await call(one, 1, 'device_list', {});
    await host?.close();
    host = null;
    // A file where the host's database must be: none can start.
    mkdirSync(join(folder, 'countersign.db'));
    const act = { x: 1, y: 1, idempotency_key: 'k' };
    const gone = await call(one, 2, 'tap', act);
    expect(gone.result.isError).toBe(true);
    expect(gone.result.structuredContent).toMatchObject({
      ok: false,
      error_code: 'host_gone',
      key: 'same_key',
    });
    await serve();
    expect((await call(one, 3, 'tap', act)).result.structuredContent.ok).toBe(true);
  });

  it('does not take an agent with a token for the built-in one', async () => {
    await serve();
    const one = stdioChild([PROGRAM, 'mcp', '--data', folder], { ...process.env, COUNTERSIGN_TOKEN: 'abc' });
    expect(await one.exited).toBe(2);
    expect(one.lines).toEqual([]);
    expect(one.errors.join('\n')).toContain('token_unknown');
    expect(one.errors.join('\n')).not.toContain('abc');
  });

  it('leaves no server behind when the parent of twenty is killed (D-58)', async () => {
    await serve();
    // The parent: starts them all, says when each has answered, and is then killed without a word.
    const script = `
      import { execFileSync, spawn } from 'node:child_process';
      import { createInterface } from 'node:readline';
      for (let n = 0; n < 20; n++) {
        const child = spawn(process.execPath, [process.argv[1], 'mcp', '--data', process.argv[2]], { stdio: ['pipe', 'pipe', 'ignore'] });
        createInterface({ input: child.stdout }).on('line', () => console.log(child.pid));
        child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }) + '\\n');
      }`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script, PROGRAM, folder], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pids: number[] = [];
    for await (const line of createInterface({ input: parent.stdout })) {
      pids.push(Number(line));
      if (pids.length === 20) break;
    }
    expect(new Set(pids).size).toBe(20);
    expect(alive(pids)).toHaveLength(20);
    parent.kill('SIGKILL');
    await expect.poll(() => alive(pids), { timeout: 10_000 }).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'leaves nothing behind of a host it started inside: no phone, no socket, no lock',
    async () => {
      for (const how of ['its client closes', 'it is told to end', 'it is killed'] as const) {
        const one = client('--virtual');
        await one.open();
        const list = await call(one, 1, 'device_list', {});
        expect(list.result.structuredContent.result.items[0].device_id, how).toBe('virtual');
        const pid = one.process.pid ?? -1;
        const phones = childrenOf(pid);
        expect(phones.length, how).toBe(1);
        if (how === 'its client closes') expect(await one.end()).toBe(0);
        if (how === 'it is told to end') one.process.kill('SIGTERM');
        if (how === 'it is killed') one.process.kill('SIGKILL');
        await one.exited;
        // The next round starts a host on the same data directory, which a lock left behind would refuse.
        await expect.poll(() => alive([pid, ...phones]), { timeout: 10_000 }).toEqual([]);
      }
      rmSync(`${folder}-virtual-phone`, { recursive: true, force: true });
    },
  );

  it('starts one host for two clients that come at the same moment', async () => {
    const [one, two] = [client(), client()];
    await Promise.all([one.open(), two.open()]);
    const answers = await Promise.all([call(one, 1, 'device_list', {}), call(two, 1, 'device_list', {})]);
    expect(answers.map((answer) => answer.result.structuredContent.ok)).toEqual([true, true]);
  });
});
