/** `countersign pending`: what waits for the owner. Everything from the screen is untrusted text. */
import type { Command } from 'commander';
import type { PendingView } from '../../engine/engine.ts';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { withHost } from './running-host.ts';
import { EXIT, plain } from './terminal.ts';

/** One staged request with all that the owner needs to decide (D-46). */
export function pendingText(view: PendingView): string {
  const reasons = view.reasons.map((reason) => `${reason.class} (“${plain(reason.match)}”, ${reason.where})`);
  const parts: readonly (readonly [string, string | null])[] = [
    ['agent', view.agent],
    ['phone', view.device_id],
    ['app', view.app],
    ['window', view.window_title],
    ['element', view.element],
    ['text', view.typed_text],
    ['why asked', reasons.join('; ')],
    ['expires', view.expires_at],
  ];
  return [
    `${view.confirmation_id}  ${plain(view.summary)}`,
    ...parts.flatMap(([name, value]) =>
      value === null || value === '' ? [] : [`    ${name}: ${plain(value)}`],
    ),
  ].join('\n');
}

export function pendingCommand(): Command {
  return commandOf('pending', 'Lists the acts that wait for your answer.').action((options: CommonOptions) =>
    carry(options.json === true, async () => {
      const items = await withHost(options.data, (engine) => engine.owner.pending());
      const how = 'Answer with `countersign approve ID` or `countersign deny ID`.';
      return {
        text: items.length === 0 ? 'Nothing waits.' : [...items.map(pendingText), how].join('\n'),
        object: { items, count: items.length },
        exit: EXIT.held,
      };
    }),
  );
}
