/** `countersign approve`, `deny`, `stop`, `resume`: the owner's answers and the owner's stop. */
import type { Command } from 'commander';
import type { OwnerAnswer } from '../../engine/engine.ts';
import type { RemoteEngine } from '../owner-socket/client.ts';
import { type CommonOptions, carry, commandOf, type Found } from './commands.ts';
import { until, whole } from './moments.ts';
import { order } from './ordering.ts';
import { BY_COMMAND_LINE, withHost } from './running-host.ts';
import { CannotRun, EXIT, plain } from './terminal.ts';

const found = (answer: OwnerAnswer): Found => ({
  text: plain(answer.ok ? answer.say : `${answer.message} (${answer.error_code})`),
  object: answer,
  exit: answer.ok ? EXIT.held : EXIT.didNotHold,
});

const decide = (options: CommonOptions, ask: (engine: RemoteEngine) => Promise<OwnerAnswer>) =>
  carry(options.json === true, async () => found(await withHost(options.data, ask)));

interface ApproveOptions extends CommonOptions {
  readonly again?: boolean;
  readonly until?: number;
  readonly times?: number;
}

/** Without --again a plain yes; with it, a yes that holds for the same again. */
function yes(id: string, options: ApproveOptions): Promise<void> {
  if (options.again !== true) {
    if (options.until !== undefined || options.times !== undefined)
      throw new CannotRun('again_missing', '--until and --times belong to --again.');
    return decide(options, (engine) => engine.owner.approve(id, BY_COMMAND_LINE));
  }
  const rule = { until: options.until ?? Date.now() + AGAIN.ms, times: options.times ?? AGAIN.times };
  return order(options, 'approve', { confirmation_id: id, rule }, ({ say, rule_id }) =>
    plain(`${say} Rule ${rule_id ?? 'not made'}; \`countersign rules\` lists them.`),
  );
}

/** How narrow a rule is where nothing else is said. */
const AGAIN = { ms: 60 * 60_000, times: 5 } as const;

export function decisionCommands(): Command[] {
  return [
    commandOf('approve', 'Approves a waiting act: it runs once, exactly as shown.')
      .argument('<id>', 'confirmation id, from `countersign pending`')
      .option('--again', 'and let exactly the same through again, for a while')
      .option('--until <when>', 'how long: 30m, 2h, a date (default 1h)', until)
      .option('--times <n>', 'how often (default 5)', whole)
      .action((id: string, options: ApproveOptions) => yes(id, options)),
    commandOf('deny', 'Denies a waiting act: it will not run.')
      .argument('<id>', 'confirmation id, from `countersign pending`')
      .option('--stop', 'and stop the agent that asked')
      .action((id: string, options: CommonOptions & { stop?: boolean }) =>
        options.stop === true
          ? order(options, 'deny_and_stop', { confirmation_id: id })
          : decide(options, (engine) => engine.owner.deny(id, BY_COMMAND_LINE)),
      ),
    commandOf('stop', 'Stops everything, or one agent: nothing more is done until you resume.')
      .option('--agent <name>', 'only this agent')
      .action((options: CommonOptions & { agent?: string }) =>
        options.agent === undefined
          ? decide(options, (engine) => engine.owner.stop(BY_COMMAND_LINE))
          : order(options, 'stop_agent', { agent: options.agent }),
      ),
    commandOf('resume', 'Lifts your stop, or one agent’s stop or hold.')
      .option('--agent <name>', 'only this agent')
      .action((options: CommonOptions & { agent?: string }) =>
        options.agent === undefined
          ? decide(options, (engine) => engine.owner.resume(BY_COMMAND_LINE))
          : order(options, 'resume_agent', { agent: options.agent }),
      ),
  ];
}
