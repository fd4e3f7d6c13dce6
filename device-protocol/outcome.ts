/**
 * What an agent is told of an act: the same shape for every act, from what was really seen; whatever was
 * not observed is null (contracts.md, "Outcome of an action"). Not for the phone's own report (report.ts).
 */
import { z } from 'zod';
import { changeSchema, STRATEGIES } from './report.ts';
import { boundsSchema } from './snapshot.ts';
import { verdictSchema } from './verdict.ts';

export const OUTCOME_STATES = [
  'done',
  'refused',
  'sealed',
  'interrupted',
  'unknown',
  'pending_confirmation',
  'denied',
  'expired',
  'cancelled',
  'in_progress',
] as const;
export type OutcomeState = (typeof OUTCOME_STATES)[number];

export const nextActionSchema = z.looseObject({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  after_seconds: z.number().optional(),
});

export const outcomeSchema = z.looseObject({
  request_id: z.string(),
  device_id: z.string(),
  state: z.enum(OUTCOME_STATES),
  /** The answer of an earlier call with the same key. */
  replayed: z.boolean().optional(),
  acted: z.boolean().nullable(),
  error_code: z.string().nullable(),
  strategy: z.enum(STRATEGIES).nullable(),
  target: z
    .looseObject({
      label: z.string().nullable(),
      role: z.string().nullable(),
      bounds: boundsSchema.nullable(),
    })
    .nullable(),
  changed: z.boolean().nullable(),
  change: changeSchema.nullable(),
  foreground_app: z.looseObject({ package: z.string().nullable(), title: z.string().nullable() }).nullable(),
  settled: z.boolean().nullable(),
  settle_ms: z.int().nullable(),
  settle_reason: z.string().nullable(),
  read_back: z.looseObject({ value: z.string().nullable(), matches: z.boolean().nullable() }).nullable(),
  at_edge: z.boolean().nullable().optional(),
  /** `scroll` with `until_text`: found, end_reached (it is not there), or budget_used (it may be further on). */
  until: z.looseObject({ met: z.boolean(), why: z.string(), scrolls: z.int() }).optional(),
  risk: verdictSchema,
  approval: z.looseObject({ by: z.string(), at: z.string(), how: z.string() }).nullable(),
  observed_at: z.string().nullable(),
  /** Only where the screen was another by then: what it was when the act was made. `observation` is what it is. */
  was: z.looseObject({ window_title: z.string().nullable(), label: z.string().nullable() }).optional(),
  /** The fresh screen, when asked for with `observe`. */
  observation: z.looseObject({}).nullable().optional(),
  next_action: nextActionSchema.nullable(),
  /* While it waits for the owner: */
  confirmation_id: z.string().optional(),
  summary: z.string().optional(),
  expires_at: z.string().optional(),
  view_url: z.string().nullable().optional(),
});
export type Outcome = z.infer<typeof outcomeSchema>;
