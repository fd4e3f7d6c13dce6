/** `countersign grant`, `grants`, `revoke`: what each agent may do and see. Not for checking it (engine). */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { GrantView } from '../../engine/orders.ts';
import { type CommonOptions, commandOf } from './commands.ts';
import { type Limit, untilOrNever, wholeOrNone } from './moments.ts';
import { order } from './ordering.ts';
import { CannotRun, plain } from './terminal.ts';

interface GrantOptions extends CommonOptions {
  readonly tools?: Limit<string[]>;
  readonly devices?: Limit<string[]>;
  readonly actOn?: string[];
  readonly readOnly?: boolean;
  readonly packages?: Limit<string[]>;
  readonly seeCategories?: string[];
  readonly seeApps?: string[];
  readonly codes?: boolean;
  readonly hosts?: string[];
  readonly profile?: string;
  readonly callsAMinute?: Limit<number>;
  readonly actsAnHour?: Limit<number>;
  readonly stepsARun?: Limit<number>;
  readonly tokensAnHour?: Limit<number>;
  readonly limit?: Record<string, Record<string, number>>;
  readonly until?: Limit<number>;
  readonly from?: string;
}

/** Names with commas between; "none" is the empty list. */
const list = (text: string): string[] =>
  text === 'none'
    ? []
    : text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '');
/** As `list`; "all" is no limit. */
const listOrAll = (text: string): Limit<string[]> => ({ limit: text === 'all' ? null : list(text) });

/** `tap:timeout_ms=5000`, several times. */
function limit(text: string, before: Record<string, Record<string, number>> = {}) {
  const found = /^([a-z_]+):(timeout_ms|attempts|tokens)=(\d+)$/.exec(text);
  if (found === null)
    throw new InvalidArgumentError('Give TOOL:timeout_ms=N, TOOL:attempts=N or TOOL:tokens=N.');
  const [, tool = '', field = '', value = ''] = found;
  return { ...before, [tool]: { ...before[tool], [field]: Number(value) } };
}

function fromFile(path: string): object {
  try {
    const value: unknown = JSON.parse(readFileSync(path === '-' ? 0 : path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new CannotRun('grant_unreadable', `${path} is not a grant as JSON: ${(cause as Error).message}`);
  }
  throw new CannotRun('grant_unreadable', `${path} is not one JSON object.`);
}

/** Only what was given: everything else stays as it is. */
function changeOf(options: GrantOptions): Record<string, unknown> {
  const given = (part: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
  const see = given({ categories: options.seeCategories, apps: options.seeApps, codes: options.codes });
  const rates = given({
    calls_a_minute: options.callsAMinute?.limit,
    acts_an_hour: options.actsAnHour?.limit,
    steps_a_run: options.stepsARun?.limit,
    tokens_an_hour: options.tokensAnHour?.limit,
  });
  return {
    ...(options.from === undefined ? {} : fromFile(options.from)),
    ...given({
      tools: options.tools?.limit,
      devices: options.devices?.limit,
      act_on: options.readOnly === true ? [] : options.actOn,
      packages: options.packages?.limit,
      hosts: options.hosts,
      profile: options.profile,
      limits: options.limit,
      until: options.until?.limit,
    }),
    ...(Object.keys(see).length === 0 ? {} : { see }),
    ...(Object.keys(rates).length === 0 ? {} : { rates }),
  };
}

const listed = (names: readonly string[] | null, all: string) =>
  names === null ? all : names.length === 0 ? 'none' : names.join(', ');

export function grantText(view: GrantView): string {
  const { grant } = view;
  const { rates } = grant;
  const limits = [
    rates.calls_a_minute === null ? null : `${rates.calls_a_minute} calls a minute`,
    rates.acts_an_hour === null ? null : `${rates.acts_an_hour} acts an hour`,
    rates.steps_a_run === null ? null : `${rates.steps_a_run} acts a task`,
    rates.tokens_an_hour === null ? null : `${rates.tokens_an_hour} tokens an hour`,
    ...Object.entries(grant.limits).map(([tool, one]) => `${tool} ${JSON.stringify(one)}`),
  ].filter((one) => one !== null);
  const see = [
    ...grant.see.categories.map((one) => `category ${one}`),
    ...grant.see.apps,
    ...(grant.see.codes ? ['one-time codes'] : []),
  ];
  const until = grant.until === null ? 'until you change it' : `until ${new Date(grant.until).toISOString()}`;
  return [
    `${view.agent}${view.set ? '' : ' (as in the beginning)'}: ${view.over ? 'over' : until}`,
    `    acts on: ${listed(grant.act_on, '')}${grant.act_on.length === 0 ? ' (looks only)' : ''}`,
    `    phones:  ${listed(grant.devices, 'all')}`,
    `    apps:    ${listed(grant.packages, 'all that the policy allows')}`,
    `    tools:   ${listed(grant.tools, 'all')}`,
    `    sees besides: ${see.length === 0 ? 'nothing that is withheld' : see.join(', ')}`,
    `    limits:  ${limits.length === 0 ? 'none' : limits.join('; ')}`,
    ...(grant.hosts.length === 0 ? [] : [`    opens:   ${grant.hosts.join(', ')}`]),
    ...(grant.profile === null ? [] : [`    profile: ${grant.profile}`]),
  ]
    .map(plain)
    .join('\n');
}

export function grantCommands(): Command[] {
  return [
    commandOf('grant', 'Changes what an agent may do and see; only what you name changes, at once.')
      .argument('<agent>')
      .option('--act-on <kinds>', 'phones it may act on: virtual, jvm, android; none', list)
      .option('--read-only', 'may look, and not act')
      .option('--tools <names>', 'only these tools; all', listOrAll)
      .option('--devices <ids>', 'only these phones; all', listOrAll)
      .option('--packages <apps>', 'only these apps (com.example.notes, com.example.*); all', listOrAll)
      .option('--see-categories <names>', 'withheld categories it may see: banking, wallet, …; none', list)
      .option('--see-apps <apps>', 'apps it may see besides, without acting there; none', list)
      .option('--codes', 'one-time codes are shown to it')
      .option('--no-codes', 'one-time codes are masked')
      .option(
        '--hosts <names>',
        'addresses it may open without asking (example.org, .example.org); none',
        list,
      )
      .option('--profile <name>', 'watchful, balanced or ci')
      .option('--calls-a-minute <n>', '', wholeOrNone)
      .option('--acts-an-hour <n>', '', wholeOrNone)
      .option('--steps-a-run <n>', 'acts of one task', wholeOrNone)
      .option('--tokens-an-hour <n>', 'estimated, of all answers', wholeOrNone)
      .addOption(
        new Option('--limit <tool:field=n>', 'lowers timeout_ms, attempts or tokens of one tool').argParser(
          limit,
        ),
      )
      .option('--until <when>', '2h, 7d, a date; never', untilOrNever)
      .option('--from <file>', 'the change as JSON (- for standard input)')
      .action((agent: string, options: GrantOptions, command: Command) => {
        // Commander sets --codes to true as soon as --no-codes exists: only what was typed counts.
        const codes = command.getOptionValueSource('codes') === 'cli' ? options.codes : undefined;
        const { codes: _, ...rest } = options;
        const change = changeOf(codes === undefined ? rest : { ...rest, codes });
        return order(options, 'grant', { agent, change }, ({ say, view }) => `${say}\n${grantText(view)}`);
      }),
    commandOf('grants', 'Shows what agents may do and see.')
      .argument('[agent]')
      .action((agent: string | undefined, options: CommonOptions) =>
        order(options, 'grants', agent === undefined ? {} : { agent }, ({ items }) =>
          items.map(grantText).join('\n\n'),
        ),
      ),
    commandOf('revoke', 'Takes an agent’s grant back: it is as in the beginning, looking only.')
      .argument('<agent>')
      .action((agent: string, options: CommonOptions) =>
        order(options, 'grant_reset', { agent }, ({ say, view }) => `${say}\n${grantText(view)}`),
      ),
  ];
}
