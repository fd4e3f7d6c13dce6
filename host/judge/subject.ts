/**
 * What is judged, as a plain value: the act with its own facts, the element it lands on, and what stands around
 * it. Made from a snapshot (read-subject.ts); nothing here decides.
 */
import type { DIRECTIONS, KEYS, PLACES, TEXT_MODES } from '../../device-protocol/payload.ts';
import type { WindowKind } from '../../device-protocol/snapshot.ts';

export type JudgedAct =
  | { kind: 'tap'; count: number; by: 'element' | 'point' }
  | { kind: 'long_press'; by: 'element' | 'point' }
  | { kind: 'swipe'; direction: (typeof DIRECTIONS)[number] }
  /** The element is the first one; `onto` is what it is dropped on, null when nothing is known there. */
  | { kind: 'drag'; onto: ElementFacts | null }
  | { kind: 'scroll' }
  | { kind: 'set_text'; text: string; mode: (typeof TEXT_MODES)[number]; submit: boolean }
  | { kind: 'set_toggle'; on: boolean }
  /** The element is the one that has the focus. */
  | { kind: 'press_key'; key: (typeof KEYS)[number] }
  | { kind: 'go'; to: (typeof PLACES)[number] }
  | { kind: 'app_open'; package: string }
  | { kind: 'link_open'; url: string }
  | { kind: 'clipboard_write' }
  | { kind: 'custom_action'; label: string };

/** Facts of one element; null is "has none". */
export type ElementFacts = {
  text: string | null;
  description: string | null;
  hint: string | null;
  /** Android's state description. */
  state: string | null;
  resource_id: string | null;
  class_name: string | null;
  editable: boolean;
  password: boolean;
  checkable: boolean;
  /** A slider, tab or the like: its kind alone says what a touch does, without words. */
  speaks_for_itself: boolean;
  /** It, or something around it, says that it takes a touch. */
  touchable: boolean;
  /** A swipe takes it away. */
  dismissable: boolean;
  /** Texts below it that name it, in reading order: its label, where it has none of its own. */
  inner: readonly string[];
  /** Texts and descriptions of clickable elements around it: the touch may be theirs. */
  ancestors: readonly string[];
  window: { kind: WindowKind; package: string | null; title: string | null };
  /** Stands on one line with the field in which a message is written; null when not known. */
  beside_composer: boolean | null;
};

export type Subject = {
  act: JudgedAct;
  /** What the input lands on; null when nothing is known there, or the act has no place. */
  element: ElementFacts | null;
  /** The field that has the focus: what ENTER, a key or a touch on the keyboard acts on. */
  field: ElementFacts | null;
  context: {
    /** The dialog, sheet or popup around the element. */
    dialog: { title: string | null; texts: readonly string[] } | null;
    /** Headings and title of the screen. */
    headings: readonly string[];
    /** What the phone shows instead of an app; nothing is done while it does. */
    guard: 'keyguard' | 'credential' | 'approval' | null;
  };
  foreground: { package: string | null; activity: string | null; title: string | null };
  /** Language of the phone's interface, BCP-47; null when unknown. */
  locale: string | null;
};
