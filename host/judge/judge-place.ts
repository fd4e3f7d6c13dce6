/**
 * Where an act lands, whatever its words say: unknown targets, surfaces, system windows, the composer of a
 * message, a slide that is a button. Not for words (judge-words.ts).
 */
import { categoriesOf, type Finding, structural } from './finding.ts';
import { hasWords, labelsOf } from './judge-words.ts';
import type { Policy } from './policy.ts';
import { idParts } from './signs.ts';
import type { ElementFacts, Subject } from './subject.ts';

/** Acts that touch an element. */
const TOUCHING = ['tap', 'long_press', 'swipe', 'drag', 'set_toggle', 'custom_action'];

export function* judgePlace(subject: Subject, policy: Policy): Generator<Finding> {
  const { act, element } = subject;
  const names = categoriesOf(subject, policy).map((category) => category.name);
  if (names.includes('settings') && changesSettings(subject, policy))
    yield structural('system_setting', '', 'app');
  if (!TOUCHING.includes(act.kind)) return;
  if (element === null) {
    yield structural('unknown_target', '', 'element');
    return;
  }
  if (onKeyboard(element)) return;
  yield* judgeElement(element, subject, policy);
  if (names.includes('messaging')) yield* judgeMessaging(element, subject, policy);
  if (names.includes('dialer') && labelsOf(element).some((text) => /^\s*[#＃]\s*$/u.test(text))) {
    yield structural('call', '#', 'text');
  }
}

function* judgeElement(element: ElementFacts, subject: Subject, policy: Policy): Generator<Finding> {
  const { act, foreground, context } = subject;
  const { signs } = policy;
  const { window } = element;
  const byPoint = (act.kind === 'tap' || act.kind === 'long_press') && act.by === 'point';
  if (window.package === 'com.android.systemui' || window.kind === 'system') {
    yield structural('system_surface', window.package ?? '', 'window');
  }
  if (signs.idHas('id_autofill', parts(element)))
    yield structural('autofill', element.resource_id ?? '', 'resource_id');
  if (signs.isSurface(element.class_name ?? '') && (byPoint || !hasWords(element) || act.kind === 'swipe')) {
    yield structural('surface', element.class_name ?? '', 'element');
  } else if ((!hasWords(element) && !isReadable(element, policy)) || (byPoint && isBlank(element))) {
    yield structural('unknown_target', '', 'element');
  }
  const refused = labelsOf(element).some((text) => signs.says('refusals', text));
  if (!refused && signs.isShareSheet(foreground.package, foreground.activity)) {
    yield structural('share_sheet', foreground.activity ?? '', 'screen');
  }
  if (act.kind === 'swipe' || act.kind === 'drag') {
    const asked = [...labelsOf(element), ...context.headings].find((text) => signs.says('slide', text));
    if (asked !== undefined) yield structural('slide', asked, 'text');
  }
  if (
    act.kind === 'swipe' &&
    element.dismissable &&
    (act.direction === 'left' || act.direction === 'right')
  ) {
    yield structural('slide', '', 'element');
  }
}

/** Beside the field in which a message is written everything may send: stickers, chips, the microphone. */
function* judgeMessaging(element: ElementFacts, subject: Subject, policy: Policy): Generator<Finding> {
  const { act } = subject;
  if (element.editable) return;
  if (element.beside_composer === true) yield structural('composer', '', 'element');
  else if (policy.signs.idHas('id_composer', parts(element))) {
    yield structural('composer', element.resource_id ?? '', 'resource_id');
  } else if (act.kind === 'tap' && act.count > 1) yield structural('composer', 'double tap', 'element');
  if (act.kind === 'swipe' && (act.direction === 'left' || act.direction === 'right')) {
    yield structural('slide', '', 'element');
  }
}

/** A place between things: the words below it stand elsewhere, and nobody knows what a touch does just here. */
const isBlank = (element: ElementFacts): boolean =>
  !element.touchable &&
  [element.text, element.description, element.hint, element.state].every(
    (text) => text === null || text.trim() === '',
  );

const parts = (element: ElementFacts) => (element.resource_id === null ? [] : idParts(element.resource_id));

/** Without words, but its kind or a readable id says what it is. */
function isReadable(element: ElementFacts, policy: Policy): boolean {
  if (element.editable || element.speaks_for_itself) return true;
  return parts(element).some((part) => part.length > 2 && !policy.signs.idHas('id_words', [part]));
}

/** A touch on the keyboard's window. */
export const onKeyboard = (element: ElementFacts): boolean => element.window.kind === 'input_method';

/** Touching a field only puts the cursor there. */
export const isOpenField = (element: ElementFacts | null): boolean => element?.editable === true;

/** In Settings everything but looking, going back and searching changes the phone. */
function changesSettings({ act, element }: Subject, policy: Policy): boolean {
  if (act.kind === 'scroll' || act.kind === 'go' || act.kind === 'app_open' || act.kind === 'link_open')
    return false;
  if (act.kind === 'clipboard_write') return false;
  if (act.kind === 'swipe' && (act.direction === 'up' || act.direction === 'down')) return false;
  if (element === null) return true;
  const texts = [...labelsOf(element), element.hint].filter((text) => text !== null);
  const searches =
    policy.signs.idIs('id_search', 'id_message', element.resource_id) ||
    texts.some((text) => policy.signs.says('search', text));
  return !(searches && (element.editable || act.kind === 'tap'));
}
