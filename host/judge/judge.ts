/**
 * The judge: what a tool call would really touch and do → low or high, and allow, ask or refuse, with reasons.
 * Pure and deterministic: no model, no network, no clock. Not for making the subject (read-subject.ts) nor for
 * what is in the files (policies/).
 */
import type { Reason, Verdict } from '../../device-protocol/verdict.ts';
import { isPackageName } from './apps.ts';
import { categoriesOf, type Finding, packagesOf, structural } from './finding.ts';
import { isOpenField, judgePlace, onKeyboard } from './judge-place.ts';
import { judgeKey, judgeLink, judgeSubmit, judgeSuggestion, judgeTyping } from './judge-typing.ts';
import { judgeElementWords } from './judge-words.ts';
import { controlOf, type Policy } from './policy.ts';
import { decide, mostCareful } from './profiles.ts';
import type { Subject } from './subject.ts';

/** Most reasons shown; all are counted before that. */
const MOST_REASONS = 24;

export function judge(subject: Subject, policy: Policy): Verdict {
  if (leadsOut(subject, policy)) return { level: 'low', decision: 'allow', reasons: [] };
  return verdictOf(findingsOf(subject, policy), subject, policy);
}

/** The way out is never barred, not even where nothing else may be touched (risk.md, Packages). */
function leadsOut(subject: Subject, policy: Policy): boolean {
  const { act, context } = subject;
  if (context.guard !== null) return false;
  if (act.kind === 'go') return act.to === 'home' || act.to === 'back';
  return isSystemNavigation(subject, policy);
}

/** Everything there is to say against the act, before a profile makes a decision of it. */
export function findingsOf(subject: Subject, policy: Policy): Finding[] {
  if (leadsOut(subject, policy)) return [];
  const { guard } = subject.context;
  if (guard !== null) return [structural('system_surface', guard, 'screen', 'refuse')];
  const findings = [...judgeApp(subject, policy)];
  if (!findings.some((one) => one.forces === 'refuse')) {
    findings.push(...judgeAct(subject, policy), ...judgePlace(subject, policy));
  }
  return findings;
}

function verdictOf(findings: readonly Finding[], subject: Subject, policy: Policy): Verdict {
  const packages = packagesOf(subject);
  const categories = categoriesOf(subject, policy).map((one) => one.name);
  const one = { categories, packages, act: subject.act.kind, emulator: policy.emulator };
  if (findings.length === 0) {
    return { level: 'low', decision: decide(policy.profile, { ...one, class: 'low' }), reasons: [] };
  }
  const decisions = findings.map(
    (finding) => finding.forces ?? decide(policy.profile, { ...one, class: finding.class }),
  );
  const reasons: Reason[] = [];
  for (const { class: code, language, match, where } of findings) {
    const known = reasons.some(
      (reason) => reason.class === code && reason.match === match && reason.where === where,
    );
    if (!known && reasons.length < MOST_REASONS) reasons.push({ class: code, language, match, where });
  }
  return { level: 'high', decision: mostCareful(decisions), reasons };
}

/** Back, home and recents of the navigation bar, touched instead of asked for. */
function isSystemNavigation({ act, element }: Subject, policy: Policy): boolean {
  if (act.kind !== 'tap' || element === null || element.window.package !== 'com.android.systemui')
    return false;
  return policy.signs.idHasOnly('id_navigation', element.resource_id);
}

const REFUSED_AS: Readonly<Record<string, Reason['class']>> = {
  installer: 'install_prompt',
  permission_controller: 'permission_prompt',
};

function* judgeApp(subject: Subject, policy: Policy): Generator<Finding> {
  const { act, foreground } = subject;
  if (act.kind === 'app_open' && !isPackageName(act.package)) {
    yield structural('denied_package', act.package, 'package', 'refuse');
    return;
  }
  if (foreground.package === null) {
    yield structural('foreground_unknown', '', 'foreground', 'refuse');
    return;
  }
  for (const category of categoriesOf(subject, policy)) {
    const control = controlOf(policy, category);
    if (control === 'deny') {
      const code =
        category.lift === 'nobody' ? 'never_controllable' : (REFUSED_AS[category.name] ?? 'denied_package');
      yield structural(code, category.name, 'app', 'refuse');
    } else if (control === 'ask' && act.kind !== 'go') {
      yield structural(REFUSED_AS[category.name] ?? 'app_category', category.name, 'app');
    }
  }
  if (isGuardedSettings(subject, policy))
    yield structural('never_controllable', 'device_admin', 'screen', 'refuse');
}

/** Settings that hand the phone to a service or an administrator are known by their titles too. */
function isGuardedSettings(subject: Subject, policy: Policy): boolean {
  const { act, context, foreground } = subject;
  const categories = categoriesOf(subject, policy);
  if (act.kind === 'go' || !categories.some((category) => category.name === 'settings')) return false;
  const titles = [
    foreground.title,
    context.dialog?.title ?? null,
    ...context.headings,
    subject.element?.window.title ?? null,
  ];
  return titles.some((title) => title !== null && policy.signs.says('guarded_settings', title));
}

function* judgeAct(subject: Subject, policy: Policy): Generator<Finding> {
  const { act } = subject;
  switch (act.kind) {
    case 'link_open':
      yield* judgeLink(act.url, policy);
      return;
    case 'set_text':
      yield* judgeTyping(subject, act.text, act.submit, policy);
      return;
    case 'press_key':
      yield* judgeKey(subject, policy);
      return;
    case 'custom_action':
      yield structural('custom_action', act.label, 'action');
      yield* judgeElementWords(subject, policy);
      return;
    case 'tap':
    case 'long_press':
      if (subject.element !== null && onKeyboard(subject.element))
        yield* judgeSubmit(subject, subject.field?.text ?? '', policy);
      else if (!isOpenField(subject.element)) {
        yield* judgeElementWords(subject, policy);
        yield* judgeSuggestion(subject, policy);
      }
      return;
    case 'swipe':
    case 'drag':
    case 'set_toggle':
      yield* judgeElementWords(subject, policy);
      return;
    case 'scroll':
    case 'go':
    case 'app_open':
    case 'clipboard_write':
      return;
  }
}
