/** Tools that lead to what is not listed: other tools, and skills (short texts on how to do something). */
import { z } from 'zod';
import { declare, listOf } from './declare.ts';

const leading = {
  tracked: false,
  needsKey: false,
  verify: null,
  timeoutMs: 5_000,
  schemaVersion: 1,
  presentation: [],
  redact: {},
} as const;

export const REACH_TOOLS = {
  tools_search: declare({
    ...leading,
    purpose: 'Finds unlisted tools, with their schemas.',
    notFor: '',
    input: z.strictObject({ query: z.string().max(200), limit: z.int().min(1).max(10).optional() }),
    result: listOf(
      z.looseObject({
        tool: z.string(),
        purpose: z.string(),
        effect: z.string(),
        input_schema: z.looseObject({}),
      }),
    ),
    effect: 'reads',
    tier: 'core',
    example: { query: 'drag and drop' },
  }),

  tool_use: declare({
    ...leading,
    purpose: 'Calls any tool by name.',
    notFor: '',
    input: z.strictObject({ tool: z.string().max(64), arguments: z.record(z.string(), z.unknown()) }),
    // The answer is the named tool's own.
    result: z.looseObject({}),
    effect: 'once',
    tier: 'core',
    timeoutMs: 55_000,
    example: { tool: 'drag', arguments: { x: 1, y: 2, to_x: 3, to_y: 4, idempotency_key: 'k-1' } },
  }),

  skill_list: declare({
    ...leading,
    purpose: 'Lists short texts on how to do common jobs.',
    notFor: '',
    input: z.strictObject({}),
    result: listOf(z.looseObject({ skill: z.string(), purpose: z.string() })),
    effect: 'reads',
    tier: 'all',
    example: {},
  }),

  skill_read: declare({
    ...leading,
    purpose: 'Reads one of them.',
    notFor: '',
    input: z.strictObject({ skill: z.string().max(64) }),
    result: z.looseObject({ skill: z.string(), text: z.string() }),
    effect: 'reads',
    tier: 'all',
    example: { skill: 'fill_a_form' },
  }),
} as const;
