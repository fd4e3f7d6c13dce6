/**
 * What an app puts on the screen: a tree of views with what each shows and what it does when touched.
 * Not for places (layout.ts) nor for Android's names of things (facts.ts).
 */
import type { Bounds } from '../../../device-protocol/snapshot.ts';
import type { Move, NumberMove, TextMove } from './moves.ts';

export type Kind =
  | 'column'
  | 'row'
  | 'frame'
  | 'card'
  | 'scroll'
  | 'list'
  | 'web'
  | 'text'
  | 'button'
  | 'icon_button'
  | 'image'
  | 'field'
  | 'switch'
  | 'checkbox'
  | 'radio'
  | 'slider'
  | 'progress'
  | 'tab'
  | 'surface'
  | 'space';

export const IME_ACTIONS = ['send', 'search', 'go', 'next', 'done', 'newline'] as const;
export type ImeAction = (typeof IME_ACTIONS)[number];

/** Everything that may be said of any view. Lengths are dp, text sizes sp. */
export interface Look<S> {
  /** Name of the Android resource id, without package. */
  readonly id?: string;
  readonly description?: string;
  readonly hint?: string;
  readonly state?: string;
  readonly error?: string;
  readonly pane?: string;
  /** Android class, where it is not the toolkit's usual one. */
  readonly className?: string;
  readonly w?: number | 'fill';
  readonly h?: number | 'fill';
  /** Exactly here, in pixels of the display, whatever the layout says; may be empty or far away. */
  readonly at?: Bounds;
  readonly grow?: number;
  readonly pad?: number | readonly [vertical: number, horizontal: number];
  readonly gap?: number;
  readonly place?: 'start' | 'center' | 'end';
  /** In a frame: sits at the bottom. */
  readonly bottom?: boolean;
  /** Of what scrolls: begins at its end, as a conversation does. */
  readonly fromEnd?: boolean;
  readonly size?: number;
  readonly bold?: boolean;
  /** Drawn above the text. */
  readonly icon?: string;
  readonly color?: string;
  readonly fill?: string;
  readonly enabled?: boolean;
  readonly checked?: boolean;
  readonly selected?: boolean;
  readonly heading?: boolean;
  readonly expanded?: boolean;
  /** Android's `accessibilityDataSensitive`: only for real accessibility tools. */
  readonly sensitive?: boolean;
  /**
   * Whose views these are, where it is not the window's app: what stands in a notification was made with the
   * context of the app that posted it, and says so (RemoteViews), everything below included.
   */
  readonly of?: string;
  /** Not offered to accessibility at all, with everything below (importantForAccessibility=noHideDescendants). */
  readonly hidden?: boolean;
  readonly tap?: Move<S>;
  /** A key of the keyboard: types this, or does this to the focused field. */
  readonly press?: { readonly type: string } | { readonly key: 'delete' | 'ime_action' | 'hide' };
  /** Answers only to a finger: the click action says yes and does nothing (field report D-15). */
  readonly fingerOnly?: boolean;
  readonly hold?: Move<S>;
  /** A finger drawn across it, from start to end of the view ("slide to pay"). */
  readonly slid?: Move<S>;
  readonly actions?: readonly { readonly label: string; readonly move: Move<S> }[];
}

export interface Field<S> extends Look<S> {
  readonly value: string;
  readonly typed: TextMove<S>;
  readonly ime?: ImeAction;
  /** What the field's IME action does. */
  readonly submitted?: Move<S>;
  readonly password?: boolean;
  readonly lines?: number;
  /** Takes the set-text action, says yes, and keeps its text (field report D-11). */
  readonly deaf?: boolean;
}

export interface View<S> extends Look<S> {
  readonly kind: Kind;
  readonly text?: string;
  readonly children: readonly View<S>[];
  readonly field?: Field<S>;
  readonly slider?: {
    readonly min: number;
    readonly max: number;
    readonly value: number;
    readonly moved: NumberMove<S>;
  };
  readonly rows?: {
    readonly count: number;
    readonly rowHeight: number;
    readonly row: (index: number) => View<S>;
  };
  /** What keeps identity when siblings come and go (scroll place, focus). */
  readonly key?: string;
}

/** A view of an app whose state is its own affair. */
export type AnyView = View<unknown>;

type With<S> = Look<S> & { readonly key?: string };

/** The vocabulary of one app's screens, bound to the type of its state. */
export function viewsOf<S>() {
  type V = View<S>;
  const box =
    (kind: Kind) =>
    (look: With<S>, children: readonly (V | null)[]): V => ({
      kind,
      children: children.filter((child) => child !== null),
      ...look,
    });
  const said =
    (kind: Kind) =>
    (text: string, look: With<S> = {}): V => ({ kind, text, children: [], ...look });
  return {
    column: box('column'),
    row: box('row'),
    frame: box('frame'),
    card: box('card'),
    scroll: box('scroll'),
    web: (title: string, look: With<S>, children: readonly V[]): V => ({
      kind: 'web',
      text: title,
      children,
      ...look,
    }),
    text: said('text'),
    tab: said('tab'),
    heading: (text: string, look: With<S> = {}): V => ({
      kind: 'text',
      text,
      heading: true,
      size: 22,
      children: [],
      ...look,
    }),
    button: (text: string, tap: Move<S> | null, look: With<S> = {}): V => ({
      kind: 'button',
      text,
      children: [],
      ...(tap === null ? { enabled: false } : { tap }),
      ...look,
    }),
    iconButton: (icon: string, description: string | null, tap: Move<S>, look: With<S> = {}): V => ({
      kind: 'icon_button',
      text: icon,
      ...(description === null ? {} : { description }),
      tap,
      children: [],
      ...look,
    }),
    image: (icon: string, look: With<S> = {}): V => ({ kind: 'image', text: icon, children: [], ...look }),
    progress: (look: With<S> = {}): V => ({ kind: 'progress', children: [], ...look }),
    surface: (look: With<S> = {}): V => ({ kind: 'surface', children: [], ...look }),
    space: (look: With<S> = {}): V => ({ kind: 'space', children: [], ...look }),
    field: (field: Field<S>, key?: string): V => ({
      kind: 'field',
      text: field.value,
      field,
      children: [],
      ...field,
      ...(key === undefined ? {} : { key }),
    }),
    toggle: (
      kind: 'switch' | 'checkbox' | 'radio',
      on: boolean,
      tap: Move<S> | null,
      look: With<S> = {},
    ): V => ({
      kind,
      checked: on,
      children: [],
      ...(tap === null ? {} : { tap }),
      ...look,
    }),
    slider: (slider: NonNullable<V['slider']>, look: With<S> = {}): V => ({
      kind: 'slider',
      slider,
      children: [],
      ...look,
    }),
    list: (rows: NonNullable<V['rows']>, look: With<S> = {}): V => ({
      kind: 'list',
      rows,
      children: [],
      ...look,
    }),
  };
}

/** Whether a finger or the click action finds something to do here. */
export function isClickable(view: AnyView): boolean {
  return view.tap !== undefined || view.press !== undefined || view.field !== undefined;
}
