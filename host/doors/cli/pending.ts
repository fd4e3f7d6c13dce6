/** `countersign pending`: what waits for the owner. Everything from the screen is untrusted text. */
import type { Command } from 'commander';
import type { PendingView } from '../../engine/engine.ts';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { BY_COMMAND_LINE, withHost } from './running-host.ts';
import { questionText } from './tasks.ts';
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
    ['shown', view.screen.slice(0, SHOWN_LINES).join(' · ')],
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

/** Lines of the screen that are printed; the console shows them all. */
const SHOWN_LINES = 24;

export function pendingCommand(): Command {
  return commandOf('pending', 'Lists the acts and questions that wait for your answer.').action(
    (options: CommonOptions) =>
      carry(options.json === true, async () => {
        const { items, questions } = await withHost(options.data, async (engine) => {
          const asked = await engine.owner.order('questions', {}, BY_COMMAND_LINE);
          return { items: await engine.owner.pending(), questions: asked.ok ? asked.items : [] };
        });
        const acts = items.length === 0 ? [] : [...items.map(pendingText), ANSWER_ACT];
        const asked = questions.length === 0 ? [] : [...questions.map(questionText), ANSWER_QUESTION];
        const text = [...acts, ...asked];
        return {
          text: text.length === 0 ? 'Nothing waits.' : text.join('\n'),
          object: { items, count: items.length, questions },
          exit: EXIT.held,
        };
      }),
  );
}

const ANSWER_ACT = 'Answer with `countersign approve ID` or `countersign deny ID`.';
const ANSWER_QUESTION = 'Answer with `countersign answer ID TEXT`, or `countersign answer ID --decline`.';
