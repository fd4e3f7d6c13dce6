/** People: a list of 200 rows with a "Delete" on each, a card, a form. Not for calling itself. */
import { app } from '../android/app.ts';
import { step } from '../android/moves.ts';
import { viewsOf } from '../android/view.ts';
import { fill, words } from '../android/words.ts';

interface Contact {
  readonly id: number;
  readonly name: string;
  readonly phone: string;
  readonly mail: string;
}
export interface ContactsState {
  readonly people: readonly Contact[];
  readonly search: string;
  readonly open: number | null;
  readonly deleting: number | null;
  readonly form: {
    readonly name: string;
    readonly phone: string;
    readonly mail: string;
    readonly error: string | null;
  } | null;
  readonly nextId: number;
}

const ui = viewsOf<ContactsState>();
const ROWS = 200;
const FIRST = [
  'Ada',
  'Ben',
  'Clara',
  'David',
  'Emma',
  'Farid',
  'Greta',
  'Hiro',
  'Ines',
  'Jonas',
  'Kira',
  'Liam',
  'Mona',
  'Nils',
  'Olga',
  'Pia',
  'Quirin',
  'Rosa',
  'Sami',
  'Tara',
];
const LAST = ['Abel', 'Berg', 'Cohen', 'Diaz', 'Engel', 'Fischer', 'Garcia', 'Holm', 'Ito', 'Jansen'];

const texts = words({
  app: 'Contacts | Kontakte | Contactos | جهات الاتصال | 連絡先 | संपर्क',
  search:
    'Search contacts | Kontakte durchsuchen | Buscar contactos | البحث في جهات الاتصال | 連絡先を検索 | संपर्क खोजें',
  create: 'Create contact | Kontakt erstellen | Crear contacto | إنشاء جهة اتصال | 連絡先を作成 | संपर्क बनाएं',
  delete: 'Delete | Löschen | Eliminar | حذف | 削除 | मिटाएं',
  cancel: 'Cancel | Abbrechen | Cancelar | إلغاء | キャンセル | रद्द करें',
  deleteTitle:
    'Delete contact? | Kontakt löschen? | ¿Eliminar contacto? | هل تريد حذف جهة الاتصال؟ | 連絡先を削除しますか？ | क्या संपर्क मिटाना है?',
  deleteText:
    '{} will be permanently deleted. | {} wird endgültig gelöscht. | {} se eliminará permanentemente. | سيتم حذف {} نهائيًا. | {} は完全に削除されます。 | {} को हमेशा के लिए मिटा दिया जाएगा.',
  call: 'Call | Anrufen | Llamar | اتصال | 発信 | कॉल करें',
  message: 'Message | Nachricht | Mensaje | رسالة | メッセージ | मैसेज',
  name: 'Name | Name | Nombre | الاسم | 名前 | नाम',
  phone: 'Phone | Telefon | Teléfono | الهاتف | 電話 | फ़ोन',
  mail: 'Email | E-Mail | Correo electrónico | البريد الإلكتروني | メール | ईमेल',
  save: 'Save | Speichern | Guardar | حفظ | 保存 | सेव करें',
  nameMissing:
    'Enter a name | Gib einen Namen ein | Introduce un nombre | أدخِل اسمًا | 名前を入力してください | कोई नाम डालें',
  back: 'Navigate up | Nach oben | Desplazarse hacia arriba | الانتقال للأعلى | 上へ移動 | ऊपर जाएं',
  empty:
    'No contacts | Keine Kontakte | No hay contactos | ليست هناك جهات اتصال | 連絡先がありません | कोई संपर्क नहीं है',
});
type Key = keyof ReturnType<typeof texts.in>;

/** A phone number as it is typed: digits in groups, so that a typed text comes back in another form. */
export function grouped(text: string): string {
  const digits = text.replace(/[^\d+]/g, '');
  const [, land = '', place = '', rest = ''] = /^(\+\d{0,2})?(\d{0,3})(.*)$/.exec(digits) ?? [];
  return [land, place, rest].filter((part) => part !== '').join(' ');
}

export const contacts = app<ContactsState, Key>({
  package: 'com.android.contacts',
  icon: '☻',
  toolkit: 'views',
  words: texts,
  start: () => ({
    people: Array.from({ length: ROWS }, (_none, index) => {
      const first = FIRST[Math.floor(index / LAST.length)] ?? 'Nn';
      const last = LAST[index % LAST.length] ?? 'Nn';
      return {
        id: index + 1,
        name: `${first} ${last}`,
        phone: grouped(`+49555${String(1000 + index)}`),
        mail: `${first}.${last}@example.org`.toLowerCase(),
      };
    }),
    search: '',
    open: null,
    deleting: null,
    form: null,
    nextId: ROWS + 1,
  }),
  screen(state, t) {
    const keep = (s: ContactsState): ContactsState => ({ ...s, deleting: null });
    const doomed = state.people.find((one) => one.id === state.deleting);
    const dialog =
      doomed === undefined
        ? {}
        : {
            dialog: {
              title: t.deleteTitle,
              message: fill(t.deleteText, doomed.name),
              positive: {
                text: t.delete,
                move: (s: ContactsState): ContactsState => ({
                  ...s,
                  deleting: null,
                  open: null,
                  people: s.people.filter((one) => one.id !== doomed.id),
                }),
              },
              negative: { text: t.cancel, move: keep },
              cancel: keep,
            },
          };
    if (state.form !== null) {
      const { form } = state;
      const edit = (part: 'name' | 'phone' | 'mail') => (s: ContactsState, text: string) =>
        s.form === null
          ? s
          : { ...s, form: { ...s.form, [part]: part === 'phone' ? grouped(text) : text, error: null } };
      const save = (s: ContactsState): ContactsState => {
        if (s.form === null) return s;
        if (s.form.name.trim() === '') return { ...s, form: { ...s.form, error: t.nameMissing } };
        const { name, phone, mail } = s.form;
        const people = [...s.people, { id: s.nextId, name: name.trim(), phone, mail }];
        people.sort((a, b) => (a.name < b.name ? -1 : 1));
        return { ...s, people, form: null, nextId: s.nextId + 1, open: s.nextId };
      };
      return {
        title: t.create,
        activity: 'activities.ContactEditorActivity',
        back: (s) => ({ ...s, form: null }),
        body: ui.column({ h: 'fill', pad: [0, 16], gap: 12 }, [
          ui.row({ id: 'toolbar', h: 56, gap: 8 }, [
            ui.iconButton('←', t.back, (s) => ({ ...s, form: null })),
            ui.heading(t.create, { grow: 1 }),
            ui.button(t.save, save, { id: 'editor_menu_save_button' }),
          ]),
          ui.field({
            id: 'name',
            value: form.name,
            hint: t.name,
            ime: 'next',
            typed: edit('name'),
            ...(form.error === null ? {} : { error: form.error }),
          }),
          ui.field({ id: 'phone', value: form.phone, hint: t.phone, ime: 'next', typed: edit('phone') }),
          ui.field({ id: 'mail', value: form.mail, hint: t.mail, ime: 'done', typed: edit('mail') }),
        ]),
      };
    }
    const open = state.people.find((one) => one.id === state.open);
    if (open !== undefined) {
      const act = (
        icon: string,
        text: string,
        move: (s: ContactsState) => ReturnType<typeof step<ContactsState>>,
        id: string,
      ) =>
        ui.column({ id, pad: 8, gap: 4, grow: 1, tap: move }, [
          ui.image(icon, { place: 'center' }),
          ui.text(text, { place: 'center', size: 12 }),
        ]);
      return {
        title: open.name,
        activity: 'quickcontact.QuickContactActivity',
        ...dialog,
        back: (s) => ({ ...s, open: null }),
        body: ui.column({ h: 'fill', pad: [0, 16], gap: 12 }, [
          ui.row({ id: 'toolbar', h: 56 }, [
            ui.iconButton('←', t.back, (s) => ({ ...s, open: null })),
            ui.space({ grow: 1 }),
            ui.iconButton('🗑', t.delete, (s) => ({ ...s, deleting: open.id }), { id: 'menu_delete' }),
          ]),
          ui.heading(open.name, { id: 'large_title', size: 28 }),
          ui.row({ gap: 8 }, [
            act(
              '☎',
              t.call,
              (s) => step(s, { ask: 'link', url: `tel:${open.phone.replaceAll(' ', '')}` }),
              'verb_call',
            ),
            act(
              '✉',
              t.message,
              (s) =>
                step(s, {
                  ask: 'open',
                  package: 'com.android.messaging',
                  move: 'compose',
                  arg: { name: open.name },
                }),
              'verb_text',
            ),
          ]),
          ui.column({ id: 'contact_card', pad: 8 }, [
            ui.text(open.phone, { id: 'header' }),
            ui.text(t.phone, { size: 12 }),
          ]),
          ui.column({ id: 'contact_card', pad: 8 }, [
            ui.text(open.mail, { id: 'header' }),
            ui.text(t.mail, { size: 12 }),
          ]),
        ]),
      };
    }
    const wanted = state.search.toLowerCase();
    const found = state.people.filter((one) => one.name.toLowerCase().includes(wanted));
    return {
      title: t.app,
      activity: 'activities.PeopleActivity',
      ...dialog,
      ...(state.search === '' ? {} : { back: (s: ContactsState) => ({ ...s, search: '' }) }),
      body: ui.frame({ h: 'fill' }, [
        ui.column({ h: 'fill' }, [
          ui.row({ id: 'toolbar', pad: [4, 16], h: 64 }, [
            ui.field({
              id: 'search_view',
              value: state.search,
              hint: t.search,
              ime: 'search',
              typed: (s, search) => ({ ...s, search }),
              submitted: (s) => step(s, { ask: 'hide_keyboard' }),
            }),
          ]),
          found.length === 0
            ? ui.text(t.empty, { id: 'empty', place: 'center', pad: 32, grow: 1 })
            : ui.list(
                {
                  count: found.length,
                  rowHeight: 56,
                  row: (index) => {
                    const one = found[index];
                    if (one === undefined) return ui.space();
                    return ui.row(
                      {
                        key: `c${one.id}`,
                        id: 'cliv_row',
                        pad: [4, 16],
                        gap: 8,
                        tap: (s) => ({ ...s, open: one.id }),
                      },
                      [
                        ui.image('●', { id: 'cliv_photo', w: 40, h: 40 }),
                        ui.text(one.name, { id: 'cliv_name_textview', grow: 1 }),
                        ui.button(t.delete, (s) => ({ ...s, deleting: one.id }), { id: 'cliv_delete' }),
                      ],
                    );
                  },
                },
                { id: 'list' },
              ),
        ]),
        ui.iconButton(
          '+',
          t.create,
          (s) => ({ ...s, form: { name: '', phone: '', mail: '', error: null } }),
          {
            id: 'floating_action_button',
            place: 'end',
            bottom: true,
            w: 64,
            h: 64,
            fill: '#c2e7ff',
          },
        ),
      ]),
    };
  },
});
