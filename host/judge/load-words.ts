/** Reads the word files below a policies folder. Not for checking or compiling them (word-file.ts, words.ts). */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseWordFile, type WordFile } from './word-file.ts';

/** All `words/*.json` of the folder, in the order of their names. Throws PolicyFileError for the first bad one. */
export function loadWordFiles(policiesFolder: string): { file: string; words: WordFile }[] {
  const folder = join(policiesFolder, 'words');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const file = `policies/words/${name}`;
      return {
        file,
        words: parseWordFile(readFileSync(join(folder, name), 'utf8'), file, basename(name, '.json')),
      };
    });
}
