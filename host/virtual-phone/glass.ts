/**
 * What the companion's hands see and touch: the small Android, or a recorded screen that never changes.
 * Not for deciding anything (hands.ts).
 */

import type { InstalledApp } from '../../device-protocol/companion/ports.ts';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import type { GoTo } from './android/places.ts';
import type { Touch } from './android/touch.ts';
import type { Key } from './android/typing.ts';
import type { World } from './android/world.ts';

/** An input; `node` is an index into the nodes of the latest `look`. */
export type GlassInput =
  | { readonly do: 'click' | 'long_click' | 'focus'; readonly node: number }
  | { readonly do: 'set_text'; readonly node: number; readonly text: string }
  | { readonly do: 'scroll'; readonly node: number; readonly forward: boolean }
  | { readonly do: 'action'; readonly node: number; readonly label: string }
  | { readonly do: 'ime_action' }
  | { readonly do: 'tap'; readonly x: number; readonly y: number; readonly holdMs: number }
  | { readonly do: 'swipe'; readonly from: readonly [number, number]; readonly to: readonly [number, number] }
  | { readonly do: 'key'; readonly key: Key }
  | { readonly do: 'go'; readonly to: GoTo }
  | { readonly do: 'open_app'; readonly package: string }
  | { readonly do: 'link'; readonly url: string }
  | { readonly do: 'clipboard'; readonly text: string }
  | { readonly do: 'rotate'; readonly rotation: World['rotation'] }
  | { readonly do: 'lock' }
  | { readonly do: 'wake' };

/** A finger's way as `dispatchGesture` takes it; it lands when its time is over. */
export interface Gesture {
  readonly input: Extract<GlassInput, { do: 'tap' | 'swipe' }>;
  readonly takesMs: number;
}
export type GestureEnd = 'completed' | 'cancelled';

export interface Glass {
  /** Fresh tree of all windows. */
  look(): Snapshot;
  /**
   * Holds on to the view behind a node of the latest look, as `AccessibilityNodeInfo.refresh` does: the answer
   * tells which node it is in whatever look is the latest by then; null where it is gone.
   */
  follow(node: number): () => number | null;
  /** Gives an input; answers what Android answers, which says nothing about any effect. */
  give(input: GlassInput, by: Touch['by']): boolean;
  /** The same, when the app comes to it after `ms`: the view is the one named now, wherever it is by then. */
  giveLater(input: GlassInput, ms: number): void;
  /** Gives a gesture; `end` is called once, as Android's callback is (and is not, under a fault). */
  gesture(gesture: Gesture, end: (how: GestureEnd) => void): void;
  /** elapsedRealtime of the last touch by a person. */
  personTouchedMs(): number | null;
  /** Called after every change of what can be seen; the answer ends it. */
  onChange(listener: () => void): () => void;
  apps(): InstalledApp[];
  clipboard(): string | null;
  /** Pictures of it are forbidden (FLAG_SECURE). */
  secure(): boolean;
}

export interface TouchLog {
  note(touch: Touch): void;
  all(): readonly Touch[];
}
