/** What a finger on the glass does: taps, holds, swipes. Not for node actions (input.ts). */
import type { Box } from './layout.ts';
import { type Happened, type Moment, notTaken, run, taken } from './moment.ts';
import { goTo } from './places.ts';
import { chainAt, clickableOf, type Touch, touchOf, windowAt } from './touch.ts';
import { erased, imeAction, typed } from './typing.ts';
import { activeWindow, displaySize, type PhoneWindow } from './windows.ts';
import type { World } from './world.ts';

type Point = readonly [x: number, y: number];

/** A tap or click that reached `box`. */
export function press(moment: Moment, window: PhoneWindow, box: Box, touch: Touch): Happened {
  const { world } = moment;
  const { view } = box;
  if (view.field !== undefined) {
    const after = view.tap === undefined ? world : run(moment, window, view.tap);
    return taken({ ...after, focus: { window: window.key, path: box.path }, keyboard: true }, touch);
  }
  if (view.press !== undefined) {
    const after = keyPressed(moment, view.press);
    return { ...after, touches: [touch, ...after.touches] };
  }
  return view.tap === undefined ? notTaken(moment) : taken(run(moment, window, view.tap), touch);
}

function keyPressed(moment: Moment, key: NonNullable<Box['view']['press']>): Happened {
  if ('type' in key) return typed(moment, key.type);
  if (key.key === 'delete') return erased(moment);
  if (key.key === 'ime_action') return imeAction(moment);
  return taken({ ...moment.world, keyboard: false });
}

export function finger(moment: Moment, x: number, y: number, long: boolean): Happened {
  const { world, windows, by } = moment;
  const window = windowAt(windows, x, y);
  if (window === null) {
    const active = activeWindow(windows);
    if (active === null || active.outside === null) return taken(world);
    return taken(run(moment, active, active.outside), touchOf(world.now, by, 'tap', active, null));
  }
  const chain = chainAt(window.root, x, y);
  const held = long ? chain.findLast((box) => box.view.hold !== undefined) : undefined;
  if (held?.view.hold !== undefined)
    return taken(run(moment, window, held.view.hold), touchOf(world.now, by, 'hold', window, held));
  const box = clickableOf(chain);
  const touch = touchOf(world.now, by, long ? 'hold' : 'tap', window, box ?? chain.at(-1) ?? null);
  // A finger that stays down on a view without a long press still clicks when it is lifted.
  return box === null ? taken(world, touch) : press(moment, window, box, touch);
}

export function swipe(moment: Moment, from: Point, to: Point): Happened {
  const { world, windows, by } = moment;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const { height } = displaySize(world);
  if (world.locked) {
    const opens = world.pin === null && dy < -height / 6;
    return taken(opens ? { ...world, locked: false } : world);
  }
  if (from[1] < 40 * world.display.density && dy > height / 8) return taken(goTo(moment, 'notifications'));
  if (world.overlay === 'shade' && dy < -height / 8) return taken({ ...world, overlay: 'none' });
  const window = windowAt(windows, from[0], from[1]);
  if (window === null) return taken(world);
  const chain = chainAt(window.root, from[0], from[1]);
  const sideways = Math.abs(dx) > Math.abs(dy);
  const slides = chain.findLast((box) => box.view.slid !== undefined || box.view.slider !== undefined);
  if (slides !== undefined && sideways) return slide(moment, window, slides, dx, to[0]);
  const scrolls = chain.findLast((box) => (box.scrolled?.most ?? 0) > 0);
  const touch = touchOf(world.now, by, 'swipe', window, scrolls ?? chain.at(-1) ?? null);
  if (scrolls === undefined || sideways) return taken(world, touch);
  return taken(scrolledTo(world, window, scrolls, (scrolls.scrolled?.at ?? 0) - dy), touch);
}

/** A slide that is drawn less far springs back. */
const FAR_ENOUGH = 0.7;

function slide(moment: Moment, window: PhoneWindow, box: Box, dx: number, x: number): Happened {
  const touch = touchOf(moment.world.now, moment.by, 'slide', window, box);
  const { slider, slid } = box.view;
  const width = box.bounds[2] - box.bounds[0];
  if (slider !== undefined) {
    const part = Math.min(1, Math.max(0, (x - box.bounds[0]) / width));
    const value = Math.round(slider.min + part * (slider.max - slider.min));
    return taken(
      run(moment, window, (state, phone) => slider.moved(state, value, phone)),
      touch,
    );
  }
  const done = Math.abs(dx) > width * FAR_ENOUGH && slid !== undefined;
  return taken(done ? run(moment, window, slid) : moment.world, touch);
}

/** The world with `box` scrolled to `wanted` pixels, or as near as it goes; the same world where it stays. */
export function scrolledTo(world: World, window: PhoneWindow, box: Box, wanted: number): World {
  const { at, most } = box.scrolled ?? { at: 0, most: 0 };
  const next = Math.round(Math.min(most, Math.max(0, wanted)));
  if (next === at) return world;
  return {
    ...world,
    scroll: { ...world.scroll, [window.key]: { ...world.scroll[window.key], [box.path]: next } },
  };
}
