/** Reads the policy files whose phrases mark something: signs of a screen, words for a code. Not for what they mean. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Compilable, loadCompiled } from './compiled.ts';
import { CODES_FILE, type CodeWords, codePhrases, codesSchema } from './one-time-codes.ts';
import { compileSigns, SIGNS_FILE, type Signs, type SignsData, signPhrases, signsSchema } from './signs.ts';
import { parsePolicyJson } from './word-file.ts';

export function loadSigns(policiesFolder: string): Signs {
  const { data, compilable } = signsIn(policiesFolder);
  return compileSigns(data, loadCompiled(compilable));
}

export function loadCodes(policiesFolder: string): CodeWords {
  return loadCompiled(codesIn(policiesFolder));
}

export function signsIn(policiesFolder: string): { data: SignsData; compilable: Compilable } {
  const path = join(policiesFolder, 'screen-signs.json');
  const data = parsePolicyJson(readFileSync(path, 'utf8'), SIGNS_FILE, signsSchema);
  const sources = [{ file: SIGNS_FILE, path }];
  return { data, compilable: { name: 'signs', sources, compile: () => signPhrases(data) } };
}

export function codesIn(policiesFolder: string): Compilable {
  const path = join(policiesFolder, 'one-time-codes.json');
  const compile = () => codePhrases(parsePolicyJson(readFileSync(path, 'utf8'), CODES_FILE, codesSchema));
  return { name: 'codes', sources: [{ file: CODES_FILE, path }], compile };
}
