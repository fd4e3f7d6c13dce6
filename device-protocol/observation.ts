/** One look at the screen, as an agent gets it. Not for the raw facts it is made of (snapshot.ts). */
import { z } from 'zod';

export const observationSchema = z.looseObject({
  observation_id: z.string(),
  device_id: z.string(),
  observed_at: z.string(),
  text: z.string(),
  notes: z.array(z.looseObject({ code: z.string(), say: z.string() })),
  truncated: z.boolean(),
  next_cursor: z.string().nullable(),
});
export type Observation = z.infer<typeof observationSchema>;
