/** `countersign mcp-config`: prints what to paste into an MCP client. Writes no file. */
import { type Command, Option } from 'commander';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { MCP_CLIENTS, type McpClient, mcpSettingsFor } from './mcp-settings.ts';
import { EXIT, plain } from './terminal.ts';

interface ConfigOptions extends CommonOptions {
  readonly client: McpClient;
  readonly agent?: string;
  readonly virtual?: boolean;
}

/** How this very program is started again, wherever it was installed. */
export function mcpLaunch(more: readonly string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [process.argv[1] ?? 'countersign', 'mcp', ...more] };
}

export function mcpConfigCommand(): Command {
  return commandOf('mcp-config', 'Prints what to paste into an MCP client so that it starts Countersign.')
    .addOption(new Option('--client <name>', 'which client').choices([...MCP_CLIENTS]).default('generic'))
    .option('--agent <name>', 'for an agent with a token of its own (see `countersign agent`)')
    .option('--virtual', 'start the embedded virtual phone where no host runs')
    .action((options: ConfigOptions) =>
      carry(options.json === true, async (terminal) => {
        const { client, agent = null } = options;
        const more = [
          ...(options.data === undefined ? [] : ['--data', options.data]),
          ...(options.virtual === true ? ['--virtual'] : []),
        ];
        const made = mcpSettingsFor(client, { ...mcpLaunch(more), agent });
        terminal.progress(`Goes into: ${made.file}`);
        for (const note of made.notes) terminal.progress(plain(note));
        return { text: JSON.stringify(made.settings, null, 2), object: { client, ...made }, exit: EXIT.held };
      }),
    );
}
