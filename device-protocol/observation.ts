/** One look at the screen, as an agent gets it. Not for the raw facts it is made of (snapshot.ts). */
import { z } from 'zod';

export const observationSchema = z.looseObject({
  observation_id: z.string(),
  device_id: z.string(),
  observed_at: z.string(),
  /** One item a line (host/screen/lines.ts): exactly what was measured and budgeted. */
  text: z.string(),
  /** What could not be seen, was cut or stands in the way, each with what to do instead. */
  notes: z.array(z.looseObject({ code: z.string(), say: z.string(), count: z.int().optional() })),
  truncated: z.boolean(),
  /** The limit that cut, items told and items there are; only where something was cut. */
  cut_by: z.enum(['tokens']).optional(),
  shown: z.int().optional(),
  total: z.int().optional(),
  /** Against the look of `since`; null where so much is different that all of it is told. */
  delta: z.looseObject({ new: z.int(), changed: z.int(), gone: z.int() }).nullable().optional(),
  next_cursor: z.string().nullable(),
});
export type Observation = z.infer<typeof observationSchema>;
