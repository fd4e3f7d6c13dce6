/** `countersign log` and `countersign log verify`: what happened, and whether the log is whole. */
import type { Command } from 'commander';
import type { LogEntry } from '../../engine/engine.ts';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { ago, whole } from './moments.ts';
import { order } from './ordering.ts';
import { BY_COMMAND_LINE, withHost } from './running-host.ts';
import { CannotRun, EXIT, plain } from './terminal.ts';

const LAST = 50;

/** One row for people: number, time, who, what came of it. */
export function logText(entry: LogEntry): string {
  const code = entry.error_code === null ? '' : ` (${entry.error_code})`;
  const who = `${entry.agent} by ${entry.door.replace('_', ' ')}`;
  return `${String(entry.number).padStart(5)}  ${entry.at}  ${plain(who)}  ${plain(entry.say)}${code}`;
}

interface LogOptions extends CommonOptions {
  readonly last: number;
  readonly request?: string;
  readonly agent?: string;
  readonly tool?: string;
  readonly device?: string;
  readonly task?: string;
  readonly state?: string;
  readonly code?: string;
  readonly since?: number;
  readonly until?: number;
  readonly sample?: number;
}

const given = (part: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));

/** The fields a row must have, as the options say. */
function filterOf(options: LogOptions, text: string | undefined) {
  return given({
    text,
    agent: options.agent,
    tool: options.tool,
    device_id: options.device,
    task_id: options.task,
    request_id: options.request,
    state: options.state,
    error_code: options.code,
    from: options.since,
    to: options.until,
  });
}

function traceText({ task_id, rows }: { task_id: string | null; rows: readonly LogEntry[] }): string {
  return [task_id === null ? 'no task' : `task ${task_id}`, ...rows.map(logText)].join('\n');
}

export function logCommand(): Command {
  return commandOf('log', 'Shows what agents and owner did, oldest first.')
    .argument('[words...]', 'only rows with all these words, wherever they stand')
    .option('--last <n>', 'only the last rows', whole, LAST)
    .option('--request <id>', 'only the rows of one request')
    .option('--agent <name>')
    .option('--tool <name>')
    .option('--device <id>')
    .option('--task <id>', 'only the rows of one task')
    .option('--state <state>', 'done, refused, denied, …')
    .option('--code <code>', 'only rows with this error code')
    .option('--since <when>', '2h, 7d, a date', ago)
    .option('--until <when>', '2h, 7d, a date', ago)
    .option('--sample <n>', 'whole traces, drawn by chance', whole)
    .action((words: string[], options: LogOptions) => {
      if (options.sample !== undefined) {
        return order(options, 'log_sample', { count: options.sample }, ({ traces }) =>
          traces.length === 0 ? 'The log is empty.' : traces.map(traceText).join('\n\n'),
        );
      }
      return carry(options.json === true, async () => {
        const filter = {
          ...filterOf(options, words.length === 0 ? undefined : words.join(' ')),
          last: options.last,
        };
        const found = await withHost(options.data, (engine) =>
          engine.owner.order('log_search', filter, BY_COMMAND_LINE),
        );
        if (!found.ok) throw new CannotRun(found.error_code, found.message);
        const { items } = found;
        const text =
          items.length === 0 ? 'Nothing of the kind is in the log.' : items.map(logText).join('\n');
        return { text, object: { items, count: items.length }, exit: EXIT.held };
      });
    })
    .addCommand(verifyCommand())
    .addCommand(exportCommand())
    .addCommand(cutCommand());
}

function verifyCommand(): Command {
  return commandOf(
    'verify',
    'Checks that no row was edited, moved, removed or cut off, and no clock was wrong.',
  ).action((_options: CommonOptions, command: Command) => {
    const options = command.optsWithGlobals<CommonOptions>();
    return carry(options.json === true, async () => {
      const result = await withHost(options.data, (engine) => engine.owner.verifyLog());
      const by =
        result.witnesses.length === 0
          ? 'No phone was there to compare with.'
          : `Compared with ${result.witnesses.join(', ')}.`;
      const found = result.findings.map(
        (one) => `entry ${one.entry}, ${one.kind.replace('_', ' ')}: ${plain(one.say)}`,
      );
      return {
        text: [...(found.length === 0 ? [result.say] : found), by].join('\n'),
        object: result,
        exit: result.ok ? EXIT.held : EXIT.didNotHold,
      };
    });
  });
}

/** Rows, or links of the chain, of one question of the export. */
const PAGE = 1_000;

function exportCommand(): Command {
  return commandOf('export', 'Prints the log as JSON Lines, one row a line; --links prints the chain itself.')
    .option('--links', 'each link of the chain as it stands in the file, with its checksum')
    .option('--since <when>', '2h, 7d, a date', ago)
    .option('--until <when>', '2h, 7d, a date', ago)
    .action((_options: CommonOptions, command: Command) => {
      const options = command.optsWithGlobals<LogOptions & { links?: boolean }>();
      return carry(false, async () => {
        await withHost(options.data, async ({ owner }) => {
          for (let after = 0; ; ) {
            const page = options.links
              ? await owner.order('log_links', { after, most: PAGE }, BY_COMMAND_LINE)
              : await owner.order(
                  'log_search',
                  { ...filterOf(options, undefined), after, last: PAGE },
                  BY_COMMAND_LINE,
                );
            if (!page.ok) throw new CannotRun(page.error_code, page.message);
            for (const item of page.items) process.stdout.write(`${JSON.stringify(item)}\n`);
            const last = page.items.at(-1);
            if (last === undefined || page.items.length < PAGE) return;
            after = 'position' in last ? last.position : last.number;
          }
        });
        process.exitCode = EXIT.held;
        return null;
      });
    });
}

function cutCommand(): Command {
  return commandOf('cut', 'Removes the log’s oldest rows, and writes into the log that you did.')
    .requiredOption('--before <when>', 'everything older: 90d, a date', ago)
    .action((_options: CommonOptions, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { before: number }>();
      return order(options, 'log_cut', { before: options.before });
    });
}
