/** What went wrong for others, held here for the pure judge (the report's number stands in each title). */
import { describe, expect, it } from 'vitest';
import { readLink } from '../../host/judge/links.ts';
import { book, classesOf, element, field, isHigh, TAP, verdict } from './policy-here.ts';

describe('D-50: rules that only know English', () => {
  it.each([
    'Eliminar cuenta',
    'Kostenpflichtig bestellen',
    'Payer maintenant',
    '确认支付',
    '送金する',
    'Удалить аккаунт',
    'إرسال الأموال',
  ])('asks at the risky button %s', (text) => {
    expect(verdict(TAP, { element: element({ text }) })).toMatchObject({ level: 'high', decision: 'ask' });
  });

  it.each(['Cancelar', 'Zurück', 'Fermer', '返回', '戻る', 'Назад', 'رجوع'])(
    'lets the harmless button %s through',
    (text) => {
      expect(verdict(TAP, { element: element({ text }) })).toMatchObject({ level: 'low', decision: 'allow' });
    },
  );
});

describe('D-51: invisible or full-width characters hide the word', () => {
  it.each([
    ['De\u200blete account', 'Delete account'],
    ['Ｄｅｌｅｔｅ account', 'Delete account'],
    ['De\u00adlete', 'Delete'],
    ['Pay\u3000now', 'Pay now'],
    ['P\u200eay now', 'Pay now'],
  ])('judges %j as %j, and reports the folded words', (hidden, plain) => {
    const judged = verdict(TAP, { element: element({ text: hidden }) });
    expect(judged).toEqual(verdict(TAP, { element: element({ text: plain }) }));
    expect(judged.level).toBe('high');
    expect(judged.reasons[0]?.match).toMatch(/^[\x20-\x7e]+$/u);
  });
});

/** A day of ordinary acts in three languages, as an agent does them; six risky ones are mixed in. */
const DAY = {
  en: {
    open: ['Inbox', 'Photos', 'Calendar', 'Weather', 'Maps', 'Notes', 'Music', 'News'],
    tabs: ['Home', 'Search', 'Library', 'Chats', 'Calls', 'Updates'],
    mail: 'Quarterly numbers',
    search: 'Search mail',
    more: [
      'More',
      'Next',
      'Previous',
      'Details',
      'Show all',
      'Sort by',
      'Filter',
      'Refresh',
      'Close',
      'Edit',
      'Copy',
      'Save',
      'Mark as read',
      'Add bookmark',
    ],
    risky: ['Send', 'Delete account'],
  },
  de: {
    open: ['Posteingang', 'Fotos', 'Kalender', 'Wetter', 'Karten', 'Notizen', 'Musik', 'Nachrichten'],
    tabs: ['Start', 'Suchen', 'Bibliothek', 'Chats', 'Anrufe', 'Aktuelles'],
    mail: 'Zahlen des Quartals',
    search: 'In Mails suchen',
    more: [
      'Mehr',
      'Weiter',
      'Zurück',
      'Details',
      'Alle anzeigen',
      'Sortieren',
      'Filtern',
      'Aktualisieren',
      'Schließen',
      'Bearbeiten',
      'Kopieren',
      'Speichern',
      'Als gelesen markieren',
      'Lesezeichen hinzufügen',
    ],
    risky: ['Kostenpflichtig bestellen', 'Löschen'],
  },
  es: {
    open: ['Recibidos', 'Fotos', 'Calendario', 'El tiempo', 'Mapas', 'Notas', 'Música', 'Noticias'],
    tabs: ['Inicio', 'Buscar', 'Biblioteca', 'Chats', 'Llamadas', 'Novedades'],
    mail: 'Cifras del trimestre',
    search: 'Buscar en el correo',
    more: [
      'Más',
      'Siguiente',
      'Anterior',
      'Detalles',
      'Mostrar todo',
      'Ordenar',
      'Filtrar',
      'Actualizar',
      'Cerrar',
      'Editar',
      'Copiar',
      'Guardar',
      'Marcar como leído',
      'Añadir marcador',
    ],
    risky: ['Enviar', 'Pagar ahora'],
  },
} as const;

describe('D-52: it asks so often that the owner stops reading', () => {
  const acts = Object.entries(DAY).flatMap(([locale, day]) => {
    const mail = element({
      inner: ['Alex Example', day.mail, '10:42'],
      class_name: 'android.view.ViewGroup',
    });
    const box = field({ hint: day.search, resource_id: 'com.example.mail:id/search_src_text' });
    const tap = (text: string) => verdict(TAP, { element: element({ text }), locale });
    const ordinary = () => [
      ...day.open.map(tap),
      ...day.tabs.map(tap),
      ...day.more.map(tap),
      ...day.open.map(() => verdict({ kind: 'scroll' }, { locale })),
      ...day.open.map(() => verdict(TAP, { element: mail, locale, app: 'com.google.android.gm' })),
      ...day.tabs.map(() => verdict({ kind: 'go', to: 'back' }, { locale })),
      ...day.tabs.map((text) =>
        verdict({ kind: 'set_text', text, mode: 'replace', submit: true }, { element: box, locale }),
      ),
      ...day.tabs.map(() => verdict(TAP, { element: box, locale })),
      ...day.more.map(() => verdict({ kind: 'swipe', direction: 'up' }, { element: mail, locale })),
      ...day.open.map((name) =>
        verdict(
          { kind: 'app_open', package: `org.example.${name.toLowerCase().replace(/[^a-z]/gu, '')}` },
          { locale },
        ),
      ),
      ...day.open.slice(0, 6).map(() => verdict({ kind: 'press_key', key: 'enter' }, { field: box, locale })),
      ...day.open.map(() => verdict({ kind: 'go', to: 'recents' }, { locale })),
    ];
    return { ordinary: ordinary(), risky: day.risky.map(tap) };
  });
  const ordinary = acts.flatMap((one) => one.ordinary);
  const risky = acts.flatMap((one) => one.risky);

  it('is a day of three hundred acts', () => {
    expect(ordinary.length).toBe(294);
    expect(risky).toHaveLength(6);
  });

  it('asks at all six risky acts, and at fewer than six of the ordinary ones', () => {
    expect(risky.filter((one) => one.decision === 'ask')).toHaveLength(6);
    const asked = ordinary.filter((one) => one.decision !== 'allow');
    expect(asked.length, JSON.stringify(asked.map((one) => one.reasons))).toBeLessThan(6);
  });
});

describe('D-53: a coordinate judged by other rules than a ref', () => {
  it.each(['Send', 'Cancel', 'Delete', 'Settings', '删除', 'Zurück'])(
    'gives the same verdict for what lies under the point: %s',
    (text) => {
      const facts = { element: element({ text }) };
      expect(verdict({ ...TAP, by: 'point' } as typeof TAP, facts)).toEqual(verdict(TAP, facts));
    },
  );

  it('asks when nothing is known about the point', () => {
    const judged = verdict({ kind: 'tap', count: 1, by: 'point' });
    expect(judged.decision).toBe('ask');
    expect(classesOf(judged)).toEqual(['unknown_target']);
  });
});

describe('D-69: text, package name or address that a shell could read', () => {
  it('refuses a package that is none', () => {
    const judged = verdict({ kind: 'app_open', package: 'com.android.settings; reboot' });
    expect(judged.decision).toBe('refuse');
  });

  it('refuses an address that is not one address', () => {
    const judged = verdict({ kind: 'link_open', url: "http://x'; input keyevent 3; echo '" });
    expect(judged.decision).toBe('refuse');
    expect(readLink('http://example.org/a?b=c', book.links)).toEqual({ kind: 'web', host: 'example.org' });
  });

  it('types a text with such signs as text', () => {
    const judged = verdict(
      { kind: 'set_text', text: 'a; input keyevent 3', mode: 'replace', submit: false },
      { element: field() },
    );
    expect(judged.level).toBe('low');
  });
});

describe('D-72: the password typed by hand', () => {
  it('is no search, whatever its field is called', () => {
    const password = field({ password: true, resource_id: 'com.example:id/search_password' });
    const judged = verdict({ kind: 'press_key', key: 'enter' }, { field: password });
    expect(classesOf(judged)).toEqual(['ime_action']);
  });
});

describe('D-50 to D-53 taken together', () => {
  it('give the same answer each time they are asked', () => {
    const once = verdict(TAP, { element: element({ text: 'Konto löschen' }) });
    expect(verdict(TAP, { element: element({ text: 'Konto löschen' }) })).toEqual(once);
    expect(isHigh('Konto löschen')).toBe(true);
  });
});
