/**
 * The host that `countersign mcp` asks: the one that runs on the data directory, else one started inside,
 * else the next. Not for frames (host/doors/mcp) or for the owner's commands (running-host.ts).
 */
import type { Caller, CallOptions, DoorName } from '../../engine/engine.ts';
import { type AskedEngine, askedHere } from '../asked-engine.ts';
import { connectEngine, HostError } from '../owner-socket/client.ts';
import { type HostWishes, hostOptionsOf } from './start.ts';

interface Reached {
  readonly engine: AskedEngine;
  close(): Promise<void> | void;
}

/** Two clients started at once: one starts the host, the other waits this long for its socket. */
const OTHER_START_MS = 10_000;
const OTHER_START_EVERY_MS = 100;
const inUse = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'store_in_use';

async function running(dataDir: string): Promise<Reached | null> {
  try {
    const engine = await connectEngine(dataDir);
    return { engine, close: () => engine.close() };
  } catch (error) {
    if (error instanceof HostError && error.code === 'host_not_running') return null;
    throw error;
  }
}

/** The running host, else one of our own; between two that start at once the store's lock decides. */
export async function reachHost(wishes: HostWishes, log: (line: string) => void): Promise<Reached> {
  const options = hostOptionsOf(wishes, log);
  const until = Date.now() + OTHER_START_MS;
  for (;;) {
    const there = await running(options.dataDir);
    if (there !== null) return there;
    try {
      const { startHost } = await import('../../composition.ts');
      const host = await startHost(options);
      return { engine: askedHere(host.engine), close: () => host.close() };
    } catch (error) {
      if (!inUse(error) || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, OTHER_START_EVERY_MS));
    }
  }
}

/**
 * Answers as soon as the host is there: a client may say hello before that. A host of another process that
 * ends is replaced, by one that runs again or one of our own, and asked again: a read may be repeated, and
 * an act carries the key by which it happens at most once.
 */
export class FollowedHost implements AskedEngine {
  private readonly reach: () => Promise<Reached>;
  private reached: Promise<Reached>;

  constructor(reach: () => Promise<Reached>) {
    this.reach = reach;
    this.reached = reach();
  }

  /** Settles with the first host, or with why there is none. */
  get first(): Promise<Reached> {
    return this.reached;
  }

  async tools(caller: Caller) {
    const { engine } = await this.reached;
    try {
      return await engine.tools(caller);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return (await this.again(engine)).engine.tools(caller);
    }
  }

  async callerOf(token: string, door: DoorName) {
    return (await this.reached).engine.callerOf(token, door);
  }

  async blob(caller: Caller, uri: string) {
    return (await this.reached).engine.blob(caller, uri);
  }

  async call(caller: Caller, tool: string, args: unknown, options?: CallOptions) {
    const { engine } = await this.reached;
    const envelope = await engine.call(caller, tool, args, options);
    if (envelope.ok || envelope.error_code !== 'host_gone') return envelope;
    try {
      return await (await this.again(engine)).engine.call(caller, tool, args, options);
    } catch {
      // No other host can be had: the first answer stands, and the next call tries anew.
      return envelope;
    }
  }

  get owner(): never {
    throw new Error('the owner does not ask through MCP');
  }

  async close(): Promise<void> {
    await (await this.reached).close();
  }

  /** Another host in the place of `lost`; calls that lost it together get the same one. */
  private async again(lost: AskedEngine): Promise<Reached> {
    const present = await this.reached;
    if (present.engine !== lost) return present;
    const next = this.reach();
    const before = this.reached;
    this.reached = next;
    // A host that could not be had leaves the lost one in place, so that later calls are answered and try again.
    next.catch(() => {
      this.reached = before;
    });
    return next;
  }
}
