/** `countersign rules`: what goes through without being asked about again. A rule is made with `approve --again`. */
import type { Command } from 'commander';
import type { RuleView } from '../../engine/orders.ts';
import { type CommonOptions, commandOf } from './commands.ts';
import { order } from './ordering.ts';
import { plain } from './terminal.ts';

function ruleText(view: RuleView): string {
  const left = `${view.used} of ${view.most} used, until ${view.until}`;
  const to = view.matches.recipient;
  return [
    `${view.rule_id}  ${view.state.replace('_', ' ')}: ${plain(view.say)}`,
    `    phone ${plain(view.device_id)}; ${left}; made ${view.made_at} (${plain(view.made_how)})`,
    ...(to === null
      ? []
      : [`    only where it says: ${to.map((one) => plain(one).slice(0, 120)).join(' · ')}`]),
  ].join('\n');
}

export function rulesCommand(): Command {
  return commandOf('rules', 'Lists your standing rules; `rules revoke ID` ends one.')
    .action((options: CommonOptions) =>
      order(options, 'rules', {}, ({ items }) =>
        items.length === 0 ? 'There are no rules.' : items.map(ruleText).join('\n'),
      ),
    )
    .addCommand(
      commandOf('revoke', 'Ends a rule: the same is asked about again.')
        .argument('<id>')
        .action((rule_id: string, _options: CommonOptions, command: Command) =>
          order(command.optsWithGlobals<CommonOptions>(), 'rule_revoke', { rule_id }),
        ),
    );
}
