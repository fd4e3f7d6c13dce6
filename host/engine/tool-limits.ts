/**
 * What a tool's declaration allows of time, attempts and size of an answer, and what a grant leaves of it: a
 * grant may only lower. Pure.
 */
import type { ToolDeclaration } from '../../device-protocol/tools/declare.ts';
import { BUDGETS } from '../screen/tell.ts';
import type { Grant, ToolLimit } from './grants.ts';

/** Follows from the effect: only what changes nothing is tried again by itself. */
const READ_ATTEMPTS = 3;

export interface DerivedLimits {
  readonly timeout_ms: number;
  readonly attempts: number;
  /** Null: its answer holds no screen. */
  readonly tokens: number | null;
}

export function derivedLimits(tool: ToolDeclaration): DerivedLimits {
  const { shape } = tool.input;
  const largest =
    'detail' in shape || 'observe' in shape ? BUDGETS.full : 'for' in shape ? BUDGETS.summary : null;
  return {
    timeout_ms: tool.timeoutMs,
    attempts: tool.effect === 'reads' ? READ_ATTEMPTS : 1,
    tokens: largest,
  };
}

const lower = (derived: number, granted: number | undefined) => Math.min(derived, granted ?? derived);

/** What holds for one tool under this grant. */
export function limitsOf(tool: ToolDeclaration, name: string, grant: Grant): DerivedLimits {
  const derived = derivedLimits(tool);
  const granted = grant.limits[name];
  return {
    timeout_ms: lower(derived.timeout_ms, granted?.timeout_ms),
    attempts: lower(derived.attempts, granted?.attempts),
    tokens: derived.tokens === null ? null : lower(derived.tokens, granted?.tokens),
  };
}

/** Where a wished limit is above what the declaration allows, or limits what the tool has not: in words; null: nowhere. */
export function whyNotLower(tool: ToolDeclaration, name: string, wished: ToolLimit): string | null {
  const derived = derivedLimits(tool);
  for (const field of ['timeout_ms', 'attempts', 'tokens'] as const) {
    const value = wished[field];
    const top = derived[field];
    if (value === undefined) continue;
    if (top === null) return `limits.${name}.${field}: the answers of ${name} hold no screen`;
    if (value > top)
      return `limits.${name}.${field}: ${name} allows at most ${top}; a grant can only lower that`;
  }
  return null;
}
