/**
 * Thousands of wrong calls of every tool through the real MCP door on a real host: each gets a coded answer
 * that names the field and shows a valid call, and the phone is never touched. COUNTERSIGN_FUZZ_CALLS sets
 * how many for each tool (`npm run fuzz:calls`: 2,000).
 */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelopeSchema } from '../../device-protocol/envelope.ts';
import { isErrorCode } from '../../device-protocol/errors.ts';
import { TOOL_NAMES, type ToolName } from '../../device-protocol/tools/tools.ts';
import { type RunningHost, startHost } from '../../host/composition.ts';
import { askedHere } from '../../host/doors/asked-engine.ts';
import { buildServer } from '../../host/doors/mcp/build-server.ts';
import { normaliseArguments } from '../../host/engine/normalise.ts';
import { freshFolder, phoneFolder } from '../support/host-process.ts';
import { mutate, randomFrom } from './mutated-calls.ts';

const CALLS = Number(process.env.COUNTERSIGN_FUZZ_CALLS ?? 60);

const folder = freshFolder();
const log: string[] = [];
let host: RunningHost;
let client: Client;

beforeAll(async () => {
  host = await startHost({
    dataDir: folder.path,
    virtual: { stateFolder: phoneFolder(folder.path), control: true },
    log: (line) => log.push(line),
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = buildServer({
    engine: askedHere(host.engine),
    caller: { agent: 'local', door: 'mcp_stdio' },
    listing: { tier: 'all', small: false },
    version: '0.0.0',
    log: (line) => log.push(line),
  });
  await server.connect(theirs);
  client = new Client({ name: 'confused', version: '0' });
  await client.connect(ours);
});
afterAll(async () => {
  await client?.close();
  await host?.close();
  folder.remove();
});

/** The valid call an answer shows, as arguments. */
function shownCall(say: string): unknown {
  const from = say.indexOf('{');
  const to = say.lastIndexOf('}');
  return from === -1 ? null : JSON.parse(say.slice(from, to + 1));
}

describe(`${CALLS} wrong calls of every tool`, () => {
  it.each(TOOL_NAMES)(
    '%s: every answer is coded, names the field and shows a valid call',
    async (tool: ToolName) => {
      const random = randomFrom(TOOL_NAMES.indexOf(tool) + 1);
      for (let n = 0; n < CALLS; n += 1) {
        const call = mutate(tool, random);
        const what = `${tool} ${call.wrong}: ${JSON.stringify(call.args)?.slice(0, 300)}`;
        const result = await client.callTool({ name: tool, arguments: call.args as Record<string, unknown> });
        const envelope = envelopeSchema.parse(result.structuredContent);
        if (envelope.ok) throw new Error(`was taken: ${what}`);
        expect(envelope.kind, what).toBe('invalid_args');
        expect(isErrorCode(envelope.error_code), what).toBe(true);
        expect(envelope.effect ?? 'none', what).toBe('none');
        if (call.field !== null) expect(envelope.field, what).toBe(call.field);
        expect(JSON.stringify(envelope), what).not.toMatch(/\bat .*:\d+:\d+|node_modules|\.ts\b|\/tmp\//);
        const shown = shownCall(envelope.suggested_action.say);
        expect(normaliseArguments(tool, shown), what).toMatchObject({ ok: true });
      }
    },
    1_200_000,
  );

  it('and the phone was not touched, nor did anything break', async () => {
    const control = await host.virtualPhone?.control();
    expect(await control?.touches()).toEqual([]);
    control?.close();
    expect(log.filter((line) => /fault|internal|Error/.test(line))).toEqual([]);
  });
});
