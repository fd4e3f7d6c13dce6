/** Every way past the words (risk.md, "Paths that must not slip past" and "Rules from an attacker's review"). */
import { describe, expect, it } from 'vitest';
import type { JudgedAct } from '../../host/judge/subject.ts';
import { classesOf, element, field, subject, TAP, verdict } from './policy-here.ts';

const WHATSAPP = 'com.whatsapp';
const dialog = (title: string | null, ...texts: string[]) => ({
  dialog: { title, texts },
  headings: [],
  guard: null,
});
const headings = (...texts: string[]) => ({ dialog: null, headings: texts, guard: null });
const window = (kind: 'system' | 'input_method' | 'application', name: string) =>
  ({ kind, package: name, title: null }) as const;
const reasonsOf = (act: JudgedAct, rest: Parameters<typeof verdict>[1] = {}) => classesOf(verdict(act, rest));

describe('ENTER, IME actions and the keyboard', () => {
  const message = field({ hint: 'Message', text: 'see you at six' });

  it.each(['enter', 'ime_action'] as const)('asks at %s in the field of a message', (key) => {
    expect(reasonsOf({ kind: 'press_key', key }, { field: message, app: WHATSAPP })).toContain('ime_action');
  });

  it('asks when typed text is submitted in one go', () => {
    const act: JudgedAct = { kind: 'set_text', text: 'hi', mode: 'replace', submit: true };
    expect(reasonsOf(act, { element: message, app: WHATSAPP })).toContain('ime_action');
  });

  it('lets the same text be typed without submitting', () => {
    const act: JudgedAct = {
      kind: 'set_text',
      text: 'please delete my account',
      mode: 'replace',
      submit: false,
    };
    expect(verdict(act, { element: message, app: WHATSAPP }).level).toBe('low');
  });

  it('takes a touch on the keyboard for the IME action of the field with the focus', () => {
    const key = element({
      text: 'q',
      window: window('input_method', 'com.google.android.inputmethod.latin'),
    });
    expect(reasonsOf(TAP, { element: key, field: message })).toContain('ime_action');
  });

  it('lets ENTER pass in a search, and not where a message field only looks like one', () => {
    const search = field({ resource_id: 'com.whatsapp:id/search_src_text' });
    expect(verdict({ kind: 'press_key', key: 'enter' }, { field: search }).level).toBe('low');
    const reply = field({ hint: 'Reply to Alex', resource_id: 'com.example:id/search_or_message' });
    expect(reasonsOf({ kind: 'press_key', key: 'enter' }, { field: reply })).toContain('ime_action');
  });

  describe('in an address bar', () => {
    const bar = (text: string | null = null) =>
      field({ resource_id: 'com.example.browser:id/url_bar', text });
    const typed = (text: string, hosts: string[] = []) =>
      verdict({ kind: 'set_text', text, mode: 'replace', submit: true }, { element: bar() }, { hosts });

    it.each([
      ['example.org', 'link'],
      ['https://example.org/pay?to=1', 'link'],
      ['evil.example:8443/x', 'link'],
      ['tel:+15550100', 'call'],
      ['upi://pay?pa=a@b', 'pay'],
      ['localhost:8080', 'link'],
    ])('asks at %s, as link_open would', (text, means) => {
      const judged = typed(text);
      expect(judged.decision).toBe('ask');
      expect(classesOf(judged)).toEqual([means]);
      expect(reasonsOf({ kind: 'press_key', key: 'enter' }, { field: bar(text) })).toEqual([means]);
    });

    it('refuses what is never opened, opens addresses of the grant, and searches for words', () => {
      expect(typed('javascript:alert(1)').decision).toBe('refuse');
      expect(typed('https://good.example@evil.example/').decision).toBe('refuse');
      expect(typed('example.org/path', ['example.org']).level).toBe('low');
      for (const text of ['weather', 'how to delete an account', 'St. Moritz', '3.5 cm in inch', 'e.g.']) {
        expect(typed(text).level, text).toBe('low');
      }
    });

    it('judges what is appended together with what stands there', () => {
      const act: JudgedAct = { kind: 'set_text', text: '.example', mode: 'append', submit: true };
      expect(reasonsOf(act, { element: bar('evil') })).toEqual(['link']);
    });

    it('judges a suggestion by what stands in the field and by its own words', () => {
      const row = (text: string) => element({ inner: [text], resource_id: 'x:id/omnibox_suggestion_row' });
      expect(reasonsOf(TAP, { element: row('weather'), field: bar('evil.example') })).toEqual(['link']);
      expect(reasonsOf(TAP, { element: row('evil.example'), field: bar('ev') })).toEqual(['link']);
      expect(verdict(TAP, { element: row('weather today'), field: bar('wea') }).level).toBe('low');
      const message = field({ hint: 'Message' });
      expect(reasonsOf(TAP, { element: row('See you'), field: message })).toContain('ime_action');
    });
  });

  it('asks when nobody knows what has the focus', () => {
    expect(reasonsOf({ kind: 'press_key', key: 'enter' })).toEqual(['unknown_target']);
    expect(reasonsOf({ kind: 'press_key', key: 'space' })).toEqual(['unknown_target']);
  });

  it('judges a key on a button as a touch of that button', () => {
    const button = element({ text: 'Delete' });
    for (const key of ['enter', 'center', 'space'] as const) {
      expect(reasonsOf({ kind: 'press_key', key }, { field: button })).toContain('delete');
    }
  });

  it('asks at the delete key outside a field, where it throws away what is selected', () => {
    expect(reasonsOf({ kind: 'press_key', key: 'delete' }, { field: element({ text: 'Mail 1' }) })).toEqual([
      'delete',
    ]);
    expect(verdict({ kind: 'press_key', key: 'delete' }, { field: message }).level).toBe('low');
  });

  it.each(['tab', 'up', 'down', 'page_down', 'move_end', 'escape'] as const)('lets %s pass', (key) => {
    expect(verdict({ kind: 'press_key', key }, { field: message }).level).toBe('low');
  });

  it.each(['\n', '\r', '\u2028', '\u0085', 'yes\nno'])('asks at a line break in typed text: %j', (text) => {
    expect(
      reasonsOf({ kind: 'set_text', text, mode: 'append', submit: false }, { element: message }),
    ).toContain('newline');
  });
});

describe('gestures', () => {
  it('asks at a swipe on a label that asks to be swiped', () => {
    const slider = element({ text: 'Slide to pay' });
    expect(reasonsOf({ kind: 'swipe', direction: 'right' }, { element: slider })).toEqual(
      expect.arrayContaining(['pay', 'slide']),
    );
    expect(
      reasonsOf(
        { kind: 'swipe', direction: 'right' },
        { element: element({ text: 'Slide to unlock door' }) },
      ),
    ).toContain('slide');
  });

  it.each(['long_press', 'drag', 'swipe'] as const)('judges the words under a %s as under a tap', (kind) => {
    const acts = {
      long_press: { kind: 'long_press', by: 'element' },
      drag: { kind: 'drag', onto: null },
      swipe: { kind: 'swipe', direction: 'left' },
    } as const;
    expect(reasonsOf(acts[kind], { element: element({ text: 'Delete' }) })).toContain('delete');
  });

  it('judges what something is dropped on', () => {
    const onto = element({ text: 'Uninstall' });
    const judged = verdict({ kind: 'drag', onto }, { element: element({ text: 'Notes' }) });
    expect(judged.reasons).toContainEqual(
      expect.objectContaining({ class: 'uninstall', where: 'onto text' }),
    );
  });

  it('asks at a swipe that takes a row away', () => {
    expect(
      reasonsOf(
        { kind: 'swipe', direction: 'left' },
        { element: element({ text: 'Alex', dismissable: true }) },
      ),
    ).toContain('slide');
  });

  it('asks at a double tap on a message, which reacts to it', () => {
    const bubble = element({ text: 'see you' });
    expect(reasonsOf({ ...TAP, count: 2 } as JudgedAct, { element: bubble, app: WHATSAPP })).toContain(
      'composer',
    );
    expect(verdict(TAP, { element: bubble, app: WHATSAPP }).level).toBe('low');
  });

  it('asks at every custom action of accessibility', () => {
    expect(
      reasonsOf({ kind: 'custom_action', label: 'Archive' }, { element: element({ text: 'Mail' }) }),
    ).toContain('custom_action');
  });

  it('scrolls without asking', () => {
    expect(verdict({ kind: 'scroll' }, { element: element({ text: 'Delete' }) }).level).toBe('low');
  });
});

describe('links', () => {
  it.each([
    ['tel:+15550100', 'call'],
    ['sms:+15550100?body=hi', 'send'],
    ['mailto:a@example.org', 'send'],
    ['upi://pay?pa=a@b', 'pay'],
    ['intent://scan/#Intent;scheme=zxing;end', 'link'],
    ['market://details?id=org.example', 'install'],
    ['exampleapp://transfer/9', 'link'],
    ['TEL:112', 'call'],
    ['bitcoin:bc1qexample', 'pay'],
    ['https://unknown.example/', 'link'],
    ['otpauth://totp/x', 'authorise'],
  ])('asks at %s', (url, means) => {
    const judged = verdict({ kind: 'link_open', url });
    expect(judged.decision).toBe('ask');
    expect(classesOf(judged)).toEqual([means]);
  });

  it('opens addresses of the grant, and none that only look like them', () => {
    const hosts = ['example.org', '.trusted.example'];
    const opens = (url: string) => verdict({ kind: 'link_open', url }, {}, { hosts }).decision;
    expect(opens('https://example.org/path?q=1')).toBe('allow');
    expect(opens('https://deep.trusted.example/')).toBe('allow');
    expect(opens('https://example.org.evil.example/')).toBe('ask');
    expect(opens('https://evilexample.org/')).toBe('ask');
    expect(opens('https://example.org@evil.example/')).toBe('refuse');
  });

  it.each([
    'javascript:alert(1)',
    'file:///sdcard/x',
    'content://sms',
    'data:text/html,x',
    'example.org',
    'https://a b',
    'ht tp://x',
    '',
  ])('refuses %j', (url) => {
    expect(verdict({ kind: 'link_open', url }).decision).toBe('refuse');
  });
});

describe('what the target is', () => {
  it('asks where nothing is known, and where an element has neither words nor a telling kind', () => {
    expect(reasonsOf({ kind: 'long_press', by: 'point' })).toEqual(['unknown_target']);
    expect(reasonsOf(TAP, { element: element() })).toEqual(['unknown_target']);
    expect(reasonsOf(TAP, { element: element({ resource_id: 'com.example:id/bsh' }) })).toEqual([]);
    expect(reasonsOf(TAP, { element: element({ resource_id: 'com.example:id/btn_1' }) })).toEqual([
      'unknown_target',
    ]);
    expect(verdict(TAP, { element: element({ speaks_for_itself: true }) }).level).toBe('low');
  });

  it('asks at a point between things, whatever words stand below that place', () => {
    const panel = element({ class_name: 'android.widget.LinearLayout', touchable: false, inner: ['Today'] });
    const point = { ...TAP, by: 'point' } as JudgedAct;
    expect(reasonsOf(point, { element: panel })).toEqual(['unknown_target']);
    expect(verdict(point, { element: { ...panel, touchable: true } }).level).toBe('low');
    expect(verdict(point, { element: { ...panel, text: 'Today' } }).level).toBe('low');
  });

  it.each(['android.view.SurfaceView', 'android.webkit.WebView', 'io.flutter.embedding.android.FlutterView'])(
    'asks at a point on a %s',
    (class_name) => {
      expect(
        reasonsOf({ ...TAP, by: 'point' } as JudgedAct, {
          element: element({ class_name, description: 'page' }),
        }),
      ).toContain('surface');
    },
  );

  it('puts the cursor into any field without asking', () => {
    expect(
      verdict(TAP, { element: field({ text: 'delete everything', hint: 'Send a message' }) }).level,
    ).toBe('low');
  });

  it('reads the clickable element around a label, and the state', () => {
    expect(reasonsOf(TAP, { element: element({ ancestors: ['Delete account'] }) })).toContain('delete');
    expect(reasonsOf(TAP, { element: element({ text: 'Weekly', state: 'Tap to unsubscribe' }) })).toContain(
      'subscribe',
    );
  });

  it('does not take the content of a card for its label', () => {
    const mail = element({ inner: ['Alex', 'Please send me the report and delete the draft', '10:42'] });
    expect(verdict(TAP, { element: mail }).level).toBe('low');
    const card = element({ inner: ['Blue shirt', '€ 20', 'Buy now'] });
    expect(reasonsOf(TAP, { element: card })).toContain('pay');
  });
});

describe('dialogs and headings', () => {
  it.each(['OK', 'Yes', 'Continue', 'Got it, go ahead', '好的', 'Да'])(
    'takes "%s" in "Delete 3 photos?" for a delete',
    (text) => {
      expect(reasonsOf(TAP, { element: element({ text }), context: dialog('Delete 3 photos?') })).toContain(
        'delete',
      );
    },
  );

  it.each(['Cancel', 'No', 'Not now', 'Keep', 'Abbrechen', 'Annuler', 'いいえ', 'Отмена', 'إلغاء'])(
    'lets "%s" in the same dialog pass',
    (text) => {
      expect(verdict(TAP, { element: element({ text }), context: dialog('Delete 3 photos?') }).level).toBe(
        'low',
      );
    },
  );

  it('reads the message of a dialog without a title', () => {
    const context = dialog(null, 'This will uninstall the app and its data.');
    expect(reasonsOf(TAP, { element: element({ text: 'OK' }), context })).toContain('uninstall');
  });

  it('reads the heading for a button that only goes on, and not for others', () => {
    const context = headings('Confirm payment');
    expect(verdict(TAP, { element: element({ text: 'Continue' }), context }).level).toBe('high');
    expect(verdict(TAP, { element: element({ text: 'Details' }), context }).level).toBe('low');
  });

  it('lets a box in a dialog be ticked', () => {
    const box = element({ text: "Don't ask again", checkable: true });
    expect(verdict(TAP, { element: box, context: dialog('Delete 3 photos?') }).level).toBe('low');
  });
});

describe('the system', () => {
  const settings = { app: 'com.android.settings' };

  it('asks at every toggle and tap in Settings, and lets one look around', () => {
    expect(
      reasonsOf({ kind: 'set_toggle', on: true }, { ...settings, element: element({ text: 'Bluetooth' }) }),
    ).toContain('system_setting');
    expect(reasonsOf(TAP, { ...settings, element: element({ text: 'Network' }) })).toContain(
      'system_setting',
    );
    expect(verdict({ kind: 'scroll' }, settings).level).toBe('low');
    const search = field({ hint: 'Search settings' });
    expect(
      verdict(
        { kind: 'set_text', text: 'wifi', mode: 'replace', submit: false },
        { ...settings, element: search },
      ).level,
    ).toBe('low');
  });

  it.each([
    [
      'a quick-settings tile',
      element({ text: 'Internet', window: window('system', 'com.android.systemui') }),
    ],
    ['the power menu', element({ text: 'Power', window: window('system', 'com.android.systemui') })],
    ["a notification's button", element({ text: 'Reply', window: window('system', 'com.android.systemui') })],
  ])('asks at %s', (_, target) => {
    expect(reasonsOf(TAP, { element: target })).toContain('system_surface');
  });

  it('never bars the way home or back, not even in a prompt, with unknown foreground, or by touch', () => {
    for (const to of ['home', 'back'] as const) {
      expect(verdict({ kind: 'go', to }, { app: null }).decision).toBe('allow');
      expect(verdict({ kind: 'go', to }, { app: 'com.android.permissioncontroller' }).decision).toBe('allow');
    }
    const back = element({
      description: 'Back',
      resource_id: 'com.android.systemui:id/back',
      window: window('system', 'com.android.systemui'),
    });
    expect(verdict(TAP, { element: back }).decision).toBe('allow');
  });

  it('refuses when the foreground is unknown', () => {
    const judged = verdict(TAP, { element: element({ text: 'Next' }), app: null });
    expect(judged.decision).toBe('refuse');
    expect(classesOf(judged)).toEqual(['foreground_unknown']);
  });

  it.each([
    ['com.android.packageinstaller', 'install_prompt'],
    ['com.google.android.packageinstaller', 'install_prompt'],
    ['com.android.permissioncontroller', 'permission_prompt'],
    ['com.example.maker.permissioncontroller', 'permission_prompt'],
    ['dev.countersign.companion', 'never_controllable'],
    ['dev.countersign.companion.debug', 'never_controllable'],
    ['com.android.managedprovisioning', 'never_controllable'],
    ['com.topjohnwu.magisk', 'denied_package'],
  ])('refuses every act in %s', (app, code) => {
    const judged = verdict(TAP, { element: element({ text: 'Cancel' }), app });
    expect(judged.decision).toBe('refuse');
    expect(classesOf(judged)).toEqual([code]);
    expect(verdict({ kind: 'app_open', package: app }).decision).toBe('refuse');
  });

  it('asks about prompts once the owner allowed that on the phone, and never about the companion', () => {
    const lowered = new Set(['permission_controller', 'installer', 'companion', 'device_admin']);
    const tap = (app: string) => verdict(TAP, { element: element({ text: 'Next' }), app }, { lowered });
    expect(tap('com.android.permissioncontroller')).toMatchObject({ level: 'high', decision: 'ask' });
    expect(tap('dev.countersign.companion').decision).toBe('refuse');
  });

  it('refuses accessibility and administrator settings, by activity and by title', () => {
    const at = (activity: string | null, title: string | null) =>
      verdict(TAP, {
        element: element({ text: 'Next' }),
        foreground: { package: 'com.android.settings', activity, title },
      }).decision;
    expect(at('com.android.settings.Settings$AccessibilitySettingsActivity', null)).toBe('refuse');
    expect(at('com.android.settings.DeviceAdminAdd', null)).toBe('refuse');
    expect(at('com.android.settings.SubSettings', 'Accessibility')).toBe('refuse');
    expect(at('com.android.settings.SubSettings', 'Bedienungshilfen')).toBe('refuse');
    expect(at('com.android.settings.SubSettings', 'Countersign Companion')).toBe('refuse');
    expect(at('com.android.settings.SubSettings', 'Display')).toBe('ask');
  });

  it.each(['keyguard', 'credential', 'approval'] as const)(
    'does nothing at all while the %s shows',
    (guard) => {
      const context = { dialog: null, headings: [], guard };
      expect(verdict(TAP, { element: element({ text: 'Next' }), context }).decision).toBe('refuse');
      expect(verdict({ kind: 'scroll' }, { context }).decision).toBe('refuse');
    },
  );

  it('asks at every choice of a share sheet but leaving it', () => {
    const foreground = {
      package: 'android',
      activity: 'com.android.internal.app.ChooserActivity',
      title: null,
    };
    const target = (text: string) => verdict(TAP, { element: element({ text }), foreground });
    expect(classesOf(target('Notes'))).toContain('share_sheet');
    expect(target('Cancel').level).toBe('low');
  });

  it('asks at an autofill choice', () => {
    const choice = element({ text: 'alex@example.org', resource_id: 'android:id/autofill_dataset_list' });
    expect(reasonsOf(TAP, { element: choice })).toContain('autofill');
  });
});

describe('apps', () => {
  it.each([
    'org.example.bank.android',
    'com.paypal.android.p2pmobile',
    'com.coinbase.android',
    'com.x8bit.bitwarden',
    'com.google.android.apps.authenticator2',
    'de.traderepublic.app',
  ])('asks at every act in %s, even opening it or scrolling', (app) => {
    expect(reasonsOf(TAP, { app, element: element({ text: 'Next' }) })).toContain('app_category');
    expect(reasonsOf({ kind: 'scroll' }, { app })).toContain('app_category');
    expect(reasonsOf({ kind: 'app_open', package: app })).toContain('app_category');
  });

  it.each([
    'com.purchase.tracker',
    'org.embankment.walks',
    'com.chaseandbank.cupcake',
    'com.databank1.notes',
    'com.walletsize.photos',
    'com.cupbanking2.game',
  ])('takes %s for no bank, though its name contains one', (app) => {
    expect(verdict(TAP, { app, element: element({ text: 'Next' }) }).level).toBe('low');
  });

  it('reads the app of the element too, where another one is in front', () => {
    const split = element({ text: 'Next', window: window('application', 'com.coinbase.android') });
    expect(reasonsOf(TAP, { element: split })).toContain('app_category');
  });

  it.each([
    'com.termux',
    'net.dinglisch.android.taskerm',
    'com.openai.chatgpt',
    'com.anydesk.anydeskandroid',
    'com.android.dialer',
  ])('asks when text is submitted in %s', (app) => {
    const search = field({ resource_id: 'x:id/search' });
    expect(reasonsOf({ kind: 'press_key', key: 'enter' }, { app, field: search })).toContain('ime_action');
  });

  it('asks at a service code in the dialer, typed or by its last key', () => {
    const app = 'com.android.dialer';
    expect(
      reasonsOf(
        { kind: 'set_text', text: '*#06#', mode: 'replace', submit: false },
        { app, element: field() },
      ),
    ).toContain('call');
    expect(reasonsOf(TAP, { app, element: element({ text: '#' }) })).toContain('call');
    expect(verdict(TAP, { app, element: element({ text: '5' }) }).level).toBe('low');
  });

  it.each([
    ['beside the composer', element({ description: 'Attach', beside_composer: true })],
    ['on a chip', element({ text: 'See you', resource_id: 'x:id/smart_reply_chip' })],
    ['on a sticker', element({ description: 'Cat', resource_id: 'x:id/sticker_3' })],
    ['on a reaction', element({ text: 'ha', resource_id: 'x:id/reaction_row' })],
  ])('asks at a tap %s in a messaging app', (_, target) => {
    expect(reasonsOf(TAP, { element: target, app: WHATSAPP })).toContain('composer');
  });
});

describe('a verdict', () => {
  it('lists its reasons with class, language, words and place, at most twenty-four', () => {
    const judged = verdict(TAP, { element: element({ text: 'Konto löschen', inner: ['Send'] }) });
    expect(judged.reasons).toContainEqual({
      class: 'delete',
      language: 'de',
      match: 'loschen',
      where: 'text',
    });
    const long = verdict(TAP, {
      element: element({
        text: 'Send pay delete share call install block report reboot subscribe reset publish',
      }),
    });
    expect(long.reasons.length).toBeLessThanOrEqual(24);
  });

  it('asks about a text too long to be judged', () => {
    expect(verdict(TAP, { element: element({ text: 'a'.repeat(20_000) }) }).level).toBe('high');
  });

  it('depends on nothing but subject and policy', () => {
    const one = subject(TAP, { element: element({ text: 'Send' }) });
    expect(JSON.stringify(one)).toBe(JSON.stringify(subject(TAP, { element: element({ text: 'Send' }) })));
  });
});
