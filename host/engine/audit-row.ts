/**
 * One call as the audit keeps it: arguments without secrets, and a sentence for people. Not for writing
 * it (host/store/audit.ts).
 */
import type { Envelope } from '../../device-protocol/envelope.ts';
import type { ToolDeclaration } from '../../device-protocol/tools/declare.ts';
import { type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import type { AuditCompletion, RunningTime } from '../store/rows.ts';

/** Longest plain value kept of an argument, UTF-16 code units. */
const KEPT = 200;

/** What was typed is kept as its class and length only, never in clear (D-68, risk.md "At rest"). */
function redactedValue(value: unknown, secret: boolean): unknown {
  if (secret) return { redacted: typeof value, length: typeof value === 'string' ? [...value].length : null };
  if (typeof value === 'string') return value.length > KEPT ? `${value.slice(0, KEPT)}…` : value;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return { kept: false, type: Array.isArray(value) ? 'array' : typeof value };
}

/**
 * The arguments as they go to the log. Of a call whose arguments nobody could read, only the names of
 * known fields are kept: an unknown field may hold anything.
 */
export function redactedArguments(tool: ToolDeclaration | null, args: unknown): Record<string, unknown> {
  if (tool === null || typeof args !== 'object' || args === null || Array.isArray(args)) return {};
  const known = new Set(Object.keys(tool.input.shape));
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (known.has(name)) kept[name] = redactedValue(value, tool.redact[name] === 'secret');
  }
  return kept;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What was measured of a call. */
export interface Measured {
  readonly at: number;
  readonly durationMs: number;
  readonly bytesOut: number;
  readonly tokensOut: number;
  /** Times it was tried again, or its bytes were sent again; null where that is not known. */
  readonly retries: number | null;
  readonly running: RunningTime;
}

/** What the answer says, as the audit's closing half. */
export function completionOf(envelope: Envelope, measured: Measured): AuditCompletion {
  const result = (envelope.result ?? {}) as Record<string, unknown>;
  const risk = result.risk as AuditCompletion['verdict'] | undefined;
  return {
    at: measured.at,
    task_id: envelope.task_id ?? null,
    request_id: text(result.request_id),
    state: text(result.state),
    error_code: envelope.ok ? text(result.error_code) : envelope.error_code,
    verdict: risk ?? null,
    approval: result.approval ?? null,
    strategy: text(result.strategy),
    target: result.target ?? null,
    duration_ms: Math.round(measured.durationMs),
    bytes_out: measured.bytesOut,
    tokens_out: measured.tokensOut,
    retries: measured.retries,
    replayed: typeof result.replayed === 'boolean' ? result.replayed : null,
    say: envelope.ok ? saySuccess(envelope.tool, result) : envelope.message,
    running: measured.running,
  };
}

function saySuccess(tool: string, result: Record<string, unknown>): string {
  const state = text(result.state);
  const target = result.target as { label?: string | null } | null | undefined;
  const what = target?.label ? ` “${target.label}”` : '';
  return state === null ? tool : `${tool}${what}: ${state.replaceAll('_', ' ')}`;
}

export function declarationOf(
  name: string,
  known: (name: string) => name is ToolName,
): ToolDeclaration | null {
  return known(name) ? toolOf(name) : null;
}
