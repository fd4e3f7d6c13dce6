/**
 * What the build compiled of policy files, kept beside the built code, so that a start need not do it again: used
 * only if it was made of exactly these bytes by exactly this code. Not for what is compiled (words.ts).
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Numbers, pack, unpack } from './packed.ts';
import { type Words, type WordsData, wordsOf } from './words.ts';

/** One policy file, under the name people know it by. */
export type Source = { file: string; path: string };

export type Compilable = {
  name: 'words' | 'signs' | 'codes';
  sources: readonly Source[];
  /** Throws PolicyFileError for a file that cannot be read. */
  compile(): WordsData;
};

/** The modules whose behaviour is in a compiled file: another one of them makes it stale. */
const COMPILERS = [
  'words.js',
  'word-file.js',
  'signs.js',
  'one-time-codes.js',
  'pattern.js',
  'label.js',
  'characters.js',
  'automaton-builder.js',
  'rule-table.js',
  'texts.js',
  'packed.js',
  '../../device-protocol/fold.js',
];

/** Only the built code has such a file; run from the sources, everything is compiled each time. */
const fileOf = ({ name }: Compilable) => fileURLToPath(new URL(`./${name}.compiled`, import.meta.url));

/** Ready to match; from the compiled file where that is still true. */
export function loadCompiled(compilable: Compilable): Words {
  const kept = readKept(fileOf(compilable));
  return wordsOf(kept !== null && isTrue(kept, compilable) ? kept.data : compilable.compile());
}

/** Compiles beside the built code, unless that was done from these very bytes before. */
export function keepCompiled(compilable: Compilable): 'written' | 'fresh' {
  const file = fileOf(compilable);
  const stamp = stampOf(compilable);
  const madeOf = digestOf(compilable);
  const kept = readKept(file);
  const fresh = kept?.madeOf === madeOf;
  if (fresh && kept.stamp === stamp) return 'fresh';
  // Written whole or not at all: a host may start while this runs.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, packWords({ madeOf, stamp, data: fresh ? kept.data : compilable.compile() }));
  renameSync(unfinished, file);
  return fresh ? 'fresh' : 'written';
}

/** Files that nobody touched need not be read; where somebody did (or copied them), their bytes decide. */
const isTrue = (kept: Kept, compilable: Compilable) =>
  kept.stamp === stampOf(compilable) || kept.madeOf === digestOf(compilable);

/** Everything that a compiled file is made of: the policy files, and the code that compiles them. */
function partsOf({ sources }: Compilable): Source[] {
  const code = COMPILERS.map((name) => ({ file: name, path: fileURLToPath(new URL(name, import.meta.url)) }));
  return [...sources, ...code];
}

function digestOf(compilable: Compilable): string {
  const hash = createHash('sha256');
  for (const { file, path } of partsOf(compilable)) {
    const bytes = readFileSync(path);
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** Which files there are, how large, and when they were written. */
function stampOf(compilable: Compilable): string {
  const hash = createHash('sha256');
  for (const { path } of partsOf(compilable)) {
    const { size, mtimeMs, ino } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs} ${ino}\n`);
  }
  return hash.digest('hex');
}

type Kept = { madeOf: string; stamp: string; data: WordsData };

/** Null where there is none, or none that a build like this one wrote: the sources are there, it only takes longer. */
function readKept(file: string): Kept | null {
  const packed = existsSync(file) ? unpack(readFileSync(file)) : null;
  if (packed === null) return null;
  const { facts, arrays } = packed;
  const { madeOf, stamp, languages, counts } = facts as Omit<Kept, 'data'> &
    Pick<WordsData, 'languages' | 'counts'>;
  const array = <T extends Numbers>(name: string) => arrays[name] as T;
  const automaton = {
    numberOf: array<Uint16Array>('numberOf'),
    base: array<Int32Array>('base'),
    parent: array<Int32Array>('parent'),
    first: array<Int32Array>('first'),
    following: array<Int32Array>('following'),
  };
  const columns = {
    flags: array<Uint32Array>('flags'),
    classes: array<Uint32Array>('classes'),
    language: array<Uint32Array>('language'),
    say: array<Uint32Array>('say'),
    of: array<Uint32Array>('of'),
    rest: array<Uint32Array>('rest'),
  };
  const texts = { bytes: array<Uint8Array>('bytes'), ends: array<Uint32Array>('ends') };
  return { madeOf, stamp, data: { automaton, table: { columns, texts }, languages, counts } };
}

function packWords({ madeOf, stamp, data: { automaton, table, languages, counts } }: Kept): Buffer {
  const { columns, texts } = table;
  return pack({
    facts: { madeOf, stamp, languages, counts },
    arrays: { ...automaton, ...columns, ...texts },
  });
}
