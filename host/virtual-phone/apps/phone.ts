/** Calls: a dial pad, the latest calls, a call that runs and can be ended. Not for the people in it (contacts.ts). */
import { app } from '../android/app.ts';
import { type Step, step } from '../android/moves.ts';
import { PLATFORM } from '../android/platform-texts.ts';
import { viewsOf } from '../android/view.ts';
import { words } from '../android/words.ts';
import { grouped } from './contacts.ts';

export interface PhoneState {
  readonly dialled: string;
  readonly pad: boolean;
  readonly calls: readonly { readonly number: string; readonly time: string }[];
  readonly call: { readonly number: string; readonly seconds: number; readonly muted: boolean } | null;
}

const ui = viewsOf<PhoneState>();

const texts = words({
  ...PLATFORM,
  app: 'Phone | Telefon | Teléfono | الهاتف | 電話 | फ़ोन',
  recent: 'Recents | Anrufliste | Recientes | المكالمات الأخيرة | 履歴 | हाल के कॉल',
  none: 'Your call log is empty | Deine Anrufliste ist leer | El registro de llamadas está vacío | سجلّ المكالمات فارغ | 通話履歴はありません | आपका कॉल लॉग खाली है',
  pad: 'Key pad | Wähltasten | Teclado | لوحة المفاتيح | ダイヤルパッド | कीपैड',
  call: 'Call | Anrufen | Llamar | اتصال | 発信 | कॉल करें',
  backspace: 'Backspace | Rücktaste | Retroceso | مسافة للخلف | バックスペース | बैकस्पेस',
  end: 'End call | Anruf beenden | Finalizar llamada | إنهاء المكالمة | 通話を終了 | कॉल खत्म करें',
  mute: 'Mute | Stummschalten | Silenciar | كتم الصوت | ミュート | म्यूट करें',
  calling: 'Calling… | Wird angerufen… | Llamando… | جارٍ الاتصال… | 発信中… | कॉल किया जा रहा है…',
});
type Key = keyof ReturnType<typeof texts.in>;

const KEYS = [
  ['1', '2', '3'],
  ['4', '5', '6'],
  ['7', '8', '9'],
  ['*', '0', '#'],
];
const TICK_MS = 1_000;

function place(state: PhoneState, number: string, time: string): PhoneState | Step<PhoneState> {
  if (number === '') return state;
  const calls = [{ number, time }, ...state.calls];
  const call = { number, seconds: 0, muted: false };
  return step(
    { ...state, dialled: '', pad: false, calls, call },
    { ask: 'later', ms: TICK_MS, move: 'tick' },
  );
}

const hangUp = (s: PhoneState) => step<PhoneState>({ ...s, call: null }, { ask: 'forget', move: 'tick' });

export const phone = app<PhoneState, Key>({
  package: 'com.android.dialer',
  icon: '☎',
  toolkit: 'views',
  words: texts,
  start: () => ({ dialled: '', pad: false, calls: [], call: null }),
  screen(state, t) {
    if (state.call !== null) {
      const { call } = state;
      const clock = `${String(Math.floor(call.seconds / 60)).padStart(2, '0')}:${String(call.seconds % 60).padStart(2, '0')}`;
      return {
        title: t.app,
        activity: 'incallui.InCallActivity',
        body: ui.column({ h: 'fill', pad: 24, gap: 16, fill: '#1f3a2d' }, [
          ui.heading(call.number, { id: 'contactgrid_contact_name', place: 'center', color: '#ffffff' }),
          ui.text(call.seconds === 0 ? t.calling : clock, {
            id: 'contactgrid_bottom_timer',
            place: 'center',
            color: '#ffffff',
          }),
          ui.space({ grow: 1 }),
          ui.toggle(
            'checkbox',
            call.muted,
            (s) => (s.call === null ? s : { ...s, call: { ...s.call, muted: !s.call.muted } }),
            {
              id: 'incall_button_mute',
              description: t.mute,
              className: 'android.widget.ToggleButton',
              place: 'center',
            },
          ),
          ui.iconButton('✆', t.end, hangUp, {
            id: 'incall_end_call',
            place: 'center',
            w: 72,
            h: 72,
            fill: '#d93025',
          }),
        ]),
      };
    }
    const digit = (key: string) =>
      ui.frame(
        {
          id: `key_${key}`,
          description: key,
          tap: (s) => ({ ...s, dialled: s.dialled + key }),
          grow: 1,
          h: 64,
        },
        [ui.text(key, { id: 'dialpad_key_number', place: 'center', size: 24 })],
      );
    return {
      title: t.app,
      activity: 'main.impl.MainActivity',
      ...(state.pad ? { back: (s: PhoneState) => ({ ...s, pad: false }) } : {}),
      body: ui.frame({ h: 'fill' }, [
        ui.column({ h: 'fill', pad: [0, 16] }, [
          ui.heading(t.recent, { pad: [16, 0] }),
          state.calls.length === 0
            ? ui.text(t.none, { id: 'empty_list_view_message', place: 'center', pad: 32 })
            : ui.list(
                {
                  count: state.calls.length,
                  rowHeight: 64,
                  row: (index) => {
                    const one = state.calls[index];
                    if (one === undefined) return ui.space();
                    return ui.row({ id: 'call_log_row', gap: 8 }, [
                      ui.column({ grow: 1 }, [
                        ui.text(grouped(one.number), { id: 'primary_text' }),
                        ui.text(one.time, { id: 'secondary_text', size: 13 }),
                      ]),
                      ui.iconButton('☎', t.call, (s, now) => place(s, one.number, now.timeOfDay), {
                        id: 'call_button',
                      }),
                    ]);
                  },
                },
                { id: 'recycler_view' },
              ),
        ]),
        state.pad
          ? ui.column({ id: 'dialpad_view', bottom: true, pad: 16, gap: 8, fill: '#f3f3f3' }, [
              ui.row({ gap: 8 }, [
                ui.text(grouped(state.dialled), { id: 'digits', size: 28, grow: 1, h: 48 }),
                ui.iconButton('⌫', t.backspace, (s) => ({ ...s, dialled: s.dialled.slice(0, -1) }), {
                  id: 'deleteButton',
                }),
              ]),
              ...KEYS.map((row) => ui.row({ gap: 8 }, row.map(digit))),
              ui.iconButton('☎', t.call, (s, now) => place(s, s.dialled, now.timeOfDay), {
                id: 'dialpad_voice_call_button',
                place: 'center',
                w: 72,
                h: 64,
                fill: '#34a853',
                color: '#ffffff',
              }),
            ])
          : ui.iconButton('⠿', t.pad, (s) => ({ ...s, pad: true }), {
              id: 'fab',
              place: 'end',
              bottom: true,
              w: 64,
              h: 64,
              fill: '#c2e7ff',
            }),
      ]),
    };
  },
  moves: {
    tick: (state) =>
      state.call === null
        ? state
        : step(
            { ...state, call: { ...state.call, seconds: state.call.seconds + 1 } },
            { ask: 'later', ms: TICK_MS, move: 'tick' },
          ),
    /** A link fills in the number; only the person's own press calls (ACTION_DIAL). */
    dial: (state, url: string) => ({
      ...state,
      pad: true,
      dialled: decodeURIComponent(url.replace(/^tel:/, '')),
    }),
  },
  links: { pattern: /^tel:/, move: 'dial' },
});
