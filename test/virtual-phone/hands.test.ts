/** The hands on the small Android: each kind of act, its report, and what was really touched. */
import { describe, expect, it } from 'vitest';
import { shownOf } from '../../device-protocol/companion/shown.ts';
import type { Payload } from '../../device-protocol/payload.ts';
import type { Report } from '../../device-protocol/report.ts';
import { reportSchema } from '../../device-protocol/report.ts';
import type { MessagesState } from '../../host/virtual-phone/apps/messages.ts';
import type { PhoneState } from '../../host/virtual-phone/apps/phone.ts';
import type { SettingsState } from '../../host/virtual-phone/apps/settings.ts';
import { PhoneRig } from './rig.ts';

const report = (answer: Report | string): Report => reportSchema.parse(answer);
const MESSAGES = 'com.android.messaging';

function inChat(): PhoneRig {
  const phone = PhoneRig.of();
  phone.android.bringUp(MESSAGES);
  phone.tap('Kiosk A');
  return phone;
}
const messages = (phone: PhoneRig) => phone.android.world.apps[MESSAGES] as MessagesState;

describe('tap', () => {
  it('clicks the row a label stands in, names it, and says what changed', () => {
    const phone = PhoneRig.of();
    phone.android.bringUp(MESSAGES);
    const told = report(phone.tap('Kiosk A'));
    expect(told).toMatchObject({
      acted: true,
      changed: true,
      settled: true,
      strategy: 'ref',
      foreground: { title: 'Kiosk A' },
    });
    expect(told.hit).toMatchObject({
      resource_id: 'com.android.messaging:id/swipeableContainer',
      way: 'node_action',
    });
    expect(phone.touches.all().map((touch) => [touch.how, touch.by])).toEqual([['click', 'companion']]);
  });

  it('at a point comes down as a finger exactly there', () => {
    const phone = inChat();
    const { bounds } = phone.screen().nodes[phone.indexOf('Delete')] ?? expect.fail();
    const point = { x: bounds[0] + 5, y: bounds[1] + 5 };
    const told = report(
      phone.act({ kind: 'tap', aim: { by: 'point', point, under: phone.target('Delete') }, count: 1 }),
    );
    expect(told).toMatchObject({ strategy: 'coordinates', hit: { way: 'gesture' }, changed: true });
    expect(phone.words()).toContain('Delete this conversation?');
  });

  it('at a point where something else lies by now is refused', () => {
    const phone = inChat();
    const under = phone.target('Delete');
    const answer = phone.act({
      kind: 'tap',
      aim: { by: 'point', point: { x: 100, y: 1000 }, under },
      count: 1,
    });
    expect(answer).toBe('target_changed');
    expect(phone.touches.all()).toHaveLength(1);
  });

  it('twice is two fingers within 300 ms', () => {
    const phone = inChat();
    const told = report(
      phone.act({ kind: 'tap', aim: { by: 'element', target: phone.target('Attach') }, count: 2 }),
    );
    expect(told.hit?.way).toBe('gesture');
    const taps = phone.touches.all().filter((touch) => touch.how === 'tap');
    expect(taps).toHaveLength(2);
    expect((taps[1]?.at ?? 0) - (taps[0]?.at ?? 0)).toBeLessThan(300);
  });

  it('on what is not there any more is refused before anything is given', () => {
    const phone = inChat();
    const target = phone.target('Send SMS');
    phone.act({ kind: 'go', to: 'back' });
    const before = phone.touches.all().length;
    expect(phone.act({ kind: 'tap', aim: { by: 'element', target }, count: 1 })).toBe('target_stale');
    expect(phone.touches.all()).toHaveLength(before);
  });
});

describe('set_text', () => {
  it('replaces, appends and clears, and reads back what the field holds', () => {
    const phone = inChat();
    expect(report(phone.setText('compose_message_text', 'two words'))).toMatchObject({
      read_back: 'two words',
      read_back_matches: true,
      changed: true,
    });
    expect(report(phone.setText('compose_message_text', ' more', { mode: 'append' }))).toMatchObject({
      read_back: 'two words more',
    });
    expect(report(phone.setText('compose_message_text', '', { mode: 'clear' }))).toMatchObject({
      read_back: '',
      read_back_matches: true,
    });
  });

  it.each(['很', '☝', 'שלום!', 'Ærø å', 'naïve café', 'टेक्स्ट', '👩‍👩‍👧'])(
    'keeps %s code point for code point (D-07)',
    (text) => {
      const phone = inChat();
      expect(report(phone.setText('compose_message_text', text))).toMatchObject({
        read_back: text,
        read_back_matches: true,
      });
    },
  );

  it('appends to nothing where only a hint is shown (D-09)', () => {
    const phone = inChat();
    expect(report(phone.setText('compose_message_text', 'mail', { mode: 'append' }))).toMatchObject({
      read_back: 'mail',
    });
  });

  it('submits by the field’s own action: the message is sent once', () => {
    const phone = inChat();
    report(phone.setText('compose_message_text', 'On my way', { submit: true }));
    expect(messages(phone).sent).toBe(1);
    expect(phone.words()).toContain('On my way');
    expect(phone.touches.all().filter((touch) => touch.how === 'ime_action')).toHaveLength(1);
  });

  it('neither shows nor reads back a password', () => {
    const phone = PhoneRig.of();
    phone.android.bringUp('org.example.bank.android');
    const told = report(phone.setText('pin', '2468'));
    expect(told).toMatchObject({ acted: true, read_back: null, read_back_matches: null });
    expect(JSON.stringify(told)).not.toContain('2468');
  });

  it('says what a formatting field made of it', () => {
    const phone = PhoneRig.of();
    phone.android.bringUp('com.android.contacts');
    phone.tap('Create contact');
    expect(report(phone.setText('phone', '+491701234567'))).toMatchObject({
      acted: true,
      read_back: '+49 170 1234567',
      read_back_matches: false,
    });
  });
});

describe('scroll', () => {
  it('goes a page, says that the end is not reached, and at the end says so without pretending to move', () => {
    const phone = PhoneRig.of();
    phone.android.bringUp('com.android.contacts');
    const down = () => report(phone.act({ kind: 'scroll', target: null, direction: 'down' }));
    expect(down()).toMatchObject({
      acted: true,
      at_edge: false,
      changed: true,
      change: { scroll: expect.any(Boolean) },
    });
    let last = down();
    for (let i = 0; i < 20 && last.at_edge !== true; i++) last = down();
    expect(last).toMatchObject({ acted: true, at_edge: true, changed: false });
    expect(down()).toMatchObject({ at_edge: true, changed: false });
    expect(phone.words()).toContain('Tara Jansen');
  });

  it('says that nothing scrolls where nothing does', () => {
    const phone = PhoneRig.of();
    expect(report(phone.act({ kind: 'scroll', target: null, direction: 'down' }))).toMatchObject({
      acted: false,
      error_code: 'nothing_to_scroll',
    });
  });
});

describe('set_toggle', () => {
  function inNetwork(): PhoneRig {
    const phone = PhoneRig.of();
    phone.android.bringUp('com.android.settings');
    phone.tap('Network & internet');
    return phone;
  }
  const airplane = (phone: PhoneRig) =>
    (phone.android.world.apps['com.android.settings'] as SettingsState).on.airplane;

  it('switches on what is off, by the row beside its label', () => {
    const phone = inNetwork();
    const told = report(phone.act({ kind: 'set_toggle', target: phone.target('Airplane mode'), on: true }));
    expect(told).toMatchObject({ acted: true, read_back: 'on', read_back_matches: true });
    expect(airplane(phone)).toBe(true);
  });

  it('touches nothing where it is on already', () => {
    const phone = inNetwork();
    const before = phone.touches.all().length;
    const told = report(phone.act({ kind: 'set_toggle', target: phone.target('Wi-Fi'), on: true }));
    expect(told).toMatchObject({ acted: true, read_back: 'on', hit: { way: 'none' } });
    expect(phone.touches.all()).toHaveLength(before);
  });
});

describe('gestures', () => {
  it('a swipe takes its time and scrolls', () => {
    const phone = PhoneRig.of();
    phone.android.bringUp('com.android.contacts');
    const started = phone.clock.elapsedMs();
    const told = report(
      phone.act({
        kind: 'swipe',
        from: { x: 500, y: 1800 },
        to: { x: 500, y: 900 },
        under: null,
        duration_ms: 400,
      }),
    );
    expect(told).toMatchObject({ acted: true, changed: true });
    expect(phone.touches.all()[0]?.at).toBe(started + 400);
  });

  it('cut half way is interrupted, neither done nor failed (D-27)', () => {
    const phone = PhoneRig.of();
    phone.android.bringUp('com.android.contacts');
    phone.arm({ cut_gestures: 1 });
    const swipe = {
      kind: 'swipe',
      from: { x: 500, y: 1800 },
      to: { x: 500, y: 900 },
      under: null,
      duration_ms: 400,
    } as const;
    expect(phone.act(swipe)).toBe('interrupted');
    expect(phone.touches.all()).toEqual([]);
  });

  it('is cut by a person’s finger', () => {
    const phone = PhoneRig.of();
    phone.android.bringUp('com.android.contacts');
    phone.clock.at(200, () => phone.android.personTouches({ do: 'tap', x: 500, y: 1000, holdMs: 60 }));
    const swipe = {
      kind: 'swipe',
      from: { x: 500, y: 1800 },
      to: { x: 500, y: 900 },
      under: null,
      duration_ms: 400,
    } as const;
    expect(phone.act(swipe)).toBe('interrupted');
    expect(phone.touches.all().map((touch) => touch.by)).toEqual(['person']);
    expect(phone.hands.lastPersonTouchMs()).toBe(200);
  });

  it('a long press is a hold, by the node’s own action', () => {
    const phone = PhoneRig.of();
    phone.android.bringUp(MESSAGES);
    const told = report(
      phone.act({
        kind: 'long_press',
        aim: { by: 'element', target: phone.target('Kiosk A') },
        hold_ms: 600,
      }),
    );
    expect(told.hit?.way).toBe('node_action');
    expect(phone.words()).toContain('Delete this conversation?');
  });

  it('a swipe on "slide to pay" pays, a tap on it does not', () => {
    const phone = PhoneRig.of();
    phone.android.bringUp('com.android.settings');
    phone.tap('Display');
    const bar = phone.screen().nodes.find((node) => node.resource_id?.endsWith('seekbar')) ?? expect.fail();
    const y = Math.floor((bar.bounds[1] + bar.bounds[3]) / 2);
    report(
      phone.act({
        kind: 'drag',
        from: { by: 'point', point: { x: bar.bounds[0] + 10, y }, under: null },
        to: { by: 'point', point: { x: bar.bounds[2] - 10, y }, under: null },
        duration_ms: 500,
      }),
    );
    expect((phone.android.world.apps['com.android.settings'] as SettingsState).brightness).toBeGreaterThan(
      95,
    );
  });
});

describe('keys, places, apps, links, clipboard', () => {
  it('Enter on a field that sends, sends', () => {
    const phone = inChat();
    phone.tap('Text message');
    phone.setText('compose_message_text', 'by key');
    const told = report(
      phone.act({ kind: 'press_key', key: 'enter', focused: phone.targetById('compose_message_text') }),
    );
    expect(told).toMatchObject({ strategy: 'key', acted: true });
    expect(messages(phone).sent).toBe(1);
  });

  it('goes home, back, to the shade and to the recent apps', () => {
    const phone = inChat();
    const fronts = (['notifications', 'back', 'recents', 'home'] as const).map(
      (to) => report(phone.act({ kind: 'go', to })).foreground?.package,
    );
    expect(fronts).toEqual([
      'com.android.systemui',
      MESSAGES,
      'com.android.launcher3',
      'com.android.launcher3',
    ]);
  });

  it('opens an app, and says so only when that app is in front (D-18)', () => {
    const phone = PhoneRig.of();
    expect(
      report(phone.act({ kind: 'app_open', package: MESSAGES, component: null, user: 0 })),
    ).toMatchObject({ acted: true, error_code: null });
    expect(
      report(phone.act({ kind: 'app_open', package: 'org.example.nowhere', component: null, user: 0 })),
    ).toMatchObject({ acted: false, error_code: 'act_turned_down', foreground: { package: MESSAGES } });
    expect(
      report(phone.act({ kind: 'app_open', package: 'com.android.gallery3d', component: null, user: 0 })),
    ).toMatchObject({
      error_code: 'app_not_in_front',
      foreground: { package: 'com.android.permissioncontroller' },
    });
  });

  it('opens a link in the app that takes it, and calls nobody', () => {
    const phone = PhoneRig.of();
    expect(report(phone.act({ kind: 'link_open', url: 'tel:+495551000' }))).toMatchObject({
      acted: true,
      foreground: { package: 'com.android.dialer' },
    });
    expect((phone.android.world.apps['com.android.dialer'] as PhoneState).calls).toEqual([]);
    expect(report(phone.act({ kind: 'link_open', url: 'nobody:1' }))).toMatchObject({ acted: false });
  });

  it('writes the clipboard and reads it', () => {
    const phone = PhoneRig.of();
    report(phone.act({ kind: 'clipboard_write', text: 'copied', sensitive: false }));
    let told: unknown;
    phone.hands.readClipboard((clipboard) => {
      told = clipboard;
    });
    expect(told).toEqual({ text: 'copied', refused: null });
  });
});

describe('before an act', () => {
  it('another app in front, a lock screen, another screen than was shown: refused, nothing touched', () => {
    const phone = inChat();
    const target = phone.target('Delete');
    const tap = { kind: 'tap', aim: { by: 'element', target }, count: 1 } as const;
    const touches = phone.touches.all().length;
    const expecting = (more: object) => ({
      expect: { package: null, window_title: null, shown_print: null, ...more },
    });
    expect(phone.act(tap, expecting({ package: 'org.example.other' }))).toBe('foreground_changed');
    expect(phone.act(tap, expecting({ window_title: 'Kiosk B' }))).toBe('foreground_changed');
    expect(phone.act(tap, expecting({ shown_print: 'f'.repeat(64) }))).toBe('target_changed');
    phone.android.give({ do: 'lock' }, 'person');
    expect(phone.act(tap)).toBe('device_locked');
    expect(phone.act({ kind: 'go', to: 'home' })).not.toBe('device_locked');
    expect(phone.touches.all()).toHaveLength(touches);
  });

  it('the screen that was shown is the screen that is there: it runs', () => {
    const phone = inChat();
    const snapshot = phone.screen();
    const { print } = shownOf(snapshot, phone.indexOf('Delete', null, snapshot));
    const tap = { kind: 'tap', aim: { by: 'element', target: phone.target('Delete') }, count: 1 } as const;
    expect(
      report(phone.act(tap, { expect: { package: MESSAGES, window_title: 'Kiosk A', shown_print: print } }))
        .acted,
    ).toBe(true);
  });

  it('a high act without a node action is not done by a finger', () => {
    const phone = inChat();
    const high: Partial<Payload> = { verdict: { level: 'high', decision: 'allow', reasons: [] } };
    const snapshot = phone.screen();
    const { bounds } =
      snapshot.nodes.find((node) => node.text === 'Your parcel is at the kiosk.') ?? expect.fail();
    const point = { x: bounds[0] + 5, y: bounds[1] + 5 };
    expect(
      report(phone.act({ kind: 'tap', aim: { by: 'point', point, under: null }, count: 1 }, high)),
    ).toMatchObject({ acted: false });
    expect(phone.touches.all()).toHaveLength(1);
  });

  it('gives no second input once the act is no longer its own (rule 8)', () => {
    const phone = inChat();
    const payload = phone.payload({
      kind: 'tap',
      aim: { by: 'element', target: phone.target('Attach') },
      count: 2,
    });
    const mine = () => phone.touches.all().filter((touch) => touch.how === 'tap').length === 0;
    expect(phone.perform(payload, mine)).toEqual({ kind: 'interrupted' });
    expect(phone.touches.all().filter((touch) => touch.how === 'tap')).toHaveLength(1);
  });
});

describe('what Android answers is not what happened (rule 10)', () => {
  it('false, and acted later: null, not false', () => {
    const phone = inChat();
    phone.arm({ deny_clicks_but_act: 1, late_ms: 300 });
    expect(report(phone.tap('Delete'))).toMatchObject({ acted: null, changed: true });
  });

  it('true, and nothing happened: acted, and changed is false (D-15)', () => {
    const phone = inChat();
    phone.arm({ ignore_clicks: 1 });
    expect(report(phone.tap('Delete'))).toMatchObject({ acted: true, changed: false });
  });
});
