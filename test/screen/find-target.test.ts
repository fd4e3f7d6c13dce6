import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findTarget, targetOf } from '../../device-protocol/companion/find-target.ts';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import { targetSchema } from '../../device-protocol/target.ts';
import {
  aroundText,
  button,
  column,
  indexOf,
  listScreen,
  row,
  screen,
  screenOf,
  text,
  type View,
  withText,
} from './screens.ts';

const found = (index: number, strategy: 'ref' | 'relocated') => ({ found: index, strategy });

describe('a target is found again', () => {
  test('in the very screen it was made from, whatever it is made of', () => {
    const snapshot = listScreen([row(['Alice'], 'Delete'), row(['Alice'], 'Delete'), row([]), row([])]);
    snapshot.nodes.forEach((_, index) => {
      const target = targetOf(snapshot, index);
      expect(targetSchema.parse(target)).toEqual(target);
      expect(findTarget(snapshot, target)).toEqual(found(index, 'ref'));
    });
  });

  test('while a clock ticks, a field is filled, a switch is thrown and the focus moves', () => {
    const at = (time: string, held: string, on: boolean): Snapshot =>
      screen(
        column([
          text(time, [900, 0, 1_080, 60]),
          { ...button('', [0, 100, 200, 200]), text: null },
          { ...button('', [300, 100, 500, 200]), text: null },
          {
            class_name: 'android.widget.EditText',
            text: held,
            at: [0, 300, 1_080, 400],
            is: ['clickable', 'editable', 'focusable', ...(held === '' ? [] : (['focused'] as const))],
          },
          {
            class_name: 'android.widget.Switch',
            text: on ? 'ON' : 'OFF',
            at: [0, 500, 200, 600],
            is: ['clickable', 'checkable', ...(on ? (['checked'] as const) : [])],
          },
        ]),
      );
    const before = at('9:59', '', false);
    const after = at('10:00', 'hello', true);
    before.nodes.forEach((_, index) => {
      expect(findTarget(after, targetOf(before, index))).toEqual(found(index, 'ref'));
    });
  });

  test('in a row whose playing time went on, but not in one that holds another time', () => {
    const player = (time: string, takenAt: number) =>
      listScreen([row(['Song', time], 'Pause')], 'Player', { taken_at_ms: takenAt });
    const pause = targetOf(player('0:35', 1_000), indexOf(player('0:35', 1_000), withText('Pause')));
    expect(findTarget(player('0:40', 6_000), pause)).toMatchObject({ strategy: 'ref' });
    expect(findTarget(player('7:40', 6_000), pause)).toMatchObject({ refused: 'target_stale' });
    const alarms = (...times: string[]) =>
      listScreen(
        times.map((time) => row([time], 'Delete')),
        'Alarms',
      );
    const first = alarms('7:30', '7:31');
    const target = targetOf(
      first,
      indexOf(first, (node, at) => node.text === 'Delete' && at < 7),
    );
    expect(findTarget(alarms('7:31'), target)).toMatchObject({ refused: 'target_stale' });
  });

  test('when a row was inserted above it, and says so (D-20, D-22)', () => {
    const before = listScreen([row(['Alpha']), row(['Beta']), row(['Gamma'])]);
    const after = listScreen([row(['New']), row(['Alpha']), row(['Beta']), row(['Gamma'])]);
    const target = targetOf(before, aroundText(before, 'Beta'));
    expect(findTarget(after, target)).toEqual(found(aroundText(after, 'Beta'), 'relocated'));
  });

  test('by the row it stands in, when five rows have the same button (D-24)', () => {
    const names = ['Ann', 'Bob', 'Cem', 'Dan', 'Eve'];
    const before = listScreen(names.map((name) => row([name], 'Delete')));
    const after = listScreen(['Zoe', 'Eve', 'Dan', 'Ann', 'Bob', 'Cem'].map((name) => row([name], 'Delete')));
    for (const name of names) {
      const inRow = (snapshot: Snapshot) =>
        indexOf(snapshot, (node) => node.text === 'Delete' && node.parent === aroundText(snapshot, name));
      expect(findTarget(after, targetOf(before, inRow(before)))).toEqual(found(inRow(after), 'relocated'));
    }
  });

  test('among unlabelled equals, as long as their own group did not change', () => {
    const bar = (count: number): View => ({
      at: [0, 0, 1_080, 200],
      resource_id: 'com.example:id/bar',
      kids: Array.from({ length: count }, (_, place) => ({
        class_name: 'android.widget.ImageView',
        at: [place * 200, 0, place * 200 + 150, 150] as const,
        is: ['clickable'] as const,
      })),
    });
    const at = (count: number, news: string) =>
      screen(column([text('News', [0, 220, 400, 280]), bar(count), text(news, [0, 300, 1_080, 400])]));
    const target = targetOf(at(3, 'old'), 3);
    expect(findTarget(at(3, 'new'), target)).toEqual(found(3, 'relocated'));
    expect(findTarget(at(4, 'new'), target)).toMatchObject({ refused: 'target_ambiguous' });
  });

  test('but not among as many equals that stand in another order', () => {
    const icon = (left: number): View => ({ at: [left, 0, left + 100, 100], is: ['clickable'] });
    const word = (left: number): View => text('Sort', [left, 0, left + 100, 100]);
    const at = (kids: readonly View[]) =>
      screen(column([text('News', [0, 220, 400, 280]), { at: [0, 0, 1_080, 200], kids }]));
    const target = targetOf(at([icon(0), word(200), icon(400)]), 5);
    expect(findTarget(at([icon(0), word(200), icon(400)]), target)).toEqual(found(5, 'ref'));
    expect(findTarget(at([word(0), icon(200), icon(400)]), target)).toMatchObject({
      refused: 'target_ambiguous',
    });
  });

  test('whatever the words are: other scripts, emoji, invisible marks, lone surrogates, 10,000 characters', () => {
    for (const words of [
      '删除',
      'حذف',
      '削除する',
      'हटाएं',
      '\u200FPay\u200B now',
      '👩‍👩‍👧',
      '\ud800',
      'x'.repeat(10_000),
    ]) {
      const before = listScreen([row(['other']), row([words])]);
      const after = listScreen([row(['new']), row(['other']), row([words])]);
      const last = after.nodes.length - 2;
      expect(findTarget(after, targetOf(before, before.nodes.length - 2))).toEqual(found(last, 'relocated'));
    }
  });
});

describe('a target is refused', () => {
  test('as stale when its row is gone, never taking the neighbour', () => {
    const before = listScreen([row(['Alpha']), row(['Beta'])]);
    const after = listScreen([row(['Alpha']), row(['Gamma'])]);
    expect(findTarget(after, targetOf(before, aroundText(before, 'Beta')))).toMatchObject({
      refused: 'target_stale',
    });
  });

  test('as stale when the amount on it changed, and offers nothing else', () => {
    const at = (amount: string) =>
      screen(column([text('Checkout', [0, 0, 500, 80]), button(amount, [0, 200, 400, 300])]));
    const target = targetOf(at('Pay $10'), 2);
    expect(findTarget(at('Pay $1000'), target)).toEqual({ refused: 'target_stale', candidates: [] });
  });

  test('on the screen before, though another element stands at the same place (D-21)', () => {
    const second = screen(column([text('Confirm', [0, 0, 500, 80]), button('Verify', [160, 780, 240, 830])]));
    const first = screen(
      column([text('Files', [0, 0, 500, 80]), button('Delete all', [160, 780, 240, 830])]),
    );
    expect(findTarget(first, targetOf(second, 2))).toMatchObject({ refused: 'target_stale' });
  });

  test('in another dialog with the same buttons', () => {
    const dialog = (question: string) =>
      screenOf([
        {
          title: 'Alert',
          root: {
            at: [100, 900, 980, 1_500],
            kids: [
              text(question, [120, 920, 960, 1_000]),
              {
                at: [100, 1_300, 980, 1_500],
                kids: [
                  button('Cancel', [120, 1_320, 500, 1_480], { resource_id: 'android:id/button2' }),
                  button('OK', [520, 1_320, 960, 1_480], { resource_id: 'android:id/button1' }),
                ],
              },
            ],
          },
        },
      ]);
    const before = dialog('Discard the draft?');
    const target = targetOf(before, indexOf(before, withText('OK')));
    expect(findTarget(dialog('Discard the draft?'), target)).toEqual(found(4, 'ref'));
    const other = screenOf([{ title: 'Payment', root: dialogRoot(dialog('Send $500 to Bob?')) }]);
    expect(findTarget(other, target)).toMatchObject({ refused: 'target_stale', candidates: [4] });
  });

  test('as ambiguous when an equal one came or one of the equals went', () => {
    const before = listScreen([row(['Alice'], 'Call'), row(['Bob'], 'Call')]);
    const twice = listScreen([row(['Alice'], 'Call'), row(['Alice'], 'Call'), row(['Bob'], 'Call')]);
    const call = (snapshot: Snapshot) => snapshot.nodes.findIndex((node) => node.text === 'Call');
    expect(findTarget(twice, targetOf(before, call(before)))).toMatchObject({
      refused: 'target_ambiguous',
      candidates: [5, 8],
    });
    expect(findTarget(before, targetOf(twice, call(twice)))).toMatchObject({ refused: 'target_ambiguous' });
  });

  test('in another app, another window kind, or when it is no longer seen', () => {
    const root = column([button('OK', [0, 0, 200, 100])]);
    const target = targetOf(screenOf([{ root }]), 1);
    expect(findTarget(screenOf([{ root, package: 'com.other' }]), target)).toMatchObject({
      refused: 'target_stale',
    });
    expect(findTarget(screenOf([{ root, kind: 'system' }]), target)).toMatchObject({
      refused: 'target_stale',
    });
    const hidden = column([
      button('OK', [0, 0, 200, 100], { not: ['visible'] }),
      text('x', [0, 200, 100, 300]),
    ]);
    expect(findTarget(screenOf([{ root: hidden }]), target)).toMatchObject({ refused: 'target_stale' });
  });
});

/** The view tree of a snapshot's only window again. */
function dialogRoot(snapshot: Snapshot): View {
  const view = (index: number): View => {
    const {
      parent: _,
      window: __,
      bounds,
      flags,
      ...facts
    } = snapshot.nodes[index] as Snapshot['nodes'][number];
    const kids = snapshot.nodes.flatMap((node, at) => (node.parent === index ? [view(at)] : []));
    return {
      ...facts,
      at: bounds,
      is: flags.filter((flag) => flag !== 'enabled' && flag !== 'visible'),
      kids,
    };
  };
  return view(0);
}

describe('lists that change between look and tap', () => {
  const NAMES = ['Ann', 'Bob', 'Cem', 'Dan', 'Eve', 'Fay', 'Gil', 'Hal'];
  type Row = { readonly id: number; readonly words: readonly string[]; readonly action: string | null };
  type Change =
    | { readonly do: 'insert'; readonly at: number; readonly row: Row }
    | { readonly do: 'remove' | 'swap' | 'scroll'; readonly at: number }
    | { readonly do: 'edit'; readonly at: number; readonly words: readonly string[] };

  // A third of the names repeat, so that equal rows are common; a tenth of the rows say nothing at all.
  const words = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(
        fc.constantFrom(...NAMES),
        fc.nat(9_999).map((n) => `message ${n}`),
      ),
    },
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...NAMES)) },
    { weight: 1, arbitrary: fc.constant([] as string[]) },
  );
  const rowOf = (id: number) =>
    fc.record({ id: fc.constant(id), words, action: fc.constantFrom(null, null, 'Delete') });
  const rows = fc
    .integer({ min: 1, max: 12 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, id) => rowOf(id))));
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record({ do: fc.constant('insert' as const), at: fc.nat(12), row: rowOf(100) }),
    fc.record({ do: fc.constantFrom('remove' as const, 'swap' as const, 'scroll' as const), at: fc.nat(12) }),
    fc.record({ do: fc.constant('edit' as const), at: fc.nat(12), words }),
  );

  /** The list after a change, and which rows were edited: those are no longer what was seen. */
  function changed(list: readonly Row[], step: Change, fresh: number): Row[] {
    const next = [...list];
    const at = step.at % Math.max(1, next.length);
    if (step.do === 'insert') next.splice(at, 0, { ...step.row, id: fresh });
    if (step.do === 'remove') next.splice(at, 1);
    if (step.do === 'scroll') next.splice(0, Math.min(at, 3));
    if (step.do === 'swap' && next.length > 1) {
      const [moved] = next.splice(at, 1);
      next.push(moved as Row);
    }
    if (step.do === 'edit' && next[at] !== undefined)
      next[at] = { ...next[at], id: fresh, words: step.words };
    return next;
  }

  const draw = (list: readonly Row[]) => listScreen(list.map((one) => row(one.words, one.action)));
  /** The node of each row, or of the button in it; null for a row that has none. */
  const nodesOf = (snapshot: Snapshot, wanted: 'row' | 'action') =>
    snapshot.nodes.flatMap((node, index) => {
      if (node.resource_id !== 'com.example:id/row') return [];
      if (wanted === 'row') return [index];
      const inside = snapshot.nodes.findIndex((one) => one.parent === index && one.text === 'Delete');
      return [inside < 0 ? null : inside];
    });

  test('hit the right row or nothing in 10,000 random changes, and refuse few rows that are still there', () => {
    const wrong: unknown[] = [];
    let there = 0;
    let refused = 0;
    const steps = fc.array(change, { minLength: 1, maxLength: 3 });
    const aim = fc.constantFrom('row' as const, 'action' as const);
    fc.assert(
      fc.property(rows, steps, fc.nat(11), aim, (list, changes, pick, wanted) => {
        const before = draw(list);
        const place = pick % list.length;
        const meant = list[place] as Row;
        const node = nodesOf(before, wanted)[place] ?? null;
        if (node === null) return;
        let after: Row[] = [...list];
        changes.forEach((step, number) => {
          after = changed(after, step, 1_000 + number);
        });
        const now = draw(after);
        const answer = findTarget(now, targetOf(before, node));
        const right = nodesOf(now, wanted)[after.findIndex((one) => one.id === meant.id)] ?? undefined;
        const same = (one: Row) =>
          JSON.stringify([one.words, one.action]) === JSON.stringify([meant.words, meant.action]);
        // Rows that say exactly the same cannot be told apart by anybody, and may be refused.
        const single = [...list, ...after].every((one) => one.id === meant.id || !same(one));
        if (right !== undefined && single) there += 1;
        if (!('found' in answer)) {
          if (right !== undefined && single) refused += 1;
          return;
        }
        if (answer.found === right) return;
        const hit = after[nodesOf(now, wanted).indexOf(answer.found)];
        if (single || hit === undefined || !same(hit)) wrong.push({ list, changes, place, wanted });
      }),
      { numRuns: 10_000, seed: 20_261 },
    );
    expect(wrong).toEqual([]);
    expect(there).toBeGreaterThan(2_500);
    expect(refused / there).toBeLessThan(0.02);
  });
});
