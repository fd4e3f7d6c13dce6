/**
 * Reads the word files below a policies folder: from what the build compiled of them, if that was made of exactly
 * these bytes, else from the files themselves. Not for checking or compiling them (word-file.ts, words.ts).
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { parseWordFile, type WordFile } from './word-file.ts';
import { compileWords, type Words, type WordsData, wordsOf } from './words.ts';

type Source = { file: string; language: string; bytes: Buffer };
type Compiled = { madeOf: string; data: WordsData };

/** Written by the build beside the built code (compile-words.ts); the sources never have one. */
const COMPILED = fileURLToPath(new URL('./words.compiled', import.meta.url));

function readSources(policiesFolder: string): Source[] {
  const folder = join(policiesFolder, 'words');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({
      file: `policies/words/${name}`,
      language: basename(name, '.json'),
      bytes: readFileSync(join(folder, name)),
    }));
}

function digestOf(sources: readonly Source[]): string {
  const hash = createHash('sha256');
  for (const { file, bytes } of sources) hash.update(`${file} ${bytes.length}\n`).update(bytes);
  return hash.digest('hex');
}

/** All `words/*.json` of the folder, in the order of their names. Throws PolicyFileError for the first bad one. */
export function loadWordFiles(policiesFolder: string): { file: string; words: WordFile }[] {
  return readSources(policiesFolder).map(parse);
}

function parse({ file, language, bytes }: Source): { file: string; words: WordFile } {
  return { file, words: parseWordFile(bytes.toString('utf8'), file, language) };
}

/** The words of all languages, ready to match. Throws PolicyFileError for a file that cannot be read. */
export function loadWords(policiesFolder: string): Words {
  const sources = readSources(policiesFolder);
  const compiled = readCompiled();
  if (compiled !== null && compiled.madeOf === digestOf(sources)) return wordsOf(compiled.data);
  return wordsOf(compileWords(sources.map(parse)));
}

function readCompiled(): Compiled | null {
  if (!existsSync(COMPILED)) return null;
  try {
    return deserialize(readFileSync(COMPILED)) as Compiled;
  } catch {
    // Cut off, or written by a newer Node: the word files themselves are still there, loading is only slower.
    return null;
  }
}

/** Compiles the word files and writes the result beside the built code. */
export function writeCompiled(policiesFolder: string): { path: string; bytes: number } {
  const sources = readSources(policiesFolder);
  const bytes = serialize({
    madeOf: digestOf(sources),
    data: compileWords(sources.map(parse)),
  } satisfies Compiled);
  writeFileSync(COMPILED, bytes);
  return { path: COMPILED, bytes: bytes.length };
}
