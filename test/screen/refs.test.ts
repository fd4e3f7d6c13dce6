import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import { labelOf } from '../../host/screen/items.ts';
import { observe } from '../../host/screen/observe.ts';
import { FIRST_LOOK, type RefMemory } from '../../host/screen/refs.ts';
import { button, column, listScreen, row, screen, screenOf, text } from './screens.ts';

/** Refs by label of one look after another. */
function looks(...snapshots: readonly Snapshot[]): Map<string, string>[] {
  let memory: RefMemory = FIRST_LOOK;
  return snapshots.map((snapshot) => {
    const looked = observe(snapshot, memory);
    memory = JSON.parse(JSON.stringify(looked.memory));
    return new Map(looked.seen.items.map((item, at) => [labelOf(item), looked.seen.refs[at] as string]));
  });
}

const names = (...rows: string[]) => listScreen(rows.map((one) => row([one])));

describe('a ref', () => {
  test('stays with its element when others come and go (D-20)', () => {
    const [before, after] = looks(names('Alpha', 'Beta', 'Gamma'), names('New', 'Alpha', 'Beta', 'Gamma'));
    for (const name of ['Alpha', 'Beta', 'Gamma']) expect(after?.get(name)).toBe(before?.get(name));
    expect([...(before?.values() ?? [])]).not.toContain(after?.get('New'));
  });

  test('is not given to an element whose words changed', () => {
    const [before, after] = looks(names('Pay $10'), names('Pay $1000'));
    expect(after?.get('Pay $1000')).not.toBe(before?.get('Pay $10'));
  });

  test('comes back when a dialog has come and gone', () => {
    const app = {
      root: column([text('Notes', [0, 0, 300, 80]), button('Save', [0, 100, 300, 200])]),
      id: 7,
      layer: 0,
    };
    const dialog = {
      root: column([button('OK', [200, 1_200, 500, 1_300])], { at: [100, 800, 980, 1_400] }),
      id: 8,
      layer: 1,
    };
    const [first, , third] = looks(screenOf([app]), screenOf([dialog]), screenOf([app]));
    expect(third?.get('Save')).toBe(first?.get('Save'));
  });

  test('of an OK is another one in another dialog, though everything about the button is the same', () => {
    const dialog = (question: string, id: number) =>
      screenOf([
        {
          id,
          root: column(
            [
              text(question, [120, 900, 900, 980]),
              button('OK', [200, 1_200, 500, 1_300], { resource_id: 'android:id/button1' }),
            ],
            { at: [100, 800, 980, 1_400] },
          ),
        },
      ]);
    const [first, second] = looks(dialog('Discard?', 1), dialog('Send $500?', 2));
    expect(second?.get('OK')).not.toBe(first?.get('OK'));
    const [one, two] = looks(dialog('Discard?', 1), dialog('Send $500?', 1));
    expect(two?.get('OK')).not.toBe(one?.get('OK'));
  });

  test('of a button that is the same on the next page of the same window is another one', () => {
    const page = (title: string, question: string) =>
      screen(
        column([
          text(title, [0, 0, 500, 80]),
          text(question, [0, 300, 900, 380]),
          button('Next', [0, 2_200, 400, 2_300]),
        ]),
      );
    const [first, second] = looks(page('Step 1', 'Your name'), page('Step 2', 'Your card'));
    expect(second?.get('Next')).not.toBe(first?.get('Next'));
  });

  test('of equals stays only while nothing moved among them', () => {
    const equals = (count: number) =>
      screen(
        column([
          text('Photos', [0, 0, 300, 80]),
          ...Array.from({ length: count }, (_, n) => button('Open', [n * 200, 100, n * 200 + 150, 200])),
        ]),
      );
    const refsOf = (snapshot: Snapshot, memory: RefMemory) => {
      const looked = observe(snapshot, memory);
      return {
        refs: looked.seen.refs.filter((_, at) => looked.seen.items[at]?.element),
        memory: looked.memory,
      };
    };
    const first = refsOf(equals(3), FIRST_LOOK);
    const still = refsOf(equals(3), first.memory);
    expect(still.refs).toEqual(first.refs);
    const fewer = refsOf(equals(2), still.memory);
    for (const ref of fewer.refs) expect(first.refs).not.toContain(ref);
    const parted = (before: boolean) => {
      const open = (left: number) => button('Open', [left, 100, left + 150, 200]);
      const word = text('new', [before ? 0 : 200, 100, before ? 150 : 350, 200]);
      const kids = before ? [word, open(200), open(400)] : [open(0), word, open(400)];
      return screen(column([text('Photos', [0, 0, 300, 80]), ...kids]));
    };
    const one = refsOf(parted(false), FIRST_LOOK);
    const two = refsOf(parted(true), one.memory);
    for (const ref of two.refs) expect(one.refs).not.toContain(ref);
  });

  test('comes from the counter that is handed in, which is asked once for each new one', () => {
    let last = 500;
    const looked = observe(names('A', 'B'), FIRST_LOOK, { takeRef: () => (last += 1) });
    expect(new Set(looked.seen.refs).size).toBe(looked.seen.refs.length);
    expect(last).toBe(500 + looked.seen.refs.length);
    observe(names('A', 'B'), looked.memory, { takeRef: () => (last += 1) });
    expect(last).toBe(500 + looked.seen.refs.length);
  });

  test('never means two different things in a session of any looks', () => {
    const word = fc.constantFrom('Ann', 'Bob', 'Cem', 'Dan', '');
    const list = fc.array(fc.tuple(word, fc.constantFrom('', 'x', 'y')), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(list, { minLength: 2, maxLength: 6 }), (session) => {
        const meaning = new Map<string, string>();
        let memory: RefMemory = FIRST_LOOK;
        for (const rows of session) {
          const snapshot = listScreen(rows.map((words) => row(words.filter((one) => one !== ''))));
          const looked = observe(snapshot, memory);
          memory = looked.memory;
          expect(new Set(looked.seen.refs).size).toBe(looked.seen.refs.length);
          looked.seen.items.forEach((item, at) => {
            const ref = looked.seen.refs[at] as string;
            const says = `${item.role} ${item.near === null ? labelOf(item) : 'unlabelled'}`;
            expect(meaning.get(ref) ?? says).toBe(says);
            meaning.set(ref, says);
          });
        }
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});
