/** Tools about the task as a whole: asking the owner, where it stands, ending it. None of them acts on the phone. */
import { z } from 'zod';
import { declare, listOf } from './declare.ts';

const about = {
  tracked: false,
  needsKey: false,
  schemaVersion: 1,
  presentation: [],
  redact: {},
} as const;

const step = z.looseObject({
  request_id: z.string(),
  tool: z.string(),
  /** What it was aimed at; null where it was aimed at nothing, or may not be seen. */
  label: z.string().nullable(),
  app: z.string().nullable(),
  state: z.string(),
  acted: z.boolean().nullable(),
  idempotency_key: z.string(),
  at: z.string(),
});

export const TASK_TOOLS = {
  ask_owner: declare({
    ...about,
    purpose: 'Asks the owner; with question_id, waits on.',
    notFor: '',
    input: z.strictObject({
      question: z.string().min(1).max(500).optional(),
      question_id: z.string().max(64).optional(),
      wait_ms: z.int().min(0).max(50_000).optional(),
    }),
    result: z.looseObject({
      question_id: z.string(),
      state: z.enum(['waiting', 'answered', 'declined', 'withdrawn', 'expired']),
      answer: z.string().nullable(),
      asked_at: z.string(),
      expires_at: z.string(),
      view_url: z.string().nullable(),
      next_action: z.unknown(),
    }),
    // Asks anew each time; but the same words, while they wait, are the same question: no key is needed.
    effect: 'once',
    verify: { tool: 'ask_owner' },
    tier: 'core',
    timeoutMs: 55_000,
    example: { question: 'Which of the two addresses?', wait_ms: 20_000 },
  }),

  task_complete: declare({
    ...about,
    purpose: 'Ends your task.',
    notFor: '',
    input: z.strictObject({
      outcome: z.enum(['done', 'failed', 'cancelled']),
      summary: z.string().max(500).optional(),
    }),
    result: z.looseObject({
      task_id: z.string().nullable(),
      state: z.string(),
      steps: z.int(),
      /** Requests that were still open, and what became of them. */
      settled: z.array(z.looseObject({ request_id: z.string(), state: z.string() })),
      questions_withdrawn: z.int(),
      /** Phones whose clipboard is still to be emptied: they are away. */
      clipboards_owed: z.array(z.string()),
    }),
    effect: 'repeatable',
    verify: { tool: 'task_status' },
    tier: 'core',
    timeoutMs: 15_000,
    example: { outcome: 'done' },
  }),

  task_status: declare({
    ...about,
    purpose: 'Tells what your task has done so far, and the next safe step; for going on after a crash.',
    notFor: 'one act (request_status)',
    input: z.strictObject({
      task_id: z.string().max(64).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.int().min(1).max(100).optional(),
    }),
    result: listOf(step).extend({
      task_id: z.string().nullable(),
      state: z.string(),
      opened_at: z.string().nullable(),
      ended_at: z.string().nullable(),
      total: z.int(),
      questions: z.array(z.looseObject({ question_id: z.string(), state: z.string() })),
      view_url: z.string().nullable(),
    }),
    effect: 'reads',
    verify: null,
    tier: 'standard',
    timeoutMs: 5_000,
    example: {},
  }),
} as const;
