/**
 * What the companion really saw of an act: stored in its record, sent to the host. Whatever was not
 * observed is null. The agent's outcome (outcome.ts) is made of it on the host.
 */
import { z } from 'zod';
import { boundsSchema, foregroundSchema } from './snapshot.ts';

const shortTexts = z.array(z.string().max(300)).max(12);

/** What differs between before and after, in the five ways contracts.md names. */
export const changeSchema = z.strictObject({
  window: z.boolean(),
  content: z.boolean(),
  text: z.boolean(),
  focus: z.boolean(),
  scroll: z.boolean(),
  appeared: shortTexts,
  gone: shortTexts,
});
export type Change = z.infer<typeof changeSchema>;

/** How the element was resolved. */
export const STRATEGIES = ['ref', 'relocated', 'coordinates', 'key', 'global', 'intent', 'none'] as const;

export const reportSchema = z.strictObject({
  acted: z.boolean().nullable(),
  /** Why it did not act, or not as asked (refusals.ts, `ACT_ERRORS`). */
  error_code: z.string().max(64).nullable(),
  strategy: z.enum(STRATEGIES),
  /** The node really hit. */
  hit: z
    .strictObject({
      class_name: z.string().max(300).nullable(),
      resource_id: z.string().max(300).nullable(),
      words: z.string().max(300).nullable(),
      bounds: boundsSchema,
      /** Node action, gesture at a point, or nothing. */
      way: z.enum(['node_action', 'gesture', 'none']),
    })
    .nullable(),
  changed: z.boolean().nullable(),
  change: changeSchema.nullable(),
  foreground: foregroundSchema.nullable(),
  settled: z.boolean().nullable(),
  settle_ms: z.int().min(0).nullable(),
  /** Which condition ended the wait: quiet, ceiling, nothing_changed, window_gone; or the node that never rests. */
  settle_reason: z.string().max(300).nullable(),
  /** Text or toggle state found in the field afterwards; null when not read or a password. */
  read_back: z.string().max(2_000).nullable(),
  /** True: equal to what was asked; false: differs; null: not comparable or not read. */
  read_back_matches: z.boolean().nullable(),
  /** `scroll`: whether the end was reached in that direction. */
  at_edge: z.boolean().nullable(),
  /** `scroll` until words: how it ended, after how many scrolls. */
  until: z
    .strictObject({ why: z.enum(['found', 'end_reached', 'budget_used']), scrolls: z.int().min(0) })
    .optional(),
  run_ms: z.int().min(0),
});
export type Report = z.infer<typeof reportSchema>;
