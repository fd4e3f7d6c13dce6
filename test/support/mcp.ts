/** Real MCP clients on a real `countersign mcp` process, for tests. Both eras of the SDK. */
import { Client as ModernClient } from '@modelcontextprotocol/client';
import {
  getDefaultEnvironment,
  StdioClientTransport as ModernStdio,
} from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Envelope } from '../../device-protocol/envelope.ts';
import { envelopeSchema } from '../../device-protocol/envelope.ts';
import { MAIN } from './host-process.ts';

export type ClientKind = 'client 2.4.0' | 'sdk 1.32.2';
export const CLIENT_KINDS = ['client 2.4.0', 'sdk 1.32.2'] as const satisfies readonly ClientKind[];

export interface Agent {
  tools(): Promise<{ name: string }[]>;
  /** The envelope, checked for being the same as structured content and as text. */
  call(tool: string, args?: Record<string, unknown>): Promise<Envelope>;
  /** The bytes of a resource an answer referred to. */
  resource(uri: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** An agent on `countersign mcp --data dataDir …`. */
export async function agentOn(
  dataDir: string,
  kind: ClientKind = 'client 2.4.0',
  more: readonly string[] = [],
  /** Shown as COUNTERSIGN_TOKEN; left out: the built-in agent. */
  token?: string,
): Promise<Agent> {
  const server = {
    command: process.execPath,
    args: [MAIN, 'mcp', '--data', dataDir, ...more],
    stderr: 'inherit' as const,
    ...(token === undefined ? {} : { env: { ...getDefaultEnvironment(), COUNTERSIGN_TOKEN: token } }),
  };
  const info = { name: 'countersign-test', version: '1.0.0' };
  const client =
    kind === 'client 2.4.0' ? new ModernClient(info) : (new LegacyClient(info) as unknown as ModernClient);
  const transport =
    kind === 'client 2.4.0' ? new ModernStdio(server) : (new LegacyStdio(server) as unknown as ModernStdio);
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (tool, args = {}) => {
      const result = await client.callTool({ name: tool, arguments: args });
      const envelope = envelopeSchema.parse(result.structuredContent);
      const content = result.content as { type: string; text?: string }[];
      const text = content.find((block) => block.type === 'text')?.text ?? '';
      if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(result.structuredContent)) {
        throw new Error(`text and structured content differ: ${text.slice(0, 200)}`);
      }
      if ((result.isError === true) !== !envelope.ok)
        throw new Error('isError does not say what the envelope says');
      return envelope;
    },
    resource: async (uri) => {
      const [content] = (await client.readResource({ uri })).contents;
      if (content === undefined || !('blob' in content)) throw new Error(`no bytes at ${uri}`);
      return Buffer.from(content.blob, 'base64');
    },
    close: () => client.close(),
  };
}

/** The line of an observation's text that shows `label`, and its ref. Fails with the text where there is none. */
export function refOf(observation: Record<string, unknown>, label: string | RegExp): string {
  const text = String(observation.text);
  const line = text
    .split('\n')
    .find((one) => (typeof label === 'string' ? one.includes(label) : label.test(one)));
  const ref = line === undefined ? null : /\be\d+\b/.exec(line);
  if (ref === null) throw new Error(`no ref for ${String(label)} in:\n${text}`);
  return ref[0];
}
