/** `countersign answer`, `tasks`, `release`: the owner's part in what agents are at. */
import type { Command } from 'commander';
import type { QuestionView, TaskView } from '../../engine/orders.ts';
import { type CommonOptions, commandOf } from './commands.ts';
import { whole } from './moments.ts';
import { order } from './ordering.ts';
import { CannotRun, plain } from './terminal.ts';

interface AnswerOptions extends CommonOptions {
  readonly decline?: boolean;
}

/** An agent's question, framed as its own words: whatever it says of itself, it is no message of ours. */
export function questionText(view: QuestionView): string {
  return [
    `${view.question_id}  Agent ${plain(view.agent)} asks, in its own words:`,
    `    | ${plain(view.question)}`,
    ...(view.warning === null ? [] : [`    WARNING: ${view.warning}`]),
    `    asked ${view.asked_at}, waits until ${view.expires_at}`,
  ].join('\n');
}

function taskText(view: TaskView): string {
  const ended = view.ended_at === null ? '' : ` ${view.ended_at}`;
  const owed =
    view.clipboards_owed.length === 0
      ? ''
      : `; clipboard still to be emptied: ${view.clipboards_owed.join(', ')}`;
  const said = view.summary === null ? '' : `\n    | ${plain(view.summary)}`;
  return `${view.task_id}  ${plain(view.agent)}, ${view.opened_at}: ${view.state}${ended}, ${view.steps} acts${owed}${said}`;
}

export function taskCommands(): Command[] {
  return [
    commandOf('answer', 'Answers an agent’s question. Never give it a password or a code.')
      .argument('<id>', 'question id, from `countersign pending`')
      .argument('[text]')
      .option('--decline', 'do not answer it')
      .action((question_id: string, text: string | undefined, options: AnswerOptions) => {
        if (options.decline === true && text === undefined) return order(options, 'decline', { question_id });
        if (text === undefined || options.decline === true)
          throw new CannotRun('answer_missing', 'Give your answer as text, or --decline.');
        return order(options, 'answer', { question_id, text });
      }),
    commandOf('tasks', 'Lists what agents are at, and were; `tasks end ID` ends one.')
      .option('--last <n>', 'only the last ones', whole, 20)
      .action((options: CommonOptions & { last: number }) =>
        order(options, 'tasks', { last: options.last }, ({ items }) =>
          items.length === 0 ? 'There were no tasks.' : items.map(taskText).join('\n'),
        ),
      )
      .addCommand(
        commandOf('end', 'Ends a task: what has not started never does, its questions are withdrawn.')
          .argument('<id>')
          .action((task_id: string, _options: CommonOptions, command: Command) =>
            order(command.optsWithGlobals<CommonOptions>(), 'task_end', { task_id }),
          ),
      ),
    commandOf('release', 'Frees a phone that an agent holds, for any other.')
      .argument('<device>')
      .action((device_id: string, options: CommonOptions) => order(options, 'release_device', { device_id })),
  ];
}
