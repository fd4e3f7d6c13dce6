/**
 * `npm run eval:risk -- FILE`: measures the judge of words on labelled labels, by language, class and app, with
 * its misses. Words alone: the row's locale stands for the device's, its package is not used.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { packageRoot } from '../package-root.ts';
import { judgeLabel, type LabelHit } from './label-judge.ts';
import { loadVocabulary } from './load-vocabulary.ts';

const rowSchema = z.object({
  app: z.string(),
  locale: z.string(),
  text: z.string(),
  en: z.string().optional(),
  label: z.enum(['high', 'low']),
  category: z.string().optional(),
});
type Row = z.infer<typeof rowSchema>;
type Judged = { row: Row; hits: LabelHit[] };

/** What a simple English keyword list would have done: the figure everything else is compared with. */
const BASELINE =
  /\b(send|pay|buy|purchase|order|confirm|submit|delete|remove|erase|clear|reset|post|publish|share|call|install|uninstall|allow|grant|sign|subscribe|log ?out|block|report|reboot)\b/iu;

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      language: { type: 'string' },
      app: { type: 'string' },
      misses: { type: 'string', default: '20' },
    },
  });
  const path = positionals[0];
  if (path === undefined)
    throw new Error('usage: eval-risk FILE [--json] [--language xx] [--app NAME] [--misses N]');
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => rowSchema.parse(JSON.parse(line)))
    .filter((row) => values.language === undefined || primaryOf(row) === values.language)
    .filter((row) => values.app === undefined || row.app === values.app);

  const started = performance.now();
  const vocabulary = loadVocabulary(join(packageRoot(), 'policies'));
  const { words } = vocabulary;
  const loadMs = performance.now() - started;

  const judge = (row: Row) => judgeLabel(vocabulary, row.text, row.locale);
  const judged: Judged[] = rows.map((row) => ({ row, hits: judge(row) }));
  const micros = rows.map((row) => {
    const before = process.hrtime.bigint();
    judge(row);
    return Number(process.hrtime.bigint() - before) / 1_000;
  });
  micros.sort((a, b) => a - b);

  const summary = {
    ...rates(judged),
    by_language: group(judged, ({ row }) => primaryOf(row)),
    by_class: group(judged, ({ row }) => row.category ?? '?'),
    by_app: group(judged, ({ row }) => row.app),
    baseline: rates(rows.map((row) => ({ row, hits: BASELINE.test(row.text) ? [BASELINE_HIT] : [] }))),
    us_per_label: { p50: quantile(micros, 0.5), p95: quantile(micros, 0.95) },
    load_ms: Math.round(loadMs * 10) / 10,
    entries: words.counts.entries,
    exceptions: words.counts.exceptions,
    longest_phrase: words.counts.longestPhrase,
    states: words.automaton.states,
  };
  report(judged, summary.by_language, Number(values.misses));
  process.stderr.write(
    `${JSON.stringify({ ...summary, by_language: undefined, by_class: undefined, by_app: undefined })}\n`,
  );
  if (values.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
}

const BASELINE_HIT: LabelHit = { class: 'send', language: 'en', match: '', say: '' };

function primaryOf(row: Row): string {
  return row.locale.split('-')[0] as string;
}

type Rates = { rows: number; risky: number; recall: number | null; false_alarms: number | null };

function rates(judged: readonly Judged[]): Rates {
  const risky = judged.filter(({ row }) => row.label === 'high');
  const ordinary = judged.filter(({ row }) => row.label === 'low');
  return {
    rows: judged.length,
    risky: risky.length,
    recall: share(risky, ({ hits }) => hits.length > 0),
    false_alarms: share(ordinary, ({ hits }) => hits.length > 0),
  };
}

/** Null where there is nothing to measure: never a default. */
function share<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : Math.round((items.filter(holds).length / items.length) * 1e5) / 1e5;
}

function group(judged: readonly Judged[], keyOf: (one: Judged) => string): Record<string, Rates> {
  const groups = new Map<string, Judged[]>();
  for (const one of judged) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return Object.fromEntries([...groups].sort().map(([key, members]) => [key, rates(members)]));
}

function quantile(sorted: readonly number[], at: number): number | null {
  const value = sorted[Math.floor(sorted.length * at)];
  return value === undefined ? null : Math.round(value * 100) / 100;
}

/** Misses and false alarms for whoever edits the word files, on stderr. */
function report(judged: readonly Judged[], byLanguage: Record<string, Rates>, limit: number): void {
  const out = (line: string) => process.stderr.write(`${line}\n`);
  for (const [language, figures] of Object.entries(byLanguage)) {
    const own = judged.filter(({ row }) => primaryOf(row) === language);
    const missed = own.filter(({ row, hits }) => row.label === 'high' && hits.length === 0);
    const alarms = own.filter(({ row, hits }) => row.label === 'low' && hits.length > 0);
    out(
      `\n== ${language}: ${figures.rows} rows, recall ${figures.recall}, false alarms ${figures.false_alarms}`,
    );
    for (const line of counted(missed, (one) => `${one.row.category} [${one.row.en}]`).slice(0, limit))
      out(`  miss  ${line}`);
    const why = ({ row, hits }: Judged) =>
      `[${row.en}] ← ${hits.map((hit) => `${hit.language}:"${hit.say}" (${hit.class})`).join(', ')}`;
    for (const line of counted(alarms, why).slice(0, limit)) out(`  alarm ${line}`);
  }
}

/** Distinct texts with their number, most frequent first. */
function counted(judged: readonly Judged[], note: (one: Judged) => string): string[] {
  const counts = new Map<string, number>();
  for (const one of judged) {
    const key = `${one.row.text}  ${note(one)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([key, count]) => `${count}× ${key}`);
}

try {
  main();
} catch (error) {
  process.stderr.write(`eval-risk: ${(error as Error).message}\n`);
  process.exitCode = 2;
}
