/** `countersign approve`, `deny`, `stop`, `resume`: the owner's answers and the owner's stop. */
import type { Command } from 'commander';
import type { OwnerAnswer } from '../../engine/engine.ts';
import type { RemoteEngine } from '../owner-socket/client.ts';
import { type CommonOptions, carry, commandOf, type Found } from './commands.ts';
import { BY_COMMAND_LINE, withHost } from './running-host.ts';
import { EXIT } from './terminal.ts';

const found = (answer: OwnerAnswer): Found => ({
  text: answer.ok ? answer.say : `${answer.message} (${answer.error_code})`,
  object: answer,
  exit: answer.ok ? EXIT.held : EXIT.didNotHold,
});

const decide = (options: CommonOptions, ask: (engine: RemoteEngine) => Promise<OwnerAnswer>) =>
  carry(options.json === true, async () => found(await withHost(options.data, ask)));

export function decisionCommands(): Command[] {
  return [
    commandOf('approve', 'Approves a waiting act: it runs once, exactly as shown.')
      .argument('<id>', 'confirmation id, from `countersign pending`')
      .action((id: string, options: CommonOptions) =>
        decide(options, (engine) => engine.owner.approve(id, BY_COMMAND_LINE)),
      ),
    commandOf('deny', 'Denies a waiting act: it will not run.')
      .argument('<id>', 'confirmation id, from `countersign pending`')
      .action((id: string, options: CommonOptions) =>
        decide(options, (engine) => engine.owner.deny(id, BY_COMMAND_LINE)),
      ),
    commandOf('stop', 'Stops everything: nothing more is done until you resume.').action(
      (options: CommonOptions) => decide(options, (engine) => engine.owner.stop(BY_COMMAND_LINE)),
    ),
    commandOf('resume', 'Lifts your stop.').action((options: CommonOptions) =>
      decide(options, (engine) => engine.owner.resume(BY_COMMAND_LINE)),
    ),
  ];
}
