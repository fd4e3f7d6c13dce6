/** `countersign console`: prints a link that signs the owner in to the console, once, within a minute. */
import type { Command } from 'commander';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { withHost } from './running-host.ts';
import { CannotRun, EXIT } from './terminal.ts';

export function consoleCommand(): Command {
  return commandOf(
    'console',
    'Prints a link to the owner’s page in the browser; good once, for a minute.',
  ).action((options: CommonOptions) =>
    carry(options.json === true, async () => {
      if (!process.stdout.isTTY) {
        throw new CannotRun(
          'terminal_needed',
          'The link signs its reader in as the owner, so it is printed to a terminal only.',
        );
      }
      const link = await withHost(options.data, (engine) => engine.consoleLink());
      if (link === null) throw new CannotRun('console_not_served', 'This host serves no console.');
      const [url] = link.split('#');
      return { text: link, object: { console_url: url }, exit: EXIT.held };
    }),
  );
}
