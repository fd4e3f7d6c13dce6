/**
 * `countersign inspect FILE`: a recorded screen as an agent would get it. Not for reading it (host/screen).
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Command, Option } from 'commander';
import { packageRoot } from '../../package-root.ts';
import type { Veil } from '../../screen/inspect.ts';
import { dataDirectory } from '../../store/data-directory.ts';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { BY_COMMAND_LINE, withHost } from './running-host.ts';
import { CannotRun, EXIT, plain } from './terminal.ts';

interface InspectOptions extends CommonOptions {
  readonly as?: string;
  readonly detail: 'summary' | 'full' | 'text';
}

/** What the agent may not see, by its grant on the running host; nothing is cut where none is named. */
async function veilOf(options: InspectOptions): Promise<Veil | null> {
  const { as: agent } = options;
  if (agent === undefined) return null;
  const found = await withHost(options.data, (engine) =>
    engine.owner.order('grants', { agent }, BY_COMMAND_LINE),
  );
  if (!found.ok) throw new CannotRun(found.error_code, found.message);
  const [view] = found.items;
  if (view === undefined) throw new CannotRun('agent_unknown', `There is no agent "${agent}".`);
  const { loadPolicyBook } = await import('../../judge/load-policy.ts');
  const { eyesBy, policyOfGrant } = await import('../../engine/judging.ts');
  const { sayWithheld } = await import('../../engine/veil.ts');
  const book = loadPolicyBook(join(packageRoot(), 'policies'), dataDirectory(options.data));
  const eyes = eyesBy(policyOfGrant(book, view.grant, false));
  return {
    withheld: (snapshot) => {
      const seeing = eyes.seeing(snapshot);
      return seeing.see ? null : sayWithheld(snapshot.foreground.package, seeing.withheld);
    },
    veiled: (snapshot) => eyes.veiled(snapshot),
  };
}

export function inspectCommand(): Command {
  return commandOf('inspect', 'Shows a recorded screen as an agent would get it.')
    .argument('<file>', 'uiautomator XML, Appium page source or a DroidBot state')
    .addOption(
      new Option('--detail <how>', 'how much of it').choices(['summary', 'full', 'text']).default('summary'),
    )
    .option('--as <agent>', 'as this agent may see it, by its grant on the running host')
    .action((file: string, options: InspectOptions) =>
      carry(options.json === true, async () => {
        const { inspect } = await import('../../screen/inspect.ts');
        const inspected = inspect(readFileSync(file), basename(file), options.detail, await veilOf(options));
        if ('error_code' in inspected) throw new CannotRun(inspected.error_code, inspected.message);
        return {
          text: inspected.text.split('\n').map(plain).join('\n'),
          object: inspected,
          exit: EXIT.held,
        };
      }),
    );
}
