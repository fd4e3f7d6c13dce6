import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { figuresOf, missedGoals, quantile, type Row } from '../../host/screen/figures.ts';
import { type Measured, measure } from '../../host/screen/measure.ts';
import { type Recording, readRecording } from '../../host/screen/recorded/read-recording.ts';
import { sharedPath } from '../support/shared.ts';
import { button, column, screen, text } from './screens.ts';

const noTime = () => 0;
const recorded = (snapshot: Recording['snapshot']): Recording => ({
  snapshot,
  format: 'uiautomator-xml',
  behindDamage: 0,
});
const measured = (snapshot: Recording['snapshot']): Measured => measure(recorded(snapshot), noTime);

describe('the measure of a screen', () => {
  test('counts what one can act on, reach and name; keyboards, bars and what nobody can press are left out', () => {
    const under = { ...button('Under', [0, 0, 300, 100]), drawing_order: 1 };
    const over = { ...button('Over', [0, 0, 400, 200]), drawing_order: 2 };
    const off = button('Off', [0, 300, 300, 400], { not: ['enabled'] });
    const nameless = { at: [500, 600, 600, 700] as const, is: ['clickable'] as const };
    const page = column([
      column([under, over], { at: [0, 0, 400, 200] }),
      off,
      { ...nameless, at: [500, 600, 600, 700] },
    ]);
    expect(measured(screen(page))).toMatchObject({
      actionable: 2,
      covered: 1,
      reachable: 2,
      labels: 3,
      lost: [],
      cut: [],
      twice: [],
    });
  });

  test('knows a label that is lost, cut or said twice', () => {
    const many = screen(
      column(
        Array.from({ length: 700 }, (_, n) =>
          text(`A sentence of several words, number ${n}`, [0, n * 3, 900, n * 3 + 3]),
        ),
      ),
    );
    const cut = measured(many);
    expect(cut.cut.length).toBeGreaterThan(50);
    expect(cut.lost).toEqual([]);
  });

  test('says of each goal that it does not hold', () => {
    const good = figuresOf(
      [{ ...measured(screen(column([button('Go', [0, 0, 300, 100])]))), file: 'a', tokens: 10 }],
      {
        files: 1,
        crashes: 0,
        unreadable: 0,
        nodes_index: null,
      },
    );
    expect(missedGoals(good)).toEqual([]);
    const bad = {
      crashes: 1,
      reachable: 0,
      named: 0,
      labels_lost: 1,
      labels_cut: 1,
      tokens: { p50: 251, p90: 901, max: 901 },
    };
    expect(missedGoals({ ...good, ...bad })).toHaveLength(7);
  });

  test('takes quantiles by rank', () => {
    expect([0.5, 0.9, 1].map((share) => quantile([5, 1, 4, 2, 3], share))).toEqual([3, 5, 5]);
    expect(quantile([], 0.5)).toBe(0);
  });
});

describe('the recorded screens of the shared folder', () => {
  const folder = sharedPath('screens');
  test.skipIf(folder === null)('are reached, named and said as the goals ask (figures.md)', () => {
    const files = readdirSync(folder as string, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.(xml|json)$/.test(name) && statSync(join(folder as string, name)).isFile(),
    );
    const rows = files.map((file): Row => {
      const recording = readRecording(readFileSync(join(folder as string, file)), file);
      if ('error_code' in recording) throw new Error(recording.message);
      return { ...measure(recording, noTime), file, tokens: null };
    });
    const figures = figuresOf(rows, { files: files.length, crashes: 0, unreadable: 0, nodes_index: null });
    expect(figures.actionable).toBeGreaterThan(3_000);
    expect(missedGoals(figures)).toEqual([]);
    expect(
      quantile(
        rows.map((row) => row.estimate),
        0.5,
      ),
    ).toBeLessThanOrEqual(250);
    expect(
      quantile(
        rows.map((row) => row.estimate),
        0.9,
      ),
    ).toBeLessThanOrEqual(900);
  });
});
