/** Reaches the host that runs on a data directory, for commands that need one. Not for starting it. */
import { dataDirectory } from '../../store/data-directory.ts';
import { connectEngine, HostError, type RemoteEngine } from '../owner-socket/client.ts';
import { CannotRun } from './terminal.ts';

export async function withHost<T>(
  data: string | undefined,
  use: (engine: RemoteEngine) => Promise<T>,
): Promise<T> {
  const directory = dataDirectory(data);
  let engine: RemoteEngine;
  try {
    engine = await connectEngine(directory);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const next =
      error.code === 'host_not_running' ? ' Start one with `countersign start`, or give its --data.' : '';
    throw new CannotRun(error.code, `${error.message}.${next}`);
  }
  try {
    return await use(engine);
  } catch (error) {
    if (error instanceof HostError) throw new CannotRun(error.code, error.message);
    throw error;
  } finally {
    engine.close();
  }
}

/** How the owner's decisions through these commands are written to the log. */
export const BY_COMMAND_LINE = 'command line';
