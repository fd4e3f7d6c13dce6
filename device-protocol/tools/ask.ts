/** Tools about requests themselves: what became of one, taking one back. */
import { z } from 'zod';
import { outcomeSchema } from '../outcome.ts';
import { declare } from './declare.ts';

const asking = {
  result: outcomeSchema,
  tracked: false,
  needsKey: false,
  tier: 'core',
  schemaVersion: 1,
  presentation: [],
  redact: {},
} as const;

const requestId = z.string().max(64).optional();
const confirmationId = z.string().max(64).optional();

export const ASK_TOOLS = {
  request_status: declare({
    ...asking,
    purpose: 'Tells what became of an act or confirmation; can wait. Never runs anything.',
    notFor: '',
    input: z.strictObject({
      request_id: requestId,
      confirmation_id: confirmationId,
      wait_ms: z.int().min(0).max(25_000).optional(),
    }),
    effect: 'reads',
    verify: null,
    timeoutMs: 30_000,
    example: { request_id: '0f3a…', wait_ms: 10_000 },
  }),

  request_withdraw: declare({
    ...asking,
    purpose: 'Takes back what has not started or waits for the owner.',
    notFor: '',
    input: z.strictObject({ request_id: requestId, confirmation_id: confirmationId }),
    effect: 'repeatable',
    verify: { tool: 'request_status' },
    timeoutMs: 15_000,
    example: { request_id: '0f3a…' },
  }),
} as const;
