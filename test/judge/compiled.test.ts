/** What the build keeps of the word files: the same answers as from the files, nothing stale, nothing made twice. */

import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWords } from '../../host/judge/label.ts';
import { wordsIn } from '../../host/judge/load-words.ts';
import { matchWords } from '../../host/judge/match-words.ts';
import { pack, unpack } from '../../host/judge/packed.ts';
import { standingHits } from '../../host/judge/standing-hits.ts';
import { countersign, freshFolder, MAIN } from '../support/host-process.ts';
import { book, POLICIES } from './policy-here.ts';

const BUILT = join(dirname(MAIN), '../../judge');

describe('numbers packed into one file', () => {
  const arrays = {
    odd: Uint8Array.from([1, 2, 3]),
    wide: Int32Array.from([-1, 7, 2 ** 30]),
    middle: Uint16Array.from([65_535]),
    none: new Uint32Array(0),
  };
  const packed = pack({ facts: { madeOf: 'x', name: 'löschen' }, arrays });

  it('come out as they went in, also from an uneven place in memory', () => {
    const shifted = Buffer.concat([Buffer.alloc(3), packed]).subarray(3);
    for (const bytes of [packed, shifted]) {
      expect(unpack(bytes)).toEqual({ facts: { madeOf: 'x', name: 'löschen' }, arrays });
    }
  });

  it('are not believed when the file is cut off anywhere, or is another one', () => {
    const believed = Array.from({ length: packed.length }, (_, length) => length).filter((length) => {
      const cut = unpack(Buffer.from(packed.subarray(0, length)));
      return cut !== null;
    });
    expect(believed).toEqual([]);
    expect(unpack(Buffer.from('{"not":"packed"}'))).toBeNull();
    expect(unpack(Buffer.alloc(64, 255))).toBeNull();
  });
});

describe('an automaton', () => {
  it('finds every entry of every file in its own words, and stays within its arrays on any text', () => {
    const { words } = book.vocabulary;
    const lost = wordsIn(POLICIES)
      .sources.map((source) => JSON.parse(readFileSync(source.path, 'utf8')))
      .flatMap(({ language, entries }: { language: string; entries: { say: string }[] }) =>
        entries
          .filter(({ say }) => !/[*…#]/u.test(say))
          .filter(({ say }) => {
            const found = matchWords(words, { kind: 'plain', words: readWords(say) });
            return !found.some((match) => match.rule.say === say && match.rule.language === language);
          })
          .map(({ say }) => `${language}: ${say}`),
      );
    expect(lost).toEqual([]);
    for (let unit = 0; unit < 0x10000; unit += 7) {
      const text = String.fromCharCode(unit).repeat(3);
      expect(standingHits(text, matchWords(words, { kind: 'plain', words: text }), null)).toBeInstanceOf(
        Array,
      );
    }
  });
});

describe('the build', () => {
  const compile = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(BUILT, 'compile-words.js')], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    return stdout;
  };
  const written = () => statSync(join(BUILT, 'words.compiled')).mtimeMs;

  it('compiles nothing again that is still true', () => {
    compile();
    const before = written();
    expect(compile()).toBe('');
    expect(written()).toBe(before);
  });

  it('leaves a judge that answers as one from the sources does', async () => {
    const labels = ['Konto löschen', 'Sender', '删除', 'De\u200blete', 'Đang tải', 'No enviar', 'P A Y'];
    const folder = freshFolder('compiled-');
    const file = join(folder.path, 'labels.jsonl');
    writeFileSync(file, labels.map((text) => JSON.stringify({ text })).join('\n'));
    const ran = await countersign(['judge', '--file', file, '--data', folder.path, '--json']);
    folder.remove();
    const levels = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { level: string }).level);
    const { isHigh } = await import('./policy-here.ts');
    expect(levels).toEqual(labels.map((text) => (isHigh(text) ? 'high' : 'low')));
  });

  it('is not believed once a word file has changed', async () => {
    const folder = freshFolder('policies-');
    cpSync(POLICIES, folder.path, { recursive: true });
    const file = join(folder.path, 'words/en.json');
    const en = JSON.parse(readFileSync(file, 'utf8'));
    en.entries.push({ say: 'engage warp', class: 'send', why: 'made here' });
    writeFileSync(file, JSON.stringify(en));
    const built = await import(join(BUILT, 'load-vocabulary.js'));
    const { judgeLabel } = await import(join(BUILT, 'label-judge.js'));
    const changed = built.loadVocabulary(folder.path);
    expect(judgeLabel(changed, 'Engage warp', null)).toMatchObject([{ class: 'send', say: 'engage warp' }]);
    expect(judgeLabel(built.loadVocabulary(POLICIES), 'Engage warp', null)).toEqual([]);
    folder.remove();
  });
});
