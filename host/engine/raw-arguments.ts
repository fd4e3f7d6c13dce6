/**
 * Whether what came as arguments is JSON that may be looked at at all: size, depth, numbers, Unicode,
 * names that would reach a prototype. Pure, and linear in what it allows. Not for what a tool reads.
 */
import type { FailureDetails } from '../../device-protocol/envelope.ts';
import type { ErrorCode } from '../../device-protocol/errors.ts';
import { LIMITS } from '../../device-protocol/limits.ts';
import { shownName } from './spelling.ts';

/** With the `u` flag a surrogate is only found where it stands alone. */
const LONE_SURROGATE = /\p{Surrogate}/u;

export interface RawFault {
  readonly code: ErrorCode;
  readonly details: FailureDetails;
}

/** What a value is, said without saying what it holds. */
export function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return `text of ${value.length} characters`;
    case 'object':
      return 'an object';
    case 'undefined':
      return 'nothing';
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return `a ${typeof value}`;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first fault of `raw`, or null. `field` is always the name at the top under which it lies. */
export function rawFault(raw: Record<string, unknown>): RawFault | null {
  const limit = LIMITS.payloadBytes;
  let bytes = 2;
  const open: { readonly value: unknown; readonly depth: number; readonly top: string }[] = [];

  const wrong = (top: string, expected: string, came: string): RawFault => ({
    code: 'argument_wrong',
    details: { field: shownName(top), expected, came },
  });
  /** Counts and looks at one name and its value; what lies below is looked at later. */
  const meet = (name: string, value: unknown, depth: number, top: string): RawFault | null => {
    bytes += Buffer.byteLength(name) + 4;
    if (LONE_SURROGATE.test(name)) return { code: 'text_not_unicode', details: { field: shownName(top) } };
    if (name === '__proto__') {
      return { code: 'argument_unknown', details: { field: name } };
    }
    if (typeof value === 'string') {
      bytes += Buffer.byteLength(value) + 2;
      if (LONE_SURROGATE.test(value)) return { code: 'text_not_unicode', details: { field: shownName(top) } };
    } else if (typeof value === 'number') {
      bytes += 8;
      if (!Number.isFinite(value)) return wrong(top, 'a finite number', String(value));
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= LIMITS.jsonDepth) return wrong(top, `at most ${LIMITS.jsonDepth} levels`, 'more');
      open.push({ value, depth, top });
    } else {
      bytes += 4;
    }
    if (bytes > limit) {
      return {
        code: 'argument_too_large',
        details: { field: shownName(top), limit, came: `at least ${bytes}` },
      };
    }
    return null;
  };

  for (const name of Object.keys(raw)) {
    const fault = meet(name, raw[name], 1, name);
    if (fault !== null) return fault;
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth, top } = next;
    if (Array.isArray(value)) {
      for (const item of value) {
        const fault = meet('', item, depth + 1, top);
        if (fault !== null) return fault;
      }
    } else {
      const inside = value as Record<string, unknown>;
      for (const name of Object.keys(inside)) {
        const fault = meet(name, inside[name], depth + 1, top);
        if (fault !== null) return fault;
      }
    }
  }
  return null;
}
