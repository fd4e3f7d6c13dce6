import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../device-protocol/limits.ts';
import { type Snapshot, snapshotSchema } from '../../device-protocol/snapshot.ts';
import { type Recording, readRecording } from '../../host/screen/recorded/read-recording.ts';
import { sharedPath } from '../support/shared.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function read(input: string | Uint8Array): Recording {
  const answer = readRecording(typeof input === 'string' ? bytes(input) : input);
  if ('error_code' in answer) throw new Error(answer.message);
  snapshotSchema.parse(answer.snapshot);
  return answer;
}
const losses = (recording: Recording) =>
  Object.fromEntries(recording.snapshot.losses.map((loss) => [loss.code, loss.count]));
const texts = (snapshot: Snapshot) =>
  snapshot.nodes.flatMap((node) => (node.text === null ? [] : [node.text]));

const node = (words: string, inner = '', more = '') =>
  `<node index="0" text="${words}" resource-id="com.example:id/a" class="android.widget.TextView" package="com.example" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" ${more}bounds="[0,0][100,50]"${inner === '' ? ' />' : `>${inner}</node>`}`;
const dump = (inside: string) =>
  `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">${inside}</hierarchy>`;

describe('a recording in uiautomator XML', () => {
  test('becomes a snapshot: nodes, flags, windows, and what such a file cannot say', () => {
    const { snapshot, format } = read(dump(node('One', node('Two'))));
    expect(format).toBe('uiautomator-xml');
    expect(snapshot.nodes).toHaveLength(2);
    expect(snapshot.nodes[1]).toMatchObject({
      parent: 0,
      window: 0,
      text: 'Two',
      description: null,
      class_name: 'android.widget.TextView',
      bounds: [0, 0, 100, 50],
    });
    expect(snapshot.nodes[1]?.flags.toSorted()).toEqual(['clickable', 'enabled', 'focusable', 'visible']);
    expect(snapshot.windows).toMatchObject([
      { kind: 'application', package: 'com.example', active: true, root: 0 },
    ]);
    expect(snapshot.unknown_facts).toEqual(
      expect.arrayContaining(['visible', 'hint', 'windows', 'locked', 'foreground']),
    );
    expect(snapshot.foreground.package).toBe('com.example');
    expect(snapshot.losses).toEqual([]);
  });

  test('with several windows names keyboard and status bar, and which is in front', () => {
    const window = (owner: string, bounds: string, id = '') =>
      `<node text="" class="android.widget.FrameLayout" package="${owner}" resource-id="${id}" enabled="true" bounds="${bounds}"/>`;
    const { snapshot } = read(
      dump(
        window('com.google.android.inputmethod.latin', '[0,1500][1080,2400]', 'android:id/inputArea') +
          window('com.example', '[0,0][1080,2400]') +
          window('com.android.systemui', '[0,0][1080,72]'),
      ),
    );
    expect(snapshot.windows.map(({ kind, active }) => [kind, active])).toEqual([
      ['input_method', false],
      ['application', true],
      ['system', false],
    ]);
    expect(snapshot.display).toMatchObject({ width: 1_080, height: 2_400 });
  });

  test('keeps entities, emoji as two references, line breaks, and never expands or fetches anything', () => {
    const words = '&lt;b&gt; &amp;quot; &#10;&#55357;&#56832; &xxe; &#0;';
    const recording = read(
      `<?xml version="1.0"?><!DOCTYPE hierarchy [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>${dump(node(words)).slice(56)}`,
    );
    expect(texts(recording.snapshot)).toEqual(['<b> &quot; \n😀 &xxe; \uFFFD']);
    expect(losses(recording)).toMatchObject({ bad_value: 2 });
  });
});

describe('a recording in Appium page source', () => {
  test('takes the class from the tag and visibility from `displayed`', () => {
    const { snapshot, format } = read(
      `<hierarchy index="0" class="hierarchy" rotation="1" width="1920" height="1080"><android.widget.Button index="0" package="com.example" text="Go" enabled="true" clickable="true" displayed="false" heading="true" window-id="77" bounds="[0,0][10,10]"/></hierarchy>`,
    );
    expect(format).toBe('appium-source-xml');
    expect(snapshot.nodes).toMatchObject([
      { class_name: 'android.widget.Button', flags: ['clickable', 'enabled', 'heading'] },
    ]);
    expect(snapshot.windows[0]?.id).toBe(77);
    expect(snapshot.display).toEqual({ width: 1_920, height: 1_080, rotation: 1 });
  });
});

describe('a recording by DroidBot', () => {
  const view = (id: number, parent: number | null, children: number[], more: object = {}) => ({
    temp_id: id,
    parent,
    children,
    class: 'android.widget.TextView',
    package: 'com.example',
    bounds: [
      [0, 0],
      [100, 50],
    ],
    ...more,
  });

  test('of the newer generation', () => {
    const { snapshot, format } = read(
      JSON.stringify({
        tag: 't',
        foreground_activity: 'com.example/.Main',
        width: 2_400,
        height: 1_080,
        views: [
          view(0, -1, [1]),
          view(1, 0, [], {
            text: 'Hi',
            visible: true,
            is_password: true,
            editable: true,
            long_clickable: true,
          }),
        ],
      }),
    );
    expect(format).toBe('droidbot-json');
    expect(snapshot.nodes[1]).toMatchObject({ parent: 0, text: 'Hi' });
    expect(snapshot.nodes[1]?.flags.toSorted()).toEqual([
      'editable',
      'long_clickable',
      'password',
      'visible',
    ]);
    expect(snapshot.foreground).toMatchObject({ package: 'com.example', activity: '.Main' });
    expect(snapshot.display).toMatchObject({ width: 1_080, height: 2_400 });
  });

  test('of the older generation: booleans as strings, other key names', () => {
    const { snapshot } = read(
      JSON.stringify({
        tag: 't',
        views: [
          view(0, null, [], {
            'content-desc': 'Back',
            'resource-id': 'a:id/b',
            password: 'true',
            'long-clickable': 'true',
            clickable: 'false',
          }),
        ],
      }),
    );
    expect(snapshot.nodes[0]).toMatchObject({ description: 'Back', resource_id: 'a:id/b' });
    expect(snapshot.nodes[0]?.flags.toSorted()).toEqual(['long_clickable', 'password', 'visible']);
  });

  test('with parents in a circle, twice the same id, children that are not there: every view once, none lost', () => {
    const views = [
      view(0, -1, [9, 9, 0]),
      view(1, 2, [2]),
      view(2, 1, [1]),
      view(0, 0, []),
      { temp_id: 'x' },
    ];
    const recording = read(JSON.stringify({ views }));
    expect(recording.snapshot.nodes).toHaveLength(5);
    expect(losses(recording)).toMatchObject({ bad_value: 1 });
  });
});

describe('a damaged recording costs what is damaged', () => {
  test('byte order marks and UTF-16, marked or not', () => {
    const plain = dump(node('Größe'));
    const utf16 = (big: boolean, mark: boolean) => {
      const units = `${mark ? '\uFEFF' : ''}${plain}`;
      const out = new Uint8Array(units.length * 2);
      for (let at = 0; at < units.length; at += 1) {
        const code = units.charCodeAt(at);
        out[at * 2 + (big ? 1 : 0)] = code & 0xff;
        out[at * 2 + (big ? 0 : 1)] = code >> 8;
      }
      return out;
    };
    for (const input of [
      bytes(`\uFEFF${plain}`),
      utf16(false, true),
      utf16(true, true),
      utf16(false, false),
      utf16(true, false),
    ]) {
      expect(texts(read(input).snapshot)).toEqual(['Größe']);
    }
    expect(losses(read(utf16(true, true)))).toEqual({ byte_order_mark: 1, utf16: 1 });
  });

  test('labels in a console’s code page are read in it and said to be so', () => {
    const korean = Uint8Array.from([0xba, 0xfc, 0xb8, 0xa5, 0x20, 0xbc, 0xb3, 0xc1, 0xa4]);
    const [head, tail] = dump(node('@')).split('@') as [string, string];
    const recording = read(Uint8Array.from([...bytes(head), ...korean, ...bytes(tail)]));
    expect(texts(recording.snapshot)).toEqual(['빠른 설정']);
    expect(recording.snapshot.losses).toMatchObject([{ code: 'other_encoding', detail: 'read as euc-kr' }]);
    const neither = read(Uint8Array.from([...bytes(head), 0x41, 0xff, ...bytes(tail)]));
    expect(texts(neither.snapshot)).toEqual(['A\uFFFD']);
  });

  test('log lines before, a message behind, nodes without a root', () => {
    expect(losses(read(`UI hierchary dumped to: /x.xml\n${dump(node('a'))}`))).toEqual({
      text_before_document: 30,
    });
    expect(losses(read(`${dump(node('a'))}UI hierchary dumped`))).toEqual({ text_after_document: 19 });
    const fragment = read(node('a') + node('b'));
    expect(texts(fragment.snapshot)).toEqual(['a', 'b']);
    expect(losses(fragment)).toMatchObject({ no_root_element: 1 });
  });

  test('a swallowed closing quote costs that value, not the nodes behind it', () => {
    const broken = dump(
      `${node('before')}${node('x').replace('content-desc=""', 'content-desc="鈫?')}${node('after')}`,
    );
    const recording = read(broken);
    expect(texts(recording.snapshot)).toEqual(['before', 'x', 'after']);
    expect(recording.snapshot.nodes[1]).toMatchObject({ description: '鈫?' });
    expect(recording.snapshot.nodes[1]?.flags).toContain('clickable');
    expect(losses(recording)).toMatchObject({ repaired_markup: 1 });
    expect(recording.behindDamage).toBe(2);
  });

  test('a cut document keeps what was whole before the cut', () => {
    const whole = dump(node('a', node('b') + node('c')));
    const cut = read(whole.slice(0, whole.indexOf('text="c"') + 20));
    expect(texts(cut.snapshot)).toEqual(['a', 'b']);
    expect(losses(cut)).toMatchObject({ document_cut: 1 });
    const json = JSON.stringify({
      views: [
        { temp_id: 0, parent: -1, children: [], text: 'a' },
        { temp_id: 1, parent: 0, children: [], text: 'b' },
      ],
    });
    const half = read(json.slice(0, -20));
    expect(texts(half.snapshot)).toEqual(['a']);
    expect(losses(half)).toMatchObject({ document_cut: 1 });
  });

  test('limits cut with a number; a tree that exactly fills one is not called cut (D-06)', () => {
    const many = (count: number) =>
      read(
        dump(
          Array.from({ length: count }, () => node('n'))
            .join('')
            .replace(/^/, '<node class="L" bounds="[0,0][9,9]">')
            .concat('</node>'),
        ),
      );
    const full = many(LIMITS.snapshotNodes - 1);
    expect(full.snapshot.nodes).toHaveLength(LIMITS.snapshotNodes);
    expect(losses(full)).toEqual({});
    expect(losses(many(LIMITS.snapshotNodes + 4))).toEqual({ nodes_cut: 5 });
    const deep = (levels: number) =>
      read(dump('<node class="L" bounds="[0,0][9,9]">'.repeat(levels) + '</node>'.repeat(levels)));
    expect(losses(deep(LIMITS.snapshotDepth + 1))).toEqual({});
    expect(losses(deep(LIMITS.snapshotDepth + 3))).toEqual({ depth_cut: 2 });
    expect(losses(read(dump(node('x'.repeat(LIMITS.nodeText + 7)))))).toEqual({ text_cut: 1 });
    expect(read(dump(node('x'.repeat(LIMITS.nodeText + 7)))).snapshot.nodes[0]?.text_cut).toBe(7);
  });
});

describe('what is no recording at all', () => {
  test.each([
    ['', 'recording_empty'],
    ['  \n', 'recording_empty'],
    ['hello', 'recording_format_unknown'],
    ['{"a":1}', 'recording_format_unknown'],
    ['<html><body>x</body></html>', 'recording_format_unknown'],
    ['PK\u0003\u0004', 'recording_format_unknown'],
  ])('%j is answered with a code and what came', (input, code) => {
    const answer = readRecording(bytes(input), 'screen.xml');
    expect(answer).toMatchObject({ error_code: code });
    expect('message' in answer && answer.message).toContain('screen.xml');
  });
});

describe('hostile bytes', () => {
  test('never make it throw, and what comes out is a valid snapshot or a coded refusal', () => {
    const piece = fc.constantFrom(
      '<node ',
      'text="',
      '">',
      '/>',
      '</node>',
      '<hierarchy>',
      '</hierarchy>',
      'bounds="[0,0][1,1]"',
      '&#x',
      '&',
      '<!DOCTYPE [',
      ']]>',
      '<![CDATA[',
      '<!--',
      '\u0000',
      '{"views":[',
      '{"temp_id":',
      '],',
      '}',
      '\uD83D',
      '"',
      "'",
      'é',
      ' class=',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 6 })), { maxLength: 60 }), (parts) => {
        const answer = readRecording(bytes(parts.join('')));
        if (!('error_code' in answer)) snapshotSchema.parse(answer.snapshot);
      }),
      { numRuns: 3_000, seed: 11 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (input) => {
        const answer = readRecording(input);
        if (!('error_code' in answer)) snapshotSchema.parse(answer.snapshot);
      }),
      { numRuns: 1_000, seed: 12 },
    );
  });

  test('cut anywhere, keep a valid snapshot with a prefix of the nodes', () => {
    const whole = `log line\n${dump(node('a', node('b', node('c')) + node('d &amp; 😀')) + node('e'))}`;
    const all = texts(read(whole).snapshot);
    for (let end = 0; end <= whole.length; end += 1) {
      const answer = readRecording(bytes(whole.slice(0, end)));
      if ('error_code' in answer) continue;
      snapshotSchema.parse(answer.snapshot);
      expect(all.slice(0, answer.snapshot.nodes.length)).toEqual(texts(answer.snapshot));
    }
  });

  test('of a megabyte are read in linear time and without deep recursion', () => {
    const brackets = readRecording(bytes(`{"views":${'['.repeat(500_000)}`));
    expect('error_code' in brackets || brackets.snapshot.nodes.length).toBeDefined();
    const open = readRecording(bytes(`<hierarchy>${'<node class="a" bounds="[0,0][1,1]">'.repeat(30_000)}`));
    expect('snapshot' in open && open.snapshot.nodes.length).toBe(LIMITS.snapshotDepth + 1);
  });
});

describe('the recorded screens of the shared folder', () => {
  const folder = sharedPath('screens');
  test.skipIf(folder === null)('are all read, with the number of nodes their index says', () => {
    const lines = readFileSync(join(folder as string, 'index.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const known = new Map(
      lines
        .map((line) => JSON.parse(line) as { file: string; nodes: number; format: string })
        .map((one) => [one.file, one]),
    );
    const files = readdirSync(folder as string, { recursive: true, encoding: 'utf8' }).filter(
      (name) => statSync(join(folder as string, name)).isFile() && known.has(name),
    );
    expect(files).toHaveLength(known.size);
    for (const file of files) {
      const recording = read(readFileSync(join(folder as string, file)));
      expect([file, recording.format, recording.snapshot.nodes.length - recording.behindDamage]).toEqual([
        file,
        known.get(file)?.format,
        known.get(file)?.nodes,
      ]);
    }
  });
});
