/** Reads the word files below a policies folder. Not for checking or compiling them (word-file.ts, words.ts). */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Compilable, Source } from './compiled.ts';
import { parseWordFile, type WordFile, withLines } from './word-file.ts';
import { compileWords } from './words.ts';

/** All `words/*.json` of the folder, in the order of their names. Throws PolicyFileError for the first bad one. */
export function loadWordFiles(policiesFolder: string): { file: string; words: WordFile }[] {
  return sourcesIn(policiesFolder).map(parse);
}

/** The words of all languages. */
export function wordsIn(policiesFolder: string): Compilable {
  const sources = sourcesIn(policiesFolder);
  const textOf = (file: string) =>
    readFileSync(sources.find((one) => one.file === file)?.path ?? file, 'utf8');
  return {
    name: 'words',
    sources,
    compile: () => withLines(textOf, () => compileWords(sources.map(parse))),
  };
}

function sourcesIn(policiesFolder: string): Source[] {
  const folder = join(policiesFolder, 'words');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ file: `policies/words/${name}`, path: join(folder, name) }));
}

function parse({ file, path }: Source): { file: string; words: WordFile } {
  return { file, words: parseWordFile(readFileSync(path, 'utf8'), file, basename(file, '.json')) };
}
