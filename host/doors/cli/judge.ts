/**
 * `countersign judge`: what labels mean, or an element of a recorded screen, and by which entry of which file.
 * Not for judging (host/judge) nor for reading screens (host/screen).
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Explained, Judged, JudgedReason } from '../../judge/judge-command.ts';
import type { Subject } from '../../judge/subject.ts';
import { packageRoot } from '../../package-root.ts';
import { dataDirectory } from '../../store/data-directory.ts';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { CannotRun, EXIT, plain } from './terminal.ts';

interface JudgeOptions extends CommonOptions {
  readonly file?: string;
  readonly dump?: string;
  readonly ref?: string;
  readonly app?: string;
  readonly locale?: string;
  readonly profile?: string;
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

/** What a tap on an element of a recorded screen would be judged as: on the node that takes it, and on the one meant. */
async function subjectsOf(dump: string, ref: string, app: string | null): Promise<Subject[]> {
  const { inspect, nodesOfRef } = await import('../../screen/inspect.ts');
  const { readSubject } = await import('../../judge/read-subject.ts');
  const bytes = readFileSync(dump);
  const inspected = inspect(bytes, basename(dump));
  if ('error_code' in inspected) throw new CannotRun(inspected.error_code, inspected.message);
  const found = nodesOfRef(bytes, basename(dump), ref);
  if (found === null) {
    const refs = inspected.elements.slice(0, 8).map((one) => one.ref);
    throw new CannotRun('ref_unknown', `This screen has no "${ref}". There are: ${refs.join(', ')} …`);
  }
  const { foreground } = found.snapshot;
  const snapshot =
    app === null ? found.snapshot : { ...found.snapshot, foreground: { ...foreground, package: app } };
  const act = { kind: 'tap', count: 1, by: 'element' } as const;
  return found.nodes.map((node) => readSubject({ snapshot, act, node, guard: null }));
}

const RANK = { allow: 0, ask: 1, refuse: 2 } as const;

function mostCareful(all: readonly Judged[]): Judged {
  const [careful] = [...all].sort((a, b) => RANK[b.decision] - RANK[a.decision]);
  if (careful === undefined) throw new Error('nothing was judged');
  const reasons = new Map(
    all.flatMap((one) => one.reasons).map((reason) => [JSON.stringify(reason), reason]),
  );
  return { ...careful, reasons: [...reasons.values()] };
}

function lineFor({ class: code, language, match, where, entry, file, line }: JudgedReason): string {
  const words = match === '' ? '' : `: “${plain(match)}”`;
  const place =
    file === null ? 'a rule of the judge itself' : `${file}:${line}  entry “${plain(entry ?? '')}”`;
  return `    ${code}${language === null ? '' : ` (${language})`} in ${where}${words}  ${place}`;
}

function textFor({ text, level, decision, reasons }: Judged): string {
  return [`${level.padEnd(4)} (${decision})  ${plain(text)}`, ...reasons.map(lineFor)].join('\n');
}

/** The judge with the owner's additions and one profile. */
async function judgeOf(options: JudgeOptions): Promise<Explained> {
  // Here, and not above: the words of all languages are no burden to commands that do not judge.
  const { Explained } = await import('../../judge/judge-command.ts');
  const { loadPolicyBook, policyFor } = await import('../../judge/load-policy.ts');
  const root = packageRoot();
  const data = dataDirectory(options.data);
  const book = loadPolicyBook(join(root, 'policies'), data);
  return new Explained(policyFor(book, { profile: options.profile ?? null }), { root, data });
}

export function judgeCommand(): Command {
  return commandOf('judge', 'Says what a label or an element means: low, or high with the reasons.')
    .argument('[text]', 'one label')
    .option('--file <file>', 'JSON lines with "text" (and "locale"), judged in order')
    .option('--dump <file>', 'a recorded screen, with --ref: what a tap on that element would be')
    .option('--ref <ref>', 'an element of it, as "countersign inspect" names it')
    .option('--app <package>', 'the app it stands in')
    .option('--locale <tag>', 'the device’s locale (default: unknown, every language counts)')
    .option('--profile <name>', 'watchful, balanced or ci (default: balanced)')
    .action((text: string | undefined, options: JudgeOptions) =>
      carry(options.json === true, async (terminal) => {
        const given = [text, options.file, options.dump].filter((one) => one !== undefined);
        if (given.length !== 1 || (options.dump === undefined) !== (options.ref === undefined)) {
          throw new CannotRun('text_or_file', 'Give a text, or --file, or --dump with --ref.');
        }
        const app = options.app ?? null;
        const judge = await judgeOf(options);
        const tell = (judged: Judged) => {
          // Of a whole file only the lines for programs are printed twice: a terminal is no place for thousands.
          if (!terminal.json || options.file === undefined) terminal.say(textFor(judged));
          terminal.result(judged);
        };
        if (options.dump !== undefined) {
          const subjects = await subjectsOf(options.dump, options.ref ?? '', app);
          tell(mostCareful(subjects.map((subject) => judge.subject(subject))));
        } else {
          const rows = options.file === undefined ? [{ text: text ?? '' }] : rowsOf(options.file);
          for (const row of rows) {
            const locale = ('locale' in row ? row.locale : null) ?? options.locale ?? null;
            tell(judge.text(row.text, { locale, app }));
          }
        }
        process.exitCode = EXIT.held;
        return null;
      }),
    );
}
