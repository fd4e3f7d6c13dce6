/**
 * Which windows stand on the glass, in which order and where: app, dialog, keyboard, system. A window that
 * another covers wholly or that stands behind a modal one is not among Android's accessibility windows.
 */
import type { Bounds, WindowKind } from '../../../device-protocol/snapshot.ts';
import type { Dialog, Screen, Toolkit } from './app.ts';
import { KEYBOARD_DP, keyboard } from './keyboard.ts';
import { type Box, layOut, naturalHeight } from './layout.ts';
import { SYSTEM_TEXTS } from './system-texts.ts';
import { lockScreen, permissionPrompt, recents, shade, statusBar } from './system-ui.ts';
import { type AnyView, type Move, viewsOf } from './view.ts';
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
  readonly fullScreen: boolean;
  /** A touch beside it. */
  readonly outside: Move<unknown> | null;
}

const STATUS_DP = 32;
const NAVIGATION_DP = 24;
const ui = viewsOf<unknown>();

export function displaySize(world: World): { width: number; height: number } {
  const { width, height } = world.display;
  return world.rotation % 2 === 1 ? { width: height, height: width } : { width, height };
}

export function screenOf(catalogue: Catalogue, world: World, name: string): Screen<unknown> {
  const app = catalogue.get(name);
  if (app === undefined) throw new Error(`no app ${name}`);
  return app.screen(world.apps[name], app.words.in(world.language), factsFor(world, name));
}

/** All windows, the lowest first. */
export function windowsOf(catalogue: Catalogue, world: World): PhoneWindow[] {
  const { width, height } = displaySize(world);
  const px = (dp: number) => Math.round(dp * world.display.density);
  const whole: Bounds = [0, 0, width, height];
  const top = px(STATUS_DP);
  const lay = (key: string, view: AnyView, area: Bounds) =>
    layOut(view, area, {
      density: world.display.density,
      rightToLeft: isRightToLeft(world.language),
      scroll: world.scroll[key] ?? {},
    });
  const common = {
    activity: null,
    secure: false,
    fullScreen: false,
    outside: null,
    focusable: true,
  } as const;
  const system = (key: string, layer: number, title: string, view: AnyView, area: Bounds): PhoneWindow => ({
    ...common,
    key,
    kind: 'system',
    package: SYSTEM_UI,
    title,
    bounds: area,
    layer,
    toolkit: 'views',
    owner: SYSTEM_UI,
    root: lay(key, view, area),
  });
  const t = SYSTEM_TEXTS.in(world.language);
  const bar = {
    ...system('status', 20, '', statusBar(catalogue, world), [0, 0, width, top]),
    focusable: false,
  };
  if (world.locked)
    return [system('lock', 10, t.lockScreen, lockScreen(world), [0, top, width, height]), bar];
  if (world.overlay === 'shade') return [system('shade', 30, t.shade, shade(catalogue, world), whole)];
  if (world.overlay === 'recents') {
    const view = recents(catalogue, world);
    const area: Bounds = [0, top, width, height];
    const window = system('recents', 1, t.recents, view, area);
    return [{ ...window, kind: 'application', package: LAUNCHER, activity: 'RecentsActivity' }, bar];
  }

  const dialogWindow = (
    key: string,
    name: string,
    owner: string,
    dialog: Dialog<unknown>,
    toolkit: Toolkit,
    activity: string,
  ): PhoneWindow => {
    const wide = Math.min(width / world.display.density - 48, dialog.sheet === true ? 640 : 360);
    const view = dialogView(dialog, name === PERMISSIONS);
    const tall = Math.min(naturalHeight(view, wide), height / world.display.density - 96);
    const left = Math.round((width - px(wide)) / 2);
    const bottom = dialog.sheet === true ? height : Math.round((height + px(tall)) / 2);
    const area: Bounds = [left, bottom - px(tall), left + px(wide), bottom];
    return {
      ...common,
      key,
      kind: 'application',
      package: name,
      activity,
      title: dialog.title ?? null,
      bounds: area,
      layer: 2,
      toolkit,
      owner,
      root: lay(key, view, area),
      outside: dialog.cancel ?? null,
    };
  };
  if (world.prompt !== null) {
    const dialog = permissionPrompt(catalogue, world);
    return [
      dialogWindow('permission', PERMISSIONS, SYSTEM_UI, dialog, 'views', 'GrantPermissionsActivity'),
      bar,
    ];
  }

  const name = frontApp(world);
  const screen = screenOf(catalogue, world, name);
  const toolkit = screen.toolkit ?? catalogue.get(name)?.toolkit ?? 'views';
  const keys = px(world.rotation % 2 === 1 ? KEYBOARD_DP.landscape : KEYBOARD_DP.portrait);
  const bottom = world.keyboard ? height - keys : height - px(NAVIGATION_DP);
  const windows: PhoneWindow[] = [];
  if (screen.dialog !== undefined) {
    windows.push(dialogWindow(`dialog:${name}`, name, name, screen.dialog, toolkit, screen.activity));
  } else {
    const key = `app:${name}/${screen.activity}`;
    windows.push({
      ...common,
      key,
      kind: 'application',
      package: name,
      activity: screen.activity,
      title: screen.title,
      bounds: whole,
      layer: 1,
      toolkit,
      owner: name,
      root: lay(key, screen.body, [0, screen.fullScreen === true ? 0 : top, width, bottom]),
      secure: screen.secure ?? false,
      fullScreen: screen.fullScreen ?? false,
    });
  }
  if (world.keyboard) {
    const field = focusedBox(windows, world)?.view.field;
    windows.push({
      ...system('keyboard', 10, t.keyboard, keyboard(world, field?.ime ?? 'done'), [
        0,
        height - keys,
        width,
        height,
      ]),
      kind: 'input_method',
      package: KEYBOARD,
      focusable: false,
    });
  }
  if (screen.fullScreen !== true) windows.push(bar);
  return windows;
}

/** An alert as Android's own builder lays it out, with its ids; the buttons' order is the platform's. */
function dialogView(dialog: Dialog<unknown>, bare: boolean): AnyView {
  if (bare && dialog.body !== undefined) return ui.column({ pad: 24, fill: '#ffffff' }, [dialog.body]);
  const button = (of: Dialog<unknown>['positive'], id: string) =>
    of === undefined ? null : ui.button(of.text, of.move, { id });
  return ui.column({ id: 'android:id/parentPanel', pad: [16, 24], gap: 12, fill: '#ffffff' }, [
    dialog.title === undefined
      ? null
      : ui.column({ id: 'android:id/topPanel' }, [
          ui.text(dialog.title, { id: 'android:id/alertTitle', size: 22, heading: true }),
        ]),
    dialog.message === undefined
      ? null
      : ui.column({ id: 'android:id/contentPanel' }, [ui.text(dialog.message, { id: 'android:id/message' })]),
    dialog.body === undefined ? null : ui.column({ id: 'android:id/customPanel' }, [dialog.body]),
    ui.row({ id: 'android:id/buttonPanel', gap: 8 }, [
      button(dialog.neutral, 'android:id/button3'),
      ui.space({ grow: 1 }),
      button(dialog.negative, 'android:id/button2'),
      button(dialog.positive, 'android:id/button1'),
    ]),
  ]);
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
