/**
 * `countersign mcp`: MCP over standard input and output, by the running host of the data directory or one
 * started inside. Not for frames (host/doors/mcp).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Tier } from '../../../device-protocol/tools/declare.ts';
import type { Caller } from '../../engine/engine.ts';
import { packageRoot } from '../../package-root.ts';
import { commandOf } from './commands.ts';
import { FollowedHost, reachHost } from './followed-host.ts';
import { provenCaller } from './proven-caller.ts';
import { endSignal, type HostWishes, withHostOptions } from './start.ts';
import { CannotRun, EXIT } from './terminal.ts';

interface McpOptions extends HostWishes {
  readonly tools: Tier;
  readonly context?: number;
}

/** A context up to this many tokens gets the short list. */
const SMALL_CONTEXT = 8_192;
/** Closing must not outlive the client by more (D-58). */
const CLOSE_MS = 3_000;

function tokens(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1_024)
    throw new InvalidArgumentError('Give a number of tokens.');
  return number;
}

async function serve(options: McpOptions): Promise<void> {
  const { claimStdout } = await import('../mcp/claim-stdout.ts');
  const write = claimStdout();
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const signalled = endSignal();
  const host = new FollowedHost(() => reachHost(options, log));
  const { serveClient } = await import('../mcp/serve-stdio.ts');
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string;
  };
  let caller: Caller;
  try {
    // The built-in agent needs no proof: its client may say hello before the host is there.
    caller = await provenCaller(host, 'mcp_stdio');
  } catch (error) {
    const code = error instanceof CannotRun ? ` (${error.code})` : '';
    log(`${error instanceof Error ? error.message : String(error)}${code}`);
    await host.close().catch(() => {});
    process.exitCode = EXIT.couldNotRun;
    return;
  }
  const service = serveClient(
    {
      engine: host,
      caller,
      listing: {
        tier: options.tools,
        small: options.context !== undefined && options.context < SMALL_CONTEXT,
      },
      version,
      log,
    },
    process.stdin,
    write,
  );
  process.exitCode = EXIT.held;
  try {
    // A host that cannot be reached ends the service; the client sees the end, its log the sentence.
    await Promise.race([service.ended, signalled, host.first.then(() => service.ended)]);
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    process.exitCode = EXIT.couldNotRun;
  }
  await service.close();
  // Whatever still hangs by then must not keep the process: its parent is gone or wants us gone.
  setTimeout(() => process.exit(), CLOSE_MS).unref();
  await host.close().catch(() => {});
  process.exit();
}

export function mcpCommand(): Command {
  const command = withHostOptions(commandOf('mcp', 'Serves MCP over standard input and output.'));
  return command
    .addOption(
      new Option('--tools <tier>', 'how many tools are listed')
        .choices(['core', 'standard', 'all'])
        .default('core'),
    )
    .option('--context <tokens>', 'the model’s context; a small one gets a short list', tokens)
    .action((options: McpOptions) => serve(options));
}
