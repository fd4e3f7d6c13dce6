/**
 * One moment in which an input arrives: the world, its windows, who gives it; and the ways an input can end.
 * Not for what any input does (input.ts, fingers.ts, typing.ts, places.ts).
 */
import type { Box } from './layout.ts';
import type { Move } from './moves.ts';
import type { Touch } from './touch.ts';
import { focusedBox, type PhoneWindow } from './windows.ts';
import { type Catalogue, runMove, type World } from './world.ts';

export interface Moment {
  readonly catalogue: Catalogue;
  readonly world: World;
  readonly windows: readonly PhoneWindow[];
  readonly by: Touch['by'];
}

export interface Happened {
  readonly world: World;
  /** What Android answers the caller: it took the input. Says nothing about any effect. */
  readonly took: boolean;
  readonly touches: readonly Touch[];
}

export function taken(world: World, ...touches: Touch[]): Happened {
  return { world, took: true, touches };
}

export function notTaken(moment: Moment): Happened {
  return { world: moment.world, took: false, touches: [] };
}

/** The world after a move of whoever owns the window. */
export function run({ catalogue, world }: Moment, window: PhoneWindow, move: Move<unknown>): World {
  return runMove(catalogue, world, window.owner, move);
}

/** The focused field with its window. */
export function focusedField({ windows, world }: Moment): { window: PhoneWindow; box: Box } | null {
  const box = focusedBox(windows, world);
  const window = windows.find((one) => one.key === world.focus?.window);
  return box?.view.field === undefined || window === undefined ? null : { window, box };
}
