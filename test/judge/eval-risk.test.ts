/** `npm run eval:risk`: its last line has the keys others rely on, and its numbers are those of the rows. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { freshFolder, MAIN } from '../support/host-process.ts';
import { sharedPath } from '../support/shared.ts';

const EVAL = join(dirname(MAIN), '../../judge/eval-risk.js');
const folder = freshFolder('eval-');
afterAll(() => folder.remove());

function evaluate(file: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [EVAL, file, '--json'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  return { status, stderr, json: last === '' ? null : JSON.parse(last) };
}

const row = (text: string, label: string, rest: object = {}) => ({
  app: 'one',
  locale: 'en',
  text,
  label,
  ...(label === 'high' ? { category: 'send' } : {}),
  ...rest,
});
const write = (name: string, rows: object[]) => {
  const file = join(folder.path, name);
  const text = rows.map((one) => JSON.stringify(one)).join('\n');
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
};

describe('eval:risk', () => {
  const rows = [
    row('Send', 'high'),
    row('Senden', 'high', { locale: 'de-AT', app: 'two' }),
    row('Nothing of the kind', 'high', { category: 'pay' }),
    row('Settings', 'low'),
    row('Sender', 'low'),
    row('Details', 'low', { locale: 'de-AT', app: 'two' }),
    row('Delete', 'low', { app: 'two' }),
    row('Senden', 'low', { locale: 'de', app: 'one' }),
  ];

  it('counts recall and false alarms over all, by language, class and app, and fails where a goal does not hold', () => {
    const { status, json, stderr } = evaluate(write('rows.jsonl', rows));
    expect(status).toBe(1);
    expect(json).toMatchObject({ rows: 8, risky: 3, recall: 0.66667, false_alarms: 0.4 });
    expect(json.by_language).toMatchObject({
      de: { rows: 3, risky: 1, recall: 1, false_alarms: 0.5 },
      en: { rows: 5, risky: 2, recall: 0.5, false_alarms: 0.33333 },
    });
    expect(json.by_class).toMatchObject({ pay: { recall: 0 }, send: { recall: 1 } });
    expect(json.by_app).toMatchObject({ two: { rows: 3, recall: 1 } });
    expect(json.baseline).toMatchObject({ recall: 0.33333, false_alarms: 0.2 });
    expect(json.disputed).toEqual([{ language: 'de', text: 'senden' }]);
    expect(json.leave_one_app_out).toMatchObject({ recall: 0, by_family: { one: 0, two: 0 } });
    expect(stderr).toMatch(/does not hold: recall 0\.66667/u);
    expect(stderr).toContain('lower bound');
    expect(stderr).toContain('Nothing of the kind');
  });

  it('has every key that others read, and measured figures or null', () => {
    const { status, json } = evaluate(write('good.jsonl.gz', [row('Send', 'high'), row('Settings', 'low')]));
    expect(status).toBe(0);
    expect(json).toMatchObject({ recall: 1, false_alarms: 0, languages_below_goal: [], disputed: [] });
    expect(json.us_per_label.p50).toBeGreaterThan(0);
    expect(json.load_ms).toBeGreaterThan(0);
    expect(json.entries).toBeGreaterThan(10_000);
    expect(json.languages).toBeGreaterThanOrEqual(60);
    expect(json.longest_phrase).toMatch(/ /u);
    expect(json.memory_mb.automaton + json.memory_mb.rules).toBeGreaterThan(1);
    const nothing = evaluate(write('low.jsonl', [row('Settings', 'low')])).json;
    expect(nothing).toMatchObject({ recall: null, false_alarms: 0, found_by_copies_only: null });
  });

  it('ends with 2 where it cannot run', () => {
    expect(evaluate(join(folder.path, 'none.jsonl')).status).toBe(2);
    expect(evaluate(write('bad.jsonl', [{ text: 'Send' }])).status).toBe(2);
  });

  const corpus = sharedPath('risk-corpus', 'dev.jsonl.gz');
  it.skipIf(corpus === null)(
    'holds its goals on the labels of real apps (shared)',
    { timeout: 120_000 },
    () => {
      const { json, stderr } = evaluate(corpus as string);
      expect(json.recall, stderr.slice(-2_000)).toBeGreaterThanOrEqual(0.99);
      expect(json.false_alarms).toBeLessThanOrEqual(0.03);
      expect(json.baseline.recall).toBeLessThan(0.1);
      // Most entries were written without meeting a label of this file, and hardly any is a copied one.
      expect(json.entries_met / json.entries).toBeLessThan(0.25);
      expect(json.found_by_copies_only).toBeLessThan(0.02);
    },
  );
});
