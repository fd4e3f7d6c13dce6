/** One thing the judge found, and which apps it concerns. Not for what becomes of it (judge.ts). */
import type { Reason } from '../../device-protocol/verdict.ts';
import type { Category } from './apps.ts';
import type { Policy } from './policy.ts';
import type { Decision } from './profiles.ts';
import type { Subject } from './subject.ts';

/** A reason, what it forces whatever the profile says, and where words made it: the entry as its file says it. */
export type Finding = Reason & { forces?: Decision; say?: string };

export function structural(code: Reason['class'], match: string, where: string, forces?: Decision): Finding {
  const found = { class: code, language: null, match: match.slice(0, 200), where };
  return forces === undefined ? found : { ...found, forces };
}

/** The app in front, and the one the element belongs to where that is another (split screen, overlay). */
export function packagesOf({ foreground, element, act }: Subject): string[] {
  const own = element?.window.kind === 'input_method' ? null : (element?.window.package ?? null);
  const opened = act.kind === 'app_open' ? act.package : null;
  return [...new Set([foreground.package, own, opened].filter((one) => one !== null))];
}

export function categoriesOf(subject: Subject, policy: Policy): readonly Category[] {
  const { foreground } = subject;
  return [
    ...new Set(
      packagesOf(subject).flatMap((name) =>
        policy.apps.of(name, name === foreground.package ? foreground.activity : null),
      ),
    ),
  ];
}
