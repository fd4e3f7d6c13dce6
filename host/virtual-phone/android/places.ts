/** Where Home, Back, Recents and the shade lead. Not for opening apps (world.ts). */
import type { PLACES } from '../../../device-protocol/payload.ts';
import { type Moment, run } from './moment.ts';
import { activeWindow, screenOf } from './windows.ts';
import { frontApp, LAUNCHER, loseFocus, openApp, sendToBottom, type World } from './world.ts';

export type GoTo = (typeof PLACES)[number];

export function goTo(moment: Moment, to: GoTo): World {
  const { catalogue, world } = moment;
  switch (to) {
    case 'home':
      return world.locked ? world : openApp(catalogue, { ...world, prompt: null }, LAUNCHER).world;
    case 'recents':
      return world.locked ? world : loseFocus({ ...world, overlay: 'recents' });
    case 'notifications':
      return world.locked ? world : loseFocus({ ...world, overlay: 'shade' });
    case 'hide_keyboard':
      return { ...world, keyboard: false };
    case 'back':
      return back(moment);
  }
}

/** Closes one thing: overlay, keyboard, dialog, screen, app. */
export function back(moment: Moment): World {
  const { catalogue, world, windows } = moment;
  if (world.overlay !== 'none') return { ...world, overlay: 'none' };
  if (world.keyboard) return { ...world, keyboard: false };
  if (world.locked) return { ...world, pinTyped: '' };
  const active = activeWindow(windows);
  if (active?.outside != null) return run(moment, active, active.outside);
  const name = frontApp(world);
  const screen = screenOf(catalogue, world, name);
  // A dialog that cannot be cancelled stays.
  if (screen.dialog !== undefined) return world;
  if (screen.back !== undefined && active !== null) return loseFocus(run(moment, active, screen.back));
  return name === LAUNCHER ? world : sendToBottom(world, name);
}
