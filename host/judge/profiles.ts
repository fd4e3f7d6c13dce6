/** Profiles: what becomes of a reason in an app of some category. Not for finding reasons (judge.ts). */
import { z } from 'zod';
import { RISK_CLASSES, STRUCTURAL_REASONS } from '../../device-protocol/verdict.ts';
import { PolicyFileError } from './word-file.ts';

export const DECISIONS = ['allow', 'ask', 'refuse'] as const;
export type Decision = (typeof DECISIONS)[number];

const ruleSchema = z.strictObject({
  /** Reasons it is for; "low" is an act without any; "*" is every reason but not "low". Left out: like "*". */
  classes: z.array(z.enum(['*', 'low', ...RISK_CLASSES, ...STRUCTURAL_REASONS])).optional(),
  /** Categories of apps.json it is for; "none" is an app without one. Left out: all. */
  categories: z.array(z.string()).optional(),
  /** Packages it is for. Left out: all. */
  packages: z.array(z.string()).optional(),
  /** Kinds of acts it is for. Left out: all. */
  acts: z.array(z.string()).optional(),
  only_on_emulators: z.boolean().optional(),
  decision: z.enum(DECISIONS),
  why: z.string().min(3).max(240),
});

export const profilesSchema = z.strictObject({
  why: z.string(),
  default: z.string(),
  profiles: z.record(z.string(), z.strictObject({ why: z.string(), rules: z.array(ruleSchema).min(1) })),
});
export type ProfilesData = z.infer<typeof profilesSchema>;
export type Profile = { name: string; rules: readonly z.infer<typeof ruleSchema>[] };

export function profileOf(data: ProfilesData, name: string | null): Profile {
  const wanted = name ?? data.default;
  const found = data.profiles[wanted];
  if (found !== undefined) return { name: wanted, rules: found.rules };
  const all = Object.keys(data.profiles).join(', ');
  throw new PolicyFileError(
    { file: 'policies/profiles.json' },
    `no profile is called "${wanted}"; there are: ${all}`,
  );
}

export type Case = {
  /** The reason's class, "low" for an act without any. */
  class: string;
  categories: readonly string[];
  packages: readonly string[];
  act: string;
  emulator: boolean;
};

/** The decision of the first rule that fits; asks where none does. */
export function decide(profile: Profile, one: Case): Decision {
  const rule = profile.rules.find(
    ({ classes = ['*'], categories, packages, acts, only_on_emulators: emulatorsOnly = false, decision }) =>
      (one.class !== 'low' && classes.includes('*')
        ? true
        : (classes as readonly string[]).includes(one.class)) &&
      (categories === undefined || fits(decision, categories, one.categories)) &&
      (packages === undefined || fits(decision, packages, one.packages)) &&
      (acts === undefined || acts.includes(one.act)) &&
      (!emulatorsOnly || one.emulator),
  );
  return rule?.decision ?? 'ask';
}

/** A careful rule fits an app (or one of two apps on the screen) by any of its names, a rule that allows by all. */
function fits(decision: Decision, wanted: readonly string[], has: readonly string[]): boolean {
  const names = has.length === 0 ? ['none'] : has;
  const isWanted = (one: string) => wanted.includes(one);
  return decision === 'allow' ? names.every(isWanted) : names.some(isWanted);
}

/** The most careful of several decisions. */
export function mostCareful(decisions: readonly Decision[]): Decision {
  return DECISIONS[Math.max(0, ...decisions.map((one) => DECISIONS.indexOf(one)))] as Decision;
}
