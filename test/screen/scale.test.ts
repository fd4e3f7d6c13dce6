import { describe, expect, test } from 'vitest';
import { findTarget, targetOf } from '../../device-protocol/companion/find-target.ts';
import { LIMITS } from '../../device-protocol/limits.ts';
import type { Snapshot, SnapshotNode } from '../../device-protocol/snapshot.ts';
import { observe } from '../../host/screen/observe.ts';
import { tell } from '../../host/screen/tell.ts';
import { button, column, screen, text, type View } from './screens.ts';

/** How often nodes are looked at in one observation: work that does not depend on the machine. */
function workOf(snapshot: Snapshot, does: (snapshot: Snapshot) => unknown): number {
  let reads = 0;
  const nodes = new Proxy(snapshot.nodes, {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver);
    },
  }) as SnapshotNode[];
  does({ ...snapshot, nodes });
  return reads;
}

const flat = (count: number): View[] =>
  Array.from({ length: count }, (_, n) => ({
    at: [0, Math.floor(n / 2), 1_080, Math.floor(n / 2) + 1],
    is: ['clickable'],
    kids: [text(`row ${n}`, [0, Math.floor(n / 2), 900, Math.floor(n / 2) + 1])],
  }));
const nested = (levels: number): View =>
  levels === 0 ? button('deep', [0, 0, 500, 100]) : { at: [0, 0, 1_080, 2_400], kids: [nested(levels - 1)] };

describe('work grows with the screen, not faster', () => {
  const shapes: Record<string, (count: number) => View> = {
    'rows in a list': (count) =>
      column([{ at: [0, 0, 1_080, 2_400], is: ['scrollable'], kids: flat(count / 2) }]),
    'rows in no list': (count) => column(flat(count / 2)),
    'texts only': (count) =>
      column(
        Array.from({ length: count }, (_, n) => text(`word ${n}`, [0, n % 2_400, 500, (n % 2_400) + 1])),
      ),
    'unlabelled buttons on top of each other': (count) =>
      column(Array.from({ length: count }, () => ({ at: [0, 0, 1_080, 2_400], is: ['clickable'] as const }))),
    'pages without any words': (count) =>
      column(
        Array.from({ length: count / 100 }, () => ({
          at: [0, 0, 1_080, 2_400],
          kids: Array.from({ length: 99 }, (_, n) => ({ at: [0, n, 100, n + 1] as const })),
        })),
      ),
  };
  for (const [name, shape] of Object.entries(shapes)) {
    test(`for ${name}: four times the nodes, at most five times the looks at nodes`, () => {
      const does = (snapshot: Snapshot) => tell(observe(snapshot).seen);
      const small = workOf(screen(shape(1_000)), does);
      const large = workOf(screen(shape(4_000)), does);
      expect(large / small).toBeLessThan(5);
      expect(large / 4_000).toBeLessThan(400);
    });
  }
});

describe('a tree of 120 levels, and the deepest that is let in', () => {
  test('is read, told and hit like any other (D-06)', () => {
    for (const levels of [120, LIMITS.snapshotDepth]) {
      const snapshot = screen(nested(levels));
      expect(tell(observe(snapshot).seen).text).toContain('e1 deep');
      const last = snapshot.nodes.length - 1;
      expect(findTarget(snapshot, targetOf(snapshot, last))).toEqual({ found: last, strategy: 'ref' });
    }
  });
});

describe('a list of 4,000', () => {
  test('holds its number 3,990, told on the page it is on and found again', () => {
    const snapshot = screen(column(flat(2_000)));
    const { seen } = observe(snapshot);
    let from: number | null = 0;
    let pages = 0;
    let where = -1;
    while (from !== null) {
      const told = tell(seen, { from });
      if (told.text.includes('row 1990')) where = pages;
      pages += 1;
      from = told.next;
    }
    expect(pages).toBeGreaterThan(1);
    expect(where).toBe(pages - 1);
    const wanted = snapshot.nodes.findIndex((node) => node.text === 'row 1990');
    expect(findTarget(snapshot, targetOf(snapshot, wanted))).toMatchObject({ found: wanted });
  });
});
