/**
 * Which care an app needs by its package: exact id, else prefix, else whole parts of its name, never pieces of a
 * part ("com.chaseandbank.cupcake" is no bank). Not for what becomes of it (profiles.ts, judge.ts).
 */
import { z } from 'zod';
import { PolicyFileError } from './word-file.ts';

/** `deny`: no act at all; `ask`: every act is high; `allow`: words and places decide. */
export const CONTROLS = ['allow', 'ask', 'deny'] as const;
/** Who may loosen a category: the owner anywhere, only the owner on the phone itself, nobody. */
export const LIFTS = ['owner', 'phone', 'nobody'] as const;
/** `withhold`: only after the owner allowed that app; `never`: not even then. */
export const SEEING = ['see', 'withhold', 'never'] as const;

const why = z.string().min(2).max(240);
const name = z.string().regex(/^[a-z][a-z_]*$/);
const packageId = z.string().regex(/^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/);
const prefix = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+\.$/, 'a prefix ends with a dot');
const pattern = z
  .string()
  .regex(/^(\*|[A-Za-z][A-Za-z0-9_]*)(\.(\*|[A-Za-z][A-Za-z0-9_]*))*$/, 'only whole parts or * between dots');

export const appRuleSchemas = {
  app: z.strictObject({ package: packageId, category: name, why }),
  prefix: z.strictObject({ prefix, category: name, why }),
  pattern: z.strictObject({ pattern, category: name, why }),
};

export const appsSchema = z.strictObject({
  why,
  categories: z.record(
    name,
    z.strictObject({ control: z.enum(CONTROLS), lift: z.enum(LIFTS), see: z.enum(SEEING), why }),
  ),
  apps: z.array(appRuleSchemas.app).max(5_000),
  prefixes: z.array(appRuleSchemas.prefix).max(500),
  patterns: z.array(appRuleSchemas.pattern).max(500),
  /** Single screens of an app that have a category of their own; `activity` is part of its lower-case name. */
  screens: z
    .array(
      z.strictObject({ package: packageId, activity: z.string().regex(/^[a-z]+$/), category: name, why }),
    )
    .max(200),
});
export type AppsData = z.infer<typeof appsSchema>;

export type Category = {
  name: string;
  control: (typeof CONTROLS)[number];
  lift: (typeof LIFTS)[number];
  see: (typeof SEEING)[number];
};

/** The rule that puts an app into a category, and where it stands. */
export type AppRule = {
  category: Category;
  file: string;
  list: 'apps' | 'prefixes' | 'patterns' | 'screens';
  index: number;
};

export type Apps = {
  categories: ReadonlyMap<string, Category>;
  /** All categories of an app, the owner's additions included; none for most. `activity` may add one. */
  of(packageName: string, activity?: string | null): readonly Category[];
  /** The same with the rules that say so. */
  rulesFor(packageName: string, activity?: string | null): readonly AppRule[];
};

/** Rules of one file; owner's rules come as a second one and add categories, they never take one away. */
export type AppRules = Pick<AppsData, 'apps' | 'prefixes' | 'patterns'> & { file: string };

export const APPS_FILE = 'policies/apps.json';

/** Throws PolicyFileError for a rule whose category is not declared. */
export function compileApps(data: AppsData, owner: AppRules | null): Apps {
  const categories = new Map(
    Object.entries(data.categories).map(([key, { control, lift, see }]) => [
      key,
      { name: key, control, lift, see },
    ]),
  );
  const sources = [{ ...data, file: APPS_FILE }, ...(owner === null ? [] : [owner])].map((rules) =>
    compileRules(rules, categories),
  );
  const screens = data.screens.map((screen, index) => {
    const place = { file: APPS_FILE, list: 'screens', index } as const;
    return { ...screen, rule: { ...place, category: known(categories, screen.category, place) } };
  });
  const seen = new Map<string, readonly AppRule[]>();
  const ofPackage = (packageName: string) => {
    let found = seen.get(packageName);
    if (found === undefined) {
      found = sources.flatMap((source) => source(packageName) ?? []);
      if (seen.size < 2_000) seen.set(packageName, found);
    }
    return found;
  };
  const rulesFor = (packageName: string, activity: string | null = null) => {
    const found = ofPackage(packageName);
    const lower = activity?.toLowerCase() ?? '';
    const screen = screens.find((one) => one.package === packageName && lower.includes(one.activity));
    return screen === undefined ? found : [...found, screen.rule];
  };
  return {
    categories,
    rulesFor,
    of: (packageName, activity = null) => [
      ...new Set(rulesFor(packageName, activity).map((rule) => rule.category)),
    ],
  };
}

type RulePlace = Omit<AppRule, 'category'>;

function known(
  categories: ReadonlyMap<string, Category>,
  category: string,
  { file, list, index }: RulePlace,
): Category {
  const found = categories.get(category);
  if (found !== undefined) return found;
  const all = [...categories.keys()].join(', ');
  throw new PolicyFileError(
    { file, path: [list, index], say: category },
    `no category is called so; there are: ${all}`,
  );
}

function compileRules(
  rules: AppRules,
  categories: ReadonlyMap<string, Category>,
): (packageName: string) => AppRule | null {
  const ruleOf = (list: RulePlace['list'], index: number, category: string): AppRule => {
    const place = { file: rules.file, list, index };
    return { ...place, category: known(categories, category, place) };
  };
  const exact = new Map(
    rules.apps.map((one, index) => [one.package.toLowerCase(), ruleOf('apps', index, one.category)]),
  );
  const prefixes = rules.prefixes.map((one, index) => ({
    prefix: one.prefix.toLowerCase(),
    rule: ruleOf('prefixes', index, one.category),
  }));
  const patterns = rules.patterns.map((one, index) => ({
    parts: one.pattern.toLowerCase().split('.'),
    rule: ruleOf('patterns', index, one.category),
  }));
  return (packageName) => {
    const lower = packageName.toLowerCase();
    const parts = lower.split('.');
    return (
      exact.get(lower) ??
      prefixes.find((one) => lower.startsWith(one.prefix))?.rule ??
      patterns.find((one) => matchesParts(one.parts, parts))?.rule ??
      null
    );
  };
}

/** `*` stands for any number of whole parts, also none. */
function matchesParts(pattern: readonly string[], parts: readonly string[]): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined) return parts.length === 0;
  if (head !== '*') return parts[0] === head && matchesParts(rest, parts.slice(1));
  for (let skipped = 0; skipped <= parts.length; skipped++) {
    if (matchesParts(rest, parts.slice(skipped))) return true;
  }
  return false;
}

/** Android's grammar of an application id; anything else never reaches a phone. */
export function isPackageName(text: string): boolean {
  return text.length <= 255 && packageId.safeParse(text).success;
}
