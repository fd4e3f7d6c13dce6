/** What agents may be called, and the one that is there from the start. Not for who proves to be one (agents.ts). */
import { z } from 'zod';

/** The agent that names itself by no token: the owner's own, on the virtual phone only. */
export const LOCAL_AGENT = 'local';

/** Names that the log uses for others. */
const TAKEN = [LOCAL_AGENT, 'owner', 'countersign', 'system'];

export const agentName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?$/, 'a name of 1 to 40 letters a–z, digits, . _ -')
  .refine((name) => !TAKEN.includes(name), 'a name that is not taken already (local, owner, …)');

/** Who does what the engine does of itself: emptying a clipboard at a task's end. */
export const HOUSE_AGENT = 'countersign';
