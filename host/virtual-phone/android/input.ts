/**
 * What an input does to the phone: node actions as accessibility gives them, fingers, keys, the system's own
 * places. One function, a value in and a value out. Not for time (world.ts, passTime).
 */
import { finger, press, scrolledTo, swipe } from './fingers.ts';
import type { Box } from './layout.ts';
import { type Happened, type Moment, notTaken, run, taken } from './moment.ts';
import { type GoTo, goTo } from './places.ts';
import { chainTo, type Touch, touchOf } from './touch.ts';
import { imeAction, type Key, pressKey } from './typing.ts';
import { type PhoneWindow, settleFocus, windowsOf } from './windows.ts';
import { type Catalogue, loseFocus, openApp, openLink, type World } from './world.ts';

/** Names one view on the glass. */
export interface At {
  readonly window: string;
  readonly path: string;
}

export type Input =
  | { readonly do: 'click' | 'long_click' | 'focus'; readonly at: At }
  | { readonly do: 'set_text'; readonly at: At; readonly text: string }
  | { readonly do: 'scroll'; readonly at: At; readonly forward: boolean }
  | { readonly do: 'action'; readonly at: At; readonly label: string }
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

/** A finger that rests this long holds (ViewConfiguration.getLongPressTimeout is 400 ms since Android 12). */
const LONG_PRESS_MS = 400;

export function happen(catalogue: Catalogue, world: World, input: Input, by: Touch['by']): Happened {
  const moment: Moment = { catalogue, world, by, windows: windowsOf(catalogue, world) };
  const result = give(moment, input);
  return { ...result, world: settleFocus(catalogue, result.world) };
}

function give(moment: Moment, input: Input): Happened {
  const { catalogue, world } = moment;
  switch (input.do) {
    case 'click':
    case 'long_click':
    case 'focus':
    case 'set_text':
    case 'scroll':
    case 'action':
      return nodeAction(moment, input);
    case 'ime_action':
      return imeAction(moment);
    case 'tap':
      return finger(moment, input.x, input.y, input.holdMs >= LONG_PRESS_MS);
    case 'swipe':
      return swipe(moment, input.from, input.to);
    case 'key':
      return pressKey(moment, input.key);
    case 'go':
      return taken(goTo(moment, input.to));
    case 'open_app': {
      if (world.locked) return notTaken(moment);
      const { world: next, opened } = openApp(catalogue, world, input.package);
      return opened ? taken(next) : notTaken(moment);
    }
    case 'link': {
      const next = openLink(catalogue, world, input.url);
      return { world: next, took: next.deadLinks.length === world.deadLinks.length, touches: [] };
    }
    case 'clipboard':
      return taken({ ...world, clipboard: input.text });
    case 'rotate':
      return taken({ ...world, rotation: input.rotation });
    case 'lock':
      return taken({ ...loseFocus(world), locked: true, screenOn: false, overlay: 'none' });
    case 'wake':
      return taken({ ...world, screenOn: true });
  }
}

function nodeAction(moment: Moment, input: Extract<Input, { at: At }>): Happened {
  const { world, windows, by } = moment;
  const window = windows.find((one) => one.key === input.at.window);
  const box = window === undefined ? undefined : chainTo(window.root, input.at.path).at(-1);
  if (window === undefined || box === undefined || box.view.enabled === false) return notTaken(moment);
  const { view } = box;
  const touch = (how: Touch['how']) => touchOf(world.now, by, how, window, box);
  switch (input.do) {
    case 'click':
      if (view.fingerOnly === true) return taken(world, touch('click'));
      return press(moment, window, box, touch('click'));
    case 'long_click':
      if (view.hold === undefined) return notTaken(moment);
      return taken(run(moment, window, view.hold), touch('long_click'));
    case 'focus':
      if (view.field === undefined) return notTaken(moment);
      return taken({ ...world, focus: { window: window.key, path: box.path } });
    case 'set_text': {
      const { field } = view;
      if (field === undefined) return notTaken(moment);
      if (field.deaf === true) return taken(world, touch('set_text'));
      const { text } = input;
      return taken(
        run(moment, window, (state, phone) => field.typed(state, text, phone)),
        touch('set_text'),
      );
    }
    case 'scroll':
      return scroll(moment, window, box, input.forward ? 1 : -1, touch('scroll'));
    case 'action': {
      const action = view.actions?.find((one) => one.label === input.label);
      return action === undefined
        ? notTaken(moment)
        : taken(run(moment, window, action.move), touch('action'));
    }
  }
}

/** RecyclerView, ScrollView and SeekBar answer false where there is nothing further in that direction. */
function scroll(moment: Moment, window: PhoneWindow, box: Box, sign: 1 | -1, touch: Touch): Happened {
  const { slider } = box.view;
  if (slider !== undefined) {
    const wanted = slider.value + (sign * (slider.max - slider.min)) / 10;
    const value = Math.round(Math.min(slider.max, Math.max(slider.min, wanted)));
    if (value === slider.value) return notTaken(moment);
    return taken(
      run(moment, window, (state, phone) => slider.moved(state, value, phone)),
      touch,
    );
  }
  if (box.scrolled === undefined) return notTaken(moment);
  const page = box.clip[3] - box.clip[1];
  const world = scrolledTo(moment.world, window, box, box.scrolled.at + sign * page);
  return world === moment.world ? notTaken(moment) : taken(world, touch);
}
