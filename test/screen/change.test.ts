import { describe, expect, test } from 'vitest';
import { changeBetween, stirredBetween } from '../../device-protocol/companion/change.ts';
import { tickedOn } from '../../device-protocol/companion/ticking.ts';
import { changeSchema } from '../../device-protocol/report.ts';
import type { NodeFlag, Snapshot } from '../../device-protocol/snapshot.ts';
import { button, column, listScreen, row, screen, screenOf, text, type View } from './screens.ts';

const field = (held: string, is: readonly NodeFlag[] = []): View => ({
  class_name: 'android.widget.EditText',
  resource_id: 'com.example:id/field',
  text: held,
  at: [0, 300, 1_080, 400],
  is: ['clickable', 'editable', 'focusable', ...is],
});
const later = (snapshot: Snapshot, ms: number): Snapshot => ({ ...snapshot, taken_at_ms: ms });
const kinds = (before: Snapshot, after: Snapshot) => {
  const { changed, change } = changeBetween(before, after);
  expect(changeSchema.parse(change)).toEqual(change);
  const names = (['window', 'content', 'text', 'focus', 'scroll'] as const).filter((kind) => change?.[kind]);
  return { changed, names };
};

describe('what changed', () => {
  test('nothing on a screen that stood still (D-15)', () => {
    const snapshot = listScreen([row(['Alice'], 'Call')]);
    expect(kinds(snapshot, later(snapshot, 3_000))).toEqual({ changed: false, names: [] });
  });

  test('content: what appeared and what went is told', () => {
    const before = screen(column([text('Inbox', [0, 0, 100, 50]), button('Open', [0, 100, 100, 200])]));
    const after = screen(column([text('Inbox', [0, 0, 100, 50]), text('Hello', [0, 100, 100, 200])]));
    expect(changeBetween(before, after)).toMatchObject({
      changed: true,
      change: { content: true, window: false, text: false, appeared: ['Hello'], gone: ['Open'] },
    });
  });

  test('content: a switch that was thrown, a tab that was chosen, a button that woke up', () => {
    const at = (is: readonly NodeFlag[], not: readonly NodeFlag[] = []) =>
      screen(
        column([
          {
            class_name: 'android.widget.Switch',
            at: [0, 0, 100, 50],
            is: ['clickable', 'checkable', ...is],
            not,
          },
        ]),
      );
    expect(kinds(at([]), at(['checked']))).toEqual({ changed: true, names: ['content'] });
    expect(kinds(at([]), at(['selected']))).toEqual({ changed: true, names: ['content'] });
    expect(kinds(at([], ['enabled']), at([]))).toEqual({ changed: true, names: ['content'] });
  });

  test('text: what a field holds; a hint is no content', () => {
    expect(kinds(screen(column([field('')])), screen(column([field('mail')])))).toEqual({
      changed: true,
      names: ['text'],
    });
    const hinted = screen(column([field('Search mail', ['showing_hint'])]));
    expect(kinds(hinted, screen(column([field('')]))).names).toEqual([]);
  });

  test('focus that moved to another field', () => {
    const two = (first: boolean) =>
      screen(
        column([
          field('a', first ? ['focused'] : []),
          { ...field('b', first ? [] : ['focused']), at: [0, 500, 1_080, 600] },
        ]),
      );
    expect(kinds(two(true), two(false))).toEqual({ changed: true, names: ['focus'] });
  });

  test('scroll: the same rows elsewhere, however few came and went', () => {
    const rows = Array.from({ length: 30 }, (_, place) => row([`row ${place}`]));
    const { changed, names } = kinds(listScreen(rows.slice(0, 12)), listScreen(rows.slice(2, 14)));
    expect(changed).toBe(true);
    expect(names).toContain('scroll');
  });

  test('window: a dialog, a keyboard, another app in front, the lock', () => {
    const app = { root: column([text('Notes', [0, 0, 100, 50])]) };
    const dialog = {
      root: column([text('Delete?', [200, 900, 800, 1_000])], { at: [100, 800, 980, 1_500] }),
      title: 'Alert',
    };
    const keyboard = { root: column([button('q', [0, 1_600, 100, 1_700])]), kind: 'input_method' as const };
    expect(kinds(screenOf([app]), screenOf([dialog, app])).names).toContain('window');
    expect(kinds(screenOf([app]), screenOf([app, keyboard])).names).toEqual(['window']);
    const other = {
      ...screenOf([app]),
      foreground: { package: 'com.other', activity: null, title: null, user: 0 },
    };
    expect(kinds(screenOf([app]), other).names).toEqual(['window']);
    expect(kinds(screenOf([app]), { ...screenOf([app]), locked: true }).names).toEqual(['window']);
  });
});

describe('what does not count as a change', () => {
  test('a clock that went on, a playing time, a progress bar, a percentage', () => {
    const at = (clock: string, played: string, percent: string, progress: number) =>
      screen(
        column([
          text(clock, [0, 0, 100, 50]),
          text(played, [0, 100, 100, 150], { resource_id: 'com.example:id/time' }),
          text(percent, [0, 200, 100, 250], { resource_id: 'com.example:id/percent' }),
          {
            class_name: 'android.widget.ProgressBar',
            text: String(progress),
            at: [0, 300, 100, 350],
            range: { min: 0, max: 100, current: progress },
          },
        ]),
      );
    const before = at('9:59', '0:35 / 3:10', '12%', 12);
    expect(kinds(before, later(at('10:00', '0:37 / 3:10', '64%', 64), 2_000))).toEqual({
      changed: false,
      names: [],
    });
    expect(kinds(before, later(at('10:30', '0:37 / 3:10', '12%', 12), 2_000)).changed).toBe(true);
  });

  test('the bars of the system, our own windows, the keys of a keyboard', () => {
    const app = { root: column([text('Notes', [0, 0, 100, 50])]) };
    const bar = (words: string) => ({
      root: column([text(words, [0, 0, 100, 60])], { at: [0, 0, 1_080, 72] }),
      kind: 'system' as const,
      package: 'com.android.systemui',
    });
    const ours = (words: string) => ({
      root: column([text(words, [0, 0, 100, 60])]),
      kind: 'accessibility_overlay' as const,
      package: 'dev.countersign.companion.dev',
    });
    const keys = (words: string) => ({
      root: column([button(words, [0, 2_000, 90, 2_100])]),
      kind: 'input_method' as const,
    });
    const before = screenOf([app, bar('17:52 2 notifications'), ours('Working'), keys('q')]);
    const after = screenOf([app, bar('17:53 3 notifications'), ours('Done'), keys('Q')]);
    expect(kinds(before, after)).toEqual({ changed: false, names: [] });
  });

  test('what a password field holds, which is never compared', () => {
    const at = (held: string) => screen(column([{ ...field(held, ['password']) }]));
    const answer = changeBetween(at('•••'), at('hunter2'));
    expect(answer.changed).toBe(false);
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });
});

describe('what could not be seen', () => {
  test('is null, not "nothing changed"', () => {
    const snapshot = screen(column([text('Notes', [0, 0, 100, 50])]));
    expect(changeBetween(null, snapshot)).toEqual({ changed: null, change: null });
    const unreadable = screenOf([{ root: null }]);
    expect(changeBetween(unreadable, unreadable).changed).toBeNull();
    const cut: Snapshot = { ...snapshot, losses: [{ code: 'nodes_cut', count: 10 }] };
    expect(changeBetween(cut, cut).changed).toBeNull();
    expect(changeBetween(cut, screen(column([text('Mail', [0, 0, 100, 50])]))).changed).toBe(true);
    expect(
      changeBetween({ ...snapshot, windows: [], nodes: [] }, { ...snapshot, windows: [], nodes: [] }).changed,
    ).toBeNull();
  });
});

describe('a clock', () => {
  test.each([
    ['9:59', '10:00', 1_000, true],
    ['23:59', '0:00', 500, true],
    ['12:59 PM', '1:00 PM', 60_000, true],
    ['0:35', '0:38', 3_000, true],
    ['59:59', '1:00:01', 2_000, true],
    ['٩:٥٩', '١٠:٠٠', 1_000, true],
    ['下午5:30', '下午5:31', 30_000, true],
    ['07:30', '08:00', 3_000, false],
    ['0:35', '2:35', 3_000, false],
    ['10:00', '9:59', 1_000, true],
    ['10:00', '9:30', 1_000, false],
    ['$10', '$11', 60_000, false],
    ['Room 1', 'Room 2', 60_000, false],
    ['12', '13', 60_000, false],
  ])('%s becoming %s within %i ms by itself: %s', (before, after, ms, expected) => {
    expect(tickedOn(before, after, ms)).toBe(expected);
  });
});

describe('which node stirred', () => {
  test('is told by its id, else its words or class; nothing where nothing counts', () => {
    const at = (words: string) =>
      screen(column([text(words, [0, 0, 100, 50], { resource_id: 'com.example:id/ticker' })]));
    expect(stirredBetween(at('tick 1'), at('tick 2'))).toEqual(['ticker']);
    expect(stirredBetween(at('tick 1'), at('tick 1'))).toEqual([]);
    expect(stirredBetween(screen(column([field('a')])), screen(column([field('b')])))).toEqual(['field']);
  });
});
