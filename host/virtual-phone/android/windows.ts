/**
 * Which windows stand on the glass, in which order and where: app, dialog, keyboard, system. A window that
 * another covers wholly or that stands behind a modal one is not among Android's accessibility windows.
 */
import type { Bounds, WindowKind } from '../../../device-protocol/snapshot.ts';
import type { Dialog, Screen, Toolkit } from './app.ts';
import { dialogView } from './dialog-view.ts';
import { KEYBOARD_DP, keyboard } from './keyboard.ts';
import { type Box, layOut, naturalHeight } from './layout.ts';
import type { Move } from './moves.ts';
import { SYSTEM_TEXTS } from './system-texts.ts';
import { lockScreen, permissionPrompt, recents, shade, statusBar } from './system-ui.ts';
import type { AnyView } from './view.ts';
import { isRightToLeft } from './words.ts';
import {
  type Catalogue,
  factsFor,
  frontApp,
  KEYBOARD,
  LAUNCHER,
  PERMISSIONS,
  SYSTEM_UI,
  type World,
} from './world.ts';

export interface PhoneWindow {
  /** Names the window among all others; scroll places and focus are kept by it. */
  readonly key: string;
  readonly kind: WindowKind;
  readonly package: string;
  readonly activity: string | null;
  readonly title: string | null;
  readonly bounds: Bounds;
  readonly layer: number;
  readonly toolkit: Toolkit;
  readonly root: Box;
  /** Whose state its moves change: a package, or the system's own name. */
  readonly owner: string;
  /** Takes keys and focus. */
  readonly focusable: boolean;
  readonly secure: boolean;
  /** Stands behind a modal window: seen on the picture, not by accessibility. */
  readonly behind: boolean;
  /** A touch beside it. */
  readonly outside: Move<unknown> | null;
}

const STATUS_DP = 32;
const NAVIGATION_DP = 24;
const DIALOG_DP = 360;
const SHEET_DP = 640;

export function displaySize(world: World): { width: number; height: number } {
  const { width, height } = world.display;
  return world.rotation % 2 === 1 ? { width: height, height: width } : { width, height };
}

export function screenOf(catalogue: Catalogue, world: World, name: string): Screen<unknown> {
  const app = catalogue.get(name);
  if (app === undefined) throw new Error(`no app ${name}`);
  return app.screen(world.apps[name], app.words.in(world.language), factsFor(world, name));
}

/** The windows accessibility tells of, the lowest first. */
export function windowsOf(catalogue: Catalogue, world: World): PhoneWindow[] {
  return drawnWindows(catalogue, world).filter((window) => !window.behind);
}

/** All windows that are drawn, those behind a modal one included. */
export function drawnWindows(catalogue: Catalogue, world: World): PhoneWindow[] {
  return new Stage(catalogue, world).windows();
}

class Stage {
  private readonly catalogue: Catalogue;
  private readonly world: World;
  private readonly width: number;
  private readonly height: number;
  private readonly top: number;

  constructor(catalogue: Catalogue, world: World) {
    this.catalogue = catalogue;
    this.world = world;
    const { width, height } = displaySize(world);
    this.width = width;
    this.height = height;
    this.top = this.px(STATUS_DP);
  }

  windows(): PhoneWindow[] {
    const { catalogue, world, width, height, top } = this;
    const t = SYSTEM_TEXTS.in(world.language);
    const below: Bounds = [0, top, width, height];
    const bar = this.system('status', 20, '', statusBar(catalogue, world), [0, 0, width, top], false);
    if (world.locked) return [this.system('lock', 10, t.lockScreen, lockScreen(world), below), bar];
    if (world.overlay === 'shade')
      return [this.system('shade', 30, t.shade, shade(catalogue, world), [0, 0, width, height])];
    if (world.overlay === 'recents') {
      const window = this.system('recents', 1, t.recents, recents(catalogue, world), below);
      return [{ ...window, kind: 'application', package: LAUNCHER, activity: 'RecentsActivity' }, bar];
    }
    const name = frontApp(world);
    const screen = screenOf(catalogue, world, name);
    const dialog = this.dialogOf(name, screen);
    const app = this.app(name, screen, dialog !== null);
    const windows = [app, ...(dialog === null ? [] : [dialog])];
    if (world.keyboard) windows.push(this.keyboard(windows));
    return screen.fullScreen === true ? windows : [...windows, bar];
  }

  private px(dp: number): number {
    return Math.round(dp * this.world.display.density);
  }

  private lay(key: string, view: AnyView, area: Bounds): Box {
    const { display, language, scroll } = this.world;
    return layOut(view, area, {
      density: display.density,
      rightToLeft: isRightToLeft(language),
      scroll: scroll[key] ?? {},
    });
  }

  private system(
    key: string,
    layer: number,
    title: string,
    view: AnyView,
    bounds: Bounds,
    focusable = true,
  ): PhoneWindow {
    return {
      key,
      kind: 'system',
      package: SYSTEM_UI,
      activity: null,
      title,
      bounds,
      layer,
      toolkit: 'views',
      root: this.lay(key, view, bounds),
      owner: SYSTEM_UI,
      focusable,
      secure: false,
      behind: false,
      outside: null,
    };
  }

  private toolkitOf(name: string, screen: Screen<unknown>): Toolkit {
    return screen.toolkit ?? this.catalogue.get(name)?.toolkit ?? 'views';
  }

  private keyboardTop(): number {
    const dp = this.world.rotation % 2 === 1 ? KEYBOARD_DP.landscape : KEYBOARD_DP.portrait;
    return this.height - this.px(dp);
  }

  private app(name: string, screen: Screen<unknown>, behind: boolean): PhoneWindow {
    const key = `app:${name}/${screen.activity}`;
    const bottom = this.world.keyboard && !behind ? this.keyboardTop() : this.height - this.px(NAVIGATION_DP);
    return {
      key,
      kind: 'application',
      package: name,
      activity: screen.activity,
      title: screen.title,
      bounds: [0, 0, this.width, this.height],
      layer: 1,
      toolkit: this.toolkitOf(name, screen),
      root: this.lay(key, screen.body, [0, screen.fullScreen === true ? 0 : this.top, this.width, bottom]),
      owner: name,
      focusable: true,
      secure: screen.secure ?? false,
      behind,
      outside: null,
    };
  }

  /** The dialog in front of the app: the system's question for a permission, else the app's own. */
  private dialogOf(name: string, screen: Screen<unknown>): PhoneWindow | null {
    if (this.world.prompt !== null) {
      const prompt = permissionPrompt(this.catalogue, this.world);
      const window = this.dialog('permission', PERMISSIONS, prompt, 'views', screen.secure ?? false);
      return { ...window, owner: SYSTEM_UI, activity: 'permission.ui.GrantPermissionsActivity' };
    }
    if (screen.dialog === undefined) return null;
    const window = this.dialog(
      `dialog:${name}`,
      name,
      screen.dialog,
      this.toolkitOf(name, screen),
      screen.secure ?? false,
    );
    return { ...window, activity: screen.activity };
  }

  private dialog(
    key: string,
    name: string,
    dialog: Dialog<unknown>,
    toolkit: Toolkit,
    secure: boolean,
  ): PhoneWindow {
    const { density } = this.world.display;
    const wide = Math.min(this.width / density - 48, dialog.sheet === true ? SHEET_DP : DIALOG_DP);
    const view = dialogView(dialog);
    const tall = this.px(Math.min(naturalHeight(view, wide), this.height / density - 96));
    const left = Math.round((this.width - this.px(wide)) / 2);
    const free = this.world.keyboard ? this.keyboardTop() : this.height;
    const bottom = dialog.sheet === true ? free : Math.round((free + tall) / 2);
    const bounds: Bounds = [left, bottom - tall, left + this.px(wide), bottom];
    return {
      key,
      kind: 'application',
      package: name,
      activity: null,
      title: dialog.title ?? null,
      bounds,
      layer: 2,
      toolkit,
      root: this.lay(key, view, bounds),
      owner: name,
      focusable: true,
      secure,
      behind: false,
      outside: dialog.cancel ?? null,
    };
  }

  private keyboard(windows: readonly PhoneWindow[]): PhoneWindow {
    const { world, width, height } = this;
    const field = focusedBox(windows, world)?.view.field;
    const view = keyboard(world, field?.ime ?? 'done');
    const title = SYSTEM_TEXTS.in(world.language).keyboard;
    const window = this.system('keyboard', 10, title, view, [0, this.keyboardTop(), width, height], false);
    return { ...window, kind: 'input_method', package: KEYBOARD };
  }
}

/** The window that has focus and keys: the highest that can. */
export function activeWindow(windows: readonly PhoneWindow[]): PhoneWindow | null {
  let active: PhoneWindow | null = null;
  for (const window of windows) {
    if (window.focusable && (active === null || window.layer > active.layer)) active = window;
  }
  return active;
}

export function everyBox(box: Box): Box[] {
  return [box, ...box.children.flatMap(everyBox)];
}

/** The view that has the input focus, if it is on the glass. */
export function focusedBox(windows: readonly PhoneWindow[], world: World): Box | null {
  const { focus } = world;
  if (focus === null) return null;
  const window = windows.find((one) => one.key === focus.window);
  if (window === undefined) return null;
  return everyBox(window.root).find((box) => box.path === focus.path) ?? null;
}

/**
 * Puts the focus where it belongs after something happened: a wish for a field by its id is found, and a
 * focus whose view has gone is lost together with the keyboard.
 */
export function settleFocus(catalogue: Catalogue, world: World): World {
  const { focus } = world;
  if (focus === null) return world.keyboard ? { ...world, keyboard: false } : world;
  const windows = windowsOf(catalogue, world);
  if (focus.window !== '?')
    return focusedBox(windows, world) === null ? { ...world, focus: null, keyboard: false } : world;
  const window = activeWindow(windows);
  const box = window === null ? undefined : everyBox(window.root).find((one) => one.view.id === focus.path);
  if (window === null || box?.view.field === undefined) return { ...world, focus: null, keyboard: false };
  return { ...world, focus: { window: window.key, path: box.path } };
}
