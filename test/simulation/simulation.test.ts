/** The short form of `npm run simulate`: every promise over some hundred schedules, replay, and teeth. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { patched, patchesOf, tryMutation } from './mutate.ts';
import { MUTATIONS } from './mutations.ts';
import { planOf } from './plan.ts';
import { play } from './schedule.ts';
import { simulate } from './simulate.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the simulation', () => {
  it('keeps every promise over 400 schedules with all faults, and visits every cell of both tables', async () => {
    const summary = await simulate(50_000_001, 400);
    expect(summary.first_violation).toBeNull();
    expect(summary.median_steps).toBeGreaterThanOrEqual(40);
    expect(summary.cells_not_visited).toEqual([]);
    const rare = Object.entries(summary.fault_share).filter(([, share]) => share < 0.02);
    expect(rare).toEqual([]);
    expect(Object.keys(summary.faults).length).toBeGreaterThanOrEqual(35);
  });

  it('replays a seed to the letter', async () => {
    for (const seed of [11, 787, 4_338]) {
      const [first, again] = [await play(planOf(seed), true), await play(planOf(seed), true)];
      expect(again.trace).toEqual(first.trace);
      expect(first.trace.length).toBeGreaterThan(10);
    }
  });
});

describe('the deliberate faults', () => {
  it('are at least twenty, and each patch matches its source exactly once', () => {
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(20);
    for (const mutation of MUTATIONS) {
      const texts = new Map<string, string>();
      for (const patch of patchesOf(mutation)) {
        const before = texts.get(patch.file) ?? readFileSync(join(root, patch.file), 'utf8');
        texts.set(patch.file, patched(before, patch));
      }
    }
  });

  it.each(['the journal is not synced', 'two acts at a time', 'a restart lets a started record stand'])(
    '“%s” is caught (all of them: npm run simulate:mutations)',
    async (name) => {
      const mutation = MUTATIONS.find((one) => one.name === name);
      if (mutation === undefined) throw new Error(`no such fault: ${name}`);
      expect(await tryMutation(mutation, 300)).toMatchObject({ caught: true });
    },
  );
});
