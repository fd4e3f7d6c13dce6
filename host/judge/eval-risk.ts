/**
 * `npm run eval:risk -- FILE`: measures the judge of words on labelled labels, by language, class and app, with
 * its misses. Words alone: the row's locale stands for the device's, its package is not used. Not for what the
 * figures mean (risk-figures.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { packageRoot } from '../package-root.ts';
import { judgeLabel, type LabelHit } from './label-judge.ts';
import { loadVocabulary } from './load-vocabulary.ts';
import {
  belowGoal,
  disputed,
  group,
  type Judged,
  leaveOneAppOut,
  memorising,
  missedGoals,
  primaryOf,
  quantile,
  type Rates,
  type Row,
  rates,
  rowSchema,
} from './risk-figures.ts';

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
  const started = performance.now();
  const vocabulary = loadVocabulary(join(packageRoot(), 'policies'));
  const { words } = vocabulary;
  const loadMs = performance.now() - started;

  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => rowSchema.parse(JSON.parse(line)))
    .filter((row) => values.language === undefined || primaryOf(row) === values.language)
    .filter((row) => values.app === undefined || row.app === values.app);

  const judge = (row: Row) => judgeLabel(vocabulary, row.text, row.locale);
  const judged: Judged[] = rows.map((row) => ({ row, hits: judge(row) }));
  const micros = rows.map((row) => {
    const before = process.hrtime.bigint();
    judge(row);
    return Number(process.hrtime.bigint() - before) / 1_000;
  });
  micros.sort((a, b) => a - b);

  const byLanguage = group(judged, ({ row }) => primaryOf(row));
  const below = belowGoal(judged);
  const summary = {
    ...rates(judged),
    by_language: byLanguage,
    by_class: group(judged, ({ row }) => row.category ?? '?'),
    by_app: group(judged, ({ row }) => row.app),
    baseline: rates(rows.map((row) => ({ row, hits: BASELINE.test(row.text) ? [BASELINE_HIT] : [] }))),
    us_per_label: { p50: quantile(micros, 0.5), p95: quantile(micros, 0.95) },
    load_ms: Math.round(loadMs * 10) / 10,
    entries: words.counts.entries,
    exceptions: words.counts.exceptions,
    longest_phrase: words.counts.longestPhrase,
    languages: words.languages.size,
    memory_mb: { automaton: megabytes(words.automaton.bytes), rules: megabytes(words.table.bytes) },
    leave_one_app_out: leaveOneAppOut(judged),
    ...memorising(judged),
    languages_below_goal: below,
    disputed: disputed(rows),
  };
  report(judged, byLanguage, Number(values.misses));
  const { by_language: _l, by_class: _c, by_app: _a, disputed: doubted, ...short } = summary;
  const say = (line: string) => process.stderr.write(`${line}\n`);
  say(JSON.stringify({ ...short, disputed: doubted.length }));
  say(HOW);
  for (const { language, text: label } of doubted) say(`disputed (${language}): ${label}`);
  const missed = missedGoals(summary, below);
  for (const goal of missed) say(`does not hold: ${goal}`);
  if (values.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

/** What keeps the figures honest, for whoever reads them. */
const HOW = `
leave_one_app_out: recall on each family of apps by those entries alone that some other family needed too. What was
written for one app only counts for nothing; nor, unjustly, does a good word that only one app of this file has. A
lower bound. entries_met: entries that meet any high label here; the others were written without one.
found_by_copies_only: share of the found labels that only an entry of three or more words finds which is the whole
label, as a copied string would. Disputed labels are called high in one row and low in another.`;

const megabytes = (bytes: number) => Math.round(bytes / 1e4) / 100;

const BASELINE_HIT: LabelHit = { class: 'send', language: 'en', match: '', say: '' };

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
