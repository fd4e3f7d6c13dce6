/** `countersign judge`: what labels mean, and by which entry of which file. Not for judging (host/judge). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import type { JudgedReason, JudgedText } from '../../judge/judge-command.ts';
import { packageRoot } from '../../package-root.ts';
import { carry, jsonCommandOf } from './commands.ts';
import { CannotRun, EXIT, plain } from './terminal.ts';

interface JudgeOptions {
  readonly file?: string;
  readonly app?: string;
  readonly locale?: string;
  readonly json?: boolean;
}

const rowSchema = z.looseObject({ text: z.string(), locale: z.string().nullable().optional() });

/** The rows of a JSON-lines file, in order; a line that is none stops everything, with its number. */
function rowsOf(file: string): z.infer<typeof rowSchema>[] {
  const lines = readFileSync(file, 'utf8')
    .replace(/^\ufeff/, '')
    .split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [rowSchema.parse(JSON.parse(line))];
    } catch {
      throw new CannotRun('row_unreadable', `Line ${index + 1} is not an object with a "text".`);
    }
  });
}

function textFor(judged: JudgedText, lineOf: (reason: JudgedReason) => number | null): string {
  const reasons = judged.reasons.map((reason) => {
    const line = lineOf(reason);
    const place = line === null ? reason.file : `${reason.file}:${line}`;
    return `\n    ${reason.class} (${reason.language ?? 'any language'}): “${plain(reason.match)}”  ${place}`;
  });
  return `${judged.level.padEnd(4)}  ${plain(judged.text)}${reasons.join('')}`;
}

export function judgeCommand(): Command {
  return jsonCommandOf('judge', 'Says what a label means: low, or high with the reasons.')
    .argument('[text]', 'one label')
    .option('--file <file>', 'JSON lines with "text" (and "locale"), judged in order')
    .option('--app <package>', 'the app the label stands in')
    .option('--locale <tag>', 'the device’s locale (default: unknown, every language counts)')
    .action((text: string | undefined, options: JudgeOptions) =>
      carry(options.json === true, async (terminal) => {
        if ((text === undefined) === (options.file === undefined)) {
          throw new CannotRun('text_or_file', 'Give either a text or --file.');
        }
        const root = packageRoot();
        // Here, and not above: the words of all languages are no burden to commands that do not judge.
        const { judgeText, lineOf } = await import('../../judge/judge-command.ts');
        const { loadPolicyBook, policyFor } = await import('../../judge/load-policy.ts');
        const policy = policyFor(loadPolicyBook(join(root, 'policies'), null));
        const rows = options.file === undefined ? [{ text: text ?? '' }] : rowsOf(options.file);
        for (const row of rows) {
          const locale = ('locale' in row ? row.locale : null) ?? options.locale ?? null;
          const judged = judgeText(row.text, { policy, locale, app: options.app ?? null });
          // Of a whole file only the lines for programs are printed twice: a terminal is no place for thousands.
          if (!terminal.json || options.file === undefined) {
            terminal.say(textFor(judged, (reason) => lineOf(reason, root)));
          }
          terminal.result(judged);
        }
        process.exitCode = EXIT.held;
        return null;
      }),
    );
}
