/** Tools that act on the phone: each is one tracked request. */
import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { outcomeSchema } from '../outcome.ts';
import { DIRECTIONS, KEYS, PLACES, TEXT_MODES } from '../payload.ts';
import { ACT_PRESENTATION, actInput, aim, declare, pixel, refAndLook } from './declare.ts';

const acting = {
  result: outcomeSchema,
  effect: 'once',
  tracked: true,
  needsKey: true,
  verify: { tool: 'request_status' },
  timeoutMs: 20_000,
  schemaVersion: 1,
  presentation: ACT_PRESENTATION,
  redact: {},
} as const;

const durationMs = z.int().min(50).max(5_000).optional();

export const ACT_TOOLS = {
  tap: declare({
    ...acting,
    purpose: 'Taps an element.',
    notFor: 'typing (set_text)',
    input: actInput({ ...aim, count: z.int().min(1).max(2).optional().describe('2: double tap.') }),
    tier: 'core',
    example: { ref: 'e7', observation_id: 'o12', idempotency_key: 'k-1' },
  }),

  long_press: declare({
    ...acting,
    purpose: 'Presses an element for a while.',
    notFor: '',
    input: actInput({ ...aim }),
    tier: 'core',
    example: { ref: 'e7', observation_id: 'o12', idempotency_key: 'k-2' },
  }),

  swipe: declare({
    ...acting,
    purpose: 'Draws a finger from one point to another.',
    notFor: 'lists (scroll)',
    input: actInput({ x: pixel, y: pixel, to_x: pixel, to_y: pixel, duration_ms: durationMs }),
    tier: 'core',
    example: { x: 900, y: 1200, to_x: 100, to_y: 1200, idempotency_key: 'k-3' },
  }),

  scroll: declare({
    ...acting,
    purpose: 'Scrolls a list or page; with until_text, on until the words show or the end is reached.',
    notFor: '',
    input: actInput({
      direction: z.enum(DIRECTIONS).describe('Where to read on.'),
      ref: z.string().max(20).optional(),
      observation_id: z.string().max(40).optional(),
      until_text: z.string().min(1).max(500).optional(),
    }),
    tier: 'core',
    timeoutMs: 55_000,
    example: { direction: 'down', idempotency_key: 'k-4' },
  }),

  set_text: declare({
    ...acting,
    purpose: 'Types into a text field and reads it back.',
    notFor: '',
    input: actInput({
      ...refAndLook,
      text: z.string().max(LIMITS.typedText),
      mode: z.enum(TEXT_MODES).optional(),
      submit: z.boolean().optional().describe('Then press the field’s own key (Send, Search).'),
    }),
    tier: 'core',
    example: { ref: 'e3', observation_id: 'o12', text: 'Hello', idempotency_key: 'k-5' },
    redact: { text: 'secret' },
  }),

  press_key: declare({
    ...acting,
    purpose: 'Presses a key in the focused field.',
    notFor: 'typing (set_text)',
    input: actInput({ key: z.enum(KEYS) }),
    tier: 'core',
    example: { key: 'tab', idempotency_key: 'k-6' },
  }),

  go: declare({
    ...acting,
    purpose: 'Goes home or back, opens recents or notifications, hides the keyboard.',
    notFor: 'opening an app (app_open)',
    input: actInput({ to: z.enum(PLACES) }),
    tier: 'core',
    timeoutMs: 15_000,
    example: { to: 'home', idempotency_key: 'k-7' },
  }),

  app_open: declare({
    ...acting,
    purpose: 'Opens an app.',
    notFor: '',
    effect: 'repeatable',
    input: actInput({
      app: z.string().min(1).max(300).describe('Package, or name if it is the only one.'),
      user: z.int().min(0).optional(),
    }),
    tier: 'core',
    example: { app: 'com.android.settings', idempotency_key: 'k-8' },
  }),

  set_toggle: declare({
    ...acting,
    purpose: 'Switches a toggle on or off; does nothing where it already is.',
    notFor: '',
    effect: 'repeatable',
    input: actInput({ ...refAndLook, on: z.boolean() }),
    tier: 'standard',
    example: { ref: 'e9', observation_id: 'o12', on: true, idempotency_key: 'k-9' },
  }),

  drag: declare({
    ...acting,
    purpose: 'Drags an element to another place.',
    notFor: 'lists (scroll)',
    input: actInput({ ...aim, to_x: pixel, to_y: pixel, duration_ms: durationMs }),
    tier: 'standard',
    example: { ref: 'e4', observation_id: 'o12', to_x: 500, to_y: 1800, idempotency_key: 'k-10' },
  }),

  link_open: declare({
    ...acting,
    purpose: 'Opens a link in the app that handles it.',
    notFor: '',
    input: actInput({ url: z.string().min(1).max(4_000) }),
    tier: 'standard',
    example: { url: 'https://example.org/', idempotency_key: 'k-11' },
  }),

  clipboard_write: declare({
    ...acting,
    purpose: 'Puts text on the phone’s clipboard.',
    notFor: 'typing (set_text)',
    effect: 'repeatable',
    input: actInput({ text: z.string().max(LIMITS.typedText) }),
    tier: 'standard',
    example: { text: 'Hello', idempotency_key: 'k-12' },
    redact: { text: 'secret' },
  }),
} as const;
