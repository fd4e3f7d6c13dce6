/** `countersign start`: the host in the foreground, until it is told to end. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dataDirectory } from '../../store/data-directory.ts';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { mcpLaunch } from './mcp-config.ts';
import { mcpSettingsFor } from './mcp-settings.ts';
import { type NetworkWishes, networkOf, withNetworkOptions } from './network-options.ts';
import { EXIT } from './terminal.ts';

export interface HostWishes extends CommonOptions {
  readonly virtual?: boolean;
  readonly language?: 'en' | 'de' | 'es' | 'ar' | 'ja' | 'hi';
  readonly screen?: string;
  readonly scenario?: string;
  readonly phoneControl?: boolean;
  readonly confirmationSeconds?: number;
}

function seconds(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1 || number > 86_400)
    throw new InvalidArgumentError('Give whole seconds, 1 to 86400.');
  return number;
}

/** The options of every command that may start a host. */
export function withHostOptions(command: Command): Command {
  return command
    .option('--virtual', 'start the embedded virtual phone')
    .addOption(new Option('--language <code>', 'its language').choices(['en', 'de', 'es', 'ar', 'ja', 'hi']))
    .option('--screen <file>', 'let it show a recorded screen instead of its own apps')
    .option('--scenario <file>', 'give it one app more, made of a scenario file')
    .option('--confirmation-seconds <n>', 'how long a request waits for you (default 300)', seconds)
    .addOption(new Option('--phone-control', 'answer the tests’ side channel').hideHelp());
}

/**
 * What composition is asked for. The virtual phone keeps its state beside the data directory, not in it: a
 * phone's memory must not be copied, restored or edited together with the host's (risk.md).
 */
export function hostOptionsOf(wishes: HostWishes, log: (line: string) => void) {
  const dataDir = dataDirectory(wishes.data);
  return {
    dataDir,
    log,
    ...(wishes.confirmationSeconds === undefined
      ? {}
      : { confirmationLifeMs: wishes.confirmationSeconds * 1_000 }),
    virtual:
      wishes.virtual === true || wishes.screen !== undefined || wishes.scenario !== undefined
        ? {
            stateFolder: `${dataDir}-virtual-phone`,
            control: wishes.phoneControl === true,
            ...(wishes.language === undefined ? {} : { language: wishes.language }),
            ...(wishes.screen === undefined ? {} : { recorded: wishes.screen }),
            ...(wishes.scenario === undefined ? {} : { scenario: wishes.scenario }),
          }
        : false,
  };
}

/** Resolves with the first of the signals by which a terminal, a service manager or a parent ends us. */
export function endSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/** What to paste into an MCP client so that it reaches this host. */
function mcpSettings(dataDir: string): string {
  const launch = { ...mcpLaunch(['--data', dataDir]), agent: null };
  return JSON.stringify(mcpSettingsFor('generic', launch).settings, null, 2);
}

export function startCommand(): Command {
  const command = commandOf('start', 'Runs the host until it is ended (Ctrl+C).');
  return withNetworkOptions(withHostOptions(command)).action((wishes: HostWishes & NetworkWishes) =>
    carry(wishes.json === true, async (terminal) => {
      const ended = endSignal();
      const { startHost } = await import('../../composition.ts');
      const host = await startHost({
        ...hostOptionsOf(wishes, terminal.progress),
        ...networkOf(wishes),
      });
      try {
        const devices = host.engine.owner.devices();
        const ids = devices.map((device) => `${device.device_id} (${device.health.replace('_', ' ')})`);
        terminal.say(
          [
            `The host is ready. Data: ${host.dataDir}`,
            `Phones: ${ids.length === 0 ? 'none yet' : ids.join(', ')}`,
            // The link signs in: it belongs on the owner's screen, and into no file or pipe.
            `Console: ${process.stdout.isTTY ? host.consoleLink() : `${host.consoleUrl} (sign in: countersign console)`}`,
            ...(host.mcpHttpUrl === null
              ? []
              : [`MCP over HTTP, for agents with a token: ${host.mcpHttpUrl}`]),
            '',
            'For an MCP client:',
            mcpSettings(host.dataDir),
            '',
            'Other terminals: countersign pending, approve ID, deny ID, stop, log. End with Ctrl+C.',
          ].join('\n'),
        );
        terminal.result({
          ready: true,
          console_url: host.consoleUrl,
          mcp_http_url: host.mcpHttpUrl,
          data_dir: host.dataDir,
          devices,
        });
        await ended;
      } finally {
        await host.close();
      }
      process.exitCode = EXIT.held;
      return null;
    }),
  );
}
