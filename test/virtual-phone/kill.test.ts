/**
 * A virtual phone whose process is killed at moments nobody chose, in the middle of acts: what its ledger
 * says afterwards agrees with what was really touched.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Touch } from '../../host/virtual-phone/android/touch.ts';
import { HostBench } from './bench.ts';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.open();
});
afterEach(async () => {
  await bench.close();
  expect(bench.faults).toEqual([]);
});

/** The Messages icon on the home screen. */
const TAP = {
  kind: 'tap',
  aim: { by: 'point', point: { x: 400, y: 1_700 }, under: null },
  count: 1,
} as const;
const KILLS = 6;

describe('a phone that is killed while it acts', () => {
  it('never touches twice, touched exactly once where it says done, and never where it says that it did not run', async () => {
    const told: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const phone = await bench.spawn({ language: 'en' });
      await bench.connected();
      const control = await phone.control();
      const before = touchesOf(await control.touches());
      const acting = bench.act(TAP);
      // Between "not yet sent" and "already answered": no event stands for a moment nobody chose.
      await new Promise((resolve) => setTimeout(resolve, kill * 150));
      await control.kill().catch(() => {});
      await phone.ended;
      control.close();
      const again = await bench.spawn();
      const { row } = await acting;
      const reader = await again.control();
      const touched = touchesOf(await reader.touches()) - before;
      reader.close();
      told.push(`${row.state}: ${touched}`);
      await again.stop();
    }
    for (const one of told) {
      expect([
        'done: 1',
        'refused: 0',
        'sealed: 0',
        'interrupted: 0',
        'interrupted: 1',
        'unknown: 0',
        'unknown: 1',
        'doubtful: 0',
        'doubtful: 1',
      ]).toContain(one);
    }
  }, 120_000);
});

const touchesOf = (touches: readonly Touch[]) => touches.filter((touch) => touch.by === 'companion').length;
