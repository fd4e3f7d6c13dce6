/**
 * Who calls from this process: the agent whose token COUNTERSIGN_TOKEN holds, or the file that
 * COUNTERSIGN_TOKEN_FILE names; without either the built-in one.
 */
import { readFileSync, statSync } from 'node:fs';
import type { Caller, DoorName } from '../../engine/engine.ts';
import type { AskedEngine } from '../asked-engine.ts';
import { TOKEN_FILE_VARIABLE, TOKEN_VARIABLE } from './mcp-settings.ts';
import { CannotRun } from './terminal.ts';

/** What others may do with a file, in its mode. */
const OTHERS = 0o077;

function tokenFrom(path: string): string {
  try {
    const open = process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0;
    if (open) {
      throw new CannotRun(
        'token_file_open',
        `The file of ${TOKEN_FILE_VARIABLE} can be read by others: chmod 600, and renew the token.`,
      );
    }
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new CannotRun(
      'token_file_unreadable',
      `The file of ${TOKEN_FILE_VARIABLE} cannot be read (${code}).`,
    );
  }
}

/** Unknown means no: an agent that shows a token must not quietly become the built-in one. */
export async function provenCaller(engine: AskedEngine, door: DoorName): Promise<Caller> {
  const { [TOKEN_VARIABLE]: held, [TOKEN_FILE_VARIABLE]: file } = process.env;
  const token = held ?? (file === undefined ? undefined : tokenFrom(file));
  if (token === undefined) return { agent: 'local', door };
  const caller = await engine.callerOf(token, door);
  if (caller !== null) return caller;
  throw new CannotRun(
    'token_unknown',
    `${held === undefined ? TOKEN_FILE_VARIABLE : TOKEN_VARIABLE} holds no token of this host, or one that was taken back; ask the owner for another, or unset it.`,
  );
}
