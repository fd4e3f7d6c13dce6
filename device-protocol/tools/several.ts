/** Tools about other tools: several calls in one, and a dry run. */
import { z } from 'zod';
import { verdictSchema } from '../verdict.ts';
import { declare, idempotencyKey } from './declare.ts';

/** Calls of one batch. */
export const BATCH_MOST = 20;

const callArguments = z.record(z.string(), z.unknown());

export const SEVERAL_TOOLS = {
  batch: declare({
    purpose: 'Makes several looking or repeatable calls in one, in order, each with its own result.',
    notFor: 'acts that must happen at most once (tap, set_text …)',
    input: z.strictObject({
      calls: z
        .array(z.strictObject({ tool: z.string().max(64), arguments: callArguments.optional() }))
        .min(1)
        .max(BATCH_MOST),
      idempotency_key: idempotencyKey,
    }),
    result: z.looseObject({
      total: z.int(),
      succeeded: z.int(),
      failed: z.int(),
      results: z.array(z.looseObject({ index: z.int(), ok: z.boolean(), tool: z.string() })),
      next_action: z.unknown(),
    }),
    effect: 'repeatable',
    tracked: false,
    needsKey: true,
    verify: { tool: 'request_status' },
    tier: 'standard',
    timeoutMs: 55_000,
    schemaVersion: 1,
    example: { calls: [{ tool: 'screen_find', arguments: { text: 'Wi-Fi' } }], idempotency_key: 'k-13' },
    presentation: ['idempotency_key'],
    redact: {},
  }),

  action_preview: declare({
    purpose: 'Dry run of an acting tool: what it would hit, its risk, what would refuse it. Runs nothing.',
    notFor: '',
    input: z.strictObject({ tool: z.string().max(64), arguments: callArguments }),
    result: z.looseObject({
      tool: z.string(),
      arguments: z.looseObject({}),
      target: z.looseObject({ label: z.string().nullable(), role: z.string().nullable() }).nullable(),
      risk: verdictSchema.nullable(),
      would: z.enum(['run', 'ask_owner', 'refuse']),
      refused_by: z.array(z.looseObject({ error_code: z.string(), message: z.string() })),
    }),
    effect: 'reads',
    tracked: false,
    needsKey: false,
    verify: null,
    tier: 'standard',
    timeoutMs: 15_000,
    schemaVersion: 1,
    example: { tool: 'tap', arguments: { ref: 'e7', observation_id: 'o12' } },
    presentation: [],
    redact: {},
  }),
} as const;
