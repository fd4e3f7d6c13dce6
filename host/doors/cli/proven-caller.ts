/** Who calls from this process: the agent whose token COUNTERSIGN_TOKEN holds, else the built-in one. */
import type { Caller, DoorName } from '../../engine/engine.ts';
import type { AskedEngine } from '../asked-engine.ts';
import { CannotRun } from './terminal.ts';

/** Unknown means no: an agent that shows a token must not quietly become the built-in one. */
export async function provenCaller(engine: AskedEngine, door: DoorName): Promise<Caller> {
  const token = process.env.COUNTERSIGN_TOKEN;
  if (token === undefined) return { agent: 'local', door };
  const caller = await engine.callerOf(token, door);
  if (caller !== null) return caller;
  throw new CannotRun(
    'token_unknown',
    'COUNTERSIGN_TOKEN is not a token of this host, or was taken back; ask the owner for another, or unset it.',
  );
}
