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
import { type Additions, additionsSchema, appRulesOf, type Policy, type PolicyBook } from './policy.ts';
import { profileOf, profilesSchema } from './profiles.ts';
import { parsePolicyJson } from './word-file.ts';
import { compileOwnWords } from './words.ts';

/** Name of the owner's additions in the data directory. */
export const ADDITIONS_FILE = 'policy.json';

/**
 * `dataFolder` null: no additions. Throws PolicyFileError naming the file, the place and what was expected.
 */
export function loadPolicyBook(policiesFolder: string, dataFolder: string | null): PolicyBook {
  const read = <T>(name: string, schema: z.ZodType<T>) =>
    parsePolicyJson(readFileSync(join(policiesFolder, name), 'utf8'), `policies/${name}`, schema);
  const additions = dataFolder === null ? null : readAdditions(dataFolder);
  const vocabulary = loadVocabulary(policiesFolder);
  const own =
    additions === null || additions.words.length === 0
      ? null
      : compileOwnWords(additions.words, ADDITIONS_FILE);
  return {
    vocabulary: { ...vocabulary, own },
    apps: compileApps(read('apps.json', appsSchema), additions === null ? null : appRulesOf(additions)),
    signs: loadSigns(policiesFolder),
    links: compileLinks(read('links.json', linksSchema)),
    codes: loadCodes(policiesFolder),
    profiles: read('profiles.json', profilesSchema),
  };
}

function readAdditions(dataFolder: string): Additions | null {
  const path = join(dataFolder, ADDITIONS_FILE);
  if (!existsSync(path)) return null;
  return parsePolicyJson(readFileSync(path, 'utf8'), ADDITIONS_FILE, additionsSchema);
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
