/**
 * Serves the owner's console on loopback: its page, its questions, its stream. A listener of its own; phones
 * and agents have others, and nothing of theirs opens this one. Not for what the page looks like (host/console).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { AskedEngine } from '../asked-engine.ts';
import { COOKIE, cookieOf, SAFETY_HEADERS, tabOf, turnedAway } from './guard.ts';
import { type PageFile, pageFiles } from './page-files.ts';
import { answerRoute, isRoute } from './routes.ts';
import { SESSION_LIFE_MS, SignIn, type SignInParts } from './sign-in.ts';
import { Streams } from './stream.ts';

/** Fixed, because passkeys and a reloaded tab belong to this very origin. */
export const CONSOLE_PORT = 47_641;
/** Largest question of the page, bytes. */
const BODY_BYTES = 64 * 1024;
const API = '/api/';
const STREAMS_MOST = 32;

export interface ConsoleOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The built page's folder. */
  readonly pageFolder: string;
  readonly owner: AskedEngine['owner'];
  readonly signIn: SignInParts;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

export interface Console {
  /** Without a credential. */
  readonly url: string;
  /** The address with a fresh single-use code, for a terminal and nothing else. */
  link(): string;
  close(): Promise<void>;
}

const codeSchema = z.strictObject({ code: z.string().min(1).max(128) });

class TooLarge extends Error {}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_BYTES) throw new TooLarge();
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}

function say(
  response: ServerResponse,
  status: number,
  body: object,
  more: Record<string, string> = {},
): void {
  if (response.headersSent) return;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...more,
  });
  response.end(JSON.stringify(body));
}

const refusal = (error_code: string, message: string) => ({ ok: false, error_code, message });

/** Listens. Throws the system's error where the port is taken. */
export async function serveConsole(options: ConsoleOptions): Promise<Console> {
  const { owner, log, now } = options;
  const files = pageFiles(options.pageFolder);
  const signIn = new SignIn(options.signIn);
  const streams = new Streams({ owner, now, log });
  let port = options.port;

  function page(request: IncomingMessage, response: ServerResponse, path: string): void {
    const file: PageFile | undefined = files?.get(path === '/' ? '/index.html' : path);
    if (file === undefined) {
      const missing =
        files === null ? 'The console’s page was not built: npm run build.' : 'There is nothing here.';
      response.writeHead(files === null ? 503 : 404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(missing);
      return;
    }
    const packed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    response.writeHead(200, {
      'content-type': file.type,
      'cache-control': file.lasting ? 'private, max-age=31536000, immutable' : 'no-store',
      vary: 'accept-encoding',
      ...(packed ? { 'content-encoding': 'gzip' } : {}),
    });
    response.end(packed ? file.gzip : file.bytes);
  }

  async function signedIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = codeSchema.safeParse(await bodyOf(request));
    const session = read.success ? signIn.redeem(read.data.code) : null;
    if (session === null) {
      say(
        response,
        401,
        refusal(
          'code_bad',
          'This link was used already or is older than a minute. Print another: countersign console',
        ),
      );
      return;
    }
    const life = Math.floor(SESSION_LIFE_MS / 1_000);
    say(
      response,
      200,
      { ok: true, tab: session.tab },
      {
        'set-cookie': `${COOKIE}=${session.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${life}`,
        // Whatever an earlier page of this origin left behind is not ours to trust.
        'clear-site-data': '"cache", "storage"',
      },
    );
  }

  async function api(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    if (name === 'sign_in' && request.method === 'POST') return signedIn(request, response);
    const cookie = cookieOf(request.headers);
    const tab = tabOf(request.headers);
    if (!signIn.proves(cookie, tab)) {
      return say(response, 401, refusal('signed_out', 'Sign in by a link: countersign console prints one.'));
    }
    if (name === 'stream' && request.method === 'GET') {
      if (streams.count >= STREAMS_MOST)
        return say(response, 429, refusal('too_many', 'Too many open consoles.'));
      return streams.add(response);
    }
    if (request.method !== 'POST') return say(response, 405, refusal('method', 'Ask by POST.'));
    if (name === 'sign_out') {
      signIn.end(cookie ?? '', tab ?? '');
      return say(
        response,
        200,
        { ok: true },
        { 'set-cookie': `${COOKIE}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0` },
      );
    }
    if (!isRoute(name)) return say(response, 404, refusal('route_unknown', 'There is no such question.'));
    const { status, body } = await answerRoute(name, await bodyOf(request), owner);
    say(response, status, body);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(SAFETY_HEADERS)) response.setHeader(name, value);
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const forApi = path.startsWith(API);
    const turned = turnedAway({ method: request.method ?? '', headers: request.headers, forApi }, port);
    if (turned !== null)
      return say(response, turned.status, refusal('turned_away', turned.say), { connection: 'close' });
    if (forApi) return api(request, response, path.slice(API.length));
    page(request, response, path);
  }

  const server = createServer(
    { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 30_000 },
    (request, response) => {
      serve(request, response).catch((error: unknown) => {
        if (error instanceof TooLarge) {
          say(response, 413, refusal('too_large', 'This question is too large.'), { connection: 'close' });
          return;
        }
        log(`console: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        say(response, 500, refusal('fault', 'A fault in the host; its log says more.'));
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  port = (server.address() as AddressInfo).port;
  const url = `http://localhost:${port}/`;
  return {
    url,
    // In the fragment: it reaches no server log, no referrer and no proxy.
    link: () => `${url}#code=${signIn.code()}`,
    close: async () => {
      streams.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
