/** Where a cut observation goes on, as an opaque text and back. Not for telling it (looks.ts). */
import { z } from 'zod';
import { DETAILS } from '../screen/tell.ts';

export const cursorSchema = z.strictObject({
  device: z.string(),
  observation: z.string(),
  detail: z.enum(DETAILS),
  from: z.int().min(0),
  budget: z.int().min(1),
});

export const writeCursor = (of: z.infer<typeof cursorSchema>) =>
  Buffer.from(JSON.stringify(of)).toString('base64url');

export function readCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    // Not one of ours: the schema refuses it.
    return null;
  }
}
