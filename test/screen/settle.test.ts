import { describe, expect, test } from 'vitest';
import { builtOf } from '../../device-protocol/companion/half-built.ts';
import {
  beginSettling,
  HALF_BUILT,
  looked,
  type Rest,
  reasonOf,
  restOf,
  SETTLE_TIMES,
  type Settling,
  stir,
  windowGone,
} from '../../device-protocol/companion/settle.ts';
import { treeOf } from '../../device-protocol/companion/tree.ts';
import { screen, text, type View } from './screens.ts';

const RULE = SETTLE_TIMES;

/** Plays stirs at their times and answers when and how it ended, asking no more often than it wants to be asked. */
function play(
  stirs: readonly (readonly [ms: number, ...names: string[]])[],
  halfBuiltUntil = 0,
): Rest & { at: number } {
  let state: Settling = beginSettling(RULE, 0);
  const left = [...stirs];
  for (let now = 0; ; ) {
    state = looked(state, { half_built: now < halfBuiltUntil });
    const rest = restOf(state, now);
    if (rest.kind !== 'waiting') return { ...rest, at: now };
    const next = left[0];
    if (next !== undefined && next[0] <= rest.until_ms) {
      left.shift();
      now = next[0];
      state = stir(state, now, next.slice(1) as string[]);
    } else {
      now = rest.until_ms;
    }
  }
}

describe('a screen settles', () => {
  test('without any change after the reaction time', () => {
    expect(play([])).toEqual({
      kind: 'settled',
      reason: 'nothing_changed',
      took_ms: RULE.reaction_ms,
      at: RULE.reaction_ms,
    });
  });

  test('a quiet time after the last change', () => {
    expect(
      play([
        [100, 'windows'],
        [250, 'list'],
      ]),
    ).toMatchObject({ kind: 'settled', reason: 'quiet', at: 250 + RULE.quiet_ms });
  });

  test('at once when its window is gone', () => {
    expect(restOf(windowGone(beginSettling(RULE, 50)), 60)).toEqual({
      kind: 'settled',
      reason: 'window_gone',
      took_ms: 10,
    });
  });

  test('though something stirred that does not count', () => {
    expect(play([[100], [200], [300]])).toMatchObject({ kind: 'settled', reason: 'nothing_changed' });
  });
});

describe('a screen that never rests', () => {
  test('is told from one that does, with the node that goes on, before the ceiling (D-12)', () => {
    const ticker = Array.from({ length: 100 }, (_, n) => [300 * (n + 1), 'ticker'] as const);
    const rest = play([[120, 'panel', 'windows'], ...ticker]);
    expect(rest).toMatchObject({ kind: 'restless', node: 'ticker' });
    expect(rest.at).toBeLessThan(RULE.ceiling_ms);
    expect(reasonOf(rest as Exclude<Rest, { kind: 'waiting' }>)).toBe('restless: ticker');
  });

  test('ends at the ceiling when ever new things move', () => {
    const busy = Array.from({ length: 100 }, (_, n) => [50 * (n + 1), `node ${n}`] as const);
    expect(play(busy)).toMatchObject({ kind: 'ceiling', at: RULE.ceiling_ms });
  });

  test('waits for what starts late beside a restless node', () => {
    const ticker = Array.from({ length: 9 }, (_, n) => [300 * (n + 1), 'ticker'] as const);
    const rest = play([...ticker.slice(0, 3), [1_000, 'panel'], ...ticker.slice(3)]);
    expect(rest).toMatchObject({ kind: 'restless', at: 1_000 + RULE.quiet_ms });
  });
});

describe('a half-built tree (D-01)', () => {
  const part = (at: View['at']): View => ({ class_name: 'android.view.View', at });
  const strip = [part([864, 0, 1_080, 200]), part([864, 200, 1_080, 400])];
  const unplaced = Array.from({ length: 22 }, () => text('later', [0, 0, 0, 0]));

  test('is known by its parts without a place, a page below the fold and a whole screen are not', () => {
    const halfBuilt = screen({ at: [864, 0, 1_080, 2_400], kids: [...strip, ...unplaced] });
    expect(builtOf(treeOf(halfBuilt))).toEqual({ half_built: true, unplaced: 22, placed: 3 });
    const page = screen({
      at: [0, 0, 1_080, 2_400],
      kids: [{ class_name: 'android.webkit.WebView', at: [0, 0, 1_080, 2_400], kids: unplaced }],
    });
    expect(builtOf(treeOf(page)).half_built).toBe(false);
    expect(builtOf(treeOf(screen({ at: [0, 0, 1_080, 2_400], kids: strip }))).half_built).toBe(false);
  });

  test('is looked at again though nothing stirs, until it is whole', () => {
    expect(play([], 900)).toMatchObject({ kind: 'settled', at: 900 });
  });

  test('is given up as half-built when it stays so', () => {
    const rest = play([], 1e9);
    expect(rest).toMatchObject({ kind: 'half_built' });
    expect(rest.at).toBeGreaterThanOrEqual(HALF_BUILT.patience_ms);
    expect(rest.at).toBeLessThan(RULE.ceiling_ms);
  });
});
