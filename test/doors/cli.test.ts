/** The command line as a user has it: arguments in, exit status and last line out. The host is a script. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOOL_NAMES, toolOf } from '../../device-protocol/tools/tools.ts';
import { type OwnerSocket, serveOwnerSocket } from '../../host/doors/owner-socket/server.ts';
import { countersign as run } from '../support/host-process.ts';
import { type FakeEngine, fakeEngine, PENDING } from './fake-engine.ts';

let folder: string;
let engine: FakeEngine;
let host: OwnerSocket;

interface Ran {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the line holds.
  readonly last: any;
}

async function countersign(args: readonly string[], input?: string): Promise<Ran> {
  const ran = await run(args, input === undefined ? {} : { input });
  return { exit: ran.status, out: ran.stdout, err: ran.stderr, last: ran.json };
}
const here = (...args: string[]) => countersign([...args, '--data', folder]);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  engine = fakeEngine();
  host = await serveOwnerSocket({ dataDir: folder, engine, log: () => {} });
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  engine.calls.length = 0;
  engine.decisions.length = 0;
});

describe('every command with --json', () => {
  it.each([
    ['devices', ['devices'], { count: 1 }],
    ['pending', ['pending'], { count: 1, items: [PENDING] }],
    ['approve', ['approve', 'c-1'], { ok: true, request_id: 'r-1' }],
    ['deny', ['deny', 'c-1'], { ok: true, request_id: 'r-1' }],
    ['stop', ['stop'], { ok: true }],
    ['resume', ['resume'], { ok: true }],
    ['log', ['log'], { count: 0, items: [] }],
    ['log verify', ['log', 'verify'], { ok: true, rows: 0, first_bad: null }],
    ['call', ['call', 'device_list'], { ok: true, tool: 'device_list' }],
  ])(
    '%s prints one object as its last line and leaves people’s text to standard error',
    async (_name, args, fits) => {
      const ran = await here(...args, '--json');
      expect(ran.exit).toBe(0);
      expect(ran.out.trimEnd().split('\n')).toHaveLength(1);
      expect(ran.last).toMatchObject(fits);
      expect(ran.err).not.toBe('');
    },
  );

  it('says as an object, too, why it could not run', async () => {
    const nowhere = join(folder, 'nowhere');
    expect(await countersign(['pending', '--json', '--data', nowhere])).toMatchObject({
      exit: 2,
      last: { ok: false, error_code: 'host_not_running' },
    });
    expect(await countersign(['frob', '--json'])).toMatchObject({
      exit: 2,
      last: { error_code: 'line_not_understood' },
    });
    expect(await here('approve', '--json')).toMatchObject({
      exit: 2,
      last: { error_code: 'line_not_understood' },
    });
    expect(await here('log', '--last', 'x', '--json')).toMatchObject({
      exit: 2,
      last: { error_code: 'line_not_understood' },
    });
  });

  it('exits with 1 for what ran and did not hold', async () => {
    expect(await here('approve', 'c-9', '--json')).toMatchObject({
      exit: 1,
      last: { ok: false, error_code: 'request_unknown' },
    });
  });
});

describe('call', () => {
  it('hands the arguments to the engine as the built-in agent at the command line', async () => {
    await here('call', 'tap', '{"x":1,"y":2}', '--key', 'k', '--device', 'virtual');
    expect(engine.calls).toEqual([
      {
        caller: { agent: 'local', door: 'cli' },
        tool: 'tap',
        args: { x: 1, y: 2, idempotency_key: 'k', device_id: 'virtual' },
      },
    ]);
  });

  it('makes a new key where asked, prints it, and never makes one unasked', async () => {
    const ran = await here('call', 'go', '{"to":"home"}', '--new-key', '--json');
    const [call] = engine.calls;
    const key = (call?.args as { idempotency_key?: string } | undefined)?.idempotency_key;
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(ran.err).toContain(key);
    const without = await here('call', 'go', '{"to":"home"}', '--json');
    expect(without).toMatchObject({ exit: 1, last: { ok: false, error_code: 'key_missing' } });
  });

  it('reads the arguments from standard input', async () => {
    const ran = await countersign(
      ['call', 'go', '-', '--data', folder, '--json'],
      '{"to":"home","idempotency_key":"k"}',
    );
    expect(ran).toMatchObject({ exit: 0, last: { ok: true, result: { state: 'pending_confirmation' } } });
  });

  it.each([
    ['broken JSON', ['tap', '{"x":1'], 'arguments_not_object'],
    ['a list', ['tap', '[1]'], 'arguments_not_object'],
    ['an unknown tool', ['click'], 'tool_unknown'],
    ['an unknown key', ['go', '{"too":"home"}'], 'argument_unknown'],
  ])('answers %s with the same envelope as every door', async (_what, args, code) => {
    const ran = await here('call', ...args, '--json');
    expect(ran).toMatchObject({ exit: 1, last: { ok: false, error_code: code } });
  });

  it('does not choose between an option and the JSON', async () => {
    const ran = await here('call', 'go', '{"to":"home","idempotency_key":"a"}', '--key', 'b', '--json');
    expect(ran).toMatchObject({ exit: 2, last: { error_code: 'given_twice' } });
    expect(engine.calls).toEqual([]);
  });

  it('shows progress on standard error only', async () => {
    const ran = await here('call', 'request_status', '{"request_id":"r","wait_ms":200}', '--json');
    expect(ran.err).toContain('still waiting');
    expect(ran.out).not.toContain('still waiting');
  });

  it('explains every tool and every argument from its declaration', async () => {
    const all = await countersign(['call', '--help']);
    expect(all.exit).toBe(0);
    for (const name of TOOL_NAMES) expect(all.out).toContain(`${name} `);
    const one = await countersign(['call', 'set_text', '--help']);
    for (const field of Object.keys(toolOf('set_text').input.shape)) expect(one.out).toContain(field);
    expect(one.out).toContain(toolOf('set_text').purpose);
    expect(await countersign(['call'])).toMatchObject({ exit: 2, out: '' });
  });
});

describe('what the owner reads', () => {
  it('shows everything needed to decide, with the screen’s own control characters made harmless', async () => {
    const ran = await here('pending');
    expect(ran.out).toContain('c-1  Tap “Send”');
    for (const text of ['Messages', 'Anna', 'send (“Send”, label)', PENDING.expires_at])
      expect(ran.out).toContain(text);
    expect(ran.out).toContain('Hello\ufffdolleH');
    expect(ran.out).not.toContain('\u202e');
  });

  it('tells the host how the decision came', async () => {
    await here('deny', 'c-1');
    expect(engine.decisions).toEqual(['deny:c-1:command line']);
  });
});

describe('inspect', () => {
  const xml = `<?xml version='1.0'?><hierarchy rotation="0"><node class="android.widget.FrameLayout" package="org.example.app" bounds="[0,0][1080,2400]" enabled="true"><node class="android.widget.Button" text="Send \u202e now" clickable="true" enabled="true" package="org.example.app" bounds="[100,200][500,320]"/><node te`;

  it('shows a recorded screen, also one that is cut off, as an agent gets it', async () => {
    const file = join(folder, 'screen.xml');
    writeFileSync(file, xml);
    const ran = await countersign(['inspect', file, '--json']);
    expect(ran.exit).toBe(0);
    expect(ran.last.elements).toMatchObject([{ ref: 'e1', role: 'button' }]);
    expect(ran.last.notes.map((note: { code: string }) => note.code)).toContain('damaged');
    expect(ran.last.text).toContain('e1');
    const people = await countersign(['inspect', file]);
    expect(people.out).toContain('e1');
    expect(people.out).not.toContain('\u202e');
  });

  it('says why a file is no screen', async () => {
    expect(await countersign(['inspect', 'package.json', '--json'])).toMatchObject({
      exit: 2,
      last: { ok: false, error_code: 'recording_format_unknown' },
    });
    expect(await countersign(['inspect', join(folder, 'nothing'), '--json'])).toMatchObject({
      exit: 2,
      last: { error_code: 'ENOENT' },
    });
  });
});

describe('judge', () => {
  it('prints one object a label, with the entry that decided', async () => {
    const ran = await countersign(['judge', 'Nachricht senden', '--json']);
    expect(ran.exit).toBe(0);
    expect(ran.last).toMatchObject({ text: 'Nachricht senden', level: 'high' });
    expect(
      ran.last.reasons.some(
        (reason: { language: string; class: string }) => reason.language === 'de' && reason.class === 'send',
      ),
    ).toBe(true);
  });

  it('judges a file line by line, in order, and names the line it cannot read', async () => {
    const file = join(folder, 'labels.jsonl');
    writeFileSync(file, '\ufeff{"text":"Delete"}\n\n{"text":"Settings","locale":"en"}\n');
    const ran = await countersign(['judge', '--file', file, '--json']);
    const rows = ran.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { text: string; level: string });
    expect(rows.map((row) => [row.text, row.level])).toEqual([
      ['Delete', 'high'],
      ['Settings', 'low'],
    ]);
    writeFileSync(file, '{"text":"Delete"}\n{"label":"x"}\n');
    const bad = await countersign(['judge', '--file', file, '--json']);
    expect(bad).toMatchObject({ exit: 2, last: { error_code: 'row_unreadable' } });
    expect(bad.last.message).toContain('Line 2');
    expect(await countersign(['judge', '--json'])).toMatchObject({ exit: 2 });
  });
});
