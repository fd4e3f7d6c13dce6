/**
 * What a scenario file may say: one app made for one question, its screens, what touching does, delays and
 * faults. Short enough that a field report can be read in it. Not for reading the file (read.ts) nor for
 * running it (scenario-app.ts).
 */
import { z } from 'zod';
import { TOOLKITS } from '../android/app.ts';
import { IME_ACTIONS } from '../android/view.ts';
import { LANGUAGES } from '../android/words.ts';
import { faultsSchema } from '../faults.ts';

export const SCENARIO_LIMITS = { bytes: 64 * 1024, depth: 40, rows: 10_000, levels: 150 } as const;

const name = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'a name of small letters, digits and _');
const text = z.string().max(5_000);
const value = z.union([z.string().max(5_000), z.number(), z.boolean()]);
const values = z.record(name, value);
const ms = z.int().min(0).max(600_000);
/** A time in milliseconds, fixed or drawn from the scenario's seed. */
export const delaySchema = z.union([ms, z.strictObject({ between: z.tuple([ms, ms]) })]);
export type Delay = z.infer<typeof delaySchema>;

/** One thing that happens. Steps of a list happen one after another; `wait` holds up those behind it. */
export const stepSchema: z.ZodType<Step> = z.lazy(() =>
  z.union([
    z.strictObject({ goto: name }),
    z.strictObject({ dialog: name }),
    z.strictObject({ close: z.literal('dialog') }),
    z.strictObject({ set: values }),
    z.strictObject({ add: z.record(name, z.number()) }),
    z.strictObject({ wait: delaySchema }),
    z.strictObject({ every: z.int().min(20).max(600_000), do: stepsSchema }),
    z.strictObject({ open: z.string().max(300) }),
    z.strictObject({ link: z.string().max(4_000) }),
    z.strictObject({ notify: z.strictObject({ title: text, text }) }),
    z.strictObject({ keyboard: z.literal('hide') }),
    z.strictObject({ say: z.literal('nothing') }),
  ]),
);
export type Step =
  | { goto: string }
  | { dialog: string }
  | { close: 'dialog' }
  | { set: Record<string, string | number | boolean> }
  | { add: Record<string, number> }
  | { wait: Delay }
  | { every: number; do: Steps }
  | { open: string }
  | { link: string }
  | { notify: { title: string; text: string } }
  | { keyboard: 'hide' }
  /** What happens in this list is shown without an accessibility event. */
  | { say: 'nothing' };
export type Steps = Step | Step[];
export const stepsSchema: z.ZodType<Steps> = z.lazy(() => z.union([stepSchema, z.array(stepSchema).max(50)]));

export const KINDS = [
  'text',
  'heading',
  'button',
  'icon',
  'image',
  'field',
  'switch',
  'checkbox',
  'progress',
  'surface',
  'row',
  'column',
  'card',
  'frame',
  'scroll',
  'list',
  'rows',
  'web',
  'repeat',
  'deep',
] as const;
export type ShownKind = (typeof KINDS)[number];

const looks = {
  id: z.string().max(200).optional(),
  description: text.optional(),
  hint: text.optional(),
  state: text.optional(),
  class: z.string().max(300).optional(),
  at: z.tuple([z.int(), z.int(), z.int(), z.int()]).optional(),
  height: z.number().min(0).max(5_000).optional(),
  width: z.number().min(0).max(5_000).optional(),
  enabled: z.boolean().optional(),
  selected: z.boolean().optional(),
  hidden: z.boolean().optional(),
  /** The click action says yes and does nothing; a finger works. */
  finger_only: z.boolean().optional(),
  /** Shown only while all these values hold. */
  when: values.optional(),
  tap: stepsSchema.optional(),
  hold: stepsSchema.optional(),
  slide: stepsSchema.optional(),
  /* of fields */
  into: name.optional(),
  ime: z.enum(IME_ACTIONS).optional(),
  submit: stepsSchema.optional(),
  password: z.boolean().optional(),
  deaf: z.boolean().optional(),
  /** Takes nothing for this long after its screen appeared (D-14). */
  ignores_for: delaySchema.optional(),
  format: z.enum(['thousands']).optional(),
  /* of `rows`, `repeat` and `deep` */
  times: z.int().min(1).max(SCENARIO_LIMITS.rows).optional(),
};
type Looks = { [K in keyof typeof looks]: z.infer<(typeof looks)[K]> };

export type Shown = Partial<Looks> & {
  [K in ShownKind]?: string | boolean | Shown | Shown[];
};
const many = z.lazy(() => z.array(shownSchema).max(2_000));
const one = z.lazy(() => shownSchema);

export const shownSchema: z.ZodType<Shown> = z.lazy(() =>
  z
    .strictObject({
      text: text.optional(),
      heading: text.optional(),
      button: text.optional(),
      icon: text.optional(),
      image: text.optional(),
      /** The name of the value it edits is `into`; this is its hint. */
      field: text.optional(),
      switch: name.optional(),
      checkbox: name.optional(),
      progress: text.optional(),
      surface: z.literal(true).optional(),
      row: many.optional(),
      column: many.optional(),
      card: many.optional(),
      frame: many.optional(),
      scroll: many.optional(),
      /** A list with these rows. */
      list: many.optional(),
      /** A list of `times` rows like this one; `{n}` counts from 1. */
      rows: one.optional(),
      web: many.optional(),
      /** This, `times` times one below the other, all of them in the tree. */
      repeat: one.optional(),
      /** This, `times` levels deep. */
      deep: one.optional(),
      ...looks,
    })
    .superRefine((shown, context) => {
      const kinds = KINDS.filter((kind) => shown[kind] !== undefined);
      if (kinds.length !== 1)
        context.addIssue({
          code: 'custom',
          message: `expected exactly one of ${KINDS.join(', ')}; found ${kinds.length === 0 ? 'none' : kinds.join(' and ')}`,
        });
      if (
        [shown.rows, shown.repeat, shown.deep].some((one) => one !== undefined) &&
        shown.times === undefined
      )
        context.addIssue({ code: 'custom', message: 'needs "times"' });
      if (shown.deep !== undefined && (shown.times ?? 0) > SCENARIO_LIMITS.levels)
        context.addIssue({
          code: 'custom',
          path: ['times'],
          message: `at most ${SCENARIO_LIMITS.levels} levels`,
        });
      if (shown.field !== undefined && shown.into === undefined)
        context.addIssue({ code: 'custom', message: 'a field needs "into", the value it edits' });
    }),
) as z.ZodType<Shown>;

const answerSchema = z.strictObject({ text, do: stepsSchema });
const dialogSchema = z.strictObject({
  title: text.optional(),
  message: text.optional(),
  yes: answerSchema.optional(),
  no: answerSchema.optional(),
  /** Back or a touch beside it closes it. */
  closes: z.boolean().default(true),
});

export const screenSchema = z.strictObject({
  title: text,
  activity: z
    .string()
    .regex(/^[A-Za-z][\w.$]*$/)
    .optional(),
  secure: z.boolean().default(false),
  full_screen: z.boolean().default(false),
  back: stepsSchema.optional(),
  /** Happens each time the screen appears. */
  enter: stepsSchema.optional(),
  dialogs: z.record(name, dialogSchema).default({}),
  show: z.array(shownSchema).max(2_000),
});

export const scenarioSchema = z.strictObject({
  scenario: z.string().min(1).max(300),
  /** Package of the app. */
  app: z.string().regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/, 'a package name'),
  label: text.optional(),
  toolkit: z.enum(TOOLKITS).default('views'),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31)
    .default(1),
  phone: z
    .strictObject({
      language: z.enum(LANGUAGES).optional(),
      width: z.int().min(320).max(4_000).optional(),
      height: z.int().min(320).max(4_000).optional(),
      pin: z
        .string()
        .regex(/^\d{4,8}$/)
        .optional(),
      /** Open at the start; the home screen otherwise. */
      front: z.boolean().default(true),
    })
    .prefault({}),
  faults: faultsSchema.partial().default({}),
  values: values.default({}),
  screens: z
    .record(name, screenSchema)
    .refine((screens) => Object.keys(screens).length > 0, 'expected at least one screen'),
});
export type Scenario = z.infer<typeof scenarioSchema>;
