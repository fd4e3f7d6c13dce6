/**
 * A host in a process of its own with the virtual phone, its owner at the command line, and agents over real
 * MCP, each with its own token. Not for engines without a host (engine-rig.ts).
 */
import type { Envelope } from '../../device-protocol/envelope.ts';
import { type ControlConnection, reachControl } from '../../host/virtual-phone/control-socket.ts';
import {
  countersign,
  freshFolder,
  phoneFolder,
  type Ran,
  type RunningHost,
  startHostProcess,
} from '../support/host-process.ts';
import { type Agent, agentOn } from '../support/mcp.ts';
import { newKey } from '../support/messages-walk.ts';

export const PACKAGES = {
  messages: 'com.android.messaging',
  notes: 'com.example.notes',
  bank: 'org.example.bank.android',
  contacts: 'com.android.contacts',
  settings: 'com.android.settings',
  shop: 'com.example.shop',
} as const;

/** Everything a command of the owner may print as its last line. */
export type Said = Record<string, unknown> & { ok?: boolean; error_code?: string };

export class OwnerRig {
  readonly data = freshFolder();
  host!: RunningHost;
  phone!: ControlConnection;
  readonly #agents: Agent[] = [];

  async start(more: readonly string[] = []): Promise<void> {
    this.host = await startHostProcess(this.data.path, ['--virtual', '--phone-control', ...more]);
    this.phone = await reachControl(phoneFolder(this.data.path));
  }

  /** Ends host and agents; the data stays. */
  async stop(how: 'stop' | 'kill' = 'stop'): Promise<void> {
    for (const agent of this.#agents.splice(0)) await agent.close().catch(() => {});
    this.phone.close();
    await this.host[how]();
  }

  /** The end of everything. */
  async end(): Promise<void> {
    await this.stop().catch(() => {});
    this.data.remove();
  }

  run(...args: string[]): Promise<Ran> {
    return countersign([...args, '--data', this.data.path]);
  }

  /** What a command of the owner says with --json; it may have failed. */
  async ask(...args: string[]): Promise<Said> {
    const ran = await this.run(...args, '--json');
    if (ran.json === undefined) throw new Error(`${args.join(' ')}: ${ran.stderr}`);
    return ran.json as Said;
  }

  /** As `ask`, and it must have been done. */
  async owner(...args: string[]): Promise<Said> {
    const ran = await this.run(...args, '--json');
    if (ran.status !== 0) throw new Error(`${args.join(' ')}: ${ran.status} ${ran.stdout}${ran.stderr}`);
    return ran.json as Said;
  }

  /** A new agent's token; with a grant where one is given. */
  async token(name: string, ...grant: string[]): Promise<string> {
    const { token } = await this.owner('agent', 'add', name);
    if (grant.length > 0) await this.owner('grant', name, ...grant);
    return String(token);
  }

  /** A real MCP client that shows this token; without one, the built-in agent. */
  async agent(token?: string, ...more: string[]): Promise<Agent> {
    const agent = await agentOn(this.data.path, 'client 2.4.0', ['--tools', 'all', ...more], token);
    this.#agents.push(agent);
    return agent;
  }
}

/** The result of a call that must succeed. */
export async function done(call: Promise<Envelope>): Promise<Record<string, unknown>> {
  const envelope = await call;
  if (!envelope.ok) throw new Error(JSON.stringify(envelope));
  return envelope.result;
}

/** An act with a key of its own. */
export const act = (agent: Agent, tool: string, args: Record<string, unknown> = {}) =>
  agent.call(tool, { ...args, idempotency_key: newKey() });

/** The code a call was refused with; fails where it was not. */
export async function refused(call: Promise<Envelope>): Promise<string> {
  const envelope = await call;
  if (envelope.ok) throw new Error(`not refused: ${JSON.stringify(envelope)}`);
  return envelope.error_code;
}

/** Waits until `look` answers something, asking again and again; a condition, not a time. */
export async function until<T>(look: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error('it did not come');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
