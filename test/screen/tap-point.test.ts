import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeAtPoint, tapPointOf } from '../../device-protocol/companion/tap-point.ts';
import type { Bounds, Snapshot } from '../../device-protocol/snapshot.ts';
import { button, column, screen, screenOf, text, type View } from './screens.ts';

const pressable = (at: Bounds, more: Partial<View> = {}): View => ({ at, is: ['clickable'], ...more });

describe('where a finger comes down', () => {
  test('the middle, where nothing lies over it', () => {
    expect(tapPointOf(screen(column([button('OK', [100, 100, 300, 200])])), 1)).toEqual({ x: 200, y: 150 });
  });

  test('beside an inner button that has the middle', () => {
    const row = pressable([0, 0, 1_080, 200], { kids: [pressable([400, 20, 700, 180])] });
    const snapshot = screen(column([row]));
    const point = tapPointOf(snapshot, 1);
    expect(point).toEqual({ x: 200, y: 100 });
    expect(nodeAtPoint(snapshot, 200, 100)).toEqual({ window: 0, node: 1, takes_touch: true });
  });

  test('not under a floating button, a keyboard or another window', () => {
    const list = pressable([0, 1_000, 1_080, 1_400]);
    const fab = pressable([800, 1_000, 1_080, 1_400]);
    expect(tapPointOf(screen(column([list, fab])), 1)).toEqual({ x: 540, y: 1_200 });
    const wide = pressable([100, 1_000, 1_080, 1_400]);
    expect(tapPointOf(screen(column([list, wide])), 1)).toEqual({ x: 50, y: 1_200 });
    const keyboard = column([button('q', [0, 1_600, 100, 1_700])], { at: [0, 1_500, 1_080, 2_400] });
    const field = column([pressable([0, 1_400, 1_080, 1_700])]);
    const both = screenOf([{ root: field }, { root: keyboard, kind: 'input_method', layer: 9 }]);
    expect(tapPointOf(both, 1)).toEqual({ x: 540, y: 1_450 });
  });

  test('in the order Android painted, not the order of the tree', () => {
    const under = pressable([0, 0, 400, 400], { drawing_order: 2 });
    const over = pressable([0, 0, 400, 400], { drawing_order: 1 });
    const snapshot = screen(column([under, over]));
    expect(tapPointOf(snapshot, 1)).toEqual({ x: 200, y: 200 });
    expect(tapPointOf(snapshot, 2)).toEqual({ covered_by: { node: 1, window: null } });
    expect(nodeAtPoint(snapshot, 200, 200).node).toBe(1);
  });

  test('nowhere, saying what covers it', () => {
    const covered = screen(column([pressable([0, 0, 400, 400]), pressable([0, 0, 500, 500])]));
    expect(tapPointOf(covered, 1)).toEqual({ covered_by: { node: 2, window: null } });
    const shade = { root: column([button('Clear', [0, 0, 100, 100])]), kind: 'system' as const, layer: 9 };
    const below = screenOf([{ root: column([pressable([0, 0, 400, 400])]) }, shade]);
    expect(tapPointOf(below, 1)).toEqual({ covered_by: { node: null, window: 1 } });
    const unseen = screen(column([pressable([0, 0, 400, 400], { not: ['visible'] })]));
    expect(tapPointOf(unseen, 1)).toEqual({ covered_by: { node: null, window: null } });
  });

  test('through windows of the system that hold nothing: rounded corners, frames', () => {
    const corners = { root: column([]), kind: 'system' as const, layer: 9 };
    const snapshot = screenOf([{ root: column([pressable([0, 0, 400, 400])]) }, corners]);
    expect(tapPointOf(snapshot, 1)).toEqual({ x: 200, y: 200 });
    expect(nodeAtPoint(snapshot, 10, 10)).toMatchObject({ window: 0, node: 1 });
  });
});

describe('what a point would hit', () => {
  test('the topmost node that takes touches, disabled or not; else the topmost seen one; else nothing', () => {
    const snapshot = screen(
      column(
        [
          pressable([0, 0, 400, 400], { not: ['enabled'], kids: [text('Pay', [0, 0, 400, 400])] }),
          text('Total', [0, 500, 400, 600]),
        ],
        { at: [0, 0, 1_080, 1_000] },
      ),
    );
    expect(nodeAtPoint(snapshot, 10, 10)).toEqual({ window: 0, node: 1, takes_touch: true });
    expect(nodeAtPoint(snapshot, 10, 550)).toEqual({ window: 0, node: 3, takes_touch: false });
    expect(nodeAtPoint(snapshot, 10, 2_000)).toEqual({ window: null, node: null, takes_touch: false });
  });

  const box = fc.tuple(
    fc.nat(900),
    fc.nat(2_000),
    fc.integer({ min: 1, max: 600 }),
    fc.integer({ min: 1, max: 600 }),
  );
  const tree = (depth: number): fc.Arbitrary<View> =>
    fc
      .tuple(box, fc.boolean(), depth === 0 ? fc.constant([]) : fc.array(tree(depth - 1), { maxLength: 4 }))
      .map(([[x, y, w, h], takes, kids]) => ({
        at: [x, y, x + w, y + h] as Bounds,
        is: takes ? (['clickable'] as const) : [],
        kids,
      }));

  test('a free point always hits the element it was made for, and a covered element has none', () => {
    fc.assert(
      fc.property(tree(3), (root) => {
        const snapshot: Snapshot = screen(column([root]));
        snapshot.nodes.forEach((node, index) => {
          if (!node.flags.includes('clickable')) return;
          const point = tapPointOf(snapshot, index);
          if ('x' in point) expect(nodeAtPoint(snapshot, point.x, point.y).node).toBe(index);
          else if (point.covered_by.node === null) expect(index).toBe(-1);
        });
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  test('bounds that are empty, swapped or beyond all measure are nowhere', () => {
    for (const at of [
      [0, 0, 0, 0],
      [500, 500, 100, 100],
      [2_147_483_647, 2_147_483_647, -2_147_483_648, -2_147_483_648],
      [-400, -400, -1, -1],
    ] as Bounds[]) {
      const snapshot = screen(column([pressable(at)]));
      expect(tapPointOf(snapshot, 1)).toEqual({ covered_by: { node: null, window: null } });
    }
  });
});
