/**
 * The system's own windows: status bar, notification shade, recent apps, lock screen, permission prompt.
 * Written like an app's screens, over the world itself. Not for their order or place (windows.ts).
 */
import type { Dialog } from './app.ts';
import { SYSTEM_TEXTS } from './system-texts.ts';
import { type AnyView, viewsOf } from './view.ts';
import { fill } from './words.ts';
import { type Catalogue, LAUNCHER, loseFocus, openApp, runNamed, timeOfDay, type World } from './world.ts';

const ui = viewsOf<World>();
const ours = (view: unknown): AnyView => view as AnyView;

export function labelOf(catalogue: Catalogue, world: World, name: string): string {
  return catalogue.get(name)?.words.in(world.language).app ?? name;
}

export function statusBar(catalogue: Catalogue, world: World): AnyView {
  const t = SYSTEM_TEXTS.in(world.language);
  const icons = world.notices.slice(0, 4).map((notice) =>
    ui.image('•', {
      description: fill(t.notification, labelOf(catalogue, world, notice.package), notice.title),
      key: `${notice.package}${notice.id}`,
    }),
  );
  return ours(
    ui.row({ id: 'status_bar', pad: [4, 16], gap: 4, h: 'fill' }, [
      ui.text(timeOfDay(world), { id: 'clock', size: 14 }),
      ...icons,
      ui.space({ grow: 1 }),
      ui.text('87%', { id: 'battery_percentage_view', description: fill(t.battery, 87), size: 14 }),
    ]),
  );
}

/** A quick-settings tile: a switch by class, its state in words, as System UI does it. */
function tile(world: World, name: 'wifi' | 'airplane' | 'torch') {
  const t = SYSTEM_TEXTS.in(world.language);
  const on = (world.settings[name] ?? (name === 'wifi' ? 'on' : 'off')) === 'on';
  return ui.card(
    {
      id: `qs_tile_${name}`,
      className: 'android.widget.Switch',
      description: t[name],
      state: on ? t.on : t.off,
      checked: on,
      pad: 12,
      grow: 1,
      h: 72,
      fill: on ? '#c2e7ff' : '#e3e3e3',
      tap: (w) => ({ ...w, settings: { ...w.settings, [name]: on ? 'off' : 'on' } }),
    },
    [ui.text(t[name], { size: 13, id: 'tile_label' })],
  );
}

export function shade(catalogue: Catalogue, world: World): AnyView {
  const t = SYSTEM_TEXTS.in(world.language);
  const notices = world.notices.map((notice) => {
    const gone = (w: World): World => ({ ...w, notices: w.notices.filter((n) => n !== notice) });
    const { open, actions } = notice;
    return ui.column(
      {
        id: 'expandableNotificationRow',
        key: `${notice.package}${notice.id}`,
        pad: 16,
        gap: 4,
        fill: '#ffffff',
        actions: [{ label: 'dismiss', move: gone }],
        ...(open === undefined
          ? {}
          : {
              tap: (w: World) =>
                runNamed(
                  catalogue,
                  openApp(catalogue, gone(w), notice.package).world,
                  notice.package,
                  open.move,
                  open.arg,
                ),
            }),
      },
      [
        ui.text(labelOf(catalogue, world, notice.package), {
          id: 'android:id/app_name_text',
          size: 12,
          of: notice.package,
        }),
        ui.text(notice.title, { id: 'android:id/title', bold: true, of: notice.package }),
        ui.text(notice.text, { id: 'android:id/text', size: 14, of: notice.package }),
        actions === undefined
          ? null
          : ui.row(
              { id: 'android:id/actions', gap: 8, of: notice.package },
              actions.map((action) =>
                ui.button(
                  action.label,
                  (w) => runNamed(catalogue, gone(w), notice.package, action.move, action.arg),
                  {
                    id: 'android:id/action0',
                    grow: 0,
                  },
                ),
              ),
            ),
      ],
    );
  });
  return ours(
    ui.column(
      { id: 'notification_panel', description: t.shade, pad: 16, gap: 12, fill: '#f0f0f4', h: 'fill' },
      [
        ui.text(timeOfDay(world), { id: 'clock', size: 28 }),
        ui.row({ id: 'quick_qs_panel', gap: 8 }, [
          tile(world, 'wifi'),
          tile(world, 'airplane'),
          tile(world, 'torch'),
        ]),
        ui.scroll({ id: 'notification_stack_scroller', gap: 8 }, [
          ...(notices.length === 0 ? [ui.text(t.noNotifications, { id: 'no_notifications' })] : notices),
          notices.length === 0
            ? null
            : ui.button(t.clearAll, (w) => ({ ...w, notices: [] }), { id: 'dismiss_text', place: 'end' }),
        ]),
      ],
    ),
  );
}

export function recents(catalogue: Catalogue, world: World): AnyView {
  const t = SYSTEM_TEXTS.in(world.language);
  const cards = world.stack
    .filter((name) => name !== LAUNCHER)
    .reverse()
    .map((name) =>
      ui.frame(
        {
          id: 'task',
          key: name,
          description: labelOf(catalogue, world, name),
          h: 420,
          fill: '#e8eaed',
          tap: (w) => openApp(catalogue, w, name).world,
        },
        [ui.text(labelOf(catalogue, world, name), { pad: 16 })],
      ),
    );
  return ours(
    ui.column({ id: 'overview_panel', pad: 24, gap: 16, h: 'fill' }, [
      ui.scroll({ gap: 16 }, cards.length === 0 ? [ui.text(t.noRecents, { place: 'center' })] : cards),
      cards.length === 0
        ? null
        : ui.button(t.clearAll, (w) => ({ ...w, stack: [LAUNCHER], overlay: 'none' }), {
            id: 'clear_all',
            place: 'center',
          }),
    ]),
  );
}

function pinKey(digit: string) {
  return ui.button(
    digit,
    (w) => {
      const pinTyped = w.pinTyped + digit;
      if (pinTyped === w.pin) return { ...w, locked: false, pinTyped: '' };
      return { ...w, pinTyped: pinTyped.length >= 8 ? '' : pinTyped };
    },
    { id: `key${digit}`, description: digit, grow: 1, h: 72 },
  );
}

export function lockScreen(world: World): AnyView {
  const t = SYSTEM_TEXTS.in(world.language);
  const pad =
    world.pin === null
      ? [ui.text(t.swipeUp, { id: 'keyguard_indication_text', place: 'center' })]
      : [
          ui.text(t.enterPin, { id: 'keyguard_message_area', place: 'center' }),
          ui.text('•'.repeat(world.pinTyped.length), {
            id: 'pinEntry',
            place: 'center',
            h: 40,
            sensitive: true,
          }),
          ...[['1', '2', '3'], ['4', '5', '6'], ['7', '8', '9'], ['0']].map((row) =>
            ui.row({ gap: 16 }, row.map(pinKey)),
          ),
        ];
  return ours(
    ui.column({ id: 'keyguard_root_view', pad: 32, gap: 16, h: 'fill', fill: '#202124' }, [
      ui.text(timeOfDay(world), { id: 'lockscreen_clock_view', size: 56, place: 'center', color: '#ffffff' }),
      ui.space({ grow: 1 }),
      ...pad,
      ui.button(t.emergency, (w) => w, { id: 'emergency_call_button', place: 'center' }),
    ]),
  );
}

const ASKS = {
  contacts: 'askContacts',
  camera: 'askCamera',
  notifications: 'askNotifications',
  photos: 'askPhotos',
} as const;

export function permissionPrompt(catalogue: Catalogue, world: World): Dialog<unknown> {
  const t = SYSTEM_TEXTS.in(world.language);
  const { prompt } = world;
  if (prompt === null) throw new Error('no permission is asked for');
  const ask = Object.hasOwn(ASKS, prompt.permission)
    ? t[ASKS[prompt.permission as keyof typeof ASKS]]
    : prompt.permission;
  const answer = (yes: boolean) => (w: World) => {
    const before = w.granted[prompt.package] ?? [];
    const granted = yes ? { ...w.granted, [prompt.package]: [...before, prompt.permission] } : w.granted;
    return runNamed(catalogue, loseFocus({ ...w, prompt: null, granted }), prompt.package, prompt.move, yes);
  };
  const body = ui.column({ id: 'grant_dialog', gap: 8 }, [
    ui.text(fill(ask, labelOf(catalogue, world, prompt.package)), { id: 'permission_message', size: 20 }),
    ui.button(t.allow, answer(true), { id: 'permission_allow_button', w: 'fill' }),
    ui.button(t.deny, answer(false), { id: 'permission_deny_button', w: 'fill' }),
  ]);
  return { body: ours(body), cancel: answer(false) as never };
}
