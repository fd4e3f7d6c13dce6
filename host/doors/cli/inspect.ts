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
    .addOption(new Option('--detail <how>').choices(['summary', 'full', 'text']).default('summary'))
    .action((file: string, options: InspectOptions) =>
      carry(options.json === true, async () => {
        const { readRecording } = await import('../../screen/recorded/read-recording.ts');
        const { observe } = await import('../../screen/observe.ts');
        const { labelOf } = await import('../../screen/items.ts');
        const { tell } = await import('../../screen/tell.ts');
        const recording = readRecording(readFileSync(file), basename(file));
        if (!('snapshot' in recording)) throw new CannotRun(recording.error_code, recording.message);
        const { seen } = observe(recording.snapshot);
        const told = tell(seen, { detail: options.detail });
        const elements = seen.items.flatMap((item, place) => {
          const ref = seen.refs[place] ?? '';
          if (!item.element || ref === '') return [];
          const label = labelOf(item) || (item.near === null ? '' : labelOf(item.near));
          const { role, value, states, actions } = item;
          return [{ ref, role, label, value, states, actions }];
        });
        const notes = seen.notes.map(({ inSummary: _inSummary, ...note }) => note);
        return {
          text: told.text.split('\n').map(plain).join('\n'),
          object: { elements, notes, text: told.text, truncated: told.truncated, format: recording.format },
          exit: EXIT.held,
        };
      }),
    );
}
