/** `countersign agent`: who may ask, each with a token of its own. Not for what one may do (grant.ts). */
import type { Command } from 'commander';
import type { AgentView } from '../../engine/orders.ts';
import { type CommonOptions, commandOf } from './commands.ts';
import { order } from './ordering.ts';
import { plain } from './terminal.ts';

function line(view: AgentView): string {
  const since = view.state_since === null ? '' : ` since ${view.state_since}`;
  const why = view.state_why === null ? '' : ` (${plain(view.state_why)})`;
  const may = view.read_only ? 'looks only' : 'may act';
  const task = view.task_id === null ? '' : `, task ${view.task_id}`;
  return `${view.agent.padEnd(16)} ${view.state.replace('_', ' ')}${since}${why}; ${may}${task}`;
}

/** The token goes to standard output once and nowhere else. */
const tokenText = ({ say, token }: { readonly say: string; readonly token: string }) =>
  `${say}\n\n${token}\n\nGive it to the agent as COUNTERSIGN_TOKEN (environment of its MCP server), or as a bearer token over HTTP.`;

export function agentCommand(): Command {
  const agent = commandOf('agent', 'Lists the agents; add, renew and revoke their tokens.').action(
    (options: CommonOptions) => order(options, 'agents', {}, ({ items }) => items.map(line).join('\n')),
  );
  const named = (
    name: string,
    purpose: string,
    run: (options: CommonOptions, agent: string) => Promise<void>,
  ) =>
    commandOf(name, purpose)
      .argument('<name>')
      .action((given: string, _options: CommonOptions, command: Command) =>
        run(command.optsWithGlobals<CommonOptions>(), given),
      );
  return agent
    .addCommand(
      named('add', 'Makes an agent that may look, and prints its token once.', (options, name) =>
        order(options, 'agent_add', { name }, tokenText),
      ),
    )
    .addCommand(
      named('renew', 'Gives an agent another token; the one before is over.', (options, name) =>
        order(options, 'agent_renew', { name }, tokenText),
      ),
    )
    .addCommand(
      named(
        'revoke',
        'Ends an agent: its token, grant and rules are gone, its task is settled.',
        (options, name) => order(options, 'agent_revoke', { name }),
      ),
    )
    .addCommand(
      commandOf('list', 'Lists the agents.').action((_options: CommonOptions, command: Command) =>
        order(command.optsWithGlobals<CommonOptions>(), 'agents', {}, ({ items }) =>
          items.map(line).join('\n'),
        ),
      ),
    );
}
