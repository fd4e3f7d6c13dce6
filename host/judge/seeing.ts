/**
 * What an agent may see: whole apps are withheld by category, one-time codes are masked in what is left. Pure
 * functions over texts; the phone enforces the same by itself. Not for what an agent may do (judge.ts).
 */
import type { Category } from './apps.ts';
import { maskCodes, speaksOfCode } from './one-time-codes.ts';
import type { Policy } from './policy.ts';

/** Why an app is withheld that no category withholds: the agent's grant does not reach into it. */
export const OUTSIDE_GRANT = 'outside_grant';

/** Whether the contents of an app may be seen; `withheld` names the category that forbids it, or OUTSIDE_GRANT. */
export type Seeing = { see: true } | { see: false; withheld: string };

/** `packageName` null (unknown) is in no category: only a grant that reaches into some apps leaves it out. */
export function seeingOf(packageName: string | null, activity: string | null, policy: Policy): Seeing {
  const outside: Seeing | null = policy.outside(packageName) ? { see: false, withheld: OUTSIDE_GRANT } : null;
  if (packageName === null) return outside ?? { see: true };
  const categories = policy.apps.of(packageName, activity);
  const forbids = categories.find((category) => !maySee(category, packageName, policy));
  return forbids === undefined ? (outside ?? { see: true }) : { see: false, withheld: forbids.name };
}

function maySee(category: Category, packageName: string, policy: Policy): boolean {
  if (category.see === 'see') return true;
  return category.see === 'withhold' && policy.shown.has(packageName);
}

export type SeenText = { text: string; package: string | null };

/**
 * The same texts as this agent may see them: null where the app's content is withheld, digits of one-time codes
 * replaced by dots. A code counts when a word for it stands in the same text or in a neighbouring one of the
 * same app (a notification's title and text are two).
 */
export function visibleTexts(texts: readonly SeenText[], policy: Policy): (string | null)[] {
  const about = texts.map(({ text }) => speaksOfCode(text, policy.codes));
  return texts.map(({ text, package: owner }, index) => {
    if (!seeingOf(owner, null, policy).see) return null;
    if (policy.codes_shown) return text;
    const near = [index - 1, index, index + 1].some(
      (at) => about[at] === true && texts[at]?.package === owner,
    );
    return near ? maskCodes(text) : text;
  });
}
