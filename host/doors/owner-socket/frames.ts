/**
 * What is said over the owner socket, one JSON object a line: a greeting, requests, answers, progress,
 * the end of a wait. Both sides are this program. Not for who may connect (place.ts).
 */
import { z } from 'zod';

/** Raised with any change that an older side would misread; the greeting states it. */
export const SOCKET_VERSION = 1;

/** Longest line, bytes: above the largest MCP frame, so that what is too large is refused by its own code. */
export const SOCKET_LINE_BYTES = 40 * 1024 * 1024;

/** Requests of one connection that may be open at once. */
export const OPEN_REQUESTS = 256;
/** Connections at once. */
export const CONNECTIONS = 64;

const agent = z.string().min(1).max(64);
const door = z.enum(['mcp_stdio', 'mcp_http', 'cli', 'library', 'console']);
export const callerSchema = z.strictObject({
  agent,
  door,
  credential: z.string().max(64).nullable().optional(),
});

const nothing = z.strictObject({});
const decision = z.strictObject({ confirmation_id: z.string().max(64), how: z.string().max(64) });
const how = z.strictObject({ how: z.string().max(64) });

/** Every method and what it takes. */
export const METHODS = {
  tools: z.strictObject({ caller: callerSchema }),
  call: z.strictObject({ caller: callerSchema, tool: z.string(), args: z.unknown() }),
  blob: z.strictObject({ caller: callerSchema, uri: z.string() }),
  devices: nothing,
  pending: nothing,
  approve: decision,
  deny: decision,
  stop: how,
  resume: how,
  log: z.strictObject({ last: z.int().min(1).optional(), request_id: z.string().max(64).optional() }),
  verify: nothing,
  caller_of: z.strictObject({ token: z.string().max(256), door }),
  /** The engine checks the parameters by the order's own shape. */
  order: z.strictObject({ name: z.string().max(64), params: z.unknown(), how: z.string().max(64) }),
  console_link: nothing,
} as const satisfies Record<string, z.ZodType>;
export type Method = keyof typeof METHODS;
export type Params<M extends Method> = z.input<(typeof METHODS)[M]>;
export type Taken<M extends Method> = z.output<(typeof METHODS)[M]>;

export function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name);
}

/**
 * JSON text that keeps what JSON.parse can read but JSON.stringify turns into null: 1e999 is Infinity to
 * one and must not become "left out" on the way to the host that refuses it.
 */
export function jsonOf(frame: unknown): string {
  const stand = '\ufdd0endless\ufdd0';
  let found = false;
  const text = JSON.stringify(frame, (_name, value: unknown) => {
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    found = true;
    return stand;
  });
  return found ? text.replaceAll(JSON.stringify(stand), '1e999') : text;
}

const id = z.int().min(0);

/** From the client: a request, or the end of the wait for one (never of what it asked for). */
export const requestSchema = z.union([
  z.strictObject({ id, method: z.string().max(64), params: z.unknown() }),
  z.strictObject({ cancel: id }),
]);

/** What can be wrong with a request itself. */
export const SOCKET_ERRORS = {
  bad_frame: 'The line is not one request as JSON.',
  too_long: `The line is too long; at most ${SOCKET_LINE_BYTES} bytes.`,
  method_unknown: 'There is no such method.',
  params_bad: 'The parameters do not fit the method.',
  too_many: `At most ${OPEN_REQUESTS} requests may be open at once.`,
  fault: 'A fault in the host; its diagnostics say more.',
} as const;
export type SocketErrorCode = keyof typeof SOCKET_ERRORS;

const socketError = z.looseObject({ code: z.string(), message: z.string() });

/** From the host. */
export const greetingSchema = z.looseObject({ countersign: z.int() });
export const answerSchema = z.union([
  z.strictObject({ id, progress: z.string() }),
  z.strictObject({ id, result: z.unknown() }),
  /** Without an id where none could be read. */
  z.strictObject({ id: id.nullable(), error: socketError }),
]);
export type Answer = z.infer<typeof answerSchema>;
