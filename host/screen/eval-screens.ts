/**
 * `npm run eval:screens -- DIR [--json] [--worst N]`: what agents would get of all recorded screens below
 * DIR, in figures (figures.md names the keys). Reads files and prints; decides nothing.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { figuresOf, missedGoals, type Row, round } from './figures.ts';
import { measure } from './measure.ts';
import { readRecording } from './recorded/read-recording.ts';

type Encode = (text: string) => { readonly length: number };

/** Files of the folder that are recordings by their name; the index is none. */
function recordingsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(xml|json|uix)$/i.test(path) && statSync(path).isFile())
    .sort();
}

async function tokenizer(): Promise<Encode | null> {
  try {
    const { encode } = await import('gpt-tokenizer/encoding/o200k_base');
    return encode;
  } catch {
    process.stderr.write(
      'gpt-tokenizer is not installed (it is a development dependency): tokens are null\n',
    );
    return null;
  }
}

function indexNodes(folder: string): number | null {
  try {
    const lines = readFileSync(join(folder, 'index.jsonl'), 'utf8').trim().split('\n');
    return lines.reduce((sum, line) => sum + Number((JSON.parse(line) as { nodes?: number }).nodes ?? 0), 0);
  } catch {
    // No index beside the files: then there is nothing to compare with.
    return null;
  }
}

function tellWorst(rows: readonly Row[], most: number): void {
  const by = (name: string, of: (row: Row) => number, detail: (row: Row) => string) => {
    const worst = rows
      .filter((row) => of(row) > 0)
      .toSorted((a, b) => of(b) - of(a))
      .slice(0, most);
    if (worst.length === 0) return;
    process.stderr.write(`\n${name}\n`);
    for (const row of worst) process.stderr.write(`  ${of(row)}  ${row.file}  ${detail(row)}\n`);
  };
  const some = (words: readonly (string | number)[]) => JSON.stringify(words.slice(0, 6)).slice(0, 300);
  by(
    'not reachable',
    (row) => row.unreached.length,
    (row) => some(row.unreached),
  );
  by(
    'no name',
    (row) => row.unnamed.length,
    (row) => some(row.unnamed),
  );
  by(
    'labels lost',
    (row) => row.lost.length,
    (row) => some(row.lost),
  );
  by(
    'labels cut',
    (row) => row.cut.length,
    (row) => some(row.cut),
  );
  by(
    'labels twice',
    (row) => row.twice.length,
    (row) => some(row.twice),
  );
  by(
    'tokens',
    (row) => row.tokens ?? row.estimate,
    () => '',
  );
  by(
    'milliseconds',
    (row) => round(row.ms),
    (row) => `${row.nodes} nodes`,
  );
}

async function main(argv: readonly string[]): Promise<number> {
  const folder = argv.find((one) => !one.startsWith('--') && !/^\d+$/.test(one));
  const worst = argv.indexOf('--worst');
  if (folder === undefined) {
    process.stderr.write('usage: eval-screens DIR [--json] [--worst N]\n');
    return 2;
  }
  let files: string[];
  try {
    files = recordingsIn(folder);
  } catch (error) {
    process.stderr.write(`cannot read ${folder}: ${(error as Error).message}\n`);
    return 2;
  }
  if (files.length === 0) {
    process.stderr.write(`no recordings (.xml, .json) in ${folder}\n`);
    return 2;
  }
  const encode = await tokenizer();
  const rows: Row[] = [];
  let crashes = 0;
  let unreadable = 0;
  // The first pass only warms the code up, so that times are those of a running host.
  for (const isWarm of [false, true]) {
    for (const file of files) {
      const name = relative(folder, file);
      try {
        const recording = readRecording(readFileSync(file), name);
        if ('error_code' in recording) {
          if (isWarm) unreadable += 1;
          if (isWarm) process.stderr.write(`${name}: ${recording.error_code}\n`);
          continue;
        }
        const measured = measure(recording, () => performance.now());
        if (isWarm) rows.push({ ...measured, file: name, tokens: encode?.(measured.text).length ?? null });
      } catch (error) {
        if (isWarm) crashes += 1;
        if (isWarm) process.stderr.write(`CRASH ${name}: ${(error as Error).stack}\n`);
      }
    }
  }
  const result = figuresOf(rows, {
    files: files.length,
    crashes,
    unreadable,
    nodes_index: indexNodes(folder),
  });
  if (worst >= 0) tellWorst(rows, Number(argv[worst + 1] ?? 10));
  const missed = missedGoals(result);
  for (const goal of missed) process.stderr.write(`does not hold: ${goal}\n`);
  process.stdout.write(
    `${argv.includes('--json') ? JSON.stringify(result) : JSON.stringify(result, null, 2)}\n`,
  );
  return missed.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await main(process.argv.slice(2));
}
