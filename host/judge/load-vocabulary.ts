/** Reads everything the judge of words needs from a policies folder. Not for apps and profiles (load-policy.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCompiled } from './compiled.ts';
import { compileConfusables, confusablesSchema } from './confusables.ts';
import { compileSymbols, symbolsSchema, type Vocabulary } from './label-judge.ts';
import { wordsIn } from './load-words.ts';
import { parsePolicyJson } from './word-file.ts';

/** Throws PolicyFileError, naming file and place, for the first file that cannot be read. */
export function loadVocabulary(policiesFolder: string): Vocabulary {
  const read = (name: string) => readFileSync(join(policiesFolder, name), 'utf8');
  return {
    words: loadCompiled(wordsIn(policiesFolder)),
    own: null,
    symbols: compileSymbols(parsePolicyJson(read('symbols.json'), 'policies/symbols.json', symbolsSchema)),
    confusables: compileConfusables(
      parsePolicyJson(read('confusables.json'), 'policies/confusables.json', confusablesSchema),
    ),
  };
}
