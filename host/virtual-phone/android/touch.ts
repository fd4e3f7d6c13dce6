/**
 * Finds what lies under a finger, and writes down what was really touched. Not for what it does (input.ts).
 */
import type { Bounds } from '../../../device-protocol/snapshot.ts';
import type { Box } from './layout.ts';
import { isClickable } from './view.ts';
import { everyBox, type PhoneWindow } from './windows.ts';

/** One input that reached a view (or the glass beside every view), as the tests' counter keeps it. */
export interface Touch {
  /** elapsedRealtime, milliseconds. */
  readonly at: number;
  readonly by: 'companion' | 'person';
  readonly how:
    | 'click'
    | 'long_click'
    | 'tap'
    | 'hold'
    | 'swipe'
    | 'set_text'
    | 'ime_action'
    | 'key'
    | 'scroll'
    | 'action'
    | 'slide';
  readonly package: string;
  /** Key of the window, as windows.ts names it. */
  readonly window: string;
  readonly id: string | null;
  /** What a person would call it: its words, else those inside it. */
  readonly label: string | null;
  readonly bounds: Bounds | null;
}

export function contains(bounds: Bounds, x: number, y: number): boolean {
  return x >= bounds[0] && x < bounds[2] && y >= bounds[1] && y < bounds[3];
}

/** The highest window under the point. */
export function windowAt(windows: readonly PhoneWindow[], x: number, y: number): PhoneWindow | null {
  let found: PhoneWindow | null = null;
  for (const window of windows) {
    if (contains(window.bounds, x, y) && (found === null || window.layer > found.layer)) found = window;
  }
  return found;
}

/** The chain of boxes under the point, the root first; later siblings lie above earlier ones. */
export function chainAt(box: Box, x: number, y: number): Box[] {
  if (!contains(box.clip, x, y)) return [];
  for (const child of [...box.children].reverse()) {
    const below = chainAt(child, x, y);
    if (below.length > 0) return [box, ...below];
  }
  return [box];
}

/** The boxes from the root down to `path`; empty where there is none. */
export function chainTo(root: Box, path: string): Box[] {
  if (root.path === path) return [root];
  for (const child of root.children) {
    const below = chainTo(child, path);
    if (below.length > 0) return [root, ...below];
  }
  return [];
}

/** The nearest box of the chain, from the inside out, that answers to a tap. */
export function clickableOf(chain: readonly Box[]): Box | null {
  return chain.findLast((box) => isClickable(box.view) && box.view.enabled !== false) ?? null;
}

export function labelOfBox(box: Box): string | null {
  const { view } = box;
  if (view.field?.password === true) return view.hint ?? view.description ?? null;
  const own =
    view.kind === 'icon_button' || view.kind === 'image' ? view.description : (view.description ?? view.text);
  if (own !== undefined && own !== '') return own;
  const inside = everyBox(box)
    .slice(1)
    .map(
      (one) =>
        one.view.description ??
        (one.view.kind === 'image' || one.view.kind === 'icon_button' ? '' : one.view.text) ??
        '',
    )
    .filter((text) => text !== '');
  return inside.length === 0 ? null : inside.join(', ');
}

export function touchOf(
  at: number,
  by: Touch['by'],
  how: Touch['how'],
  window: PhoneWindow,
  box: Box | null,
): Touch {
  return {
    at,
    by,
    how,
    package: window.package,
    window: window.key,
    id: box?.view.id ?? null,
    label: box === null ? null : labelOfBox(box),
    bounds: box === null ? null : box.bounds,
  };
}
