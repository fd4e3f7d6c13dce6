/**
 * The on-screen keyboard: an input-method window with a key for each letter and the focused field's own
 * action. Not for what typing does (input.ts).
 */
import { SYSTEM_TEXTS } from './system-texts.ts';
import { type AnyView, type ImeAction, viewsOf } from './view.ts';
import type { Language } from './words.ts';
import type { World } from './world.ts';

const ui = viewsOf<unknown>();

const ROWS: Partial<Record<Language, readonly string[]>> & { readonly en: readonly string[] } = {
  en: ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  de: ['qwertzuiopü', 'asdfghjklöä', 'yxcvbnmß'],
  es: ['qwertyuiop', 'asdfghjklñ', 'zxcvbnm'],
  ar: ['ضصثقفغعهخحج', 'شسيبلاتنمكط', 'ذءؤرىةوزظد'],
  ja: ['あかさたな', 'はまやらわ', 'いきしちに'],
  hi: ['ौैाीूबहगदज', 'ोे्िुपरकतच', 'ंमनवलस'],
};

/** Height of the keyboard, dp. */
export const KEYBOARD_DP = { portrait: 280, landscape: 190 } as const;

export function keyboard(world: World, action: ImeAction): AnyView {
  const t = SYSTEM_TEXTS.in(world.language);
  const rows = ROWS[world.language] ?? ROWS.en;
  const letters = rows.map((row, line) =>
    ui.row(
      { gap: 2, grow: 1 },
      [...row].map((letter, column) =>
        ui.frame(
          {
            id: `key_pos_${line}_${column}`,
            description: letter,
            press: { type: letter },
            grow: 1,
            h: 'fill',
          },
          [ui.text(letter, { place: 'center', hidden: true })],
        ),
      ),
    ),
  );
  const last = ui.row({ gap: 2, grow: 1 }, [
    ui.frame(
      { id: 'key_pos_del', description: t.backspace, press: { key: 'delete' }, grow: 1, h: 'fill' },
      [],
    ),
    ui.frame({ id: 'key_pos_space', description: t.space, press: { type: ' ' }, grow: 4, h: 'fill' }, []),
    ui.frame({ id: 'key_pos_dot', description: '.', press: { type: '.' }, grow: 1, h: 'fill' }, []),
    ui.frame(
      { id: 'key_pos_ime_action', description: t[action], press: { key: 'ime_action' }, grow: 2, h: 'fill' },
      [],
    ),
  ]);
  return ui.column({ id: 'keyboard_holder', gap: 2, pad: 4, h: 'fill', fill: '#dadce0' }, [...letters, last]);
}
