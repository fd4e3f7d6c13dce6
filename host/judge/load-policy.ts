/**
 * Reads policies/ and the owner's additions into one book. A file that cannot be read stops the start, with its
 * name and place. Not for the words (load-vocabulary.ts).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { appsSchema, compileApps } from './apps.ts';
import { compileLinks, linksSchema } from './links.ts';
import { loadCodes, loadSigns } from './load-phrases.ts';
import { loadVocabulary } from './load-vocabulary.ts';
import {
  ADDITIONS_FILE,
  type Additions,
  additionsSchema,
  appRulesOf,
  type Policy,
  type PolicyBook,
} from './policy.ts';
import { profileOf, profilesSchema } from './profiles.ts';
import { parsePolicyJson, withLines } from './word-file.ts';
import { compileOwnWords } from './words.ts';

/**
 * `dataFolder` null: no additions. Throws PolicyFileError naming the file, the line, the place and what was expected.
 */
export function loadPolicyBook(policiesFolder: string, dataFolder: string | null): PolicyBook {
  const textOf = (name: string) => readFileSync(join(policiesFolder, name), 'utf8');
  const read = <T>(name: string, schema: z.ZodType<T>) =>
    parsePolicyJson(textOf(name), `policies/${name}`, schema);
  const own = dataFolder === null ? null : readAdditions(dataFolder);
  const vocabulary = loadVocabulary(policiesFolder);
  const lineIn = (file: string) => (file === ADDITIONS_FILE && own !== null ? own.text : textOf('apps.json'));
  return withLines(lineIn, () => ({
    vocabulary: {
      ...vocabulary,
      own:
        own === null || own.additions.words.length === 0
          ? null
          : compileOwnWords(own.additions.words, ADDITIONS_FILE),
    },
    apps: compileApps(read('apps.json', appsSchema), own === null ? null : appRulesOf(own.additions)),
    signs: loadSigns(policiesFolder),
    links: compileLinks(read('links.json', linksSchema)),
    codes: loadCodes(policiesFolder),
    profiles: read('profiles.json', profilesSchema),
  }));
}

function readAdditions(dataFolder: string): { text: string; additions: Additions } | null {
  const path = join(dataFolder, ADDITIONS_FILE);
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  return { text, additions: parsePolicyJson(text, ADDITIONS_FILE, additionsSchema) };
}

/** The policy for one agent and phone; what is left out is the most careful. */
export function policyFor(book: PolicyBook, circumstances: Partial<Circumstances> = {}): Policy {
  const { profile = null, ...given } = circumstances;
  return {
    ...book,
    hosts: [],
    lowered: new Set(),
    shown: new Set(),
    outside: () => false,
    codes_shown: false,
    emulator: false,
    ...given,
    profile: profileOf(book.profiles, profile),
  };
}

export type Circumstances = Pick<
  Policy,
  'hosts' | 'lowered' | 'shown' | 'outside' | 'codes_shown' | 'emulator'
> & {
  /** A profile's name; null for the default of profiles.json. */
  profile: string | null;
};
