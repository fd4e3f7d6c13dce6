/**
 * How an app changes: a move takes its state and gives the next one, with what the phone should do besides.
 * Not for carrying that out (world.ts).
 */
import type { Language } from './words.ts';

/** What an app may know of the phone. */
export interface PhoneFacts {
  readonly language: Language;
  /** elapsedRealtime, milliseconds. */
  readonly now: number;
  /** Time of day as the person sees it, `HH:MM`. */
  readonly timeOfDay: string;
  readonly landscape: boolean;
  granted(permission: string): boolean;
}

export interface Notice {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Move of the app when the notification itself is tapped. */
  readonly open?: { readonly move: string; readonly arg: unknown };
  readonly actions?: readonly { readonly label: string; readonly move: string; readonly arg: unknown }[];
}

/** What an app asks of the phone beside changing its own state. */
export type Effect =
  | { readonly ask: 'open'; readonly package: string; readonly move?: string; readonly arg?: unknown }
  | { readonly ask: 'finish' }
  | { readonly ask: 'later'; readonly ms: number; readonly move: string; readonly arg?: unknown }
  /** Forgets every deferred `move`. */
  | { readonly ask: 'forget'; readonly move: string }
  | { readonly ask: 'notify'; readonly notice: Notice }
  | { readonly ask: 'unnotify'; readonly id: string }
  | { readonly ask: 'permission'; readonly permission: string; readonly move: string }
  | { readonly ask: 'link'; readonly url: string }
  | { readonly ask: 'copy'; readonly text: string }
  /** Puts the cursor into the field with this resource id and shows the keyboard. */
  | { readonly ask: 'focus'; readonly id: string }
  | { readonly ask: 'hide_keyboard' }
  | { readonly ask: 'system'; readonly set: 'language' | 'airplane' | 'dark'; readonly value: string }
  | { readonly ask: 'lock' }
  /** The change is shown without a word: accessibility sends no event of it (field report D-01). */
  | { readonly ask: 'silence' };

/** A new state with effects. A move without effects just returns the state. */
export class Step<S> {
  readonly state: S;
  readonly effects: readonly Effect[];
  constructor(state: S, effects: readonly Effect[]) {
    this.state = state;
    this.effects = effects;
  }
}

export function step<S>(state: S, ...effects: Effect[]): Step<S> {
  return new Step(state, effects);
}

/** A change of the app's state, with what the phone should do besides. */
export type Move<S> = (state: S, phone: PhoneFacts) => S | Step<S>;
export type TextMove<S> = (state: S, text: string, phone: PhoneFacts) => S | Step<S>;
export type NumberMove<S> = (state: S, value: number, phone: PhoneFacts) => S | Step<S>;
