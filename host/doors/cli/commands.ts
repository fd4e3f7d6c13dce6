/**
 * How every command is set up alike: --data and --json, one runner that turns what a command found, or
 * why it could not run, into output and exit status. Not for any single command.
 */
import { Command } from 'commander';
import { HostError } from '../owner-socket/client.ts';
import { CannotRun, EXIT, type Exit, type Terminal, terminalOf } from './terminal.ts';

export interface CommonOptions {
  readonly data?: string;
  readonly json?: boolean;
}

/** What a command found. */
export interface Found {
  /** For people. */
  readonly text: string;
  /** For programs: the last line with --json. */
  readonly object: object;
  readonly exit: Exit;
}

/** Why it could not run, from whatever was thrown; a bug keeps its stack, on standard error only. */
function whyNot(thrown: unknown, terminal: Terminal): { error_code: string; message: string } {
  if (thrown instanceof CannotRun || thrown instanceof HostError) {
    return { error_code: thrown.code, message: thrown.message };
  }
  // Expected failures of the store and the file system carry a code and a sentence.
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') {
    return { error_code: thrown.code, message: thrown.message };
  }
  terminal.progress(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  return { error_code: 'fault', message: 'A fault in Countersign itself; the lines above say where.' };
}

/** Runs a command to its exit status. `null` from `work` means that it printed everything itself. */
export async function carry(
  json: boolean,
  work: (terminal: Terminal) => Promise<Found | null>,
): Promise<void> {
  const terminal = terminalOf(json);
  try {
    const found = await work(terminal);
    if (found === null) return;
    if (found.text !== '') terminal.say(found.text);
    terminal.result(found.object);
    process.exitCode = found.exit;
  } catch (thrown) {
    const why = whyNot(thrown, terminal);
    terminal.progress(`${why.message} (${why.error_code})`);
    terminal.result({ ok: false, ...why });
    process.exitCode = EXIT.couldNotRun;
  }
}

/** A command with the one option that all have. */
export function jsonCommandOf(name: string, purpose: string): Command {
  return new Command(name)
    .description(purpose)
    .option('--json', 'print one JSON object as the last line; everything else goes to standard error');
}

/** A command about the host of a data directory. */
export function commandOf(name: string, purpose: string): Command {
  return jsonCommandOf(name, purpose).option(
    '--data <dir>',
    'data directory (default: the platform’s own place)',
  );
}
