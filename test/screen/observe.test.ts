import { describe, expect, test } from 'vitest';
import type { NodeFlag, Snapshot } from '../../device-protocol/snapshot.ts';
import { observe } from '../../host/screen/observe.ts';
import { tell } from '../../host/screen/tell.ts';
import { button, column, listScreen, movedTo, row, screen, screenOf, text, type View } from './screens.ts';

const told = (snapshot: Snapshot) => tell(observe(snapshot).seen).text;
const lines = (snapshot: Snapshot) => told(snapshot).split('\n').slice(1);
const codes = (snapshot: Snapshot) => observe(snapshot).seen.notes.map((note) => note.code);
const image = (at: View['at'], more: Partial<View> = {}): View => ({
  class_name: 'android.widget.ImageView',
  at,
  is: ['clickable'],
  ...more,
});
const toggle = (at: View['at'], is: readonly NodeFlag[], more: Partial<View> = {}): View => ({
  class_name: 'android.widget.Switch',
  at,
  is: ['checkable', ...is],
  ...more,
});

describe('an element is called by', () => {
  test('its own words; text and description once, or both where they say different things', () => {
    const both = (words: string, description: string) => ({
      ...button(words, [0, 0, 300, 100]),
      description,
    });
    expect(lines(screen(column([both('Send', 'Send')])))).toEqual(['e1 Send']);
    expect(lines(screen(column([both('3', '3 unread messages')])))).toEqual(['e1 3 unread messages']);
    expect(lines(screen(column([both('Buy now', 'Buy')])))).toEqual(['e1 Buy now']);
    expect(lines(screen(column([both('14', 'Notifications')])))).toEqual(['e1 14 · Notifications']);
  });

  test('the words below it, up to the next element: six rows without text of their own (D-05)', () => {
    const names = ['Reports', 'Alarms', 'Profile', 'Help', 'About', 'Exit'];
    expect(
      lines(
        listScreen(
          names.map((name) => row([name])),
          'Menu',
        ),
      ),
    ).toEqual(['Menu', 'e1 list around e2', ...names.map((name, place) => `e${place + 2} ${name}`)]);
  });

  test('the text of its row, for a toggle that has none; the row and its one toggle are one element', () => {
    const settings = (inner: View) =>
      screen(
        column([
          { at: [0, 100, 1_080, 260], is: ['clickable'], kids: [text('Wi-Fi', [40, 140, 300, 220]), inner] },
        ]),
      );
    expect(lines(settings(toggle([900, 140, 1_040, 220], ['checked'])))).toEqual(['e1 switch on: Wi-Fi']);
    expect(lines(settings(toggle([900, 140, 1_040, 220], ['clickable'])))).toEqual([
      'e1 Wi-Fi',
      'e2 switch off in e1',
    ]);
  });

  test('the text beside it, on a Compose page where nothing but `checkable` says what it is', () => {
    const plain = (at: View['at'], is: readonly NodeFlag[]): View => ({
      class_name: 'android.view.View',
      at,
      is,
    });
    const page = column([
      text('Voice', [40, 100, 400, 160]),
      plain([40, 200, 140, 280], ['clickable', 'checkable', 'checked']),
      text('Wake word', [180, 210, 500, 270]),
      plain([40, 300, 140, 380], ['clickable', 'checkable']),
      text('Follow-up questions', [180, 310, 700, 370]),
    ]);
    expect(lines(screen(page))).toEqual([
      'Voice',
      'e1 toggle on: Wake word',
      'e2 toggle off: Follow-up questions',
    ]);
  });

  test('the label above it, for a field', () => {
    const field: View = {
      class_name: 'android.widget.EditText',
      at: [40, 200, 1_040, 300],
      is: ['clickable', 'editable'],
      text: 'ann@example.org',
    };
    expect(lines(screen(column([text('Mail address', [40, 140, 400, 190]), field])))).toEqual([
      'e1 field “ann@example.org”: Mail address',
    ]);
  });

  test('readable words of its id, but not by obfuscated or generic ones', () => {
    const icon = (id: string) => lines(screen(column([image([0, 0, 100, 100], { resource_id: id })])))[1];
    expect(icon('com.example:id/btn_send_message')).toBe('e1 send message');
    expect(icon('com.example:id/ivSearchIcon')).toBe('e1 search');
    for (const id of [
      'com.example:id/a3f',
      'com.example:id/0_resource_name_obfuscated',
      'com.example:id/imageView2',
    ]) {
      expect(icon(id)).toBe('e1 unlabelled at 50,50');
    }
  });

  test('the element it stands beside, in or around, without saying its words twice', () => {
    const bare = (at: View['at'], kids: readonly View[] = []): View => ({ at, is: ['clickable'], kids });
    expect(lines(screen(column([bare([0, 0, 1_080, 300], [button('Open', [40, 40, 400, 260])])])))).toEqual([
      'e1 around e2',
      'e2 Open',
    ]);
    const row = bare([0, 0, 1_080, 300], [text('Alice', [40, 40, 400, 260]), image([900, 40, 1_040, 260])]);
    expect(lines(screen(column([row])))).toEqual(['e1 Alice', 'e2 in e1']);
    expect(lines(screen(column([image([0, 0, 100, 100]), button('Search', [120, 0, 900, 100])])))).toEqual([
      'e1 by e2',
      'e2 Search',
    ]);
  });
});

describe('what an element is told to be', () => {
  test('follows from how it behaves', () => {
    const of = (view: View) => lines(screen(column([view])))[0];
    const at: View['at'] = [0, 0, 400, 100];
    expect(
      of({ at, class_name: 'android.widget.CheckBox', text: 'Agree', is: ['clickable', 'checkable'] }),
    ).toBe('e1 checkbox off: Agree');
    expect(
      of({
        at,
        class_name: 'android.widget.RadioButton',
        text: 'Red',
        is: ['clickable', 'checkable', 'checked'],
      }),
    ).toBe('e1 radio on: Red');
    expect(of({ at, text: 'Chip', is: ['clickable', 'checkable'] })).toBe('e1 toggle off: Chip');
    expect(of({ at, class_name: 'android.widget.Spinner', text: 'Size', is: ['clickable'] })).toBe(
      'e1 dropdown: Size',
    );
    expect(
      of({
        at,
        class_name: 'android.widget.SeekBar',
        description: 'Volume',
        range: { min: 0, max: 10, current: 4 },
        is: ['clickable'],
      }),
    ).toBe('e1 slider “4 of 10”: Volume');
    expect(of({ at, text: 'Hold me', is: ['long_clickable'] })).toBe('e1 hold: Hold me');
    expect(of({ at, text: 'More', is: ['clickable', 'expandable'] })).toBe('e1 collapsed: More');
    expect(of({ at, text: 'Pay', is: ['clickable'], not: ['enabled'] })).toBe('e1 disabled: Pay');
    expect(
      of({ at, hint: 'Search', is: ['clickable', 'editable', 'focused'], text: 'cats', error: 'Too short' }),
    ).toBe('e1 field focused “cats” error “Too short”: Search');
    expect(of({ at, hint: 'Search', text: 'Search', is: ['clickable', 'editable', 'showing_hint'] })).toBe(
      'e1 field: Search',
    );
  });

  test('takes `selected` from the text or icon below it', () => {
    const tab = (words: string, is: readonly NodeFlag[], left: number): View => ({
      at: [left, 0, left + 300, 100],
      is: ['clickable'],
      kids: [text(words, [left, 0, left + 300, 100], { is })],
    });
    expect(lines(screen(column([tab('Home', ['selected'], 0), tab('Chat', [], 300)])))).toEqual([
      'e1 selected: Home',
      'e2 Chat',
    ]);
  });

  test('marks headings', () => {
    expect(lines(screen(column([text('Inbox', [0, 0, 300, 100], { is: ['heading'] })])))).toContain(
      '# Inbox',
    );
  });

  test('on a television is what the focus can reach', () => {
    const stop = (words: string, left: number, is: readonly NodeFlag[] = []): View => ({
      class_name: 'android.widget.Button',
      text: words,
      at: [left, 0, left + 300, 100],
      is: ['focusable', ...is],
    });
    expect(
      lines(screen(column([stop('Play', 0, ['focused']), stop('Trailer', 300), stop('Details', 600)]))),
    ).toEqual(['e1 focusable focused: Play', 'e2 focusable: Trailer', 'e3 focusable: Details']);
  });
});

describe('a label is said once', () => {
  test('not on parent and child, not in the row and again beside it', () => {
    const page = column([
      { at: [0, 0, 1_080, 200], description: 'Inbox', kids: [text('Inbox', [40, 60, 400, 140])] },
      {
        at: [0, 300, 1_080, 500],
        is: ['clickable'],
        description: 'Alice, Hi there',
        kids: [text('Alice', [40, 320, 400, 380]), text('Hi there', [40, 400, 400, 460])],
      },
    ]);
    expect(lines(screen(page))).toEqual(['Inbox', 'e1 Alice, Hi there']);
  });

  test('nothing that is there to be read is lost, however much stands in one clickable', () => {
    const words = Array.from({ length: 20 }, (_, n) => `sentence number ${n} of a long page`);
    const page: View = {
      at: [0, 0, 1_080, 2_400],
      is: ['clickable'],
      kids: words.map((one, n) => text(one, [0, n * 100, 1_000, n * 100 + 90])),
    };
    const whole = told(screen(page));
    for (const one of words) expect(whole.split(one)).toHaveLength(2);
  });

  test('a long text is cut, with how much is missing', () => {
    expect(told(screen(column([text('x'.repeat(1_234), [0, 0, 1_000, 500])])))).toContain(
      `${'x'.repeat(200)}… (+1034 characters)`,
    );
  });
});

describe('reading order', () => {
  test('is by rows, whatever the order in the tree; from the right where the script runs so', () => {
    const words = ['one', 'two', 'three', 'four'];
    const at = (n: number): View['at'] => [
      (n % 2) * 500,
      Math.floor(n / 2) * 200,
      (n % 2) * 500 + 400,
      Math.floor(n / 2) * 200 + 100,
    ];
    const page = (labels: readonly string[]) =>
      screen(column([3, 1, 0, 2].map((n) => button(labels[n] as string, at(n)))));
    expect(lines(page(words))).toEqual(['e1 one', 'e2 two', 'e3 three', 'e4 four']);
    expect(lines(page(['واحد', 'اثنان', 'ثلاثة', 'أربعة']))).toEqual([
      'e1 اثنان',
      'e2 واحد',
      'e3 أربعة',
      'e4 ثلاثة',
    ]);
    expect(lines(page(['一', '二', '三', '四']))).toEqual(['e1 一', 'e2 二', 'e3 三', 'e4 四']);
    expect(lines(page(['एक', 'दो', 'तीन', 'चार']))).toEqual(['e1 एक', 'e2 दो', 'e3 तीन', 'e4 चार']);
  });

  test('keeps columns together', () => {
    const pane = (left: number, words: readonly string[]): View => ({
      at: [left, 0, left + 500, 2_400],
      kids: words.map((one, n) => button(one, [left, n * 110, left + 400, n * 110 + 100])),
    });
    expect(lines(screen(column([pane(540, ['c', 'd']), pane(0, ['a', 'b'])])))).toEqual([
      'e1 a',
      'e2 b',
      'e3 c',
      'e4 d',
    ]);
  });
});

describe('windows', () => {
  const app = { root: column([button('Save', [0, 0, 300, 100])]), package: 'com.notes', title: 'Notes' };

  test('a dialog comes first and is named, then what is behind it', () => {
    const dialog = {
      root: column([button('OK', [200, 1_200, 500, 1_300])], { at: [100, 800, 980, 1_400] }),
      title: 'Delete?',
      package: 'com.notes',
      active: true,
    };
    expect(told(screenOf([dialog, app])).split('\n')).toEqual([
      'dialog com.notes · Delete?',
      'e1 OK',
      'app com.notes · Notes',
      'e2 Save',
    ]);
  });

  test('a keyboard is one line, the bars of the system only come when asked for, our own windows never', () => {
    const keyboard = {
      root: column([button('q', [0, 1_600, 100, 1_700]), button('w', [100, 1_600, 200, 1_700])], {
        at: [0, 1_500, 1_080, 2_400],
      }),
      kind: 'input_method' as const,
      package: 'com.keys',
      layer: 9,
    };
    const bar = {
      root: column([text('17:52', [0, 0, 100, 60])], { at: [0, 0, 1_080, 72] }),
      kind: 'system' as const,
      package: 'com.android.systemui',
    };
    const ours = {
      root: column([button('Stop', [0, 200, 100, 260])], { at: [0, 200, 100, 260] }),
      kind: 'accessibility_overlay' as const,
      package: 'dev.countersign.companion',
    };
    const snapshot = screenOf([app, keyboard, bar, ours]);
    expect(told(snapshot).split('\n')).toEqual([
      'app com.notes · Notes',
      '! keyboard open, 2 keys not listed',
      'e1 Save',
    ]);
    expect(tell(observe(snapshot, undefined, { statusBar: true }).seen).text).toContain('17:52');
    expect(tell(observe(snapshot, undefined, { keyboard: true }).seen).text).toMatch(/e\d+ q/);
  });

  test('what lies under something is shown but no target, where Android says what is painted over what', () => {
    const under = { ...button('Under', [0, 0, 300, 100]), drawing_order: 1 };
    const over = { ...button('Over', [0, 0, 400, 200]), drawing_order: 2 };
    expect(lines(screen(column([under, over])))).toEqual(['e1 Over', 'covered: Under'].reverse());
    const unsaid = screen(column([button('Under', [0, 0, 300, 100]), button('Over', [0, 0, 400, 200])]));
    expect(lines(unsaid)).toEqual(['e1 covered?: Under', 'e2 Over']);
  });

  test('what is out of view is no element, but counted where one can scroll to it', () => {
    const page = column([
      {
        class_name: 'android.webkit.WebView',
        at: [0, 0, 1_080, 2_400],
        is: ['scrollable'],
        kids: [
          text('Shown', [0, 0, 500, 80]),
          ...Array.from({ length: 7 }, (_, n) => text(`Below ${n}`, [0, 2_400, 500, 2_400])),
        ],
      },
    ]);
    expect(lines(screen(page))).toEqual(['e1 scroll +7 off screen around e2', 'e2 text: Shown']);
  });

  test('a list tells which rows of how many are in view', () => {
    const list = column([
      {
        class_name: 'androidx.recyclerview.widget.RecyclerView',
        at: [0, 0, 1_080, 2_400],
        is: ['scrollable'],
        description: 'People',
        collection: { rows: 200, columns: 1 },
        kids: [3, 4, 5].map((n) => ({
          ...movedTo(row([`person ${n}`]), (n - 3) * 200),
          item: { row: n, column: 0 },
        })),
      },
    ]);
    expect(lines(screen(list))[0]).toBe('e1 list 4-6 of 200: People');
  });
});

describe('honesty', () => {
  test('a strip of a half-built tree is marked incomplete (D-01)', () => {
    const strip = [0, 1, 2].map((n) => button(`b${n}`, [864, n * 100, 1_080, n * 100 + 90]));
    const later = Array.from({ length: 22 }, () => text('', [0, 0, 0, 0]));
    const snapshot = screen(column([...strip, ...later], { at: [864, 0, 1_080, 2_400] }));
    expect(codes(snapshot)).toContain('incomplete');
    expect(told(snapshot)).toMatch(/! Incomplete: 22 of 26 parts/);
  });

  test('an area that shows something without any words names the picture as the other way to look (D-02)', () => {
    const hidden: View = {
      class_name: 'androidx.compose.ui.viewinterop.ViewFactoryHolder',
      at: [0, 368, 1_440, 2_752],
    };
    const bars = [button('Map', [0, 0, 1_440, 368]), button('Menu', [0, 2_752, 1_440, 2_960])];
    const snapshot = screen(
      { at: [0, 0, 1_440, 2_960], kids: [...bars, hidden] },
      { display: { width: 1_440, height: 2_960, rotation: 0 } },
    );
    expect(told(snapshot)).toMatch(/! 8\d% of the screen has no readable content. Take a screenshot/);
    const empty = screen(column([text('No items yet', [400, 1_200, 700, 1_260])]));
    expect(codes(empty)).not.toContain('unreadable_area');
  });

  test('no window, or one that cannot be read, is never an empty screen marked as good (D-03)', () => {
    expect(told(screenOf([]))).toMatch(/! No window can be seen/);
    expect(told(screenOf([{ root: null, title: 'Bank', unreadable: 'protected' }]))).toMatch(
      /! Bank: protected/,
    );
    expect(told(screenOf([{ root: null }]))).toMatch(/temporarily unreadable. Observe again/);
  });

  test('the lock screen says that it is one (D-04)', () => {
    const snapshot = screenOf([{ root: column([button('Emergency', [0, 0, 300, 100])]), kind: 'system' }], {
      locked: true,
      secure_lock: true,
    });
    expect(told(snapshot)).toMatch(
      /! The phone is locked with a secret: this is the lock screen, not an app/,
    );
    expect(codes({ ...snapshot, screen_on: false })).toContain('screen_off');
  });

  test('a tree that was cut says by which limit and how much; a whole one does not (D-06)', () => {
    const page = column([text('x', [0, 0, 100, 50])]);
    const cut = screen(page, { losses: [{ code: 'nodes_cut', count: 1_200, detail: 'more than 6000' }] });
    expect(told(cut)).toMatch(/! Cut: 1200 nodes are missing \(limit: nodes more than 6000\)/);
    expect(codes(screen(page))).not.toContain('cut_by_limit');
  });

  test('a splash screen is said to be nearly empty, an app that hides everything to have no words (D-13)', () => {
    expect(codes(screen(column([text('Acme', [400, 1_100, 700, 1_200])])))).toContain('nearly_empty');
    expect(codes(screen(column([], { kids: [{ at: [0, 0, 1_080, 2_400] }] })))).toContain('nothing_readable');
  });

  test('an unknown app in front is said to be unknown', () => {
    const snapshot = screen(column([text('x', [0, 0, 100, 50])]));
    expect(
      codes({ ...snapshot, foreground: { package: null, activity: null, title: null, user: null } }),
    ).toContain('foreground_unknown');
  });
});
