/** The HTTP door's own refusals: fixed sentences as JSON-RPC errors. Not for what a tool answers (envelope). */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Codes of JSON-RPC for what never became a message; the specification keeps −32020 and below for itself. */
const CODE = { parse: -32_700, request: -32_600, server: -32_000 } as const;

export const REFUSALS = {
  noSuchPage: { status: 404, code: CODE.server, say: 'There is nothing here: MCP is served at /mcp.' },
  tooManyGuesses: {
    status: 429,
    code: CODE.server,
    say: 'Too many requests without a valid token came from this address; wait a minute.',
  },
  tooFast: { status: 429, code: CODE.server, say: 'This agent sends too many requests; slow down.' },
  tooMany: { status: 429, code: CODE.server, say: 'This agent has too many requests under way; wait.' },
  notJson: { status: 415, code: CODE.server, say: 'Send the message as application/json.' },
  parse: { status: 400, code: CODE.parse, say: 'Parse error: the body is not JSON.' },
  tooLarge: { status: 413, code: CODE.request, say: 'The message is too large.' },
  noSession: {
    status: 400,
    code: CODE.server,
    say: 'Clients of 2025 open a session with initialize and send its Mcp-Session-Id.',
  },
  unknownSession: {
    status: 404,
    code: -32_001,
    say: 'This session is not known or has ended; initialize again.',
  },
  methodNotAllowed: { status: 405, code: CODE.server, say: 'Use POST, or GET and DELETE within a session.' },
  closing: { status: 503, code: CODE.server, say: 'The host is ending.' },
  broken: { status: 500, code: -32_603, say: 'The Countersign host could not answer; its log says why.' },
} as const;
export type Refusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/** Answers with `refusal`; a connection whose body was not read to its end is closed with it. */
export function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  refusal: Refusal,
  retryAfterSeconds?: number,
): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(refusal.status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...(req.complete ? {} : { connection: 'close' }),
    ...(refusal.status === 405 ? { allow: 'POST' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
  const { code, say } = refusal;
  res.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: say } }));
}
