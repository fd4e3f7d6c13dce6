/**
 * The cases behind the golden vectors of this room, with what must come out stated by hand; only digests are
 * worked out. Not the vectors themselves (device-protocol/vectors, written by make-vectors.ts).
 */
import type { Found } from '../../device-protocol/companion/find-target.ts';
import type { Rest } from '../../device-protocol/companion/settle.ts';
import type { TapPoint } from '../../device-protocol/companion/tap-point.ts';
import type { Bounds, NodeFlag, Snapshot } from '../../device-protocol/snapshot.ts';
import { button, column, listScreen, row, screen, screenOf, text, type View } from './screens.ts';

const names = (...rows: string[]) => listScreen(rows.map((one) => row([one])));
const withButtons = (...rows: string[]) => listScreen(rows.map((one) => row([one], 'Delete')));
const later = (snapshot: Snapshot, ms: number): Snapshot => ({ ...snapshot, taken_at_ms: ms });
const pressable = (at: Bounds, more: Partial<View> = {}): View => ({ at, is: ['clickable'], ...more });
const field = (held: string | null, is: readonly NodeFlag[] = [], more: Partial<View> = {}): View => ({
  class_name: 'android.widget.EditText',
  text: held,
  hint: 'Amount',
  at: [0, 300, 1_080, 400],
  is: ['clickable', 'editable', 'focusable', ...is],
  ...more,
});
const dialog = (question: string, title = 'Alert') =>
  screenOf([
    {
      title,
      root: column([text(question, [120, 920, 960, 1_000]), button('OK', [520, 1_320, 960, 1_480])], {
        at: [100, 900, 980, 1_500],
      }),
    },
  ]);
const player = (time: string, takenAt: number) =>
  listScreen([row(['Song', time], 'Pause')], 'Player', { taken_at_ms: takenAt });
const bar = (count: number, news: string) =>
  screen(
    column([
      text('News', [0, 220, 400, 280]),
      {
        at: [0, 0, 1_080, 200],
        kids: Array.from({ length: count }, (_, n) => pressable([n * 200, 0, n * 200 + 150, 150])),
      },
      text(news, [0, 300, 1_080, 400]),
    ]),
  );

export const FIND: readonly {
  say: string;
  before: Snapshot;
  node: number;
  after: Snapshot;
  expect: Found;
}[] = [
  {
    say: 'a still screen',
    before: names('Alpha', 'Beta'),
    node: 5,
    after: names('Alpha', 'Beta'),
    expect: { found: 5, strategy: 'ref' },
  },
  {
    say: 'a row was inserted above',
    before: names('Alpha', 'Beta'),
    node: 5,
    after: names('New', 'Alpha', 'Beta'),
    expect: { found: 7, strategy: 'relocated' },
  },
  {
    say: 'the row is gone',
    before: names('Alpha', 'Beta'),
    node: 5,
    after: names('Alpha', 'Gamma'),
    expect: { refused: 'target_stale', candidates: [] },
  },
  {
    say: 'the row is gone, its words stand elsewhere',
    before: names('Alpha', 'Beta'),
    node: 5,
    after: withButtons('Beta', 'Alpha'),
    expect: { refused: 'target_stale', candidates: [4] },
  },
  {
    say: 'an equal row came',
    before: names('Alpha', 'Beta'),
    node: 5,
    after: names('Beta', 'Alpha', 'Beta'),
    expect: { refused: 'target_ambiguous', candidates: [3, 7] },
  },
  {
    say: 'the button of its own row',
    before: withButtons('Ann', 'Bob'),
    node: 8,
    after: withButtons('Cem', 'Bob', 'Ann'),
    expect: { found: 8, strategy: 'relocated' },
  },
  {
    say: 'the button of a row that moved',
    before: withButtons('Ann', 'Bob'),
    node: 5,
    after: withButtons('Cem', 'Bob', 'Ann'),
    expect: { found: 11, strategy: 'relocated' },
  },
  {
    say: 'the second of unlabelled equals, news beside them',
    before: bar(3, 'old'),
    node: 4,
    after: bar(3, 'new'),
    expect: { found: 4, strategy: 'relocated' },
  },
  {
    say: 'the second of unlabelled equals, one more came',
    before: bar(3, 'old'),
    node: 4,
    after: bar(4, 'old'),
    expect: { refused: 'target_ambiguous', candidates: [3, 4, 5, 6] },
  },
  {
    say: 'the same button of the same dialog',
    before: dialog('Discard?'),
    node: 2,
    after: dialog('Discard?'),
    expect: { found: 2, strategy: 'ref' },
  },
  {
    say: 'the same button of another dialog',
    before: dialog('Discard?'),
    node: 2,
    after: dialog('Send $500?', 'Payment'),
    expect: { refused: 'target_stale', candidates: [2] },
  },
  {
    say: 'another amount on it',
    before: screen(column([button('Pay $10', [0, 0, 400, 100])])),
    node: 1,
    after: screen(column([button('Pay $1000', [0, 0, 400, 100])])),
    expect: { refused: 'target_stale', candidates: [] },
  },
  {
    say: 'a field that was filled',
    before: screen(column([field('')])),
    node: 1,
    after: screen(column([field('500')])),
    expect: { found: 1, strategy: 'ref' },
  },
  {
    say: 'a playing time in its row went on',
    before: player('0:35', 1_000),
    node: 6,
    after: player('0:40', 6_000),
    expect: { found: 6, strategy: 'ref' },
  },
  {
    say: 'another time in its row',
    before: player('0:35', 1_000),
    node: 6,
    after: player('7:40', 6_000),
    expect: { refused: 'target_stale', candidates: [6] },
  },
  {
    say: 'invisible marks and other spaces do not matter',
    before: names('Pay now'),
    node: 3,
    after: names('\u200FPay\u200B\u00A0 now', 'x'),
    expect: { found: 3, strategy: 'relocated' },
  },
  {
    say: 'capital letters do',
    before: names('Pay now'),
    node: 3,
    after: names('PAY NOW'),
    expect: { refused: 'target_stale', candidates: [] },
  },
  {
    say: 'another package',
    before: names('Alpha'),
    node: 3,
    after: {
      ...names('Alpha'),
      windows: names('Alpha').windows.map((one) => ({ ...one, package: 'com.other' })),
    },
    expect: { refused: 'target_stale', candidates: [] },
  },
  {
    say: 'scripts and emoji',
    before: names('حذف', '删除', '👩‍👩‍👧', '\uD83D\uDE00'),
    node: 7,
    after: names('x', '\uD83D\uDE00', '👩‍👩‍👧', '删除'),
    expect: { found: 7, strategy: 'relocated' },
  },
];

export const TAP: readonly { say: string; screen: Snapshot; node: number; expect: TapPoint }[] = [
  {
    say: 'the middle',
    screen: screen(column([pressable([100, 100, 300, 200])])),
    node: 1,
    expect: { x: 200, y: 150 },
  },
  {
    say: 'beside an inner one',
    screen: screen(column([pressable([0, 0, 1_080, 200], { kids: [pressable([400, 20, 700, 180])] })])),
    node: 1,
    expect: { x: 200, y: 100 },
  },
  {
    say: 'beside a later one',
    screen: screen(column([pressable([0, 1_000, 1_080, 1_400]), pressable([100, 1_000, 1_080, 1_400])])),
    node: 1,
    expect: { x: 50, y: 1_200 },
  },
  {
    say: 'covered by a later one',
    screen: screen(column([pressable([0, 0, 400, 400]), pressable([0, 0, 500, 500])])),
    node: 1,
    expect: { covered_by: { node: 2, window: null } },
  },
  {
    say: 'painted over a later one',
    screen: screen(
      column([
        pressable([0, 0, 400, 400], { drawing_order: 2 }),
        pressable([0, 0, 400, 400], { drawing_order: 1 }),
      ]),
    ),
    node: 1,
    expect: { x: 200, y: 200 },
  },
  {
    say: 'above the keyboard',
    screen: screenOf([
      { root: column([pressable([0, 1_400, 1_080, 1_700])]), layer: 1 },
      {
        root: column([button('q', [0, 1_600, 100, 1_700])], { at: [0, 1_500, 1_080, 2_400] }),
        kind: 'input_method',
        layer: 2,
      },
    ]),
    node: 1,
    expect: { x: 540, y: 1_450 },
  },
  {
    say: 'under a window',
    screen: screenOf([
      { root: column([pressable([0, 0, 400, 400])]), layer: 1 },
      { root: column([button('Clear', [0, 0, 100, 100])]), kind: 'system', layer: 2 },
    ]),
    node: 1,
    expect: { covered_by: { node: null, window: 1 } },
  },
  {
    say: 'through a bare window of the system',
    screen: screenOf([
      { root: column([pressable([0, 0, 400, 400])]), layer: 1 },
      { root: column([]), kind: 'system', layer: 2 },
    ]),
    node: 1,
    expect: { x: 200, y: 200 },
  },
  {
    say: 'not seen',
    screen: screen(column([pressable([0, 0, 400, 400], { not: ['visible'] })])),
    node: 1,
    expect: { covered_by: { node: null, window: null } },
  },
  {
    say: 'sticking out of the display',
    screen: screen(column([pressable([-200, -200, 200, 200])])),
    node: 1,
    expect: { x: 100, y: 100 },
  },
  {
    say: 'cut into pieces',
    screen: screen(
      column([
        pressable([0, 0, 300, 300], { kids: [pressable([100, 0, 200, 300]), pressable([0, 100, 300, 200])] }),
      ]),
    ),
    node: 1,
    expect: { x: 50, y: 50 },
  },
];

const clocks = (clock: string, played: string, at: number) =>
  later(
    screen(
      column([
        text(clock, [0, 0, 100, 50]),
        text(played, [0, 100, 100, 150], { resource_id: 'com.example:id/time' }),
      ]),
    ),
    at,
  );
const app = { root: column([text('Notes', [0, 0, 100, 50])]) };
const systemBar = (words: string) => ({
  root: column([text(words, [0, 0, 100, 60])], { at: [0, 0, 1_080, 72] }),
  kind: 'system' as const,
  package: 'com.android.systemui',
});

type Kinds = readonly ('window' | 'content' | 'text' | 'focus' | 'scroll')[];
export const CHANGE: readonly {
  say: string;
  before: Snapshot | null;
  after: Snapshot | null;
  changed: boolean | null;
  kinds: Kinds;
  appeared: string[];
  gone: string[];
  stirred: string[];
}[] = [
  {
    say: 'a still screen',
    before: names('Alpha'),
    after: names('Alpha'),
    changed: false,
    kinds: [],
    appeared: [],
    gone: [],
    stirred: [],
  },
  {
    say: 'a row came and one went',
    before: names('Alpha', 'Beta'),
    after: names('Alpha', 'Gamma'),
    changed: true,
    kinds: ['content'],
    appeared: ['Gamma'],
    gone: ['Beta'],
    stirred: ['TextView'],
  },
  {
    say: 'clocks went on',
    before: clocks('9:59', '0:35 / 3:10', 0),
    after: clocks('10:00', '0:37 / 3:10', 2_000),
    changed: false,
    kinds: [],
    appeared: [],
    gone: [],
    stirred: [],
  },
  {
    say: 'a time was set',
    before: clocks('9:59', '0:35 / 3:10', 0),
    after: clocks('10:30', '0:37 / 3:10', 2_000),
    changed: true,
    kinds: ['content'],
    appeared: ['10:30'],
    gone: ['9:59'],
    stirred: ['TextView'],
  },
  {
    say: 'a field was filled',
    before: screen(column([field('')])),
    after: screen(column([field('5')])),
    changed: true,
    kinds: ['text'],
    appeared: [],
    gone: [],
    stirred: ['field'],
  },
  {
    say: 'a password was typed',
    before: screen(column([field('', ['password'])])),
    after: screen(column([field('•••', ['password'])])),
    changed: false,
    kinds: [],
    appeared: [],
    gone: [],
    stirred: [],
  },
  {
    say: 'the focus moved',
    before: screen(column([field('a', ['focused']), field('b', [], { at: [0, 500, 1_080, 600] })])),
    after: screen(column([field('a'), field('b', ['focused'], { at: [0, 500, 1_080, 600] })])),
    changed: true,
    kinds: ['focus'],
    appeared: [],
    gone: [],
    stirred: [],
  },
  {
    say: 'the list scrolled',
    before: names('a', 'b', 'c', 'd', 'e'),
    after: names('b', 'c', 'd', 'e', 'f'),
    changed: true,
    kinds: ['content', 'scroll'],
    appeared: ['f'],
    gone: ['a'],
    stirred: ['TextView'],
  },
  {
    say: 'a status bar changed',
    before: screenOf([app, systemBar('17:52 2 news')]),
    after: screenOf([app, systemBar('17:53 3 news')]),
    changed: false,
    kinds: [],
    appeared: [],
    gone: [],
    stirred: [],
  },
  {
    say: 'another app came to the front',
    before: screenOf([app]),
    after: { ...screenOf([app]), foreground: { package: 'com.other', activity: null, title: null, user: 0 } },
    changed: true,
    kinds: ['window'],
    appeared: [],
    gone: [],
    stirred: ['windows'],
  },
  {
    say: 'a window that cannot be read',
    before: screenOf([{ root: null }]),
    after: screenOf([{ root: null }]),
    changed: null,
    kinds: [],
    appeared: [],
    gone: [],
    stirred: [],
  },
  {
    say: 'nothing was seen before',
    before: null,
    after: names('Alpha'),
    changed: null,
    kinds: [],
    appeared: [],
    gone: [],
    stirred: [],
  },
];

const RULE = { reaction_ms: 500, quiet_ms: 400, ceiling_ms: 3_000 };
type Event = { at_ms: number; stirred?: string[]; half_built?: boolean; gone?: true };
export const SETTLE: readonly { say: string; events: Event[]; asked_at_ms: number; expect: Rest }[] = [
  { say: 'too early to tell', events: [], asked_at_ms: 499, expect: { kind: 'waiting', until_ms: 500 } },
  {
    say: 'no reaction',
    events: [],
    asked_at_ms: 500,
    expect: { kind: 'settled', reason: 'nothing_changed', took_ms: 500 },
  },
  {
    say: 'still moving',
    events: [
      { at_ms: 100, stirred: ['a'] },
      { at_ms: 450, stirred: ['b'] },
    ],
    asked_at_ms: 849,
    expect: { kind: 'waiting', until_ms: 850 },
  },
  {
    say: 'quiet',
    events: [
      { at_ms: 100, stirred: ['a'] },
      { at_ms: 450, stirred: ['b'] },
    ],
    asked_at_ms: 850,
    expect: { kind: 'settled', reason: 'quiet', took_ms: 850 },
  },
  {
    say: 'stirs that do not count',
    events: [{ at_ms: 450, stirred: [] }],
    asked_at_ms: 500,
    expect: { kind: 'settled', reason: 'nothing_changed', took_ms: 500 },
  },
  {
    say: 'one node goes on for ever',
    events: [100, 400, 700, 1_000, 1_300].map((at_ms) => ({ at_ms, stirred: ['tick'] })),
    asked_at_ms: 1_300,
    expect: { kind: 'restless', node: 'tick', took_ms: 1_300 },
  },
  {
    say: 'the ceiling',
    events: Array.from({ length: 30 }, (_, n) => ({ at_ms: n * 100, stirred: [`n${n}`] })),
    asked_at_ms: 3_000,
    expect: { kind: 'ceiling', node: 'n0', took_ms: 3_000 },
  },
  {
    say: 'the window is gone',
    events: [
      { at_ms: 100, stirred: ['a'] },
      { at_ms: 120, gone: true },
    ],
    asked_at_ms: 120,
    expect: { kind: 'settled', reason: 'window_gone', took_ms: 120 },
  },
  {
    say: 'half-built: look again',
    events: [{ at_ms: 100, half_built: true }],
    asked_at_ms: 600,
    expect: { kind: 'waiting', until_ms: 800 },
  },
  {
    say: 'half-built: given up',
    events: [{ at_ms: 100, half_built: true }],
    asked_at_ms: 2_000,
    expect: { kind: 'half_built', took_ms: 2_000 },
  },
  {
    say: 'half-built, then whole',
    events: [
      { at_ms: 100, half_built: true },
      { at_ms: 600, half_built: false },
    ],
    asked_at_ms: 600,
    expect: { kind: 'settled', reason: 'nothing_changed', took_ms: 600 },
  },
];
export const SETTLE_RULE = RULE;

export const SHOWN: readonly { say: string; screen: Snapshot; node: number; lines: string[] }[] = [
  {
    say: 'title, headings, values, states, no secrets',
    screen: screenOf([
      {
        title: 'Send',
        root: column([
          text('To Bob', [0, 0, 500, 80], { is: ['heading'] }),
          field('500'),
          field('1234', ['password'], { hint: 'PIN', at: [0, 500, 1_080, 600] }),
          {
            class_name: 'android.widget.CheckBox',
            text: 'Save',
            at: [0, 700, 500, 760],
            is: ['clickable', 'checkable', 'checked'],
          },
          { at: [0, 800, 500, 860], description: 'Speed', range: { min: 0, max: 2, current: 1 } },
          text('17:30', [0, 900, 200, 950], { is: ['selected'] }),
          button('Send', [0, 1_000, 400, 1_100]),
        ]),
      },
      { root: column([text('elsewhere', [0, 0, 100, 50])]), kind: 'system', layer: 0 },
    ]),
    node: 7,
    lines: [
      'Send',
      'To Bob',
      '500 · Amount',
      'PIN · [secret]',
      'Save · [on]',
      'Speed · [1]',
      '17:30 · [selected]',
      'Send',
    ],
  },
];

export const WORDS: readonly { words: string; plain: string }[] = [
  { words: 'Pay', plain: 'Pay' },
  { words: '  a \t\n b  ', plain: 'a b' },
  { words: 'a\u200Bb\u200Fc\u202Ed\u00ADe\uFEFF', plain: 'abcde' },
  { words: 'a\u00A0\u3000b', plain: 'a b' },
  { words: '👩\u200D👧\uFE0F', plain: '👩👧' },
  { words: 'a\u0000b\u001Fc', plain: 'abc' },
  { words: '\u200B \u200B', plain: '' },
  { words: 'ＰＡＹ Straße ΣΟΦΟΣ', plain: 'ＰＡＹ Straße ΣΟΦΟΣ' },
];

/** Words before and after, milliseconds between, and whether the one becomes the other by itself. */
export const TICKING: readonly { before: string; after: string; passed_ms: number; ticked: boolean }[] = [
  { before: '9:59', after: '10:00', passed_ms: 1_000, ticked: true },
  { before: '23:59', after: '0:00', passed_ms: 500, ticked: true },
  { before: '0:35 / 3:10', after: '0:38 / 3:10', passed_ms: 3_000, ticked: true },
  { before: '٩:٥٩', after: '١٠:٠٠', passed_ms: 1_000, ticked: true },
  { before: '१२:५९', after: '१:००', passed_ms: 1_000, ticked: true },
  { before: '下午5:30', after: '下午5:31', passed_ms: 30_000, ticked: true },
  { before: '12%', after: '64%', passed_ms: 100, ticked: true },
  { before: '07:30', after: '08:00', passed_ms: 3_000, ticked: false },
  { before: '0:35', after: '2:35', passed_ms: 3_000, ticked: false },
  { before: '$10', after: '$11', passed_ms: 60_000, ticked: false },
  { before: 'Room 1', after: 'Room 2', passed_ms: 60_000, ticked: false },
];
