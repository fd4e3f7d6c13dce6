/** Text messages: conversations, a composer that really sends, drafts, deleting. Not for calls. */
import { app } from '../android/app.ts';
import { type PhoneFacts, type Step, step } from '../android/moves.ts';
import { viewsOf } from '../android/view.ts';
import { fill, words } from '../android/words.ts';

export interface Message {
  readonly from: 'me' | 'them';
  readonly text: string;
  readonly time: string;
  readonly status: 'sending' | 'sent' | 'received';
}
export interface Conversation {
  readonly id: string;
  readonly name: string;
  readonly draft: string;
  readonly unread: boolean;
  readonly messages: readonly Message[];
}
export interface MessagesState {
  readonly conversations: readonly Conversation[];
  /** Conversation on the screen; null: the list. */
  readonly open: string | null;
  readonly deleting: string | null;
  readonly sent: number;
}

const ui = viewsOf<MessagesState>();
const SENDING_MS = 900;

const texts = words({
  app: 'Messages | Nachrichten | Mensajes | الرسائل | メッセージ | मैसेज',
  startChat: 'Start chat | Chat starten | Iniciar chat | بدء محادثة | チャットを開始 | चैट शुरू करें',
  hint: 'Text message | SMS | Mensaje de texto | رسالة نصية | テキスト メッセージ | टेक्स्ट मैसेज',
  send: 'Send SMS | SMS senden | Enviar SMS | إرسال رسالة SMS | SMS を送信 | एसएमएस भेजें',
  attach: 'Attach | Anhängen | Adjuntar | إرفاق | 添付 | अटैच करें',
  back: 'Navigate up | Nach oben | Desplazarse hacia arriba | الانتقال للأعلى | 上へ移動 | ऊपर जाएं',
  more: 'More options | Weitere Optionen | Más opciones | خيارات أخرى | その他のオプション | ज़्यादा विकल्प',
  sending: 'Sending… | Wird gesendet… | Enviando… | جارٍ الإرسال… | 送信中… | भेजा जा रहा है…',
  sent: 'Sent | Gesendet | Enviado | تم الإرسال | 送信済み | भेजा गया',
  draft: 'Draft: {} | Entwurf: {} | Borrador: {} | مسودة: {} | 下書き: {} | ड्राफ़्ट: {}',
  you: 'You: {} | Du: {} | Tú: {} | أنت: {} | 自分: {} | आप: {}',
  deleteTitle:
    'Delete this conversation? | Diese Unterhaltung löschen? | ¿Eliminar esta conversación? | هل تريد حذف هذه المحادثة؟ | この会話を削除しますか？ | क्या यह बातचीत मिटानी है?',
  deleteText:
    'The conversation with {} will be removed from this device. | Die Unterhaltung mit {} wird von diesem Gerät entfernt. | La conversación con {} se quitará de este dispositivo. | ستتم إزالة المحادثة مع {} من هذا الجهاز. | {} との会話はこのデバイスから削除されます。 | {} के साथ हुई बातचीत इस डिवाइस से हटा दी जाएगी.',
  delete: 'Delete | Löschen | Eliminar | حذف | 削除 | मिटाएं',
  cancel: 'Cancel | Abbrechen | Cancelar | إلغاء | キャンセル | रद्द करें',
  reply: 'Reply | Antworten | Responder | رد | 返信 | जवाब दें',
  markRead:
    'Mark as read | Als gelesen markieren | Marcar como leído | وضع علامة كمقروء | 既読にする | पढ़ा हुआ मार्क करें',
  hello:
    'See you at the station at six? | Sehen wir uns um sechs am Bahnhof? | ¿Nos vemos en la estación a las seis? | نلتقي في المحطة عند السادسة؟ | 6時に駅で会える？ | छह बजे स्टेशन पर मिलें?',
  parcel:
    'Your parcel is at the kiosk. | Dein Paket liegt am Kiosk. | Tu paquete está en el quiosco. | طردك في الكشك. | 荷物がキオスクに届いています。 | आपका पार्सल कियोस्क पर है.',
  thanks: 'Thank you! | Danke! | ¡Gracias! | شكرًا! | ありがとう！ | धन्यवाद!',
});

type Key = Parameters<typeof texts.in>[0] extends never ? never : keyof ReturnType<typeof texts.in>;

function change(state: MessagesState, id: string, how: (one: Conversation) => Conversation): MessagesState {
  return { ...state, conversations: state.conversations.map((one) => (one.id === id ? how(one) : one)) };
}

const openOne = (state: MessagesState, id: string): MessagesState => ({
  ...change(state, id, (one) => ({ ...one, unread: false })),
  open: id,
});

/** What the Send button and the keyboard's Send do. An empty draft is not sent. */
function send(state: MessagesState, phone: PhoneFacts): MessagesState | Step<MessagesState> {
  const open = state.conversations.find((one) => one.id === state.open);
  if (open === undefined || open.draft.trim() === '') return state;
  const message: Message = { from: 'me', text: open.draft, time: phone.timeOfDay, status: 'sending' };
  const next = change(state, open.id, (one) => ({ ...one, draft: '', messages: [...one.messages, message] }));
  return step(
    { ...next, sent: next.sent + 1 },
    { ask: 'later', ms: SENDING_MS, move: 'delivered', arg: open.id },
  );
}

export const messages = app<MessagesState, Key>({
  package: 'com.android.messaging',
  icon: '✉',
  toolkit: 'views',
  words: texts,
  start(phone) {
    const t = texts.in(phone.language);
    const got = (text: string): Message => ({ from: 'them', text, time: '09:12', status: 'received' });
    const one = (id: string, name: string, unread: boolean, ...messages: Message[]): Conversation => ({
      id,
      name,
      draft: '',
      unread,
      messages,
    });
    return {
      open: null,
      deleting: null,
      sent: 0,
      conversations: [
        one('anna', 'Anna Beispiel', false, got(t.hello)),
        one('kiosk-a', 'Kiosk A', true, got(t.parcel)),
        one('kiosk-b', 'Kiosk B', false, { from: 'me', text: t.thanks, time: '08:55', status: 'sent' }),
      ],
    };
  },
  screen(state, t) {
    const open = state.conversations.find((one) => one.id === state.open);
    const doomed = state.conversations.find((one) => one.id === state.deleting);
    const keep = (s: MessagesState): MessagesState => ({ ...s, deleting: null });
    const dialog =
      doomed === undefined
        ? {}
        : {
            dialog: {
              title: t.deleteTitle,
              message: fill(t.deleteText, doomed.name),
              positive: {
                text: t.delete,
                move: (s: MessagesState): MessagesState => ({
                  ...s,
                  deleting: null,
                  open: null,
                  conversations: s.conversations.filter((one) => one.id !== doomed.id),
                }),
              },
              negative: { text: t.cancel, move: keep },
              cancel: keep,
            },
          };
    if (open === undefined) {
      return {
        title: t.app,
        activity: 'ui.conversationlist.ConversationListActivity',
        ...dialog,
        body: ui.frame({ h: 'fill' }, [
          ui.column({ h: 'fill' }, [
            ui.row({ id: 'toolbar', pad: [12, 16], h: 56 }, [ui.heading(t.app, { grow: 1 })]),
            ui.list(
              {
                count: state.conversations.length,
                rowHeight: 72,
                row: (index) => {
                  const it = state.conversations[index];
                  if (it === undefined) return ui.space();
                  const last = it.messages.at(-1);
                  const said =
                    last === undefined ? '' : last.from === 'me' ? fill(t.you, last.text) : last.text;
                  return ui.row(
                    {
                      key: it.id,
                      id: 'swipeableContainer',
                      pad: [10, 16],
                      gap: 12,
                      tap: (s) => openOne(s, it.id),
                      hold: (s) => ({ ...s, deleting: it.id }),
                    },
                    [
                      ui.image('●', { id: 'conversation_icon', size: 40, w: 40, h: 40 }),
                      ui.column({ grow: 1 }, [
                        ui.text(it.name, { id: 'conversation_name', bold: it.unread }),
                        ui.text(it.draft === '' ? said : fill(t.draft, it.draft), {
                          id: 'conversation_snippet',
                          size: 14,
                        }),
                      ]),
                      ui.text(last?.time ?? '', { id: 'conversation_timestamp', size: 12 }),
                    ],
                  );
                },
              },
              { id: 'list' },
            ),
          ]),
          ui.iconButton('+', t.startChat, (s) => step(s, { ask: 'open', package: 'com.android.contacts' }), {
            id: 'start_new_conversation_button',
            place: 'end',
            bottom: true,
            w: 64,
            h: 64,
            fill: '#c2e7ff',
          }),
        ]),
      };
    }
    return {
      title: open.name,
      activity: 'ui.conversation.ConversationActivity',
      ...dialog,
      back: (s) => ({ ...s, open: null }),
      body: ui.column({ h: 'fill' }, [
        ui.row({ id: 'toolbar', pad: [4, 4], h: 56, gap: 8 }, [
          ui.iconButton('←', t.back, (s) => ({ ...s, open: null })),
          ui.heading(open.name, { id: 'conversation_title', grow: 1 }),
          ui.iconButton('🗑', t.delete, (s) => ({ ...s, deleting: open.id }), { id: 'action_delete' }),
        ]),
        ui.scroll(
          { id: 'message_list', fromEnd: true, pad: [8, 16], gap: 8 },
          open.messages.map((message, index) =>
            ui.column(
              {
                id: 'message_content',
                key: `m${index}`,
                fill: message.from === 'me' ? '#d3e3fd' : '#f1f3f4',
                pad: 8,
              },
              [
                ui.text(message.text, { id: 'message_text' }),
                ui.text(
                  message.status === 'sending'
                    ? t.sending
                    : message.status === 'sent'
                      ? `${t.sent} · ${message.time}`
                      : message.time,
                  { id: 'message_status', size: 12 },
                ),
              ],
            ),
          ),
        ),
        ui.row({ id: 'message_compose_view_container', pad: [8, 8], gap: 4 }, [
          ui.iconButton('+', t.attach, (s) => s, { id: 'attach_media_button' }),
          ui.field({
            id: 'compose_message_text',
            value: open.draft,
            hint: t.hint,
            ime: 'send',
            grow: 1,
            typed: (s, draft) => change(s, open.id, (one) => ({ ...one, draft })),
            submitted: send,
          }),
          ui.iconButton('➤', t.send, send, { id: 'send_message_button' }),
        ]),
      ]),
    };
  },
  moves: {
    delivered: (state, id: string) =>
      change(state, id, (one) => ({
        ...one,
        messages: one.messages.map((m): Message => (m.status === 'sending' ? { ...m, status: 'sent' } : m)),
      })),
    show: (state, id: string) => openOne(state, id),
    /** Another person's message comes in: it is shown above everything, with its own buttons. */
    arrive: (state, arg: { readonly id: string; readonly text: string }, phone) => {
      const t = texts.in(phone.language);
      const from = state.conversations.find((one) => one.id === arg.id);
      if (from === undefined) return state;
      const message: Message = { from: 'them', text: arg.text, time: phone.timeOfDay, status: 'received' };
      const next = change(state, arg.id, (one) => ({
        ...one,
        unread: true,
        messages: [...one.messages, message],
      }));
      return step(next, {
        ask: 'notify',
        notice: {
          id: arg.id,
          title: from.name,
          text: arg.text,
          open: { move: 'show', arg: arg.id },
          actions: [{ label: t.markRead, move: 'read', arg: arg.id }],
        },
      });
    },
    read: (state, id: string) => change(state, id, (one) => ({ ...one, unread: false })),
    /** From a link or from Contacts: opens the conversation with that name, or begins one. */
    compose: (state, arg: string | { readonly name: string; readonly body?: string }) => {
      const name =
        typeof arg === 'string'
          ? decodeURIComponent(arg.replace(/^sms(to)?:/, '').split('?')[0] ?? '')
          : arg.name;
      const known = state.conversations.find((one) => one.name === name || one.id === name);
      const body =
        typeof arg === 'string' ? new URLSearchParams(arg.split('?')[1] ?? '').get('body') : arg.body;
      const id = known?.id ?? name;
      const fresh: Conversation = { id, name, draft: '', unread: false, messages: [] };
      const all = known === undefined ? [fresh, ...state.conversations] : state.conversations;
      const next = openOne({ ...state, conversations: all }, id);
      return body === null || body === undefined
        ? next
        : change(next, id, (one) => ({ ...one, draft: body }));
    },
  },
  links: { pattern: /^sms(to)?:/, move: 'compose' },
});
