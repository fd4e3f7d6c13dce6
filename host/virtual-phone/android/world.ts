/**
 * The state of the small Android at one moment, as plain data, and how an app's moves change it. Not for
 * what is seen (windows.ts) nor for what a finger does (input.ts).
 */
import type { AnyApp } from './app.ts';
import type { Move } from './moves.ts';
import { type Effect, type Notice, type PhoneFacts, Step } from './moves.ts';
import type { Language } from './words.ts';

export type Catalogue = ReadonlyMap<string, AnyApp>;

export const SYSTEM_UI = 'com.android.systemui';
export const LAUNCHER = 'com.android.launcher3';
export const PERMISSIONS = 'com.android.permissioncontroller';
export const KEYBOARD = 'com.android.inputmethod.latin';

export interface Timer {
  readonly at: number;
  readonly package: string;
  readonly move: string;
  readonly arg: unknown;
}

export interface World {
  /** elapsedRealtime, milliseconds. */
  readonly now: number;
  /** Time of day when `now` was 0, milliseconds after midnight. */
  readonly midnightOffset: number;
  /** Natural (portrait) size in pixels. */
  readonly display: { readonly width: number; readonly height: number; readonly density: number };
  readonly rotation: 0 | 1 | 2 | 3;
  readonly language: Language;
  readonly apps: Readonly<Record<string, unknown>>;
  /** Packages in use, the front one last; the launcher is always among them. */
  readonly stack: readonly string[];
  /** Pixels scrolled, by window key and path. */
  readonly scroll: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly focus: { readonly window: string; readonly path: string } | null;
  readonly keyboard: boolean;
  readonly overlay: 'none' | 'shade' | 'recents';
  readonly screenOn: boolean;
  readonly locked: boolean;
  /** PIN of the lock screen; null: a swipe is enough. */
  readonly pin: string | null;
  /** What was typed on the PIN pad. */
  readonly pinTyped: string;
  readonly notices: readonly (Notice & { readonly package: string })[];
  readonly prompt: { readonly package: string; readonly permission: string; readonly move: string } | null;
  readonly granted: Readonly<Record<string, readonly string[]>>;
  readonly clipboard: string | null;
  readonly timers: readonly Timer[];
  /** Links nothing on the phone could open, newest last. */
  readonly deadLinks: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** The latest change is not told to anybody. */
  readonly silent: boolean;
}

export interface WorldOptions {
  readonly language: Language;
  readonly width: number;
  readonly height: number;
  readonly density: number;
  readonly pin: string | null;
  readonly midnightOffset: number;
}

/** 1080x2400 at 420 dpi, what most phones of the last years are. */
export const DEFAULT_OPTIONS: WorldOptions = {
  language: 'en',
  width: 1080,
  height: 2400,
  density: 2.625,
  pin: null,
  midnightOffset: (9 * 60 + 41) * 60_000,
};

export function newWorld(catalogue: Catalogue, options: WorldOptions): World {
  const world: World = {
    now: 0,
    midnightOffset: options.midnightOffset,
    display: { width: options.width, height: options.height, density: options.density },
    rotation: 0,
    language: options.language,
    apps: {},
    stack: [LAUNCHER],
    scroll: {},
    focus: null,
    keyboard: false,
    overlay: 'none',
    screenOn: true,
    locked: false,
    pin: options.pin,
    pinTyped: '',
    notices: [],
    prompt: null,
    granted: {},
    clipboard: null,
    timers: [],
    deadLinks: [],
    settings: {},
    silent: false,
  };
  const apps: Record<string, unknown> = {};
  for (const app of catalogue.values()) apps[app.package] = app.start(factsFor(world, app.package));
  return { ...world, apps };
}

export function timeOfDay(world: World): string {
  const minutes = Math.floor((world.now + world.midnightOffset) / 60_000) % (24 * 60);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

export function factsFor(world: World, owner: string): PhoneFacts {
  return {
    language: world.language,
    now: world.now,
    timeOfDay: timeOfDay(world),
    landscape: world.rotation % 2 === 1,
    granted: (permission) => world.granted[owner]?.includes(permission) ?? false,
  };
}

/** The app in front: the launcher when nothing else is. */
export function frontApp(world: World): string {
  return world.stack.at(-1) ?? LAUNCHER;
}

/** Runs an app's move (or the system's own, which works on the world itself) and does what it asks for. */
export function runMove(catalogue: Catalogue, world: World, owner: string, move: Move<unknown>): World {
  if (!catalogue.has(owner)) return move(world, factsFor(world, owner)) as World;
  return took(catalogue, world, owner, move(world.apps[owner], factsFor(world, owner)));
}

function took(catalogue: Catalogue, world: World, owner: string, result: unknown): World {
  const state = result instanceof Step ? result.state : result;
  let next: World = { ...world, apps: { ...world.apps, [owner]: state } };
  if (result instanceof Step)
    for (const effect of result.effects) next = doEffect(catalogue, next, owner, effect);
  return next;
}

/** Runs a move by its name, as timers, notifications and other apps ask for it. */
export function runNamed(
  catalogue: Catalogue,
  world: World,
  owner: string,
  name: string,
  arg: unknown,
): World {
  const move = catalogue.get(owner)?.moves?.[name];
  if (move === undefined) throw new Error(`${owner} has no move "${name}"`);
  return took(catalogue, world, owner, move(world.apps[owner], arg as never, factsFor(world, owner)));
}

/** Brings an app to the front. False in `opened` where it is not installed. */
export function openApp(catalogue: Catalogue, world: World, name: string): { world: World; opened: boolean } {
  const app = catalogue.get(name);
  if (app === undefined) return { world, opened: false };
  const stack = [...world.stack.filter((other) => other !== name), name];
  const next = loseFocus({ ...world, stack, overlay: 'none' });
  return {
    world: app.opened === undefined ? next : runMove(catalogue, next, name, app.opened),
    opened: true,
  };
}

/** Leaves an app: it stays among the recent ones, whatever was below it comes to the front. */
export function sendToBottom(world: World, name: string): World {
  return loseFocus({ ...world, stack: [name, ...world.stack.filter((other) => other !== name)] });
}

export function loseFocus(world: World): World {
  return { ...world, focus: null, keyboard: false };
}

function doEffect(catalogue: Catalogue, world: World, owner: string, effect: Effect): World {
  switch (effect.ask) {
    case 'open': {
      const { world: next, opened } = openApp(catalogue, world, effect.package);
      return opened && effect.move !== undefined
        ? runNamed(catalogue, next, effect.package, effect.move, effect.arg)
        : next;
    }
    case 'finish':
      return sendToBottom(world, owner);
    case 'later': {
      const timer = { at: world.now + effect.ms, package: owner, move: effect.move, arg: effect.arg };
      return { ...world, timers: [...world.timers, timer] };
    }
    case 'forget':
      return {
        ...world,
        timers: world.timers.filter((timer) => timer.package !== owner || timer.move !== effect.move),
      };
    case 'notify': {
      const others = world.notices.filter(
        (notice) => notice.package !== owner || notice.id !== effect.notice.id,
      );
      return { ...world, notices: [{ ...effect.notice, package: owner }, ...others] };
    }
    case 'unnotify':
      return {
        ...world,
        notices: world.notices.filter((notice) => notice.package !== owner || notice.id !== effect.id),
      };
    case 'permission':
      return factsFor(world, owner).granted(effect.permission)
        ? runNamed(catalogue, world, owner, effect.move, true)
        : {
            ...loseFocus(world),
            prompt: { package: owner, permission: effect.permission, move: effect.move },
          };
    case 'link':
      return openLink(catalogue, world, effect.url);
    case 'copy':
      return { ...world, clipboard: effect.text };
    case 'focus':
      // Found by id when the window is next laid out; `?` marks a wish.
      return { ...world, focus: { window: '?', path: effect.id }, keyboard: true };
    case 'hide_keyboard':
      return { ...world, keyboard: false };
    case 'system':
      return { ...world, settings: { ...world.settings, [effect.set]: effect.value }, ...languageOf(effect) };
    case 'silence':
      return { ...world, silent: true };
    case 'lock':
      return { ...loseFocus(world), locked: true, screenOn: false, overlay: 'none' };
  }
}

function languageOf(effect: Extract<Effect, { ask: 'system' }>): Partial<World> {
  return effect.set === 'language' ? { language: effect.value as Language } : {};
}

export function openLink(catalogue: Catalogue, world: World, url: string): World {
  for (const app of catalogue.values()) {
    if (app.links?.pattern.test(url) === true) {
      const { world: next } = openApp(catalogue, world, app.package);
      return runNamed(catalogue, next, app.package, app.links.move, url);
    }
  }
  return { ...world, deadLinks: [...world.deadLinks, url] };
}

/** The moment something will change by itself; null: never. */
export function nextDue(world: World): number | null {
  return world.timers.length === 0 ? null : Math.min(...world.timers.map((timer) => timer.at));
}

/** Lets time pass until `now`, running what falls due in order. */
export function passTime(catalogue: Catalogue, world: World, now: number): World {
  let next = world;
  for (;;) {
    const due = nextDue(next);
    if (due === null || due > now) return { ...next, now: Math.max(next.now, now) };
    const timer = next.timers.find((one) => one.at === due);
    if (timer === undefined) throw new Error('a due timer vanished');
    next = { ...next, now: Math.max(next.now, due), timers: next.timers.filter((one) => one !== timer) };
    next = runNamed(catalogue, next, timer.package, timer.move, timer.arg);
  }
}
