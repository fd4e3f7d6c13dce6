/** `countersign demo` as a stranger runs it: the real program, host, phone and MCP door, the owner beside it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { PROGRAM, ROOT } from './stdio-child.ts';

interface Ran {
  readonly exit: number | null;
  readonly out: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the line holds.
  readonly last: any;
}

/** Runs the demo; `owner` gets each line of standard error and may act on it. */
function demo(args: readonly string[], owner: (line: string) => void = () => {}): Promise<Ran> {
  const child = spawn(process.execPath, [PROGRAM, 'demo', ...args], { cwd: ROOT });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  createInterface({ input: child.stderr }).on('line', owner);
  return new Promise((resolve) => {
    child.once('close', (exit) => {
      const line = out.trimEnd().split('\n').at(-1) ?? '';
      resolve({ exit, out, last: line.startsWith('{') ? JSON.parse(line) : null });
    });
  });
}

/** Another terminal: runs the printed line, changed as an owner may change it. */
function anotherTerminal(change: (line: string) => string) {
  const ended: Promise<number | null>[] = [];
  return {
    ended,
    read: (line: string) => {
      if (!/ approve \S+ --data /.test(line)) return;
      const shell = spawn('/bin/sh', ['-c', change(line)], { stdio: 'ignore' });
      ended.push(new Promise((resolve) => shell.once('close', resolve)));
    },
  };
}

describe.skipIf(process.platform === 'win32')('countersign demo', { timeout: 120_000 }, () => {
  it('waits until the printed line is run in another terminal, and then sends once', async () => {
    const terminal = anotherTerminal((line) => line);
    const { exit, last } = await demo(['--json'], terminal.read);
    expect(await Promise.all(terminal.ended)).toEqual([0]);
    expect(last).toMatchObject({
      ok: true,
      send: 'done',
      sends_on_phone: 1,
      swipes_on_phone: 1,
      cut: { first: 'outcome_unknown', later: 'done' },
      log_verified: true,
    });
    expect(exit).toBe(0);
  });

  it('sends nothing where the owner denies, and that is told as it is', async () => {
    const terminal = anotherTerminal((line) => line.replace(' approve ', ' deny '));
    const { exit, last } = await demo(['--json'], terminal.read);
    expect(last).toMatchObject({ ok: true, send: 'denied', sends_on_phone: 0 });
    expect(exit).toBe(0);
  });

  it('tells people the same story, with the log at its end', async () => {
    const { exit, out } = await demo(['--approve']);
    expect(exit).toBe(0);
    expect(out).toMatch(/Taps “Send SMS” and is stopped/);
    expect(out).toMatch(/Send touched 1×, swiped 1×/);
    expect(out).toMatch(/owner by demo --approve {2}Approved/);
  });
});
