/** Notes in Jetpack Compose: everything is a plain View, labels stand beside what they name. Not for drawing. */
import { app } from '../android/app.ts';
import { step } from '../android/moves.ts';
import { PLATFORM } from '../android/platform-texts.ts';
import { viewsOf } from '../android/view.ts';
import { words } from '../android/words.ts';

interface Note {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly done: boolean;
}
export interface NotesState {
  readonly notes: readonly Note[];
  readonly open: number | null;
  /** What was just deleted, while it can still be undone. */
  readonly removed: Note | null;
  readonly nextId: number;
}

const ui = viewsOf<NotesState>();
const UNDO_MS = 4_000;

const texts = words({
  ...PLATFORM,
  app: 'Notes | Notizen | Notas | الملاحظات | メモ | नोट',
  add: 'New note | Neue Notiz | Nota nueva | ملاحظة جديدة | 新しいメモ | नया नोट',
  title: 'Title | Titel | Título | العنوان | タイトル | शीर्षक',
  body: 'Note | Notiz | Nota | ملاحظة | メモ | नोट',
  done: 'Done | Erledigt | Hecho | تم | 完了 | हो गया',
  removed:
    'Note deleted | Notiz gelöscht | Nota eliminada | تم حذف الملاحظة | メモを削除しました | नोट मिटाया गया',
  undo: 'Undo | Rückgängig machen | Deshacer | تراجع | 元に戻す | पहले जैसा करें',
  shopping: 'Shopping | Einkauf | Compras | التسوق | 買い物 | खरीदारी',
  shoppingText:
    'Milk, bread, apples | Milch, Brot, Äpfel | Leche, pan, manzanas | حليب، خبز، تفاح | 牛乳、パン、りんご | दूध, ब्रेड, सेब',
  trip: 'Trip | Reise | Viaje | رحلة | 旅行 | यात्रा',
  tripText:
    'Ask about the early train | Nach dem frühen Zug fragen | Preguntar por el tren temprano | السؤال عن القطار المبكر | 早い電車について聞く | जल्दी वाली ट्रेन के बारे में पूछें',
});
type Key = keyof ReturnType<typeof texts.in>;

const edit = (s: NotesState, id: number, part: Partial<Note>): NotesState => ({
  ...s,
  notes: s.notes.map((note) => (note.id === id ? { ...note, ...part } : note)),
});

const remove = (id: number) => (s: NotesState) =>
  step<NotesState>(
    {
      ...s,
      open: null,
      removed: s.notes.find((note) => note.id === id) ?? null,
      notes: s.notes.filter((note) => note.id !== id),
    },
    { ask: 'forget', move: 'settled' },
    { ask: 'later', ms: UNDO_MS, move: 'settled' },
  );

export const notes = app<NotesState, Key>({
  package: 'com.example.notes',
  icon: '✎',
  toolkit: 'compose',
  words: texts,
  start(phone) {
    const t = texts.in(phone.language);
    return {
      notes: [
        { id: 1, title: t.shopping, text: t.shoppingText, done: false },
        { id: 2, title: t.trip, text: t.tripText, done: false },
      ],
      open: null,
      removed: null,
      nextId: 3,
    };
  },
  screen(state, t) {
    const open = state.notes.find((note) => note.id === state.open);
    if (open !== undefined) {
      return {
        title: t.app,
        activity: 'MainActivity',
        back: (s) => ({ ...s, open: null }),
        body: ui.column({ h: 'fill', pad: [0, 8] }, [
          ui.row({ h: 56 }, [
            ui.iconButton('←', t.back, (s) => ({ ...s, open: null })),
            ui.space({ grow: 1 }),
            ui.iconButton('🗑', t.delete, remove(open.id)),
          ]),
          ui.field({
            id: 'title',
            value: open.title,
            hint: t.title,
            ime: 'next',
            typed: (s, title) => edit(s, open.id, { title }),
          }),
          ui.field({
            id: 'body',
            value: open.text,
            hint: t.body,
            ime: 'newline',
            lines: 8,
            typed: (s, text) => edit(s, open.id, { text }),
          }),
        ]),
      };
    }
    return {
      title: t.app,
      activity: 'MainActivity',
      body: ui.frame({ h: 'fill' }, [
        ui.column({ h: 'fill', pad: [0, 16], gap: 8 }, [
          ui.heading(t.app, { pad: [16, 0] }),
          ui.list(
            {
              count: state.notes.length,
              rowHeight: 88,
              row: (index) => {
                const note = state.notes[index];
                if (note === undefined) return ui.space();
                return ui.row(
                  {
                    key: `n${note.id}`,
                    gap: 8,
                    tap: (s) => ({ ...s, open: note.id }),
                    actions: [{ label: t.delete, move: remove(note.id) }],
                  },
                  [
                    // The box and its label are siblings, as Compose apps often have them.
                    ui.toggle('checkbox', note.done, (s) => edit(s, note.id, { done: !note.done })),
                    ui.column({ grow: 1 }, [
                      ui.text(note.title, { bold: true }),
                      ui.text(note.text, { size: 14 }),
                    ]),
                    ui.text(note.done ? t.done : '', { size: 12 }),
                  ],
                );
              },
            },
            { id: 'notes' },
          ),
        ]),
        state.removed === null
          ? null
          : ui.row({ id: 'snackbar', key: 'snackbar', bottom: true, pad: 16, fill: '#323232' }, [
              ui.text(t.removed, { grow: 1, color: '#ffffff' }),
              ui.button(t.undo, (s) =>
                s.removed === null
                  ? s
                  : { ...s, notes: [...s.notes, s.removed].sort((a, b) => a.id - b.id), removed: null },
              ),
            ]),
        state.removed !== null
          ? null
          : ui.iconButton(
              '+',
              t.add,
              (s) => ({
                ...s,
                notes: [...s.notes, { id: s.nextId, title: '', text: '', done: false }],
                open: s.nextId,
                nextId: s.nextId + 1,
              }),
              {
                key: 'add',
                place: 'end',
                bottom: true,
                w: 64,
                h: 64,
                fill: '#e8def8',
              },
            ),
      ]),
    };
  },
  moves: { settled: (state) => ({ ...state, removed: null }) },
});
