/** `countersign judge` as a person and a script run it: what it says, and that file and line are the ones to change. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../host/package-root.ts';
import { countersign, freshFolder, type Ran } from '../support/host-process.ts';

type Reason = {
  class: string;
  language: string | null;
  match: string;
  where: string;
  entry: string;
  file: string;
  line: number;
};
type Judged = { text: string; level: string; decision: string; reasons: Reason[] };

const folder = freshFolder('judge-');
afterAll(() => folder.remove());
const judge = (...args: string[]) => countersign(['judge', ...args, '--data', folder.path]);
const judged = ({ json }: Ran) => json as Judged;

/** The line a reason points to, as it stands in the repository. */
const lineOf = ({ file, line }: Reason, root = packageRoot()) =>
  readFileSync(join(root, file), 'utf8').split('\n')[line - 1] ?? '';

describe('a label', () => {
  it('is told with its reasons in the shape that others read', async () => {
    const ran = await judge('Konto löschen', '--json');
    expect(ran.status).toBe(0);
    expect(Object.keys(judged(ran))).toEqual(expect.arrayContaining(['text', 'level', 'reasons']));
    expect(judged(ran)).toMatchObject({ text: 'Konto löschen', level: 'high', decision: 'ask' });
    for (const reason of judged(ran).reasons) {
      expect(reason).toMatchObject({ class: expect.any(String), match: expect.any(String), where: 'text' });
      expect(lineOf(reason)).toContain(`"say": ${JSON.stringify(reason.entry)}`);
      expect(lineOf(reason)).toContain(`"class": "${reason.class}"`);
    }
  });

  it('says to a person what to change where', async () => {
    const ran = await judge('Delete account');
    expect(ran.stdout).toMatch(/^high \(ask\) {2}Delete account$/mu);
    expect(ran.stdout).toMatch(
      /account \(en\) in text: “delete account” {2}policies\/words\/en\.json:\d+ {2}entry “/u,
    );
    expect((await judge('Settings')).stdout).toBe('low  (allow)  Settings\n');
  });

  it('is judged by the app it stands in, and the rule that says so is named', async () => {
    const bank = judged(await judge('Next', '--app', 'org.example.bank.android', '--json'));
    expect(bank).toMatchObject({ level: 'high', reasons: [{ class: 'app_category', match: 'banking' }] });
    expect(lineOf(bank.reasons[0] as Reason)).toContain('"category": "banking"');
    const wallet = judged(await judge('Next', '--app', 'com.coinbase.android', '--json'));
    expect(lineOf(wallet.reasons[0] as Reason)).toContain('com.coinbase.android');
    expect(judged(await judge('Next', '--json')).level).toBe('low');
  });

  it('is judged by a profile, and a profile that is none is named', async () => {
    expect(judged(await judge('Pay now', '--profile', 'watchful', '--json')).decision).toBe('refuse');
    const ran = await judge('Pay now', '--profile', 'lenient', '--json');
    expect(ran).toMatchObject({ status: 2, json: { error_code: 'policy_unreadable' } });
    expect(ran.stderr).toMatch(/"lenient".*watchful, balanced, ci/u);
  });

  it('is heard in the language of the phone only where two collide', async () => {
    const level = async (...more: string[]) => judged(await judge('No enviar', '--json', ...more)).level;
    expect(await level()).toBe('high');
    expect(await level('--locale', 'es-MX')).toBe('low');
  });
});

describe('a file of labels', () => {
  it('is judged row by row, in order, each with its own locale', async () => {
    const file = join(folder.path, 'labels.jsonl');
    const rows = ['Send', 'Sender', 'Löschen', '删除', ''].map((text) => ({ text, locale: 'de' }));
    writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'));
    const ran = await judge('--file', file, '--json');
    expect(ran.status).toBe(0);
    const lines = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Judged);
    expect(lines.map((line) => line.text)).toEqual(rows.map((row) => row.text));
    expect(lines.map((line) => line.level)).toEqual(['high', 'low', 'high', 'high', 'high']);
    expect(ran.stderr).toBe('');
  });

  it('ends with 2 and the line where one is no label', async () => {
    const file = join(folder.path, 'bad.jsonl');
    writeFileSync(file, '{"text":"Send"}\n{"txt":"Send"}\n');
    const ran = await judge('--file', file, '--json');
    expect(ran).toMatchObject({ status: 2, json: { error_code: 'row_unreadable' } });
    expect(ran.stderr).toContain('Line 2');
  });
});

/** A screen with a row without words of its own, a button in a dialog, and an ordinary one. */
const DUMP = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="0"><node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="org.example.app" content-desc="" clickable="false" enabled="true" bounds="[0,0][1080,2400]">
<node index="0" text="" resource-id="org.example.app:id/row" class="android.widget.LinearLayout" package="org.example.app" content-desc="" clickable="true" enabled="true" bounds="[0,200][1080,400]">
<node index="0" text="Delete" class="android.widget.TextView" package="org.example.app" content-desc="" clickable="false" enabled="true" bounds="[40,220][400,380]"/>
<node index="1" text="account" class="android.widget.TextView" package="org.example.app" content-desc="" clickable="false" enabled="true" bounds="[420,220][900,380]"/></node>
<node index="1" text="" resource-id="org.example.app:id/btn_share" class="android.widget.ImageButton" package="org.example.app" content-desc="" clickable="true" enabled="true" bounds="[0,500][200,700]"/>
<node index="2" text="Details" resource-id="org.example.app:id/details" class="android.widget.Button" package="org.example.app" content-desc="" clickable="true" enabled="true" bounds="[0,800][1080,1000]"/>
</node></hierarchy>`;

describe('an element of a recorded screen', () => {
  const file = join(folder.path, 'screen.xml');
  let refs: Record<string, string>;
  beforeAll(async () => {
    writeFileSync(file, DUMP);
    const { json } = await countersign(['inspect', file, '--json']);
    const { elements } = json as { elements: { ref: string; resource_id: string | null }[] };
    refs = Object.fromEntries(elements.map((one) => [one.resource_id?.split('/')[1] ?? '', one.ref]));
  });
  const at = (id: string, ...more: string[]) =>
    judge('--dump', file, '--ref', refs[id] ?? id, '--json', ...more);

  it('is judged as a tap on it would be, with all that names it', async () => {
    const row = judged(await at('row'));
    expect(row).toMatchObject({ level: 'high', decision: 'ask' });
    expect(row.reasons.map((reason) => [reason.class, reason.where])).toContainEqual(['delete', 'inner[0]']);
    const share = judged(await at('btn_share'));
    expect(share.reasons).toContainEqual(expect.objectContaining({ class: 'share', where: 'resource_id' }));
    expect(judged(await at('details'))).toMatchObject({ text: 'Details', level: 'low', reasons: [] });
    expect(judged(await at('details', '--app', 'com.android.settings')).reasons).toMatchObject([
      { class: 'system_setting', file: 'policies/apps.json' },
    ]);
  });

  it('names the refs there are where it has no such one', async () => {
    const ran = await at('e99');
    expect(ran).toMatchObject({ status: 2, json: { error_code: 'ref_unknown' } });
    expect(ran.stderr).toContain(refs.row);
    expect(await judge('--dump', file, '--json')).toMatchObject({ status: 2 });
    expect(await judge('Send', '--dump', file, '--ref', 'e1', '--json')).toMatchObject({ status: 2 });
  });
});

describe('the owner’s additions', () => {
  const write = (text: string) => writeFileSync(join(folder.path, 'policy.json'), text);
  const word = { say: 'engage warp', class: 'send', why: 'our own' };

  it('raise caution in words and apps, and are named with their line', async () => {
    const app = { package: 'org.example.till', category: 'payments', why: 'our till' };
    write(JSON.stringify({ words: [word], apps: [app] }, null, 2));
    const said = judged(await judge('Engage warp!', '--json'));
    expect(said.reasons).toMatchObject([{ class: 'send', language: 'owner', file: 'policy.json' }]);
    expect(lineOf(said.reasons[0] as Reason, folder.path)).toContain('{');
    const till = judged(await judge('Next', '--app', 'org.example.till', '--json'));
    expect(till.reasons).toMatchObject([{ class: 'app_category', match: 'payments', file: 'policy.json' }]);
  });

  it.each([
    [
      'an exception',
      { exceptions: [{ say: 'send', of_class: 'send', why: 'x' }] },
      /policy\.json:1: .*exceptions/u,
    ],
    ['a harmless word', { harmless: [{ say: 'send' }] }, /harmless/u],
    [
      'a class nobody knows',
      { words: [word, { ...word, class: 'wave' }] },
      /policy\.json:\d+: words\[1\]\.class \("engage warp"\)/u,
    ],
    [
      'a phrase that cannot be read',
      { words: [{ ...word, say: 'en*gage' }] },
      /policy\.json:\d+: words\[0\] \("en\*gage"\): .*inside/u,
    ],
    [
      'a category nobody knows',
      { apps: [{ package: 'a.b', category: 'till', why: 'xx' }] },
      /policy\.json:\d+: apps\[0\] \("till"\).*payments/u,
    ],
    [
      'a bare substring for an app',
      { patterns: [{ pattern: '*bank*', category: 'banking', why: 'xx' }] },
      /policy\.json:\d+: patterns\[0\]/u,
    ],
  ])('that are %s stop with the place', async (_, additions, message) => {
    write(JSON.stringify(additions));
    const ran = await judge('Send', '--json');
    expect(ran).toMatchObject({ status: 2, json: { ok: false, error_code: 'policy_unreadable' } });
    expect(ran.stderr).toMatch(message);
  });

  it('that are no JSON stop the judge and the start of a host, with the line', async () => {
    write('{\n  "words": [\n    { "say": "x" \n  ]\n}\n');
    for (const args of [
      ['judge', 'Send'],
      ['start', '--virtual'],
    ]) {
      const ran = await countersign([...args, '--data', folder.path, '--json']);
      expect(ran).toMatchObject({ status: 2, json: { error_code: 'policy_unreadable' } });
      expect(ran.stderr).toMatch(/policy\.json:4: not JSON/u);
    }
    write('{}');
    expect((await judge('Send', '--json')).status).toBe(0);
  });
});
