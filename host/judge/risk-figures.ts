/** What the judge of words is worth on labelled labels, as numbers. Pure; not for reading or printing (eval-risk.ts). */
import { z } from 'zod';
import { readWords } from './label.ts';
import type { LabelHit } from './label-judge.ts';
import { sayingOf } from './words.ts';

export const rowSchema = z.object({
  app: z.string(),
  locale: z.string(),
  text: z.string(),
  en: z.string().optional(),
  label: z.enum(['high', 'low']),
  category: z.string().optional(),
});
export type Row = z.infer<typeof rowSchema>;
export type Judged = { row: Row; hits: LabelHit[] };

export function primaryOf(row: Row): string {
  return row.locale.split('-')[0] as string;
}

export type Rates = { rows: number; risky: number; recall: number | null; false_alarms: number | null };

export function rates(judged: readonly Judged[]): Rates {
  const risky = judged.filter(({ row }) => row.label === 'high');
  const ordinary = judged.filter(({ row }) => row.label === 'low');
  return {
    rows: judged.length,
    risky: risky.length,
    recall: share(risky, ({ hits }) => hits.length > 0),
    false_alarms: share(ordinary, ({ hits }) => hits.length > 0),
  };
}

/** Null where there is nothing to measure: never a default. */
function share<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : Math.round((items.filter(holds).length / items.length) * 1e5) / 1e5;
}

export function group(judged: readonly Judged[], keyOf: (one: Judged) => string): Record<string, Rates> {
  const groups = new Map<string, Judged[]>();
  for (const one of judged) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return Object.fromEntries([...groups].sort().map(([key, members]) => [key, rates(members)]));
}

export function quantile(sorted: readonly number[], at: number): number | null {
  const value = sorted[Math.floor(sorted.length * at)];
  return value === undefined ? null : Math.round(value * 100) / 100;
}

/** Apps of one house share strings, so that leaving out one of them would leave its strings in. */
const familyOf = (row: Row) => /^(fossify|aosp)-/u.exec(row.app)?.[1] ?? row.app;

/**
 * Recall on each family of apps with only those entries that are also needed elsewhere: an entry counts only if
 * it hits a high label of another family too. What was written for one app alone is worth nothing here; nor is,
 * unjustly, a good word that this corpus happens to have in one app only. So this is a lower bound.
 */
export function leaveOneAppOut(judged: readonly Judged[]): {
  recall: number | null;
  by_family: Record<string, number | null>;
} {
  const high = judged.filter(({ row }) => row.label === 'high');
  const familiesOfEntry = new Map<string, Set<string>>();
  for (const { row, hits } of high) {
    for (const hit of hits) {
      const families = familiesOfEntry.get(entryOf(hit)) ?? new Set();
      familiesOfEntry.set(entryOf(hit), families.add(familyOf(row)));
    }
  }
  const isFound = ({ row, hits }: Judged) =>
    hits.some((hit) =>
      [...(familiesOfEntry.get(entryOf(hit)) ?? [])].some((family) => family !== familyOf(row)),
    );
  const families = [...new Set(high.map(({ row }) => familyOf(row)))].sort();
  return {
    recall: share(high, isFound),
    by_family: Object.fromEntries(
      families.map((family) => [
        family,
        share(
          high.filter(({ row }) => familyOf(row) === family),
          isFound,
        ),
      ]),
    ),
  };
}

/** Longest label that may be one entry word for word without looking like a copied string. */
const LABEL_WORDS = 2;

/**
 * Whether entries were written as a speaker would or copied from this file: how many of them meet any of its high
 * labels (most should meet none), and how many labels are found only by an entry that is the whole label, of three
 * words or more (hardly any should be).
 */
export function memorising(judged: readonly Judged[]): {
  entries_met: number;
  found_by_copies_only: number | null;
} {
  const found = judged.filter(({ row, hits }) => row.label === 'high' && hits.length > 0);
  const isCopy = (text: string, hits: readonly LabelHit[]) => {
    const words = readWords(text);
    return words.split(' ').length > LABEL_WORDS && hits.every((hit) => sayingOf(hit.say) === words);
  };
  return {
    entries_met: new Set(found.flatMap(({ hits }) => hits.map(entryOf))).size,
    found_by_copies_only: share(found, ({ row, hits }) => isCopy(row.text, hits)),
  };
}

/** Goals of the design that these figures miss, in words; times are printed, but no machine is held to them. */
export function missedGoals({ recall, false_alarms }: Rates, below: readonly string[]): string[] {
  const missed: string[] = [];
  if (recall !== null && recall < 0.99) missed.push(`recall ${recall} is below 0.99`);
  if (false_alarms !== null && false_alarms > 0.03)
    missed.push(`false alarms ${false_alarms} are above 0.03`);
  if (below.length > 0) missed.push(`below the goal by themselves: ${below.join(', ')}`);
  return missed;
}

const entryOf = (hit: LabelHit) => `${hit.language} ${hit.say} ${hit.class}`;

/** Languages with at least a hundred rows that miss more than one label and one in a hundred, or alarm too often. */
export function belowGoal(judged: readonly Judged[]): string[] {
  const languages = [...new Set(judged.map(({ row }) => primaryOf(row)))].sort();
  return languages.filter((language) => {
    const own = judged.filter(({ row }) => primaryOf(row) === language);
    const missed = own.filter(({ row, hits }) => row.label === 'high' && hits.length === 0).length;
    const { rows, risky, false_alarms } = rates(own);
    return rows >= 100 && (missed > Math.max(1, risky * 0.01) || (false_alarms ?? 0) > 0.03);
  });
}

/** Texts that the file itself calls high in one place and low in another, in one language. */
export function disputed(rows: readonly Row[]): { language: string; text: string }[] {
  const labels = new Map<string, Set<string>>();
  for (const row of rows) {
    const key = `${primaryOf(row)} ${row.text.toLowerCase()}`;
    labels.set(key, (labels.get(key) ?? new Set()).add(row.label));
  }
  return [...labels]
    .filter(([, found]) => found.size > 1)
    .map(([key]) => ({ language: key.slice(0, key.indexOf(' ')), text: key.slice(key.indexOf(' ') + 1) }));
}
