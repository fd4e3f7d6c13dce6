/**
 * What typing, keys and the keyboard do: text that is carried out, ENTER and the IME action in the field that has the
 * focus, addresses. Not for words (judge-words.ts) nor for places (judge-place.ts).
 */
import { categoriesOf, type Finding, structural } from './finding.ts';
import { judgeElementWords } from './judge-words.ts';
import { isAllowedHost, readLink } from './links.ts';
import type { Policy } from './policy.ts';
import { idParts } from './signs.ts';
import type { ElementFacts, Subject } from './subject.ts';

export function* judgeLink(url: string, policy: Policy): Generator<Finding> {
  const meaning = readLink(url, policy.links);
  if (meaning.kind === 'refused') yield structural('link', meaning.because, 'link', 'refuse');
  else if (meaning.kind === 'app') yield structural(meaning.class ?? 'link', `${meaning.scheme}:`, 'link');
  else if (!isAllowedHost(meaning.host, policy.hosts)) yield structural('link', meaning.host, 'link');
}

/** Where submitted text is carried out by itself, or dialled. */
const OBEYING = ['terminal', 'automation', 'assistant', 'remote_control', 'dialer'];

/** Every character that a field may take for ENTER. */
const LINE_BREAK = /[\r\n\v\f\u0085\u2028\u2029]/u;

export function* judgeTyping(
  subject: Subject,
  text: string,
  submit: boolean,
  policy: Policy,
): Generator<Finding> {
  const names = categoriesOf(subject, policy).map((category) => category.name);
  if (LINE_BREAK.test(text)) yield structural('newline', '', 'typed');
  // Service codes run as soon as their last character stands there, without any further touch.
  if (names.includes('dialer') && /[*#]/u.test(text)) yield structural('call', text, 'typed');
  if (!submit) return;
  const field = subject.element ?? subject.field;
  const before = subject.act.kind === 'set_text' && subject.act.mode === 'append' ? (field?.text ?? '') : '';
  yield* judgeSubmit({ ...subject, field }, before + text, policy);
}

/** What ENTER, an IME action or the keyboard's own button does in the field that has the focus, with `text` in it. */
export function* judgeSubmit(subject: Subject, text: string, policy: Policy): Generator<Finding> {
  const { field } = subject;
  const names = categoriesOf(subject, policy).map((category) => category.name);
  if (names.some((name) => OBEYING.includes(name))) {
    yield structural('ime_action', names.find((name) => OBEYING.includes(name)) ?? '', 'app');
  } else if (field === null) yield structural('unknown_target', '', 'focus');
  else if (!isSearch(subject, policy))
    yield structural('ime_action', shownAs(field.hint ?? field.description), 'field');
  else yield* judgeAddress(field, text, policy);
}

/** A row that completes what is being typed: choosing it submits that field. */
export function* judgeSuggestion(subject: Subject, policy: Policy): Generator<Finding> {
  const { element, field } = subject;
  if (element === null || field === null || !field.editable || element.resource_id === null) return;
  if (!policy.signs.idHas('id_suggestion', idParts(element.resource_id))) return;
  yield* judgeSubmit(subject, field.text ?? '', policy);
  for (const text of [element.text, element.description, ...element.inner]) {
    if (text !== null && isSearch(subject, policy)) yield* judgeAddress(field, text, policy);
  }
}

/** Nothing but an address, as a browser takes it: with a scheme, or a host with a point in it. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]{2,}(?::\d+)?(?:[/?#]|$))/iu;

/** In an address bar what is submitted opens, as link_open would; in any search something with a full scheme may. */
function* judgeAddress(field: ElementFacts, text: string, policy: Policy): Generator<Finding> {
  const address = text.trim();
  const bar = field.resource_id !== null && policy.signs.idHas('id_address', idParts(field.resource_id));
  const opens = bar || /Url/u.test(field.class_name ?? '') ? ADDRESS.test(address) : address.includes('://');
  if (!opens || /\s/u.test(address)) return;
  const isWhole = /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/iu.test(address);
  for (const finding of judgeLink(isWhole ? address : `https://${address}`, policy))
    yield { ...finding, where: 'field' };
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

export function* judgeKey(subject: Subject, policy: Policy): Generator<Finding> {
  const { act, field } = subject;
  if (act.kind !== 'press_key') return;
  const editing = field?.editable === true;
  if (SUBMITTING.includes(act.key)) {
    if (editing || field === null) yield* judgeSubmit(subject, field?.text ?? '', policy);
    else yield* judgeElementWords({ ...subject, element: field }, policy);
  } else if (PRESSING.includes(act.key) && !(editing && act.key === 'space')) {
    if (field === null) yield structural('unknown_target', '', 'focus');
    else if (editing) yield* judgeSubmit(subject, field?.text ?? '', policy);
    else yield* judgeElementWords({ ...subject, element: field }, policy);
  } else if (DELETING.includes(act.key) && !editing) {
    // Outside a field these keys throw away what is selected.
    yield structural('delete', act.key, 'key');
  }
}
