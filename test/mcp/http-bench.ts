/** The HTTP door over the engine without a phone, with two agents' tokens and a clock that tests drive. */
import { request } from 'node:http';
import { askedHere } from '../../host/doors/asked-engine.ts';
import { buildServer } from '../../host/doors/mcp/build-server.ts';
import { type HttpDoor, type HttpDoorOptions, openHttpDoor } from '../../host/doors/mcp/http/http-door.ts';
import type { Caller } from '../../host/engine/engine.ts';
import { type FakeEngine, fakeEngine } from '../doors/fake-engine.ts';

export const ANNA = 'token-of-anna';
export const BERT = 'token-of-bert';

export interface Bench {
  readonly door: HttpDoor;
  readonly engine: FakeEngine;
  readonly log: string[];
  /** Tokens that are still known; take one out to revoke it. */
  readonly tokens: Map<string, string>;
  clockMs: number;
}

export async function openBench(more: Partial<HttpDoorOptions<Caller>> = {}): Promise<Bench> {
  const engine = fakeEngine();
  const log: string[] = [];
  const tokens = new Map([
    [ANNA, 'anna'],
    [BERT, 'bert'],
  ]);
  const bench = { engine, log, tokens, clockMs: 0 };
  const door = await openHttpDoor<Caller>({
    address: '127.0.0.1',
    port: 0,
    callerOf: (token) => {
      const agent = tokens.get(token);
      return agent === undefined ? null : { agent, door: 'mcp_http' };
    },
    buildServer: (caller) =>
      buildServer({
        engine: askedHere(engine),
        caller,
        listing: { tier: 'core', small: false },
        version: '0.0.0',
        log: (line) => log.push(line),
      }),
    now: () => bench.clockMs,
    log: (line) => log.push(line),
    ...more,
  });
  return Object.assign(bench, { door });
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** The body as JSON, or the last event of a stream; undefined where it is neither. */
  readonly json: Record<string, unknown> | undefined;
}

export interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | object;
  readonly token?: string | null;
}

/** One raw request, so that every header is the test's own. */
export function ask(door: HttpDoor, options: Ask = {}): Promise<Answer> {
  const { hostname, port, pathname } = new URL(door.url);
  const { method = 'POST', path = pathname, body, token = ANNA } = options;
  const headers = {
    host: `localhost:${port}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: jsonOf(text) }),
      );
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  const event = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .at(-1);
  try {
    return JSON.parse(event === undefined ? text : event.slice(6)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

let id = 0;

/** A message of 2026-07-28 with the headers that must agree with it. */
export function modern(method: string, params: Record<string, unknown> = {}): Ask {
  const version = '2026-07-28';
  const name = params.name ?? params.uri;
  return {
    headers: {
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: {
      jsonrpc: '2.0',
      id: ++id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  };
}

/** A message of 2025, within `session` once there is one. */
export function legacy(method: string, params: Record<string, unknown> = {}, session?: string): Ask {
  return {
    headers: {
      'mcp-protocol-version': '2025-11-25',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: { jsonrpc: '2.0', id: ++id, method, params },
  };
}

export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '0' },
};

/** Opens a session of 2025 and answers its id. */
export async function openSession(door: HttpDoor, token = ANNA): Promise<string> {
  const answer = await ask(door, { ...legacy('initialize', INITIALIZE), token });
  const session = answer.headers['mcp-session-id'];
  if (typeof session !== 'string') throw new Error(`no session: ${answer.status} ${answer.text}`);
  return session;
}
