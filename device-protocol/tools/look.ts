/** Tools that look at the phone. None of them ever acts. */
import { z } from 'zod';
import { observationSchema } from '../observation.ts';
import { declare, deviceId, listOf } from './declare.ts';

const reading = {
  effect: 'reads',
  tracked: false,
  needsKey: false,
  verify: null,
  timeoutMs: 15_000,
  schemaVersion: 1,
  presentation: [],
  redact: {},
} as const;

const found = z.looseObject({ ref: z.string(), role: z.string(), label: z.string() });

export const LOOK_TOOLS = {
  screen_observe: declare({
    ...reading,
    purpose: 'Looks at the screen: elements with refs, in reading order.',
    notFor: 'pictures (screen_screenshot)',
    input: z.strictObject({
      device_id: deviceId,
      detail: z.enum(['summary', 'full', 'text']).optional(),
      since: z.string().max(40).optional().describe('Only what changed since this observation_id.'),
      cursor: z.string().max(200).optional(),
      include_status_bar: z.boolean().optional(),
    }),
    result: observationSchema,
    tier: 'core',
    example: {},
  }),

  screen_find: declare({
    ...reading,
    purpose: 'Finds elements of the screen by words.',
    notFor: 'what is further down (scroll with until_text)',
    input: z.strictObject({ device_id: deviceId, text: z.string().min(1).max(500) }),
    result: z.looseObject({
      observation_id: z.string(),
      items: z.array(found),
      count: z.int(),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
      next_action: z.unknown(),
    }),
    tier: 'core',
    example: { text: 'Settings' },
  }),

  screen_wait: declare({
    ...reading,
    purpose: 'Waits until words appear or are gone, an app is in front, or the screen rests.',
    notFor: 'an act’s result (request_status)',
    input: z.strictObject({
      device_id: deviceId,
      for: z.enum(['text', 'gone', 'app', 'settled']),
      value: z.string().min(1).max(500).optional().describe('Words or package; not for settled.'),
      wait_ms: z.int().min(0).max(25_000).optional(),
    }),
    result: z.looseObject({
      /** Null: it could not be seen. */
      met: z.boolean().nullable(),
      reason: z.string(),
      waited_ms: z.int(),
      observation: observationSchema,
    }),
    tier: 'core',
    timeoutMs: 30_000,
    example: { for: 'text', value: 'Sent', wait_ms: 5_000 },
  }),

  screen_screenshot: declare({
    ...reading,
    purpose: 'Takes a picture, for what has no readable elements.',
    notFor: 'reading text (screen_observe)',
    input: z.strictObject({ device_id: deviceId }),
    result: z.looseObject({
      blob: z.string().nullable(),
      content_type: z.string(),
      bytes: z.int(),
      width: z.int(),
      height: z.int(),
      expires_at: z.string(),
      observed_at: z.string(),
    }),
    tier: 'core',
    example: {},
  }),

  device_list: declare({
    ...reading,
    purpose: 'Lists your phones and their health.',
    notFor: '',
    input: z.strictObject({}),
    result: listOf(
      z.looseObject({
        device_id: z.string(),
        model: z.string().nullable(),
        health: z.enum(['ready', 'limited', 'not_ready']),
        facts: z.array(z.looseObject({ code: z.string(), say: z.string() })),
        may_act: z.boolean(),
      }),
    ),
    tier: 'core',
    timeoutMs: 5_000,
    example: {},
  }),

  app_list: declare({
    ...reading,
    purpose: 'Lists apps that can be opened.',
    notFor: '',
    input: z.strictObject({
      device_id: deviceId,
      text: z.string().max(200).optional().describe('Only those whose name or package has these words.'),
      cursor: z.string().max(200).optional(),
      limit: z.int().min(1).max(100).optional(),
    }),
    result: listOf(z.looseObject({ package: z.string(), label: z.string(), user: z.int() })),
    tier: 'core',
    example: {},
  }),

  clipboard_read: declare({
    ...reading,
    purpose: 'Reads the phone’s clipboard.',
    notFor: '',
    input: z.strictObject({ device_id: deviceId }),
    result: z.looseObject({
      text: z.string().nullable(),
      refused: z.string().nullable(),
      observed_at: z.string(),
    }),
    tier: 'standard',
    example: {},
  }),
} as const;
