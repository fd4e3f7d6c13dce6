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

export const deviceId = z
  .string()
  .max(64)
  .optional()
  .describe('Phone; may be left out if you have only one.');
export const idempotencyKey = z
  .string()
  .min(1)
  .max(128)
  .describe('New for each act; the same again only to ask for the same act’s result.');
export const observe = z
  .enum(['none', 'summary', 'full'])
  .optional()
  .describe('Attach the fresh screen to the answer.');
export const timeoutMs = z.int().min(500).max(55_000).optional();

/** Where an act lands: a ref of an observation, or a point in display pixels; never both. */
export const aim = {
  ref: z.string().max(20).optional().describe('Element of an observation.'),
  observation_id: z.string().max(40).optional(),
  x: z.int().min(0).max(100_000).optional(),
  y: z.int().min(0).max(100_000).optional(),
} as const;

/** An act's own fields plus those every act has. */
export function actInput<const S extends z.core.$ZodLooseShape>(shape: S) {
  return z.strictObject({
    device_id: deviceId,
    ...shape,
    observe,
    timeout_ms: timeoutMs,
    foreground_package: z
      .string()
      .max(300)
      .optional()
      .describe('Only if the app in front was reported unknown.'),
    idempotency_key: idempotencyKey,
  });
}

export const ACT_PRESENTATION = ['idempotency_key', 'observe', 'timeout_ms'] as const;
