/**
 * How an app is written down: its state, its screens as functions of that state, its deferred moves.
 * Not for how the phone runs it (world.ts).
 */
import type { Move, PhoneFacts, Step } from './moves.ts';
import type { View } from './view.ts';
import type { Texts, WordTable } from './words.ts';

/** How an app is built decides which classes and ids Android shows of it. */
export const TOOLKITS = ['views', 'compose', 'react_native'] as const;
export type Toolkit = (typeof TOOLKITS)[number];

export interface Dialog<S> {
  readonly title?: string;
  readonly message?: string;
  readonly body?: View<S>;
  readonly positive?: { readonly text: string; readonly move: Move<S> };
  readonly negative?: { readonly text: string; readonly move: Move<S> };
  readonly neutral?: { readonly text: string; readonly move: Move<S> };
  /** Back, or a touch beside it; absent: it stays. */
  readonly cancel?: Move<S>;
  /** Rises from the lower edge instead of floating in the middle. */
  readonly sheet?: boolean;
}

export interface Screen<S> {
  readonly title: string;
  /** Class of the activity, without package. */
  readonly activity: string;
  readonly body: View<S>;
  readonly dialog?: Dialog<S>;
  /** Where Back leads inside the app; absent: out of it. */
  readonly back?: Move<S>;
  /** FLAG_SECURE: no pictures of it. */
  readonly secure?: boolean;
  readonly toolkit?: Toolkit;
  /** No action bar, no status bar (video, camera). */
  readonly fullScreen?: boolean;
}

export interface App<S, K extends string = string> {
  readonly package: string;
  readonly words: WordTable<K | 'app'>;
  readonly icon: string;
  readonly toolkit: Toolkit;
  readonly system?: boolean;
  /** Not in the launcher. */
  readonly hidden?: boolean;
  /** Launcher entries beside the main one (a debug tool's icon), as activity classes. */
  readonly otherEntries?: readonly string[];
  /** Activity of the main launcher entry, without package; `MainActivity` where nothing is said. */
  readonly mainActivity?: string;
  start(phone: PhoneFacts): S;
  /** Each time it comes to the front. */
  readonly opened?: Move<S>;
  screen(state: S, texts: Texts<K | 'app'>, phone: PhoneFacts): Screen<S>;
  /** Moves that timers, notifications, permissions, links and other apps may ask for, by name. */
  readonly moves?: Readonly<Record<string, (state: S, arg: never, phone: PhoneFacts) => S | Step<S>>>;
  /** Links that open this app, as a pattern for the whole address, and the move that takes it. */
  readonly links?: { readonly pattern: RegExp; readonly move: string };
}

/** An app whose state nobody outside it can name. */
export type AnyApp = App<unknown>;

/** Erases the state's type: the phone only ever hands an app back what that app itself returned. */
export function app<S, K extends string>(definition: App<S, K>): AnyApp {
  return definition as unknown as AnyApp;
}
