/**
 * `countersign judge`: what a label means, for people: verdict, reasons, and which entry in which file and line
 * to look at. Pure but for finding the line. Not for printing (the command line's door).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Category } from './apps.ts';
import { judgeLabel } from './label-judge.ts';
import type { Policy } from './policy.ts';
import { OWNER } from './words.ts';

export type JudgedText = {
  text: string;
  level: 'low' | 'high';
  reasons: JudgedReason[];
};

export type JudgedReason = {
  class: string;
  language: string | null;
  match: string;
  where: string;
  /** The entry as its file says it; null where an app's category is the reason. */
  entry: string | null;
  file: string;
};

export type JudgeTextOptions = {
  policy: Policy;
  /** The device's locale; null when unknown, and then every language counts. */
  locale: string | null;
  /** Package of the app the label stands in; null judges the words alone. */
  app: string | null;
};

export function judgeText(text: string, { policy, locale, app }: JudgeTextOptions): JudgedText {
  const reasons: JudgedReason[] = judgeLabel(policy.vocabulary, text, locale).map((hit) => ({
    class: hit.class,
    language: hit.language,
    match: hit.match,
    where: 'text',
    entry: hit.say,
    file: fileOf(hit.language),
  }));
  const high = (category: Category) => category.control !== 'allow';
  for (const category of app === null ? [] : policy.apps.of(app).filter(high)) {
    reasons.push({
      class: category.lift === 'nobody' ? 'never_controllable' : 'app_category',
      language: null,
      match: category.name,
      where: 'app',
      entry: null,
      file: 'policies/apps.json',
    });
  }
  return { text, level: reasons.length === 0 ? 'low' : 'high', reasons };
}

function fileOf(language: string | null): string {
  if (language === null) return 'policies/symbols.json';
  return language === OWNER ? 'policy.json' : `policies/words/${language}.json`;
}

/** Line of the reason's entry in its file, counted from 1; null where it is not found. `root` holds policies/. */
export function lineOf({ file, entry, match }: JudgedReason, root: string): number | null {
  const said = JSON.stringify(entry ?? match);
  const key = entry === null ? `"category": ${said}` : `"say": ${said}`;
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes(key));
  return at === -1 ? null : at + 1;
}
