/**
 * The judge: what a tool call would really touch and do → low or high, and allow, ask or refuse, with reasons.
 * Pure and deterministic: no model, no network, no clock. Not for making the subject (read-subject.ts) nor for
 * what is in the files (policies/).
 */
import type { Reason, Verdict } from '../../device-protocol/verdict.ts';
import { isPackageName } from './apps.ts';
import { categoriesOf, type Finding, packagesOf, structural } from './finding.ts';
import { isOpenField, judgePlace, onKeyboard } from './judge-place.ts';
import { judgeElementWords } from './judge-words.ts';
import { isAllowedHost, readLink } from './links.ts';
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
        yield* judgeSubmit(subject, 'ime_action', policy);
      else if (!isOpenField(subject.element)) yield* judgeElementWords(subject, policy);
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

function* judgeLink(url: string, policy: Policy): Generator<Finding> {
  const meaning = readLink(url, policy.links);
  if (meaning.kind === 'refused') yield structural('link', meaning.because, 'link', 'refuse');
  else if (meaning.kind === 'app') yield structural(meaning.class ?? 'link', `${meaning.scheme}:`, 'link');
  else if (!isAllowedHost(meaning.host, policy.hosts)) yield structural('link', meaning.host, 'link');
}

/** Where submitted text is carried out by itself, or dialled. */
const OBEYING = ['terminal', 'automation', 'assistant', 'remote_control', 'dialer'];

/** Every character that a field may take for ENTER. */
const LINE_BREAK = /[\r\n\v\f\u0085\u2028\u2029]/u;

function* judgeTyping(subject: Subject, text: string, submit: boolean, policy: Policy): Generator<Finding> {
  const names = categoriesOf(subject, policy).map((category) => category.name);
  if (LINE_BREAK.test(text)) yield structural('newline', '', 'typed');
  // Service codes run as soon as their last character stands there, without any further touch.
  if (names.includes('dialer') && /[*#]/u.test(text)) yield structural('call', text, 'typed');
  if (submit)
    yield* judgeSubmit({ ...subject, field: subject.element ?? subject.field }, 'ime_action', policy);
}

/** What ENTER, an IME action or the keyboard's own button does in the field that has the focus. */
function* judgeSubmit(subject: Subject, code: 'ime_action', policy: Policy): Generator<Finding> {
  const { field } = subject;
  const names = categoriesOf(subject, policy).map((category) => category.name);
  if (names.some((name) => OBEYING.includes(name))) {
    yield structural(code, names.find((name) => OBEYING.includes(name)) ?? '', 'app');
  } else if (field === null) yield structural('unknown_target', '', 'focus');
  else if (!isSearch(subject, policy))
    yield structural(code, shownAs(field.hint ?? field.description), 'field');
}

const shownAs = (text: string | null) => (text ?? '').slice(0, 200);

/** Fields in which submitting only searches or goes to an address. A messaging app's own search counts too. */
function isSearch({ field }: Subject, policy: Policy): boolean {
  if (field === null || field.password) return false;
  const { signs } = policy;
  const words = [field.hint, field.description];
  if (words.some((text) => text !== null && signs.says('message_field', text))) return false;
  return (
    signs.idIs('id_search', 'id_message', field.resource_id) ||
    /Search|AutoComplete.*Url/u.test(field.class_name ?? '') ||
    words.some((text) => text !== null && signs.says('search', text))
  );
}

const SUBMITTING = ['enter', 'ime_action', 'search'];
const PRESSING = ['space', 'center'];
const DELETING = ['delete', 'forward_delete'];

function* judgeKey(subject: Subject, policy: Policy): Generator<Finding> {
  const { act, field } = subject;
  if (act.kind !== 'press_key') return;
  const editing = field?.editable === true;
  if (SUBMITTING.includes(act.key)) {
    if (editing || field === null) yield* judgeSubmit(subject, 'ime_action', policy);
    else yield* judgeElementWords({ ...subject, element: field }, policy);
  } else if (PRESSING.includes(act.key) && !(editing && act.key === 'space')) {
    if (field === null) yield structural('unknown_target', '', 'focus');
    else if (editing) yield* judgeSubmit(subject, 'ime_action', policy);
    else yield* judgeElementWords({ ...subject, element: field }, policy);
  } else if (DELETING.includes(act.key) && !editing) {
    // Outside a field these keys throw away what is selected.
    yield structural('delete', act.key, 'key');
  }
}
