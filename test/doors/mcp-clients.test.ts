/** The stdio door with real clients of two generations; the engine behind it is a script. */
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, describe, expect, it } from 'vitest';
import { listTools } from '../../device-protocol/tools/listing.ts';
import { TOOL_NAMES } from '../../device-protocol/tools/tools.ts';
import { ROOT } from './stdio-child.ts';

const command = (...args: string[]) => ({
  command: process.execPath,
  args: ['--import', 'tsx', 'test/doors/fake-mcp.ts', ...args],
  cwd: ROOT,
  stderr: 'ignore' as const,
});

type AnyClient = Pick<ModernClient, 'close'> & {
  getNegotiatedProtocolVersion?(): string | undefined;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    // biome-ignore lint/suspicious/noExplicitAny: the two clients name their options differently here.
    ...rest: any[]
  ): Promise<Record<string, unknown>>;
};

const clients: {
  readonly name: string;
  readonly version?: string;
  open(...args: string[]): Promise<AnyClient>;
}[] = [
  {
    name: 'client 2.4.0, 2026-07-28',
    version: '2026-07-28',
    open: async (...args) => {
      const client = new ModernClient(
        { name: 'test', version: '0' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      await client.connect(new ModernStdio(command(...args)));
      return client as unknown as AnyClient;
    },
  },
  {
    name: 'client 2.4.0, as it comes',
    version: '2025-11-25',
    open: async (...args) => {
      const client = new ModernClient({ name: 'test', version: '0' });
      await client.connect(new ModernStdio(command(...args)));
      return client as unknown as AnyClient;
    },
  },
  {
    name: 'sdk 1.32.2, 2025-11-25',
    open: async (...args) => {
      const client = new LegacyClient({ name: 'test', version: '0' });
      await client.connect(new LegacyStdio(command(...args)) as never);
      return client as unknown as AnyClient;
    },
  },
];

const open: AnyClient[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

describe.each(clients)('$name', ({ open: connect, version }) => {
  const client = async (...args: string[]) => {
    const one = await connect(...args);
    open.push(one);
    if (version !== undefined) expect(one.getNegotiatedProtocolVersion?.()).toBe(version);
    return one;
  };

  it('is listed exactly what the declarations give', async () => {
    const { tools } = await (await client()).listTools();
    expect(tools).toEqual(listTools(TOOL_NAMES, { tier: 'core', small: false }));
  });

  it('passes its own check of every answer against the listed output schema', async () => {
    const one = await client('all');
    const { tools } = await one.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(TOOL_NAMES);
    const looked = await one.callTool({ name: 'device_list', arguments: {} });
    const failed = await one.callTool({ name: 'app_open', arguments: { app: 'x', idempotency_key: 'k' } });
    expect(looked.structuredContent).toMatchObject({ ok: true });
    expect(failed).toMatchObject({ isError: true, structuredContent: { error_code: 'app_unknown' } });
  });

  it('calls by another spelling and is told so', async () => {
    const answer = await (await client()).callTool({
      name: 'tap',
      arguments: { ref: 'e1', observationId: 'o1', idempotencyKey: 'k' },
    });
    expect(answer.structuredContent).toMatchObject({
      ok: true,
      result: { echo: { ref: 'e1', observation_id: 'o1', idempotency_key: 'k' } },
      warnings: [
        '"observationId" was read as "observation_id".',
        '"idempotencyKey" was read as "idempotency_key".',
      ],
    });
  });

  it('gets an envelope for a tool that is not there', async () => {
    const answer = await (await client()).callTool({ name: 'nope' });
    expect(answer).toMatchObject({ isError: true, structuredContent: { kind: 'tool_not_found' } });
  });

  it('calls in parallel', async () => {
    const one = await client();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, x) =>
        one.callTool({ name: 'tap', arguments: { x, y: 1, idempotency_key: `k${x}` } }),
      ),
    );
    const seen = answers.map((answer) => {
      const { result } = answer.structuredContent as { result: { echo: { x: number } } };
      return result.echo.x;
    });
    expect(seen).toEqual(Array.from({ length: 30 }, (_, x) => x));
  });
});
