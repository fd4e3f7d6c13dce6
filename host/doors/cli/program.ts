/** The command line as a whole: every command, and what becomes of a line nobody understands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { packageRoot } from '../../package-root.ts';
import { agentCommand } from './agent.ts';
import { callCommand } from './call.ts';
import { consoleCommand } from './console.ts';
import { decisionCommands } from './decide.ts';
import { demoCommand } from './demo.ts';
import { devicesCommand } from './devices.ts';
import { grantCommands } from './grant.ts';
import { inspectCommand } from './inspect.ts';
import { judgeCommand } from './judge.ts';
import { logCommand } from './log.ts';
import { mcpCommand } from './mcp.ts';
import { mcpConfigCommand } from './mcp-config.ts';
import { pendingCommand } from './pending.ts';
import { rulesCommand } from './rules.ts';
import { startCommand } from './start.ts';
import { taskCommands } from './tasks.ts';
import { EXIT } from './terminal.ts';

function program(): Command {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string;
  };
  const root = new Command('countersign')
    .description(
      'The bridge over which an agent drives a real Android phone, and the part that can be trusted.',
    )
    .version(version);
  const commands = [
    startCommand(),
    demoCommand(),
    devicesCommand(),
    callCommand(),
    pendingCommand(),
    ...decisionCommands(),
    ...taskCommands(),
    rulesCommand(),
    agentCommand(),
    ...grantCommands(),
    logCommand(),
    inspectCommand(),
    judgeCommand(),
    mcpCommand(),
    mcpConfigCommand(),
    consoleCommand(),
  ];
  for (const command of commands) root.addCommand(command);
  return root;
}

/** Makes every command throw instead of ending the process, so that one place decides the exit status. */
function throwing(command: Command): void {
  command.exitOverride();
  for (const inner of command.commands) throwing(inner);
}

/** Runs one command line; the exit status is left in `process.exitCode`. */
export async function run(line: readonly string[]): Promise<void> {
  const root = program();
  throwing(root);
  try {
    await root.parseAsync([...line], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version were asked for and given; everything else is a line that could not be run.
    const asked = error.exitCode === 0;
    if (!asked && line.includes('--json')) {
      const message = error.message.replace(/^error: /, '');
      process.stdout.write(`${JSON.stringify({ ok: false, error_code: 'line_not_understood', message })}\n`);
    }
    process.exitCode = asked ? EXIT.held : EXIT.couldNotRun;
  }
}
