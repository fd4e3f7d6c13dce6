/**
 * What a tool declaration is. Everything else about a tool (MCP listing, argument checks, CLI help,
 * docs, audit fields) is derived from it; nothing about a single tool stands anywhere else but in its
 * declaration and in the one function that carries it out.
 */
import { z } from 'zod';

/** `reads` never acts; `repeatable` may be done twice without harm; `once` must happen at most once. */
export type ToolEffect = 'reads' | 'repeatable' | 'once';

/** From which tier on the schema is sent without being asked for. */
export type Tier = 'core' | 'standard' | 'all';

/** How a field's value is written to the log. */
export type Redaction = 'plain' | 'secret';

export interface ToolDeclaration {
  /** One sentence: when to use it. */
  readonly purpose: string;
  /** When to use something else instead; empty where nothing is near. */
  readonly notFor: string;
  readonly input: z.ZodObject;
  /** What `result` holds on success. */
  readonly result: z.ZodType;
  readonly effect: ToolEffect;
  /** Is one tracked request on the phone: planned, judged, bound, sent. */
  readonly tracked: boolean;
  /** Needs an idempotency_key (contracts.md: acting tools do, withdrawing and completing do not). */
  readonly needsKey: boolean;
  /** The read that shows whether it happened; null for reads. */
  readonly verify: { readonly tool: string } | null;
  readonly tier: Tier;
  readonly timeoutMs: number;
  readonly schemaVersion: number;
  /** A valid call, shown in errors. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Arguments that only shape the answer: left out of the arguments' hash. */
  readonly presentation: readonly string[];
  /** Fields that are not written to the log as they are. */
  readonly redact: Readonly<Record<string, Redaction>>;
}

/** Keeps the literal types of a declaration. */
export function declare<const T extends ToolDeclaration>(tool: T): T {
  return tool;
}

/* ---- fields that several tools share, said once ---- */

export const deviceId = z.string().max(64).optional();
export const idempotencyKey = z.string().min(1).max(128);
export const observe = z.enum(['none', 'summary', 'full']).optional();
export const timeoutMs = z.int().min(500).max(55_000).optional();
/** A coordinate in display pixels. */
export const pixel = z.int().min(0).max(100_000);

/** Where an act lands: a ref of an observation, or a point in display pixels; never both. */
export const aim = {
  ref: z.string().max(20).optional(),
  observation_id: z.string().max(40).optional(),
  x: pixel.optional(),
  y: pixel.optional(),
} as const;

/** An element that must be named by its ref. */
export const refAndLook = {
  ref: z.string().max(20),
  observation_id: z.string().max(40),
} as const;

/** An act's own fields plus those every act has. What they mean is said once, in the server's instructions. */
export function actInput<const S extends z.core.$ZodLooseShape>(shape: S) {
  return z.strictObject({
    device_id: deviceId,
    ...shape,
    observe,
    timeout_ms: timeoutMs,
    foreground_package: z.string().max(300).optional(),
    idempotency_key: idempotencyKey,
  });
}

export const ACT_PRESENTATION = ['idempotency_key', 'observe', 'timeout_ms'] as const;

/** Said once to every agent instead of in each schema (MCP instructions, CLI help). */
export const COMMON_FIELDS = [
  'device_id: which phone; leave it out if you have only one.',
  'idempotency_key: a new one for each act; the same again only to ask for the same act’s result.',
  'Aim with ref + observation_id (from screen_observe) or with x and y in display pixels, never both.',
  'observe: summary or full attaches the fresh screen to the answer.',
  'foreground_package: only where the app in front was reported unknown.',
] as const;

/** The shape of every list (contracts.md, "Results cost tokens"). */
export function listOf<T extends z.ZodType>(item: T) {
  return z.looseObject({
    items: z.array(item),
    count: z.int(),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
    next_action: z.unknown(),
  });
}
