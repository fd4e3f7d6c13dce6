/**
 * Every recorded screen, shown by the virtual phone and looked at by a real MCP client through a real host:
 * no crash, no protocol error, and exactly what `countersign inspect` says of the file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../../host/screen/inspect.ts';
import { type ControlConnection, reachControl } from '../../host/virtual-phone/control-socket.ts';
import { freshFolder, phoneFolder, type RunningHost, startHostProcess } from '../support/host-process.ts';
import { type Agent, agentOn } from '../support/mcp.ts';
import { sharedPath } from '../support/shared.ts';

const folder = sharedPath('screens');
const files =
  folder === null
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(xml|json)$/.test(name))
        .sort();

/** Stands for each character of a one-time code. */
const MASK = '•';

const data = freshFolder();
let host: RunningHost;
let agent: Agent;
let phone: ControlConnection;

beforeAll(async () => {
  if (folder === null) return;
  host = await startHostProcess(data.path, ['--screen', join(folder, files[0] ?? ''), '--phone-control']);
  agent = await agentOn(data.path);
  phone = await reachControl(phoneFolder(data.path));
}, 120_000);
afterAll(async () => {
  phone?.close();
  await agent?.close();
  await host?.stop();
  data.remove();
});

describe.skipIf(folder === null)('every recorded screen through MCP (shared)', () => {
  it('is observed without an error, as `inspect` reads its file (shared)', async () => {
    let elements = 0;
    const damaged: string[] = [];
    const withheld: string[] = [];
    const wrong: string[] = [];
    for (const name of files) {
      const path = join(folder ?? '', name);
      await phone.showRecording(path);
      const seen = await agent.call('screen_observe');
      const read = inspect(readFileSync(path), name);
      if ('error_code' in read) throw new Error(`${name}: ${read.message}`);
      if (!seen.ok) {
        wrong.push(`${name}: ${seen.error_code}`);
        continue;
      }
      elements += read.elements.length;
      const lines = (text: unknown) =>
        String(text)
          .replace(/\be\d+\b/g, 'e')
          .split('\n');
      const notes = (seen.result.notes ?? []) as { code: string }[];
      const [got, meant] = [lines(seen.result.text), lines(read.text)];
      const differ = got.filter((line, at) => line !== meant[at]);
      // `inspect` sees everything; an agent gets nothing of a bank, and one-time codes masked.
      if (notes.some((note) => note.code === 'withheld')) {
        withheld.push(name);
        expect(got.length, name).toBeLessThanOrEqual(3);
      } else if (got.length !== meant.length || differ.some((line) => !line.includes(MASK))) {
        wrong.push(`${name}: told otherwise: ${differ[0]}`);
      }
      if (notes.some((note) => note.code === 'damaged' || note.code === 'cut_off')) damaged.push(name);
    }
    process.stderr.write(
      `${files.length} screens observed through MCP, ${elements} elements, ${withheld.length} withheld, ${damaged.length} damaged: ${damaged.join(', ')}\n`,
    );
    expect(wrong).toEqual([]);
    expect(files.length).toBeGreaterThan(250);
    expect(host.child.exitCode).toBeNull();
  }, 300_000);
});
