/**
 * The one shape of every answer to a tool call, on every door (contracts.md, "Envelope"). Not for MCP's
 * own frames.
 */
import { z } from 'zod';
import { type Effect, ERROR_CODES, type ErrorCode, errorRow, KINDS } from './errors.ts';

export const suggestedActionSchema = z.looseObject({
  tool: z.string().optional(),
  args: z.record(z.string(), z.unknown()).optional(),
  say: z.string(),
});

export const successSchema = z.looseObject({
  ok: z.literal(true),
  tool: z.string(),
  result: z.looseObject({}),
  warnings: z.array(z.string()),
  /** The agent's open task, or the one this call ended; absent before an agent's first act. */
  task_id: z.string().optional(),
});

export const failureSchema = z.looseObject({
  ok: z.literal(false),
  tool: z.string(),
  kind: z.enum(KINDS),
  error_code: z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  field: z.string().optional(),
  expected: z.string().optional(),
  retryable: z.boolean(),
  recoverable: z.boolean(),
  suggested_action: suggestedActionSchema,
  retry_after_ms: z.int().optional(),
  effect: z.enum(['none', 'unknown', 'happened']),
  /** For acts: whether to come again with the same or a new idempotency_key. */
  key: z.enum(['same_key', 'new_key']).optional(),
  /** The outcome of an act that was not done, where there is one. */
  result: z.looseObject({}).optional(),
  warnings: z.array(z.string()),
  task_id: z.string().optional(),
});

export const envelopeSchema = z.discriminatedUnion('ok', [successSchema, failureSchema]);
export type Success = z.infer<typeof successSchema>;
export type Failure = z.infer<typeof failureSchema>;
export type Envelope = Success | Failure;

/** What a failure adds to its row: the values for the text's `{names}`, and fields of the envelope. */
export interface FailureDetails {
  readonly [name: string]: unknown;
  readonly field?: string | undefined;
  readonly expected?: string | undefined;
  readonly args?: Record<string, unknown> | undefined;
  readonly retry_after_ms?: number | undefined;
  readonly result?: Record<string, unknown> | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly effect?: Effect | undefined;
}

export function success(
  tool: string,
  result: Record<string, unknown>,
  warnings: readonly string[] = [],
): Success {
  return { ok: true, tool, result, warnings: [...warnings] };
}

/** Longest value filled into a message: what came from outside may be huge. UTF-16 code units. */
const FILLED_MAX = 160;

function filled(text: string, details: FailureDetails): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = details[name];
    if (value === undefined) return '?';
    const said =
      typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
    return said.length > FILLED_MAX ? `${said.slice(0, FILLED_MAX)}…` : said;
  });
}

/** Builds a failure from the table's row. `acting` says whether the tool takes an idempotency_key. */
export function failure(
  tool: string,
  code: ErrorCode,
  details: FailureDetails = {},
  acting = false,
): Failure {
  const row = errorRow(code);
  return {
    ok: false,
    tool,
    kind: row.kind,
    error_code: code,
    message: filled(row.message, details),
    ...(details.field === undefined ? {} : { field: details.field }),
    ...(details.expected === undefined ? {} : { expected: details.expected }),
    retryable: row.retryable,
    recoverable: row.recoverable,
    suggested_action: {
      ...(row.tool === undefined ? {} : { tool: row.tool }),
      ...(details.args === undefined ? {} : { args: details.args }),
      say: filled(row.say, details),
    },
    ...(details.retry_after_ms === undefined ? {} : { retry_after_ms: details.retry_after_ms }),
    effect: details.effect ?? row.effect,
    ...(acting ? { key: row.key } : {}),
    ...(details.result === undefined ? {} : { result: details.result }),
    warnings: [...(details.warnings ?? [])],
  };
}
