/** A browser with one long page: web content below the fold is squashed to the edge, links lead out of the page. */
import { app } from '../android/app.ts';
import { step } from '../android/moves.ts';
import { PLATFORM } from '../android/platform-texts.ts';
import { type View, viewsOf } from '../android/view.ts';
import { words } from '../android/words.ts';

export interface BrowserState {
  readonly address: string;
  readonly typed: string;
  readonly loading: boolean;
  readonly cookies: 'asked' | 'all' | 'few';
  readonly mail: string;
  readonly subscribed: readonly string[];
  readonly history: readonly string[];
}
type V = View<BrowserState>;

const ui = viewsOf<BrowserState>();
const LOADING_MS = 1_500;
const HOME = 'https://news.example.org/';
const PARAGRAPHS = 30;

const texts = words({
  ...PLATFORM,
  app: 'Browser | Browser | Navegador | المتصفح | ブラウザ | ब्राउज़र',
  address:
    'Search or type web address | Suchen oder Webadresse eingeben | Buscar o escribir dirección web | البحث أو كتابة عنوان ويب | 検索または URL を入力 | खोजें या वेब पता डालें',
  reload: 'Reload | Neu laden | Volver a cargar | إعادة التحميل | 再読み込み | फिर से लोड करें',
  loading: 'Loading | Wird geladen | Cargando | جارٍ التحميل | 読み込み中 | लोड हो रहा है',
  site: 'Village news | Dorfnachrichten | Noticias del pueblo | أخبار القرية | 村のニュース | गांव की खबरें',
  headline:
    'New bridge opens on Sunday | Neue Brücke öffnet am Sonntag | El puente nuevo abre el domingo | افتتاح الجسر الجديد يوم الأحد | 新しい橋が日曜日に開通 | नया पुल रविवार को खुलेगा',
  story:
    'Part {} of the story about the bridge. | Teil {} der Geschichte über die Brücke. | Parte {} de la historia del puente. | الجزء {} من قصة الجسر. | 橋の物語 その {}。 | पुल की कहानी का भाग {}.',
  cookies:
    'This site uses cookies. | Diese Website verwendet Cookies. | Este sitio usa cookies. | يستخدم هذا الموقع ملفات تعريف الارتباط. | このサイトでは Cookie を使用しています。 | यह साइट कुकी का इस्तेमाल करती है.',
  all: 'Accept all | Alle akzeptieren | Aceptar todo | قبول الكل | すべて許可 | सभी स्वीकार करें',
  few: 'Only necessary | Nur notwendige | Solo necesarias | الضرورية فقط | 必要なもののみ | सिर्फ़ ज़रूरी',
  mail: 'Your email address | Deine E-Mail-Adresse | Tu correo electrónico | بريدك الإلكتروني | メールアドレス | आपका ईमेल पता',
  subscribe: 'Subscribe | Abonnieren | Suscribirse | اشتراك | 購読する | सदस्यता लें',
  subscribed:
    'You are subscribed | Du hast abonniert | Te has suscrito | تم الاشتراك | 購読しました | आपने सदस्यता ले ली है',
  call: 'Call the editors | Redaktion anrufen | Llamar a la redacción | الاتصال بالتحرير | 編集部に電話 | संपादकों को कॉल करें',
  write: 'Write to us | Schreib uns | Escríbenos | راسلنا | お問い合わせ | हमें लिखें',
});
type Key = keyof ReturnType<typeof texts.in>;

const load = (s: BrowserState, address: string) =>
  step<BrowserState>(
    { ...s, address, typed: address, loading: true, history: [...s.history, address] },
    { ask: 'hide_keyboard' },
    { ask: 'forget', move: 'loaded' },
    { ask: 'later', ms: LOADING_MS, move: 'loaded' },
  );

export const browser = app<BrowserState, Key>({
  package: 'com.android.browser',
  icon: '🌍',
  toolkit: 'views',
  words: texts,
  start: () => ({
    address: HOME,
    typed: HOME,
    loading: false,
    cookies: 'asked',
    mail: '',
    subscribed: [],
    history: [],
  }),
  screen(s, t) {
    const link = (text: string, url: string): V =>
      ui.text(text, {
        className: 'android.view.View',
        tap: (state) => step(state, { ask: 'link', url }),
        color: '#0b57d0',
        pad: [6, 0],
      });
    const page: V[] = [
      ui.heading(t.site, { id: 'site' }),
      ui.heading(t.headline),
      link(t.call, 'tel:+495551000'),
      ...Array.from({ length: PARAGRAPHS }, (_none, index) =>
        ui.text(t.story.replace('{}', String(index + 1)), { key: `p${index}`, pad: [8, 0] }),
      ),
      link(t.write, 'smsto:Kiosk%20A?body=Hello'),
      ui.field({
        id: 'mail',
        value: s.mail,
        hint: t.mail,
        ime: 'go',
        typed: (state, mail) => ({ ...state, mail }),
      }),
      ui.button(t.subscribe, (state) =>
        state.mail === '' ? state : { ...state, subscribed: [...state.subscribed, state.mail], mail: '' },
      ),
      ...(s.subscribed.length === 0 ? [] : [ui.text(t.subscribed, { key: 'subscribed' })]),
    ];
    const cookies =
      (choice: 'all' | 'few') =>
      (state: BrowserState): BrowserState => ({ ...state, cookies: choice });
    return {
      title: `${t.site}`,
      activity: 'BrowserActivity',
      body: ui.column({ h: 'fill' }, [
        ui.row({ id: 'toolbar', pad: [4, 8], gap: 4 }, [
          ui.field({
            id: 'url_bar',
            value: s.typed,
            hint: t.address,
            ime: 'go',
            grow: 1,
            typed: (state, typed) => ({ ...state, typed }),
            submitted: (state) => load(state, state.typed),
          }),
          ui.iconButton('⟳', t.reload, (state) => load(state, state.address), { id: 'refresh_button' }),
        ]),
        s.loading
          ? ui.progress({ id: 'progress', description: t.loading, place: 'center', grow: 1 })
          : ui.web(t.site, { id: 'webview', pad: [0, 16], gap: 4 }, page),
        s.cookies !== 'asked' || s.loading
          ? null
          : ui.column({ id: 'cookie_banner', pad: 16, gap: 8, fill: '#f0f4f9' }, [
              ui.text(t.cookies),
              ui.row({ gap: 8 }, [
                ui.button(t.few, cookies('few'), { grow: 1 }),
                ui.button(t.all, cookies('all'), { grow: 1 }),
              ]),
            ]),
      ]),
    };
  },
  moves: {
    loaded: (s) => ({ ...s, loading: false }),
    open: (s, url: string) => load(s, url),
  },
  links: { pattern: /^https?:\/\//, move: 'open' },
});
