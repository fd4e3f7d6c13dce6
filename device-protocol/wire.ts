/**
 * Text frames to messages and back: sizes, nesting, well-formed Unicode, schema. A frame that is wrong is a
 * coded value, never a thrown error. Not for what a message means.
 */
import type { z } from 'zod';
import { LIMITS } from './limits.ts';
import {
  type CompanionMessage,
  companionMessageSchema,
  type HostMessage,
  hostMessageSchema,
} from './messages.ts';
import { isWellFormed } from './request.ts';

export type WireFault = {
  readonly ok: false;
  /** `too_large`: the frame itself; `limit`: something in it is too deep; `schema`: everything else. */
  readonly code: 'too_large' | 'limit' | 'schema';
  readonly detail: string;
  /** What the frame says it is and which request it names, where that much could be read. */
  readonly type: string | null;
  readonly request_id: string | null;
};
export type Parsed<T> = { readonly ok: true; readonly message: T } | WireFault;

const DETAIL_MAX = 300;
const fault = (code: WireFault['code'], detail: string, value?: unknown): WireFault => {
  const read = (name: string): string | null => {
    const found = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
    return typeof found === 'string' ? found : null;
  };
  const request = typeof value === 'object' && value !== null ? Reflect.get(value, 'request') : null;
  const id =
    read('request_id') ??
    (typeof request === 'object' && request !== null ? Reflect.get(request, 'request_id') : null);
  return {
    ok: false,
    code,
    detail: detail.slice(0, DETAIL_MAX),
    type: read('type')?.slice(0, 40) ?? null,
    request_id: typeof id === 'string' && /^[0-9a-f]{32}$/.test(id) ? id : null,
  };
};

/** Bytes of the UTF-8 form, without making it. Lone surrogates count as three, as an encoder would put. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1;
    // A pair is four bytes, and both halves were counted as three.
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) bytes -= 2;
  }
  return bytes;
}

/** Why a JSON value may not be used, or null: too deep, a lone surrogate, a key that touches prototypes. */
export function jsonFault(value: unknown, depth = 1): 'limit' | 'schema' | null {
  if (typeof value === 'string') return isWellFormed(value) ? null : 'schema';
  if (typeof value !== 'object' || value === null) return null;
  if (depth > LIMITS.jsonDepth) return 'limit';
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = jsonFault(item, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || !isWellFormed(key)) return 'schema';
    const found = jsonFault(value[key as keyof typeof value], depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Reads one JSON text under the limits every text on the link is under, and checks it against `schema`. */
export function parseJson<T>(text: string, schema: z.ZodType<T>, maxBytes: number): Parsed<T> {
  // UTF-8 is never shorter than UTF-16 code units, so a long text needs no counting.
  if (text.length > maxBytes || (text.length * 3 > maxBytes && utf8Bytes(text) > maxBytes))
    return fault('too_large', `at most ${maxBytes} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own words may quote the text, and that may be personal.
    return fault('schema', 'not JSON');
  }
  const broken = jsonFault(value);
  if (broken === 'limit') return fault('limit', `nested deeper than ${LIMITS.jsonDepth}`, value);
  if (broken !== null) return fault('schema', 'not well-formed Unicode, or a forbidden key', value);
  const checked = schema.safeParse(value);
  if (checked.success) return { ok: true, message: checked.data };
  const issue = checked.error.issues[0];
  return fault('schema', `${issue?.path.map(String).join('.') ?? ''}: ${issue?.code ?? 'invalid'}`, value);
}

export function parseHostFrame(text: string): Parsed<HostMessage> {
  return parseJson(text, hostMessageSchema, LIMITS.messageBytes);
}

export function parseCompanionFrame(text: string): Parsed<CompanionMessage> {
  return parseJson(text, companionMessageSchema, LIMITS.messageBytes);
}

/** The frame of a message, or null where it would be larger than a frame may be. */
export function frameOf(message: CompanionMessage | HostMessage): string | null {
  const text = JSON.stringify(message);
  const fits =
    text.length * 3 <= LIMITS.messageBytes ||
    (text.length <= LIMITS.messageBytes && utf8Bytes(text) <= LIMITS.messageBytes);
  return fits ? text : null;
}

/** Which version a frame states that we cannot read: another version may have other fields. */
export function statedVersion(text: string): number | null {
  try {
    const value: unknown = JSON.parse(text);
    const version = typeof value === 'object' && value !== null ? Reflect.get(value, 'protocol') : null;
    return Number.isSafeInteger(version) ? (version as number) : null;
  } catch {
    return null; // Not JSON, so it states nothing.
  }
}
