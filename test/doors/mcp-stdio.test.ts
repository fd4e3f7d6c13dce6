/** The stdio door seen from outside, frame by frame; the engine behind it is a script. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TOOL_NAMES, toolOf } from '../../device-protocol/tools/tools.ts';
import { LONGEST_WAIT_MS } from '../../host/doors/mcp/build-server.ts';
import { type Answer, fakeMcp, type StdioChild } from './stdio-child.ts';

const children: StdioChild[] = [];
function child(...args: string[]): StdioChild {
  const one = fakeMcp(...args);
  children.push(one);
  return one;
}
afterEach(async () => {
  for (const one of children.splice(0)) {
    one.process.kill('SIGKILL');
    await one.exited;
  }
});

/** One server for all tests that leave nothing behind in it; ids of its requests are never used twice. */
let shared: StdioChild;
let lastId = 0;
beforeAll(async () => {
  shared = fakeMcp();
  await shared.open();
});
afterAll(async () => {
  await shared.end();
});
const ask = (name: string, args?: unknown) => call(shared, ++lastId, name, args);

const call = (one: StdioChild, id: number, name: string, args?: unknown, meta?: unknown) =>
  one.request(id, 'tools/call', {
    name,
    ...(args === undefined ? {} : { arguments: args }),
    ...(meta === undefined ? {} : { _meta: meta }),
  });

describe('MCP over standard input and output', () => {
  it('gives back the engine’s envelope, structured and as the same text', async () => {
    const { result } = await ask('device_list', {});
    expect(result.structuredContent).toEqual({
      ok: true,
      tool: 'device_list',
      result: { echo: {}, effect: 'reads' },
      warnings: [],
    });
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(result).not.toHaveProperty('isError');
  });

  it('marks exactly failures as errors; waiting for the owner is none', async () => {
    const pending = await ask('go', { to: 'home', idempotency_key: 'k' });
    const failed = await ask('app_open', { app: 'nowhere', idempotency_key: 'k' });
    expect(pending.result.structuredContent.result.state).toBe('pending_confirmation');
    expect(pending.result).not.toHaveProperty('isError');
    expect(failed.result.isError).toBe(true);
    expect(failed.result.structuredContent).toMatchObject({ ok: false, error_code: 'app_unknown' });
  });

  it('answers an unknown tool with the nearest ones, as a result and not as a protocol error', async () => {
    const { result, error } = await ask('click', { x: 1 });
    expect(error).toBeUndefined();
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ kind: 'tool_not_found', error_code: 'tool_unknown' });
    expect(result.structuredContent.suggested_action.say).toContain('tap');
  });

  it.each([
    ['a list', [1, 2], 'arguments_not_object'],
    ['a text', '{"to":"home"}', 'arguments_not_object'],
    ['a number', 7, 'arguments_not_object'],
    ['an unknown key', { tooo: 'home', idempotency_key: 'k' }, 'argument_unknown'],
    ['two spellings', { to: 'home', To: 'home', idempotency_key: 'k' }, 'argument_twice'],
    ['no key', { to: 'home' }, 'key_missing'],
  ])('refuses %s as arguments by its own code', async (_what, args, code) => {
    const { result } = await ask('go', args);
    expect(result.structuredContent).toMatchObject({ ok: false, kind: 'invalid_args', error_code: code });
    expect(result.structuredContent.suggested_action.say).toContain('"to":"home"');
  });

  it('hands on names and numbers that JSON libraries drop, so that they are refused aloud', async () => {
    const one = child();
    await one.open();
    one.raw(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"go","arguments":{"__proto__":{"to":"home"}}}}\n',
    );
    one.raw(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tap","arguments":{"x":1e999,"y":1,"idempotency_key":"k"}}}\n',
    );
    const proto = await one.next((answer) => answer.id === 1);
    const endless = await one.next((answer) => answer.id === 2);
    expect(proto.result.structuredContent).toMatchObject({
      error_code: 'argument_unknown',
      field: '__proto__',
    });
    expect(endless.result.structuredContent).toMatchObject({ error_code: 'argument_wrong', field: 'x' });
  });

  it('answers a 10 MB argument by its own code and goes on', async () => {
    const one = child();
    await one.open();
    const big = await call(one, 1, 'set_text', {
      ref: 'e1',
      observation_id: 'o1',
      text: 'x'.repeat(10_000_000),
      idempotency_key: 'k',
    });
    expect(big.result.structuredContent).toMatchObject({ error_code: 'argument_too_large', field: 'text' });
    const after = await call(one, 2, 'device_list', {});
    expect(after.result.structuredContent.ok).toBe(true);
  });

  it('answers broken frames with JSON-RPC errors and reads on behind each', async () => {
    const one = child();
    await one.open();
    const errors = () => one.lines.map((line) => JSON.parse(line) as Answer).filter((line) => line.error);
    one.raw('{"jsonrpc":"2.0","id":5,"method":\n');
    // JSON but for one byte that is no UTF-8: read with a replacement, it would be another text.
    one.raw(Buffer.from('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\xff"}}\n', 'latin1'));
    one.raw('[{"jsonrpc":"2.0","id":6,"method":"ping"}]\n');
    one.raw('"just text"\n');
    one.raw('{"id":8,"method":"tools/list"}\n');
    one.raw('\n   \n');
    const after = await call(one, 9, 'device_list', {});
    expect(after.result.structuredContent.ok).toBe(true);
    expect(errors().map((line) => [line.error?.code, line.id])).toEqual([
      [-32700, undefined],
      [-32700, undefined],
      [-32600, undefined],
      [-32600, undefined],
      [-32600, 8],
    ]);
  });

  it('answers a frame beyond the limit without keeping it, and reads the next one', async () => {
    const one = child();
    await one.open();
    const part = Buffer.alloc(1024 * 1024, 0x20);
    one.raw('{"jsonrpc":"2.0","id":4,');
    for (let mega = 0; mega < 33; mega++) one.raw(part);
    one.raw('}\n');
    const refused = await one.next((answer) => answer.error !== undefined);
    expect(refused.error?.code).toBe(-32600);
    expect((await call(one, 5, 'device_list', {})).result.structuredContent.ok).toBe(true);
  });

  it('prints nothing but protocol, whatever else is printed in the process (D-55)', async () => {
    const one = child();
    await one.open();
    await Promise.all(Array.from({ length: 50 }, (_, n) => call(one, n + 1, 'device_list', {})));
    expect(one.lines.every((line) => (JSON.parse(line) as { jsonrpc?: string }).jsonrpc === '2.0')).toBe(
      true,
    );
    expect(one.errors.join('\n')).toContain('a banner on standard output');
  });

  it('answers calls in parallel: a wait holds up nobody', async () => {
    const one = child();
    await one.open();
    const order: number[] = [];
    const slow = call(one, 1, 'request_status', { request_id: 'r', wait_ms: 700 }).then(() => order.push(1));
    const quick = Array.from({ length: 20 }, (_, n) =>
      call(one, n + 2, 'device_list', {}).then(() => order.push(n + 2)),
    );
    await Promise.all([slow, ...quick]);
    expect(order.at(-1)).toBe(1);
    expect(new Set(order).size).toBe(21);
  });

  it('sends rising progress only to who asked for it, and none after the answer', async () => {
    const one = child();
    await one.open();
    await call(one, 1, 'request_status', { request_id: 'r', wait_ms: 200 });
    expect(one.lines.some((line) => line.includes('notifications/progress'))).toBe(false);
    await call(one, 2, 'request_status', { request_id: 'r', wait_ms: 200 }, { progressToken: 'p' });
    const parsed = one.lines.map((line) => JSON.parse(line) as Answer);
    const numbers = parsed.filter((line) => line.method === 'notifications/progress');
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers.map((line) => line.params.progress)).toEqual(numbers.map((_, n) => n + 1));
    const answered = parsed.findIndex((line) => line.id === 2);
    expect(parsed.slice(answered).some((line) => line.method === 'notifications/progress')).toBe(false);
  });

  it('ends only the wait when a client cancels, and answers nothing to it', async () => {
    const one = child();
    await one.open();
    one.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'request_status',
        arguments: { request_id: 'r', wait_ms: 25_000 },
        _meta: { progressToken: 1 },
      },
    });
    await one.next((answer) => answer.method === 'notifications/progress');
    one.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    const after = await call(one, 2, 'request_status', { request_id: 'r' });
    expect(after.result.structuredContent.result.waits_ended).toBe(1);
    expect(one.lines.some((line) => (JSON.parse(line) as Answer).id === 1)).toBe(false);
  });

  it('keeps no call open longer than clients wait, and answers with what is known (D-56)', async () => {
    expect(LONGEST_WAIT_MS).toBeLessThan(60_000);
    for (const name of TOOL_NAMES) expect(toolOf(name).timeoutMs, name).toBeLessThan(LONGEST_WAIT_MS);
    const one = child('core', 'impatient');
    await one.open();
    const { result } = await call(one, 1, 'request_status', { request_id: 'r', wait_ms: 25_000 });
    expect(result).not.toHaveProperty('isError');
    expect(result.structuredContent.result).toMatchObject({ state: 'wait_ended', waits_ended: 1 });
  });

  it('ends when its standard input ends, also in the middle of a wait (D-58)', async () => {
    const one = child();
    await one.open();
    one.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'request_status',
        arguments: { request_id: 'r', wait_ms: 25_000 },
        _meta: { progressToken: 1 },
      },
    });
    await one.next((answer) => answer.method === 'notifications/progress');
    expect(await one.end()).toBe(0);
  });

  it('shows a picture small at once and whole by its address, and lists no picture', async () => {
    const one = child();
    await one.open();
    const { result } = await call(one, 1, 'screen_screenshot', {});
    expect(result.content.slice(1)).toEqual([
      { type: 'image', mimeType: 'image/png', data: btoa('countersign://blob/small') },
      {
        type: 'resource_link',
        uri: 'countersign://blob/whole',
        name: 'screenshot',
        mimeType: 'image/png',
        size: 9,
      },
    ]);
    const whole = await one.request(2, 'resources/read', { uri: 'countersign://blob/whole' });
    expect(whole.result.contents[0].blob).toBe(btoa('countersign://blob/whole'));
    const gone = await one.request(3, 'resources/read', { uri: 'file:///etc/passwd' });
    expect(gone.error?.code).toBe(-32602);
    const listed = (await one.request(4, 'resources/list')).result.resources as { uri: string }[];
    expect(listed.filter(({ uri }) => !uri.startsWith('countersign://skill/'))).toEqual([]);
  });

  it('tells nothing of a fault inside but one fixed sentence', async () => {
    const one = child('core', 'faulty');
    await one.open();
    const answer = await call(one, 1, 'device_list', {});
    expect(answer.result.structuredContent).toMatchObject({ ok: false, error_code: 'internal' });
    const list = await one.request(2, 'tools/list');
    expect(list.error?.code).toBe(-32603);
    expect(one.lines.join('\n')).not.toContain('/secret/path');
    expect(one.errors.join('\n')).toContain('/secret/path');
  });

  it('speaks 2026-07-28 without a handshake, and names itself in each result', async () => {
    const one = child();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const list = await one.request(1, 'tools/list', { _meta: meta });
    expect(list.result).toMatchObject({ resultType: 'complete', cacheScope: 'private' });
    const answer = await call(one, 2, 'device_list', {}, meta);
    expect(answer.result._meta['io.modelcontextprotocol/serverInfo'].name).toBe('countersign');
    const badCursor = await one.request(3, 'tools/list', { cursor: 'x', _meta: meta });
    expect(badCursor.error?.code).toBe(-32602);
  });
});
