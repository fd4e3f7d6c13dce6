/** System settings: pages of rows, switches with their label beside, a slider, languages, a reset. Not for the shade's tiles. */
import { app, type Screen } from '../android/app.ts';
import { step } from '../android/moves.ts';
import { PLATFORM } from '../android/platform-texts.ts';
import { type View, viewsOf } from '../android/view.ts';
import { LANGUAGES, type Language, type Texts, words } from '../android/words.ts';

type Page = 'home' | 'network' | 'display' | 'language' | 'reset';
type Switch = 'wifi' | 'airplane' | 'bluetooth' | 'dark' | 'rotate';
export interface SettingsState {
  readonly page: Page;
  readonly on: Readonly<Record<Switch, boolean>>;
  readonly brightness: number;
  readonly search: string;
  readonly erasing: boolean;
  readonly erased: boolean;
}
type V = View<SettingsState>;

const ui = viewsOf<SettingsState>();

const texts = words({
  ...PLATFORM,
  app: 'Settings | Einstellungen | Ajustes | الإعدادات | 設定 | सेटिंग',
  search:
    'Search settings | In Einstellungen suchen | Buscar en los ajustes | البحث في الإعدادات | 設定を検索 | सेटिंग में खोजें',
  network:
    'Network & internet | Netzwerk & Internet | Red e Internet | الشبكة والإنترنت | ネットワークとインターネット | नेटवर्क और इंटरनेट',
  networkSays:
    'Wi-Fi, mobile, airplane mode | WLAN, Mobilfunk, Flugmodus | Wi-Fi, red móvil, modo avión | شبكة Wi-Fi والجوّال ووضع الطيران | Wi-Fi、モバイル、機内モード | वाई-फ़ाई, मोबाइल, हवाई जहाज़ मोड',
  display: 'Display | Display | Pantalla | الشاشة | ディスプレイ | डिसप्ले',
  displaySays:
    'Dark theme, brightness | Dunkles Design, Helligkeit | Tema oscuro, brillo | المظهر الداكن والسطوع | ダークテーマ、明るさ | गहरे रंग वाली थीम, स्क्रीन की रोशनी',
  language: 'Languages | Sprachen | Idiomas | اللغات | 言語 | भाषाएं',
  reset:
    'Reset options | Optionen zum Zurücksetzen | Opciones de recuperación | خيارات إعادة الضبط | リセット オプション | रीसेट करने के विकल्प',
  erase:
    'Erase all data (factory reset) | Alle Daten löschen (auf Werkseinstellungen zurücksetzen) | Borrar todos los datos (restablecer de fábrica) | محو كل البيانات (إعادة الضبط على الإعدادات الأصلية) | すべてのデータを消去（出荷時リセット） | पूरा डेटा मिटाएं (फ़ैक्ट्री रीसेट)',
  eraseTitle:
    'Erase all data? | Alle Daten löschen? | ¿Borrar todos los datos? | هل تريد محو كل البيانات؟ | すべてのデータを消去しますか？ | क्या पूरा डेटा मिटाना है?',
  eraseText:
    'This can’t be undone. | Das kann nicht rückgängig gemacht werden. | Esta acción no se puede deshacer. | لا يمكن التراجع عن هذا الإجراء. | この操作は元に戻せません。 | इसे पहले जैसा नहीं किया जा सकता.',
  eraseYes: 'Erase everything | Alles löschen | Borrar todo | محو كل شيء | すべて消去 | सब कुछ मिटाएं',
  wifi: 'Wi-Fi | WLAN | Wi-Fi | Wi-Fi | Wi-Fi | वाई-फ़ाई',
  airplane: 'Airplane mode | Flugmodus | Modo avión | وضع الطيران | 機内モード | हवाई जहाज़ मोड',
  bluetooth: 'Bluetooth | Bluetooth | Bluetooth | البلوتوث | Bluetooth | ब्लूटूथ',
  dark: 'Dark theme | Dunkles Design | Tema oscuro | المظهر الداكن | ダークテーマ | गहरे रंग वाली थीम',
  rotate:
    'Auto-rotate screen | Bildschirm automatisch drehen | Girar pantalla automáticamente | تدوير الشاشة تلقائيًا | 画面の自動回転 | स्क्रीन अपने-आप घूमना',
  brightness:
    'Brightness level | Helligkeit | Nivel de brillo | مستوى السطوع | 明るさのレベル | स्क्रीन की रोशनी का लेवल',
  on: 'On | An | Activado | مفعّل | ON | चालू है',
  off: 'Off | Aus | Desactivado | غير مفعّل | OFF | बंद है',
});
type Key = keyof ReturnType<typeof texts.in>;

const NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  ar: 'العربية',
  ja: '日本語',
  hi: 'हिन्दी',
};

function page(title: string, t: Texts<Key>, rows: V[], activity = 'SubSettings'): Screen<SettingsState> {
  const home = (s: SettingsState): SettingsState => ({ ...s, page: 'home' });
  return {
    title,
    activity,
    back: home,
    body: ui.column({ h: 'fill' }, [
      ui.row({ id: 'action_bar', h: 56, pad: [4, 4], gap: 8 }, [
        ui.iconButton('←', t.back, home),
        ui.heading(title, { grow: 1 }),
      ]),
      ui.scroll({ id: 'recycler_view', className: 'androidx.recyclerview.widget.RecyclerView' }, rows),
    ]),
  };
}

/** A preference row: what is tapped is the row, its title, summary and switch only show. */
function row(
  id: string,
  title: string,
  summary: string | null,
  tap: NonNullable<V['tap']>,
  widget: V | null = null,
): V {
  return ui.row({ key: id, pad: [12, 16], gap: 16, tap }, [
    ui.column({ grow: 1, className: 'android.widget.RelativeLayout' }, [
      ui.text(title, { id: 'android:id/title' }),
      summary === null ? null : ui.text(summary, { id: 'android:id/summary', size: 14 }),
    ]),
    widget === null ? null : ui.column({ id: 'android:id/widget_frame', w: 56 }, [widget]),
  ]);
}

function switchRow(state: SettingsState, t: Texts<Key>, which: Switch): V {
  const on = state.on[which];
  return row(
    which,
    t[which],
    on ? t.on : t.off,
    (s) =>
      step(
        { ...s, on: { ...s.on, [which]: !on } },
        ...(which === 'airplane' || which === 'dark'
          ? [{ ask: 'system' as const, set: which, value: on ? 'off' : 'on' }]
          : []),
      ),
    ui.toggle('switch', on, null, { id: 'android:id/switch_widget' }),
  );
}

export const settings = app<SettingsState, Key>({
  package: 'com.android.settings',
  icon: '⚙',
  toolkit: 'views',
  system: true,
  mainActivity: 'Settings',
  words: texts,
  start: () => ({
    page: 'home',
    on: { wifi: true, airplane: false, bluetooth: true, dark: false, rotate: false },
    brightness: 60,
    search: '',
    erasing: false,
    erased: false,
  }),
  moves: { show: (state, page: Page) => ({ ...state, page, search: '' }) },
  screen(state, t, phone) {
    const go =
      (to: Page) =>
      (s: SettingsState): SettingsState => ({ ...s, page: to, search: '' });
    switch (state.page) {
      case 'home': {
        const all: [Page, string, string | null][] = [
          ['network', t.network, t.networkSays],
          ['display', t.display, t.displaySays],
          ['language', t.language, NAMES[phone.language]],
          ['reset', t.reset, null],
        ];
        const wanted = state.search.toLowerCase();
        return {
          title: t.app,
          activity: 'Settings',
          body: ui.column({ h: 'fill' }, [
            ui.heading(t.app, { id: 'homepage_title', size: 32, pad: 16 }),
            ui.row({ id: 'search_bar', pad: [8, 16] }, [
              ui.field({
                id: 'search_src_text',
                value: state.search,
                hint: t.search,
                ime: 'search',
                typed: (s, search) => ({ ...s, search }),
                submitted: (s) => step(s, { ask: 'hide_keyboard' }),
              }),
            ]),
            ui.scroll(
              { id: 'recycler_view', className: 'androidx.recyclerview.widget.RecyclerView' },
              all
                .filter(([, title]) => title.toLowerCase().includes(wanted))
                .map(([to, title, summary]) => row(to, title, summary, go(to))),
            ),
          ]),
        };
      }
      case 'network':
        return page(t.network, t, [
          switchRow(state, t, 'wifi'),
          switchRow(state, t, 'airplane'),
          switchRow(state, t, 'bluetooth'),
        ]);
      case 'display':
        return page(t.display, t, [
          switchRow(state, t, 'dark'),
          switchRow(state, t, 'rotate'),
          ui.column({ key: 'brightness', pad: [12, 16] }, [
            ui.text(t.brightness, { id: 'android:id/title' }),
            ui.slider(
              { min: 0, max: 100, value: state.brightness, moved: (s, brightness) => ({ ...s, brightness }) },
              { id: 'seekbar', description: t.brightness },
            ),
          ]),
        ]);
      case 'language':
        return page(
          t.language,
          t,
          LANGUAGES.map((one) =>
            row(
              one,
              NAMES[one],
              null,
              (s) => step(s, { ask: 'system', set: 'language', value: one }),
              ui.toggle('radio', one === phone.language, null, { id: 'android:id/checkbox' }),
            ),
          ),
        );
      case 'reset': {
        const keep = (s: SettingsState): SettingsState => ({ ...s, erasing: false });
        const screen = page(t.reset, t, [row('erase', t.erase, null, (s) => ({ ...s, erasing: true }))]);
        if (!state.erasing) return screen;
        return {
          ...screen,
          dialog: {
            title: t.eraseTitle,
            message: t.eraseText,
            positive: { text: t.eraseYes, move: (s) => ({ ...s, erasing: false, erased: true }) },
            negative: { text: t.cancel, move: keep },
            cancel: keep,
          },
        };
      }
    }
  },
});
