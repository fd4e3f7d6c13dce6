/** Everything the judge goes by, compiled from policies/ and the owner's additions. Not for reading files. */
import { z } from 'zod';
import { RISK_CLASSES } from '../../device-protocol/verdict.ts';
import { type AppRules, type Apps, appRuleSchemas, type Category } from './apps.ts';
import type { Vocabulary } from './label-judge.ts';
import type { Links } from './links.ts';
import type { CodeWords } from './one-time-codes.ts';
import type { Profile, ProfilesData } from './profiles.ts';
import type { Signs } from './signs.ts';
import { PLACES_IN_LABEL } from './word-file.ts';

/** All of policies/, compiled once. */
export type PolicyBook = {
  vocabulary: Vocabulary;
  apps: Apps;
  signs: Signs;
  links: Links;
  codes: CodeWords;
  profiles: ProfilesData;
};

/** The book and the circumstances of one agent and phone. */
export type Policy = PolicyBook & {
  profile: Profile;
  /** Hosts this agent may open; a leading dot takes in everything below. */
  hosts: readonly string[];
  /** Categories the owner loosened, on the phone where apps.json asks for that. */
  lowered: ReadonlySet<string>;
  /** Apps the owner lets this agent see though their category is withheld. */
  shown: { has(packageName: string): boolean };
  /** Apps that this agent's grant leaves out altogether; null is an app that is not known. */
  outside: (packageName: string | null) => boolean;
  /** One-time codes are shown to this agent. */
  codes_shown: boolean;
  /** The phone is an emulator or the virtual phone. */
  emulator: boolean;
};

/** What the owner may add in the data directory (`policy.json`): it can only raise caution. */
export const additionsSchema = z.strictObject({
  /** Words that mean an act, in any app. */
  words: z
    .array(
      z.strictObject({
        say: z.string().min(1).max(80),
        at: z.enum(PLACES_IN_LABEL).optional(),
        class: z.enum(RISK_CLASSES),
        why: z.string().min(3).max(240).optional(),
      }),
    )
    .max(2_000)
    .default([]),
  /** Apps that get one more category. */
  apps: z.array(appRuleSchemas.app).max(2_000).default([]),
  prefixes: z.array(appRuleSchemas.prefix).max(200).default([]),
  patterns: z.array(appRuleSchemas.pattern).max(200).default([]),
});
export type Additions = z.infer<typeof additionsSchema>;

/** Name of the owner's additions in the data directory. */
export const ADDITIONS_FILE = 'policy.json';

export const appRulesOf = ({ apps, prefixes, patterns }: Additions): AppRules => ({
  file: ADDITIONS_FILE,
  apps,
  prefixes,
  patterns,
});

/** A category as it holds for this policy: loosened by the owner where that is possible at all. */
export function controlOf(policy: Policy, category: Category): Category['control'] {
  if (category.lift === 'nobody' || !policy.lowered.has(category.name)) return category.control;
  // On the phone the owner may let the installer and permission prompts be asked about, never pass by themselves.
  return category.lift === 'phone' ? 'ask' : 'allow';
}
