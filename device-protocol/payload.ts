/**
 * The action itself, as it stands in the payload's JSON text. The companion executes exactly these
 * bytes; nobody re-serialises them. What the agent typed as arguments is not here: the host has already
 * turned a ref into a target.
 */
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { targetSchema } from './target.ts';
import { verdictSchema } from './verdict.ts';

const point = z.strictObject({ x: z.int().min(0).max(100_000), y: z.int().min(0).max(100_000) });

/** Where an input lands: an element to be found again, or a point with what the host saw under it. */
export const aimSchema = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('element'), target: targetSchema }),
  z.strictObject({ by: z.literal('point'), point, under: targetSchema.nullable() }),
]);
export type Aim = z.infer<typeof aimSchema>;

export const DIRECTIONS = ['up', 'down', 'left', 'right'] as const;
/** Keys an agent may press. Power, volume, camera and system keys are not among them. */
export const KEYS = [
  'enter',
  'tab',
  'space',
  'delete',
  'forward_delete',
  'escape',
  'up',
  'down',
  'left',
  'right',
  'center',
  'page_up',
  'page_down',
  'move_home',
  'move_end',
  'search',
  'ime_action',
] as const;
/** Places `go` leads to. */
export const PLACES = ['home', 'back', 'recents', 'notifications', 'hide_keyboard'] as const;
export const TEXT_MODES = ['replace', 'append', 'clear'] as const;

export const actSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tap'), aim: aimSchema, count: z.int().min(1).max(2) }),
  z.strictObject({ kind: z.literal('long_press'), aim: aimSchema, hold_ms: z.int().min(300).max(5_000) }),
  z.strictObject({
    kind: z.literal('swipe'),
    from: point,
    to: point,
    /** What the host saw under the first point. */
    under: targetSchema.nullable(),
    duration_ms: z.int().min(50).max(5_000),
  }),
  z.strictObject({
    kind: z.literal('drag'),
    from: aimSchema,
    to: aimSchema,
    duration_ms: z.int().min(200).max(10_000),
  }),
  z.strictObject({
    kind: z.literal('scroll'),
    /** Null: the largest scrollable of the active window. */
    target: targetSchema.nullable(),
    /** Where the reader wants to go: `down` shows what is further below. */
    direction: z.enum(DIRECTIONS),
    /** Go on until these words (plain, lower case) are seen; absent: one scroll. */
    until: z.strictObject({ words: z.string().min(1).max(500), most: z.int().min(1).max(200) }).optional(),
  }),
  z.strictObject({
    kind: z.literal('set_text'),
    target: targetSchema,
    mode: z.enum(TEXT_MODES),
    text: z.string().max(LIMITS.typedText),
    /** Press the field's own IME action afterwards. */
    submit: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('set_toggle'), target: targetSchema, on: z.boolean() }),
  z.strictObject({
    kind: z.literal('press_key'),
    key: z.enum(KEYS),
    /** The field that has the focus. */ focused: targetSchema.nullable(),
  }),
  z.strictObject({ kind: z.literal('go'), to: z.enum(PLACES) }),
  z.strictObject({
    kind: z.literal('app_open'),
    package: z.string().max(300),
    component: z.string().max(600).nullable(),
    user: z.int().min(0),
  }),
  z.strictObject({ kind: z.literal('link_open'), url: z.string().max(4_000) }),
  z.strictObject({
    kind: z.literal('clipboard_write'),
    text: z.string().max(LIMITS.typedText),
    sensitive: z.boolean(),
  }),
]);
export type Act = z.infer<typeof actSchema>;
export type ActKind = Act['kind'];

export const payloadSchema = z.strictObject({
  version: z.literal(1),
  /** 128 random bits in hex, so that the digest of a short secret text cannot be guessed (risk.md, At rest). */
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  agent: z.string().max(64),
  act: actSchema,
  /** What must be in front when it starts; null fields are not compared. */
  expect: z.strictObject({
    package: z.string().max(300).nullable(),
    window_title: z.string().max(1_000).nullable(),
    /** Digest of everything the owner was shown (`shown` below), compared on the phone; null when not staged. */
    shown_print: z.string().max(64).nullable(),
  }),
  /**
   * For staged acts: what the owner's prompt shows of the screen (title, headings, texts, values, states),
   * in reading order, folded. The companion computes the same list from its fresh tree and compares.
   */
  shown: z.array(z.string().max(2_000)).max(400),
  verdict: verdictSchema,
  /** Longest time the act may run on the phone, milliseconds. */
  run_limit_ms: z.int().min(1).max(LIMITS.runLimitMs),
  settle: z.strictObject({
    /** Wait at least this long for the first reaction. */
    reaction_ms: z.int().min(0).max(10_000),
    /** No change for this long counts as settled. */
    quiet_ms: z.int().min(0).max(10_000),
    /** Give up after this long. */
    ceiling_ms: z.int().min(0).max(LIMITS.runLimitMs),
  }),
});
export type Payload = z.infer<typeof payloadSchema>;
