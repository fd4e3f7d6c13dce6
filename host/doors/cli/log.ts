/** `countersign log` and `countersign log verify`: what happened, and whether the log is whole. */
import { type Command, InvalidArgumentError } from 'commander';
import type { LogEntry } from '../../engine/engine.ts';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { withHost } from './running-host.ts';
import { EXIT, plain } from './terminal.ts';

const LAST = 50;

/** One row for people: number, time, who, what came of it. */
export function logText(entry: LogEntry): string {
  const code = entry.error_code === null ? '' : ` (${entry.error_code})`;
  const who = `${entry.agent} by ${entry.door.replace('_', ' ')}`;
  return `${String(entry.number).padStart(5)}  ${entry.at}  ${plain(who)}  ${plain(entry.say)}${code}`;
}

function count(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('Give a whole number above 0.');
  return number;
}

interface LogOptions extends CommonOptions {
  readonly last: number;
  readonly request?: string;
}

export function logCommand(): Command {
  const log = commandOf('log', 'Shows what agents and owner did, oldest first.')
    .option('--last <n>', 'only the last rows', count, LAST)
    .option('--request <id>', 'only the rows of one request')
    .action((options: LogOptions) =>
      carry(options.json === true, async () => {
        const items = await withHost(options.data, (engine) =>
          engine.owner.log({
            last: options.last,
            ...(options.request === undefined ? {} : { requestId: options.request }),
          }),
        );
        return {
          text: items.length === 0 ? 'The log is empty.' : items.map(logText).join('\n'),
          object: { items, count: items.length },
          exit: EXIT.held,
        };
      }),
    );
  const verify = commandOf('verify', 'Checks that no row was edited, removed or cut off.').action(
    (_options: CommonOptions, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      return carry(options.json === true, async () => {
        const result = await withHost(options.data, (engine) => engine.owner.verifyLog());
        return { text: result.say, object: result, exit: result.ok ? EXIT.held : EXIT.didNotHold };
      });
    },
  );
  return log.addCommand(verify);
}
