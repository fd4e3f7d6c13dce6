/**
 * The smallest MCP client that is honest: a child process, one JSON line a message, requests by number.
 * For the demo's agent, which must come in by the same door as any other. Not a library for others.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type Envelope, envelopeSchema } from '../../../device-protocol/envelope.ts';

const answerSchema = z.looseObject({
  id: z.int().optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
const listSchema = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });

/** Clients of the common SDK give up after this long; so does this one. */
const REQUEST_MS = 60_000;
const PROTOCOL_VERSION = '2025-11-25';

export class AgentClient {
  private readonly child: ChildProcess;
  private readonly open = new Map<number, (answer: z.infer<typeof answerSchema> | Error) => void>();
  private readonly ended: Promise<void>;
  private next = 1;

  private constructor(child: ChildProcess, onLog: (line: string) => void) {
    this.child = child;
    if (child.stdout === null || child.stderr === null) throw new Error('the MCP server has no pipes');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = answerSchema.parse(JSON.parse(line));
      if (answer.id !== undefined) this.open.get(answer.id)?.(answer);
    });
    createInterface({ input: child.stderr }).on('line', onLog);
    this.ended = new Promise((resolve) => {
      child.once('close', () => {
        for (const settle of this.open.values()) settle(new Error('the MCP server ended'));
        resolve();
      });
    });
    // A server that died shows as its end, with every open request; the broken pipe adds nothing.
    child.stdin?.on('error', () => {});
  }

  /** Starts the server that `command` names and says hello. */
  static async start(
    command: string,
    args: readonly string[],
    onLog: (line: string) => void,
  ): Promise<AgentClient> {
    const client = new AgentClient(spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] }), onLog);
    try {
      await client.request('initialize', {
        protocolVersion: PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { name: 'countersign-demo', version: '1' },
      });
    } catch (error) {
      await client.close();
      throw error;
    }
    client.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  async tools(): Promise<string[]> {
    return listSchema.parse(await this.request('tools/list', {})).tools.map((tool) => tool.name);
  }

  async call(name: string, args: Record<string, unknown>): Promise<Envelope> {
    const result = await this.request('tools/call', { name, arguments: args });
    return envelopeSchema.parse(result.structuredContent);
  }

  /** Closes our end, as a client does, and waits until the server is gone. */
  async close(): Promise<void> {
    this.child.stdin?.end();
    await this.ended;
  }

  private async request(method: string, params: object): Promise<Record<string, unknown>> {
    const id = this.next++;
    const answer = await new Promise<z.infer<typeof answerSchema>>((resolve, reject) => {
      const timer = setTimeout(() => settle(new Error(`${method} was not answered`)), REQUEST_MS);
      const settle = (came: z.infer<typeof answerSchema> | Error) => {
        clearTimeout(timer);
        this.open.delete(id);
        if (came instanceof Error) reject(came);
        else resolve(came);
      };
      this.open.set(id, settle);
      this.write({ jsonrpc: '2.0', id, method, params });
    });
    if (answer.result === undefined) throw new Error(`${method}: ${answer.error?.message ?? 'no result'}`);
    return answer.result;
  }

  private write(frame: object): void {
    this.child.stdin?.write(`${JSON.stringify(frame)}\n`);
  }
}
