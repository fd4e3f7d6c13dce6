/** The home screen: icons of all apps that want to be there. Not for opening links. */
import { type AnyApp, app } from '../android/app.ts';
import { step } from '../android/moves.ts';
import { viewsOf } from '../android/view.ts';
import { words } from '../android/words.ts';
import { LAUNCHER } from '../android/world.ts';

/** A home screen remembers nothing. */
type State = null;
const ui = viewsOf<State>();
const COLUMNS = 4;

/** The launcher knows the other apps, so it is made from them. */
export function launcher(others: readonly AnyApp[]): AnyApp {
  const shown = others.filter((other) => other.hidden !== true);
  return app<State, 'app'>({
    package: LAUNCHER,
    icon: '⌂',
    toolkit: 'views',
    system: true,
    hidden: true,
    words: words({ app: 'Home | Startbildschirm | Inicio | الشاشة الرئيسية | ホーム | होम' }),
    start: () => null,
    screen(_state, t, phone) {
      const entry = (one: AnyApp) => {
        const label = one.words.in(phone.language).app ?? one.package;
        return ui.text(label, {
          id: 'icon',
          key: one.package,
          description: label,
          icon: one.icon,
          size: 12,
          w: 88,
          h: 96,
          tap: (state) => step(state, { ask: 'open', package: one.package }),
        });
      };
      const rows: AnyApp[][] = [];
      for (let from = 0; from < shown.length; from += COLUMNS) rows.push(shown.slice(from, from + COLUMNS));
      return {
        title: t.app,
        activity: 'uioverrides.QuickstepLauncher',
        body: ui.column({ id: 'launcher', pad: [24, 16], gap: 8, h: 'fill', fill: '#3a5a78' }, [
          ui.space({ grow: 1 }),
          ...rows.map((row) => ui.row({ gap: 4 }, row.map(entry))),
        ]),
      };
    },
  });
}
