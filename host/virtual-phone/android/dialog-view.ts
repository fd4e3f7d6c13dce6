/** An alert as Android's own builder lays it out, with its ids. Not for where it stands (windows.ts). */
import type { Dialog } from './app.ts';
import { type AnyView, viewsOf } from './view.ts';

const ui = viewsOf<unknown>();

export function dialogView(dialog: Dialog<unknown>): AnyView {
  const button = (of: Dialog<unknown>['positive'], id: string) =>
    of === undefined ? null : ui.button(of.text, of.move, { id });
  const { title, message, body, positive, negative, neutral } = dialog;
  return ui.column({ id: 'android:id/parentPanel', pad: [16, 24], gap: 12, fill: '#ffffff' }, [
    title === undefined
      ? null
      : ui.column({ id: 'android:id/topPanel' }, [
          ui.text(title, { id: 'android:id/alertTitle', size: 22, heading: true }),
        ]),
    message === undefined
      ? null
      : ui.column({ id: 'android:id/contentPanel' }, [ui.text(message, { id: 'android:id/message' })]),
    body === undefined ? null : ui.column({ id: 'android:id/customPanel' }, [body]),
    positive === undefined && negative === undefined && neutral === undefined
      ? null
      : ui.row({ id: 'android:id/buttonPanel', gap: 8 }, [
          button(neutral, 'android:id/button3'),
          ui.space({ grow: 1 }),
          // The platform's order: the one that does it stands last.
          button(negative, 'android:id/button2'),
          button(positive, 'android:id/button1'),
        ]),
  ]);
}
