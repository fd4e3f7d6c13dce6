/**
 * The sessions of 2025 clients over HTTP: each belongs to the agent whose token opened it. (Clients of
 * 2026-07-28 have none.) Not for authentication, limits of requests or what a message means.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { McpServer, Server } from '@modelcontextprotocol/server';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import { REFUSALS, refuse } from './answers.ts';

/** An agent that opens more loses its longest unused one; clients that forget to end theirs do that. */
export const SESSIONS_PER_AGENT = 16;
export const SESSIONS_MOST = 64;
export const SESSION_IDLE_MS = 30 * 60_000;

interface Session {
  readonly agent: string;
  readonly transport: NodeStreamableHTTPServerTransport;
  usedAtMs: number;
  /** Requests under way, a listening GET included: such a session is not idle. */
  open: number;
}

export interface SessionsOptions {
  /** Milliseconds that never go back. */
  readonly now: () => number;
  readonly onError: (error: Error) => void;
}

export class Sessions {
  readonly #options: SessionsOptions;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, Session>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** Serves one request of a 2025 client; `body` is its parsed message, undefined for GET and DELETE. */
  async serve(
    req: IncomingMessage,
    res: ServerResponse,
    agent: string,
    build: () => Server | McpServer,
    body?: unknown,
  ): Promise<void> {
    const id = req.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const session = this.#sessions.get(id);
      // Somebody else's session answers exactly like an unknown one.
      if (session === undefined || session.agent !== agent) return refuse(req, res, REFUSALS.unknownSession);
      return this.#carry(id, session, req, res, body);
    }
    if (req.method !== 'POST') return refuse(req, res, REFUSALS.methodNotAllowed);
    if (!isInitializeRequest(body)) return refuse(req, res, REFUSALS.noSession);
    await this.#open(req, res, agent, build(), body);
  }

  async #open(
    req: IncomingMessage,
    res: ServerResponse,
    agent: string,
    server: Server | McpServer,
    body: unknown,
  ): Promise<void> {
    this.#makeRoom(agent);
    const id = randomUUID();
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const session: Session = { agent, transport, usedAtMs: this.#options.now(), open: 0 };
    await server.connect(transport);
    const before = transport.onclose;
    transport.onclose = () => {
      this.#sessions.delete(id);
      before?.();
    };
    this.#sessions.set(id, session);
    await this.#carry(id, session, req, res, body);
    // A refused initialize has no session.
    if (transport.sessionId === undefined) await transport.close();
  }

  async #carry(
    id: string,
    session: Session,
    req: IncomingMessage,
    res: ServerResponse,
    body: unknown,
  ): Promise<void> {
    session.open += 1;
    this.#touch(id, session);
    res.once('close', () => {
      session.open -= 1;
      this.#touch(id, session);
    });
    await session.transport.handleRequest(req, res, body);
  }

  #touch(id: string, session: Session): void {
    if (this.#sessions.get(id) !== session) return;
    session.usedAtMs = this.#options.now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
  }

  /** Ends what is idle, then what is over the limits, the longest unused first. */
  #makeRoom(agent: string): void {
    const idleSince = this.#options.now() - SESSION_IDLE_MS;
    for (const [id, session] of this.#sessions) {
      if (session.open === 0 && session.usedAtMs <= idleSince) this.#end(id);
    }
    const own = [...this.#sessions].filter(([, session]) => session.agent === agent);
    const most = own.length >= SESSIONS_PER_AGENT ? own : [...this.#sessions];
    const limit = own.length >= SESSIONS_PER_AGENT ? SESSIONS_PER_AGENT : SESSIONS_MOST;
    const idleFirst = most.sort(([, a], [, b]) => Number(a.open > 0) - Number(b.open > 0));
    for (const [id] of idleFirst.slice(0, Math.max(0, most.length - limit + 1))) this.#end(id);
  }

  #end(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    session?.transport.close().catch(this.#options.onError);
  }

  close(): void {
    for (const id of [...this.#sessions.keys()]) this.#end(id);
  }
}
