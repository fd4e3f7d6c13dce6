/**
 * MCP over Streamable HTTP: one port for clients of 2026-07-28 (no state between requests) and of 2025
 * (sessions). Every request proves its agent by a bearer token; browsers' pages are turned away by Host
 * and Origin. Not for what a message means (build-server.ts), nor for who holds which token.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, BlockList, isIP, type Server as NetServer } from 'node:net';
import {
  hostHeaderValidation,
  originValidation,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpServer,
  OAuthError,
  OAuthErrorCode,
  type Server,
  type ServerNotifier,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import { REFUSALS, refuse } from './answers.ts';
import { Buckets } from './bucket.ts';
import { Sessions } from './sessions.ts';

export const MCP_PATH = '/mcp';
/** Largest message read, bytes. */
export const BODY_BYTES = 4 * 1024 * 1024;
/** Requests of one agent: so many at once, so many a second after that, so many under way. */
const AGENT_RATE = { burst: 200, perSecond: 50, keys: 1_024 } as const;
const AGENT_UNDER_WAY = 64;
/** Requests without a valid token from one address. */
const GUESS_RATE = { burst: 20, perSecond: 1 / 3, keys: 4_096 } as const;
/** The SDK asks every token for an end; ours end by being revoked, which each request looks at. */
const NEVER = Number.MAX_SAFE_INTEGER;

export interface HttpDoorOptions<Caller extends { readonly agent: string }> {
  /** Where to listen; anything but loopback needs `tls`. */
  readonly address: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Host names under which clients reach us, beside those of loopback. */
  readonly names?: readonly string[];
  /** Whose token this is; null: nobody's. Asked on every request, so that a revoked one ends at once. */
  readonly callerOf: (token: string) => Caller | null;
  readonly buildServer: (caller: Caller) => Server | McpServer;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

export interface HttpDoor {
  readonly url: string;
  /** Tells every 2026-07-28 client that listens. */
  readonly notify: ServerNotifier;
  close(): Promise<void>;
}

/** Refused before anything listens: tokens would travel in the clear, or nobody could be told apart. */
export class HttpDoorError extends Error {
  readonly code = 'mcp_http_unsafe';
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(address: string): boolean {
  if (address === 'localhost') return true;
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

const bracketed = (address: string) => (isIP(address) === 6 ? `[${address}]` : address);

type Authed = IncomingMessage & { auth?: AuthInfo };

/** Listens. Throws HttpDoorError where that would not be safe, and the system's error where it cannot. */
export async function openHttpDoor<Caller extends { readonly agent: string }>(
  options: HttpDoorOptions<Caller>,
): Promise<HttpDoor> {
  const { address, log, callerOf, buildServer, now } = options;
  if (!isLoopback(address) && options.tls === undefined) {
    throw new HttpDoorError(
      `MCP over HTTP on ${address} would send tokens in the clear: give a certificate and key, or listen on 127.0.0.1.`,
    );
  }
  const names = ['localhost', '127.0.0.1', '[::1]', bracketed(address), ...(options.names ?? [])];
  const hostAllowed = hostHeaderValidation(names);
  const originAllowed = originValidation(names);
  const onError = (error: Error) => log(`mcp http: ${error.message}`);
  const callers = new WeakMap<AuthInfo, Caller>();
  const known = (auth: AuthInfo | undefined): Caller => {
    const caller = auth === undefined ? undefined : callers.get(auth);
    if (caller === undefined) throw new Error('a request came through without its agent');
    return caller;
  };
  const modern = createMcpHandler(({ authInfo }) => buildServer(known(authInfo)), {
    legacy: 'reject',
    onerror: onError,
    maxRequestBodySize: BODY_BYTES,
    maxSubscriptions: 64,
  });
  const serveModern = toNodeHandler(modern, { onerror: onError, maxRequestBodySize: BODY_BYTES });
  const sessions = new Sessions({ now, onError });
  const guesses = new Buckets(GUESS_RATE, now);
  const rates = new Buckets(AGENT_RATE, now);
  const underWay = new Map<string, number>();
  let closing = false;

  /** Whose request this is, or the answer why it is nobody's. */
  async function prove(req: IncomingMessage, res: ServerResponse): Promise<AuthInfo | null> {
    const from = req.socket.remoteAddress ?? 'unknown';
    if (!guesses.has(from)) {
      refuse(req, res, REFUSALS.tooManyGuesses, guesses.waitSeconds(from));
      return null;
    }
    const verifier = {
      async verifyAccessToken(token: string): Promise<AuthInfo> {
        const caller = callerOf(token);
        if (caller === null) throw new OAuthError(OAuthErrorCode.InvalidToken, 'This token is not known.');
        // The token itself goes no further.
        const auth: AuthInfo = { token: '', clientId: caller.agent, scopes: [], expiresAt: NEVER };
        callers.set(auth, caller);
        return auth;
      },
    };
    try {
      return await verifyBearerToken(req.headers.authorization, { verifier });
    } catch (error) {
      guesses.take(from);
      const answer = bearerAuthChallengeResponse(error);
      res.writeHead(answer.status, {
        ...Object.fromEntries(answer.headers),
        ...(req.complete ? {} : { connection: 'close' }),
      });
      res.end(await answer.text());
      return null;
    }
  }

  /** Counts a request as under way until its answer has left or its client has. */
  function admit(req: IncomingMessage, res: ServerResponse, agent: string): boolean {
    const open = underWay.get(agent) ?? 0;
    if (open >= AGENT_UNDER_WAY) {
      refuse(req, res, REFUSALS.tooMany, 1);
      return false;
    }
    if (!rates.take(agent)) {
      refuse(req, res, REFUSALS.tooFast, rates.waitSeconds(agent));
      return false;
    }
    underWay.set(agent, open + 1);
    res.once('close', () => {
      const left = (underWay.get(agent) ?? 1) - 1;
      if (left === 0) underWay.delete(agent);
      else underWay.set(agent, left);
    });
    return true;
  }

  async function serve(req: Authed, res: ServerResponse): Promise<void> {
    if (closing) return refuse(req, res, REFUSALS.closing);
    if (!hostAllowed(req, res) || !originAllowed(req, res)) return;
    if (req.url?.split('?')[0] !== MCP_PATH) return refuse(req, res, REFUSALS.noSuchPage);
    const auth = await prove(req, res);
    if (auth === null) return;
    req.auth = auth;
    const caller = known(auth);
    if (!admit(req, res, caller.agent)) return;
    const build = () => buildServer(caller);
    if (req.method !== 'POST') return sessions.serve(req, res, caller.agent, build);
    if (!isJsonContentType(req.headers['content-type'] ?? null)) return refuse(req, res, REFUSALS.notJson);
    // The SDK's structural type and Node's differ in optional members only.
    const like = req as Parameters<typeof toWebRequest>[0];
    const { url, headers, text } = await toWebRequest(like, undefined, {
      maxRequestBodySize: BODY_BYTES,
    }).then(async (web) => ({ url: web.url, headers: web.headers, text: await web.text() }));
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return refuse(req, res, REFUSALS.parse);
    }
    const isLegacy = await isLegacyRequest(new Request(url, { method: 'POST', headers }), body);
    if (isLegacy) await sessions.serve(req, res, caller.agent, build, body);
    else await serveModern(like, res, body);
  }

  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    serve(req, res).catch((error: unknown) => {
      const tooLarge = error instanceof Error && error.name === 'RequestBodyTooLargeError';
      // A client that went away in the middle of its body is nobody's fault.
      if (!tooLarge && !req.destroyed)
        log(`mcp http: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      refuse(req, res, tooLarge ? REFUSALS.tooLarge : REFUSALS.broken);
    });
  };
  const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 60_000 };
  const server =
    options.tls === undefined
      ? createServer(limits, onRequest)
      : createTlsServer({ ...limits, ...options.tls, minVersion: 'TLSv1.2' }, onRequest);
  await listening(server, options.port, address);
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://${bracketed(address)}:${port}${MCP_PATH}`,
    notify: modern.notify,
    close: async () => {
      closing = true;
      sessions.close();
      await modern.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listening(server: NetServer, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
