/**
 * What an input does to the phone: node actions as accessibility gives them, fingers on the glass, keys,
 * the system's own places. One function, a value in and a value out. Not for time (world.ts, passTime).
 */
import type { KEYS, PLACES } from '../../../device-protocol/payload.ts';
import type { Box } from './layout.ts';
import type { Move } from './moves.ts';
import { chainAt, chainTo, clickableOf, type Touch, touchOf, windowAt } from './touch.ts';
import {
  activeWindow,
  displaySize,
  everyBox,
  focusedBox,
  type PhoneWindow,
  screenOf,
  settleFocus,
  windowsOf,
} from './windows.ts';
import {
  type Catalogue,
  frontApp,
  LAUNCHER,
  loseFocus,
  openApp,
  openLink,
  runMove,
  sendToBottom,
  type World,
} from './world.ts';

/** Names one view on the glass. */
export interface At {
  readonly window: string;
  readonly path: string;
}

export type Key = (typeof KEYS)[number];
export type GoTo = (typeof PLACES)[number];

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

export interface Happened {
  readonly world: World;
  /** What Android answers the caller: it took the input. Says nothing about any effect. */
  readonly took: boolean;
  readonly touches: readonly Touch[];
}

/** A finger that rests this long holds (ViewConfiguration.getLongPressTimeout is 400 ms since Android 12). */
const LONG_PRESS_MS = 400;

export function happen(catalogue: Catalogue, world: World, input: Input, by: Touch['by']): Happened {
  const result = new Hand(catalogue, world, by).give(input);
  return { ...result, world: settleFocus(catalogue, result.world) };
}

class Hand {
  private readonly catalogue: Catalogue;
  private readonly world: World;
  private readonly by: Touch['by'];
  private readonly windows: readonly PhoneWindow[];
  constructor(catalogue: Catalogue, world: World, by: Touch['by']) {
    this.catalogue = catalogue;
    this.world = world;
    this.by = by;
    this.windows = windowsOf(catalogue, world);
  }

  give(input: Input): Happened {
    switch (input.do) {
      case 'click':
      case 'long_click':
      case 'focus':
      case 'set_text':
      case 'scroll':
      case 'action':
        return this.nodeAction(input);
      case 'ime_action':
        return this.imeAction();
      case 'tap':
        return this.finger(input.x, input.y, input.holdMs >= LONG_PRESS_MS);
      case 'swipe':
        return this.swipe(input.from, input.to);
      case 'key':
        return this.key(input.key);
      case 'go':
        return this.done(this.go(input.to));
      case 'open_app': {
        if (this.world.locked) return this.not();
        const { world, opened } = openApp(this.catalogue, this.world, input.package);
        return opened ? this.done(world) : this.not();
      }
      case 'link': {
        const world = openLink(this.catalogue, this.world, input.url);
        return world.deadLinks.length > this.world.deadLinks.length
          ? { ...this.not(), world }
          : this.done(world);
      }
      case 'clipboard':
        return this.done({ ...this.world, clipboard: input.text });
      case 'rotate':
        return this.done({ ...this.world, rotation: input.rotation });
      case 'lock':
        return this.done({ ...loseFocus(this.world), locked: true, screenOn: false, overlay: 'none' });
      case 'wake':
        return this.done({ ...this.world, screenOn: true });
    }
  }

  private not(): Happened {
    return { world: this.world, took: false, touches: [] };
  }

  private done(world: World, ...touches: Touch[]): Happened {
    return { world, took: true, touches };
  }

  private run(window: PhoneWindow, move: Move<unknown>): World {
    return runMove(this.catalogue, this.world, window.owner, move);
  }

  private nodeAction(input: Extract<Input, { at: At }>): Happened {
    const window = this.windows.find((one) => one.key === input.at.window);
    const chain = window === undefined ? [] : chainTo(window.root, input.at.path);
    const box = chain.at(-1);
    if (window === undefined || box === undefined || box.view.enabled === false) return this.not();
    const { view } = box;
    const touch = (how: Touch['how']) => touchOf(this.world.now, this.by, how, window, box);
    switch (input.do) {
      case 'click':
        if (view.fingerOnly === true) return this.done(this.world, touch('click'));
        return this.press(window, box, touch('click'));
      case 'long_click':
        if (view.hold === undefined) return this.not();
        return this.done(this.run(window, view.hold), touch('long_click'));
      case 'focus':
        if (view.field === undefined) return this.not();
        return this.done({ ...this.world, focus: { window: window.key, path: box.path } });
      case 'set_text': {
        const { field } = view;
        if (field === undefined) return this.not();
        if (field.deaf === true) return this.done(this.world, touch('set_text'));
        const { text } = input;
        return this.done(
          this.run(window, (state, phone) => field.typed(state, text, phone)),
          touch('set_text'),
        );
      }
      case 'scroll':
        return this.scroll(window, box, input.forward ? 1 : -1, touch('scroll'));
      case 'action': {
        const action = view.actions?.find((one) => one.label === input.label);
        return action === undefined ? this.not() : this.done(this.run(window, action.move), touch('action'));
      }
    }
  }

  /** A tap or click that reached `box`. */
  private press(window: PhoneWindow, box: Box, touch: Touch): Happened {
    const { view } = box;
    if (view.field !== undefined) {
      const world = view.tap === undefined ? this.world : this.run(window, view.tap);
      return this.done({ ...world, focus: { window: window.key, path: box.path }, keyboard: true }, touch);
    }
    if (view.press !== undefined) {
      const after =
        'type' in view.press
          ? this.typed(view.press.type)
          : view.press.key === 'delete'
            ? this.erased()
            : view.press.key === 'hide'
              ? this.done({ ...this.world, keyboard: false })
              : this.imeAction();
      return { ...after, touches: [touch, ...after.touches] };
    }
    return view.tap === undefined ? this.not() : this.done(this.run(window, view.tap), touch);
  }

  private finger(x: number, y: number, long: boolean): Happened {
    const window = windowAt(this.windows, x, y);
    const active = activeWindow(this.windows);
    if (window === null) {
      if (active === null || active.outside === null) return this.done(this.world);
      return this.done(
        this.run(active, active.outside),
        touchOf(this.world.now, this.by, 'tap', active, null),
      );
    }
    const chain = chainAt(window.root, x, y);
    const held = long ? chain.findLast((box) => box.view.hold !== undefined) : undefined;
    if (held?.view.hold !== undefined) {
      return this.done(
        this.run(window, held.view.hold),
        touchOf(this.world.now, this.by, 'hold', window, held),
      );
    }
    const box = clickableOf(chain);
    const touch = touchOf(
      this.world.now,
      this.by,
      long ? 'hold' : 'tap',
      window,
      box ?? chain.at(-1) ?? null,
    );
    // A finger that stays down too long on a view without a long press still clicks when it is lifted.
    return box === null ? this.done(this.world, touch) : this.press(window, box, touch);
  }

  private swipe(from: readonly [number, number], to: readonly [number, number]): Happened {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const { height } = displaySize(this.world);
    if (this.world.locked) {
      const opened = this.world.pin === null && dy < -height / 6;
      return this.done(opened ? { ...this.world, locked: false } : this.world);
    }
    if (from[1] < 40 * this.world.display.density && dy > height / 8)
      return this.done(this.go('notifications'));
    if (this.world.overlay === 'shade' && dy < -height / 8)
      return this.done({ ...this.world, overlay: 'none' });
    const window = windowAt(this.windows, from[0], from[1]);
    if (window === null) return this.done(this.world);
    const chain = chainAt(window.root, from[0], from[1]);
    const slid = chain.findLast((box) => box.view.slid !== undefined || box.view.slider !== undefined);
    if (slid !== undefined && Math.abs(dx) > Math.abs(dy)) return this.slide(window, slid, dx, to[0]);
    const scrolled = chain.findLast((box) => (box.scrolled?.most ?? 0) > 0);
    const touch = touchOf(this.world.now, this.by, 'swipe', window, scrolled ?? chain.at(-1) ?? null);
    if (scrolled === undefined || Math.abs(dx) > Math.abs(dy)) return this.done(this.world, touch);
    return this.done(this.scrolledTo(window, scrolled, (scrolled.scrolled?.at ?? 0) - dy), touch);
  }

  private slide(window: PhoneWindow, box: Box, dx: number, x: number): Happened {
    const touch = touchOf(this.world.now, this.by, 'slide', window, box);
    const { slider, slid } = box.view;
    const width = box.bounds[2] - box.bounds[0];
    if (slider !== undefined) {
      const part = Math.min(1, Math.max(0, (x - box.bounds[0]) / width));
      const value = slider.min + part * (slider.max - slider.min);
      return this.done(
        this.run(window, (state, phone) => slider.moved(state, Math.round(value), phone)),
        touch,
      );
    }
    const enough = Math.abs(dx) > width * 0.7;
    return this.done(enough && slid !== undefined ? this.run(window, slid) : this.world, touch);
  }

  private scroll(window: PhoneWindow, box: Box, sign: 1 | -1, touch: Touch): Happened {
    const { slider } = box.view;
    if (slider !== undefined) {
      const value = slider.value + (sign * (slider.max - slider.min)) / 10;
      const next = Math.min(slider.max, Math.max(slider.min, value));
      if (next === slider.value) return this.not();
      return this.done(
        this.run(window, (state, phone) => slider.moved(state, Math.round(next), phone)),
        touch,
      );
    }
    if (box.scrolled === undefined) return this.not();
    const page = box.clip[3] - box.clip[1];
    const world = this.scrolledTo(window, box, box.scrolled.at + sign * page);
    // RecyclerView and ScrollView answer false where there is nothing further in that direction.
    return world === this.world ? this.not() : this.done(world, touch);
  }

  private scrolledTo(window: PhoneWindow, box: Box, wanted: number): World {
    const { at, most } = box.scrolled ?? { at: 0, most: 0 };
    const next = Math.round(Math.min(most, Math.max(0, wanted)));
    if (next === at) return this.world;
    const scroll = {
      ...this.world.scroll,
      [window.key]: { ...this.world.scroll[window.key], [box.path]: next },
    };
    return { ...this.world, scroll };
  }

  /** The window of the focused field with the field. */
  private focused(): { window: PhoneWindow; box: Box } | null {
    const box = focusedBox(this.windows, this.world);
    const window = this.windows.find((one) => one.key === this.world.focus?.window);
    return box === null || window === undefined ? null : { window, box };
  }

  private typed(text: string): Happened {
    const focused = this.focused();
    const field = focused?.box.view.field;
    if (focused === null || field === undefined) return this.not();
    return this.done(
      this.run(focused.window, (state, phone) => field.typed(state, field.value + text, phone)),
    );
  }

  private erased(): Happened {
    const focused = this.focused();
    const field = focused?.box.view.field;
    if (focused === null || field === undefined) return this.not();
    const shorter = [...field.value].slice(0, -1).join('');
    return this.done(this.run(focused.window, (state, phone) => field.typed(state, shorter, phone)));
  }

  private imeAction(): Happened {
    const focused = this.focused();
    const field = focused?.box.view.field;
    if (focused === null || field === undefined) return this.not();
    const touch = touchOf(this.world.now, this.by, 'ime_action', focused.window, focused.box);
    if (field.ime === 'newline') return { ...this.typed('\n'), touches: [touch] };
    if (field.ime === 'next' && field.submitted === undefined) return this.done(this.nextField(), touch);
    if (field.submitted === undefined) return this.done({ ...this.world, keyboard: false }, touch);
    return this.done(this.run(focused.window, field.submitted), touch);
  }

  private nextField(): World {
    const window = activeWindow(this.windows);
    if (window === null) return this.world;
    const fields = everyBox(window.root).filter((box) => box.view.field !== undefined);
    const here = fields.findIndex((box) => box.path === this.world.focus?.path);
    const next = fields[(here + 1) % fields.length];
    return next === undefined
      ? this.world
      : { ...this.world, focus: { window: window.key, path: next.path } };
  }

  private key(key: Key): Happened {
    const window = activeWindow(this.windows);
    const focused = this.focused();
    const touches =
      window === null ? [] : [touchOf(this.world.now, this.by, 'key', window, focused?.box ?? null)];
    const told = (after: Happened): Happened => ({ ...after, touches: [...touches, ...after.touches] });
    switch (key) {
      case 'enter':
      case 'search':
      case 'ime_action':
        return told(
          (focused?.box.view.field?.lines ?? 1) > 1 && key === 'enter' ? this.typed('\n') : this.imeAction(),
        );
      case 'space':
        return told(this.typed(' '));
      case 'delete':
        return told(this.erased());
      case 'escape':
        return told(this.done(this.go('back')));
      case 'tab':
        return told(this.done(this.nextField()));
      default:
        // Caret and page keys: the phone takes them; this small Android keeps its caret at the end.
        return told(this.done(this.world));
    }
  }

  private go(to: GoTo): World {
    const { world } = this;
    switch (to) {
      case 'home':
        return world.locked ? world : openApp(this.catalogue, { ...world, prompt: null }, LAUNCHER).world;
      case 'recents':
        return world.locked ? world : loseFocus({ ...world, overlay: 'recents' });
      case 'notifications':
        return loseFocus({ ...world, overlay: 'shade' });
      case 'hide_keyboard':
        return { ...world, keyboard: false };
      case 'back':
        return this.back();
    }
  }

  private back(): World {
    const { world } = this;
    if (world.overlay !== 'none') return { ...world, overlay: 'none' };
    if (world.keyboard) return { ...world, keyboard: false };
    if (world.locked) return { ...world, pinTyped: '' };
    const active = activeWindow(this.windows);
    if (active?.outside != null) return this.run(active, active.outside);
    const name = frontApp(world);
    const screen = screenOf(this.catalogue, world, name);
    if (screen.dialog !== undefined) return world;
    if (screen.back !== undefined && active !== null) return loseFocus(this.run(active, screen.back));
    return name === LAUNCHER ? world : sendToBottom(world, name);
  }
}
