/**
 * `countersign inspect FILE`: a recorded screen as an agent would get it. Not for reading it (host/screen).
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { carry, jsonCommandOf } from './commands.ts';
import { CannotRun, EXIT, plain } from './terminal.ts';

interface InspectOptions {
  readonly json?: boolean;
  readonly detail: 'summary' | 'full' | 'text';
}

export function inspectCommand(): Command {
  return jsonCommandOf('inspect', 'Shows a recorded screen as an agent would get it.')
    .argument('<file>', 'uiautomator XML, Appium page source or a DroidBot state')
    .addOption(
      new Option('--detail <how>', 'how much of it').choices(['summary', 'full', 'text']).default('summary'),
    )
    .action((file: string, options: InspectOptions) =>
      carry(options.json === true, async () => {
        const { inspect } = await import('../../screen/inspect.ts');
        const inspected = inspect(readFileSync(file), basename(file), options.detail);
        if ('error_code' in inspected) throw new CannotRun(inspected.error_code, inspected.message);
        return {
          text: inspected.text.split('\n').map(plain).join('\n'),
          object: inspected,
          exit: EXIT.held,
        };
      }),
    );
}
