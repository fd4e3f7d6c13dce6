/** Every tool, declared once. Not for how a tool is carried out (host/engine). */
import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { observationSchema } from '../observation.ts';
import { outcomeSchema } from '../outcome.ts';
import { PLACES, TEXT_MODES } from '../payload.ts';
import { ACT_PRESENTATION, actInput, aim, declare, deviceId, type ToolDeclaration } from './declare.ts';

const list = <T extends z.ZodType>(item: T) =>
  z.looseObject({
    items: z.array(item),
    count: z.int(),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
    next_action: z.unknown(),
  });

export const TOOLS = {
  device_list: declare({
    purpose: 'Lists the phones you may use, with their health.',
    notFor: '',
    input: z.strictObject({}),
    result: list(
      z.looseObject({
        device_id: z.string(),
        model: z.string().nullable(),
        health: z.enum(['ready', 'limited', 'not_ready']),
        facts: z.array(z.looseObject({ code: z.string(), say: z.string() })),
        may_act: z.boolean(),
      }),
    ),
    effect: 'reads',
    needsKey: false,
    verify: null,
    tier: 'core',
    timeoutMs: 5_000,
    schemaVersion: 1,
    example: {},
    presentation: [],
    redact: {},
  }),

  screen_observe: declare({
    purpose: 'Looks at the screen: elements with refs, in reading order.',
    notFor: 'pictures (screen_screenshot)',
    input: z.strictObject({
      device_id: deviceId,
      detail: z.enum(['summary', 'full', 'text']).optional().describe('Default summary.'),
      since: z.string().max(40).optional().describe('Only what changed since this observation_id.'),
      cursor: z.string().max(200).optional().describe('Go on where a cut observation ended.'),
      include_status_bar: z.boolean().optional(),
    }),
    result: observationSchema,
    effect: 'reads',
    needsKey: false,
    verify: null,
    tier: 'core',
    timeoutMs: 15_000,
    schemaVersion: 1,
    example: {},
    presentation: [],
    redact: {},
  }),

  tap: declare({
    purpose: 'Taps an element.',
    notFor: 'typing (set_text)',
    input: actInput({ ...aim, count: z.int().min(1).max(2).optional().describe('2 for a double tap.') }),
    result: outcomeSchema,
    effect: 'once',
    needsKey: true,
    verify: { tool: 'request_status' },
    tier: 'core',
    timeoutMs: 20_000,
    schemaVersion: 1,
    example: { ref: 'e7', observation_id: 'o12', idempotency_key: 'k-1' },
    presentation: ACT_PRESENTATION,
    redact: {},
  }),

  set_text: declare({
    purpose: 'Types into a text field and reads it back.',
    notFor: '',
    input: actInput({
      ref: z.string().max(20).describe('The field.'),
      observation_id: z.string().max(40),
      text: z.string().max(LIMITS.typedText),
      mode: z.enum(TEXT_MODES).optional().describe('Default replace.'),
      submit: z.boolean().optional().describe('Press the field’s own key (Send, Search) afterwards.'),
    }),
    result: outcomeSchema,
    effect: 'once',
    needsKey: true,
    verify: { tool: 'request_status' },
    tier: 'core',
    timeoutMs: 20_000,
    schemaVersion: 1,
    example: { ref: 'e3', observation_id: 'o12', text: 'Hello', idempotency_key: 'k-2' },
    presentation: ACT_PRESENTATION,
    redact: { text: 'secret' },
  }),

  go: declare({
    purpose: 'Goes home, back, to recents or notifications, or hides the keyboard.',
    notFor: 'opening an app (app_open)',
    input: actInput({ to: z.enum(PLACES) }),
    result: outcomeSchema,
    effect: 'once',
    needsKey: true,
    verify: { tool: 'request_status' },
    tier: 'core',
    timeoutMs: 15_000,
    schemaVersion: 1,
    example: { to: 'home', idempotency_key: 'k-3' },
    presentation: ACT_PRESENTATION,
    redact: {},
  }),

  request_status: declare({
    purpose: 'Tells what became of an act or a waiting confirmation; can wait for it. Never runs anything.',
    notFor: '',
    input: z.strictObject({
      request_id: z.string().max(64).optional().describe('Or confirmation_id.'),
      confirmation_id: z.string().max(64).optional(),
      wait_ms: z.int().min(0).max(25_000).optional(),
    }),
    result: outcomeSchema,
    effect: 'reads',
    needsKey: false,
    verify: null,
    tier: 'core',
    timeoutMs: 30_000,
    schemaVersion: 1,
    example: { request_id: '0f3a…', wait_ms: 10_000 },
    presentation: [],
    redact: {},
  }),
} as const satisfies Record<string, ToolDeclaration>;

export type ToolName = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];

/** The declaration of `name`, widened to the common shape. */
export function toolOf(name: ToolName): ToolDeclaration {
  return TOOLS[name];
}

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}
