/** The other apps, from outside: each one's own kind of trouble for whoever reads or touches a screen. */
import { describe, expect, it } from 'vitest';
import { has } from '../../device-protocol/snapshot.ts';
import { LANGUAGES } from '../../host/virtual-phone/android/words.ts';
import { CATALOGUE } from '../../host/virtual-phone/apps/all.ts';
import type { BankState } from '../../host/virtual-phone/apps/bank.ts';
import type { BrowserState } from '../../host/virtual-phone/apps/browser.ts';
import type { GalleryState } from '../../host/virtual-phone/apps/gallery.ts';
import type { PhoneState } from '../../host/virtual-phone/apps/phone.ts';
import type { ShopState } from '../../host/virtual-phone/apps/shop.ts';
import { TestWorld } from './world.ts';

describe.each(LANGUAGES)('in %s', (language) => {
  it.each([...CATALOGUE.keys()])(
    '%s shows a screen that the wire accepts, with every word in a place',
    (name) => {
      const phone = new TestWorld({ language });
      phone.open(name);
      const snapshot = phone.look();
      expect(snapshot.locale).toBe(language);
      const shown = snapshot.nodes.filter((node) => node.text !== null && has(node, 'visible'));
      expect(shown.length).toBeGreaterThan(2);
      for (const { bounds, text } of shown) {
        expect(bounds[2] - bounds[0], `width of "${text}"`).toBeGreaterThan(0);
        expect(bounds[0], `left of "${text}"`).toBeGreaterThanOrEqual(0);
        expect(bounds[2], `right of "${text}"`).toBeLessThanOrEqual(snapshot.display.width);
      }
    },
  );
});

describe('right to left', () => {
  it('mirrors the screen: the button that sends stands left of the field', () => {
    const phone = new TestWorld({ language: 'ar' });
    phone.open('com.android.messaging');
    phone.tap('Kiosk A');
    const [field] = phone.byId('compose_message_text');
    const [send] = phone.byId('send_message_button');
    expect(send?.bounds[2]).toBeLessThanOrEqual(field?.bounds[0] ?? 0);
  });
});

describe('Phone', () => {
  it('calls only when the person presses Call, counts seconds while it runs, and ends', () => {
    const phone = new TestWorld();
    phone.give({ do: 'link', url: 'tel:+495551000' });
    expect(phone.front).toBe('com.android.dialer');
    expect(phone.state<PhoneState>('com.android.dialer').calls).toEqual([]);
    phone.tap('Call');
    expect(phone.words()).toContain('Calling…');
    phone.pass(3_000);
    expect(phone.words()).toContain('00:03');
    phone.tap('End call');
    phone.pass(5_000);
    expect(phone.state<PhoneState>('com.android.dialer').calls).toHaveLength(1);
    expect(phone.world.timers).toEqual([]);
  });
});

describe('Settings', () => {
  it('has its switches in rows: the row is tapped, the switch beside the label only shows', () => {
    const phone = new TestWorld();
    phone.open('com.android.settings');
    phone.tap('Network & internet');
    const before = phone.byId('switch_widget').map((node) => has(node, 'checked'));
    expect(phone.byId('switch_widget').some((node) => has(node, 'clickable'))).toBe(false);
    phone.tap('Airplane mode');
    const after = phone.byId('switch_widget').map((node) => has(node, 'checked'));
    expect(before).toEqual([true, false, true]);
    expect(after).toEqual([true, true, true]);
  });

  it('changes the language of the whole phone', () => {
    const phone = new TestWorld();
    phone.open('com.android.settings');
    phone.tap('Languages');
    phone.tap('日本語');
    expect(phone.look().locale).toBe('ja');
    phone.give({ do: 'go', to: 'home' });
    expect(phone.words()).toContain('メッセージ');
  });

  it('moves a slider by a finger and by the scroll action', () => {
    const phone = new TestWorld();
    phone.open('com.android.settings');
    phone.tap('Display');
    const bar = phone.byId('seekbar')[0] ?? expect.fail('no slider');
    phone.give({ do: 'scroll', at: phone.placeOf('seekbar'), forward: true });
    expect(phone.byId('seekbar')[0]?.range?.current).toBe(70);
    const y = Math.floor((bar.bounds[1] + bar.bounds[3]) / 2);
    phone.swipe([bar.bounds[0] + 40, y], [bar.bounds[0] + 250, y]);
    expect(phone.byId('seekbar')[0]?.range?.current).toBeLessThan(40);
  });
});

describe('Shop', () => {
  it('shows a progress first, then rows that are clickable and have no words of their own', () => {
    const phone = new TestWorld();
    phone.open('com.example.shop');
    expect(phone.words()).toContain('Loading');
    phone.pass(1_500);
    const rows = phone
      .look()
      .nodes.filter((node) => has(node, 'clickable') && node.package === 'com.example.shop');
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.every((node) => node.text === null && node.description === null)).toBe(true);
    expect(phone.words()).toContain('Blue mug');
  });

  it('orders only what is in the cart, once, when every field is filled', () => {
    const phone = new TestWorld();
    phone.open('com.example.shop');
    phone.pass(1_500);
    phone.tap('Blue mug');
    phone.tap('Add to cart');
    phone.tap('Cart (1)');
    phone.tapNode(phone.byId('checkout')[0] ?? expect.fail('no checkout'));
    phone.tap('Place order');
    expect(phone.words()).toContain('Please fill in every field');
    phone.type('Anna Beispiel', 'name');
    phone.type('Feldweg 1', 'street');
    phone.type('4000123412341234', 'card');
    phone.type('999', 'code');
    expect(phone.byId('card')[0]?.text).toBe('4000 1234 1234 1234');
    expect(phone.byId('code')[0]?.text).toBe('•••');
    phone.tap('Place order');
    phone.pass(2_000);
    expect(phone.words()).toContain('Thank you for your order');
    expect(phone.state<ShopState>('com.example.shop').orders).toEqual([
      { total: '€12.50', items: { mug: 1 }, name: 'Anna Beispiel' },
    ]);
  });
});

describe('Bank', () => {
  it('lets nobody in without the PIN, never shows it, and forbids pictures', () => {
    const phone = inBank('1111');
    expect(phone.byId('pin')[0]?.error).toBe('Wrong PIN');
    phone.type('2468', 'pin');
    expect(phone.words().join()).not.toContain('2468');
    phone.tap('Log in');
    expect(phone.words()).toContain('€1842.50');
  });

  it('pays when the slider is drawn across, not when it is tapped', () => {
    const phone = inBank('2468');
    phone.tap('New transfer');
    phone.type('Kiosk A', 'recipient');
    phone.type('de02100100100006820101', 'iban');
    phone.type('82,00', 'amount');
    expect(phone.byId('iban')[0]?.text).toBe('DE02 1001 0010 0006 8201 01');
    phone.tap('Continue');
    const slide = phone.byId('slide_to_pay')[0]?.bounds ?? expect.fail('no slider');
    const y = Math.floor((slide[1] + slide[3]) / 2);
    phone.give({ do: 'tap', x: slide[0] + 40, y, holdMs: 60 });
    expect(phone.state<BankState>('org.example.bank.android').transfers).toEqual([]);
    phone.swipe([slide[0] + 20, y], [slide[2] - 20, y]);
    expect(phone.state<BankState>('org.example.bank.android').transfers).toEqual([
      { to: 'Kiosk A', iban: 'DE02 1001 0010 0006 8201 01', cents: 8_200 },
    ]);
    expect(phone.words()).toContain('Transfer sent');
  });
});

describe('Gallery', () => {
  it('asks for permission in a window of the permission controller, and remembers the answer', () => {
    const phone = new TestWorld();
    phone.open('com.android.gallery3d');
    expect(phone.front).toBe('com.android.permissioncontroller');
    phone.tap('Don’t allow');
    expect(phone.words()).toContain('No access to photos');
    phone.tap('Allow access');
    phone.tap('Allow');
    expect(phone.words()).toContain('Photo 1');
  });

  it('chooses by a long press and deletes behind a button that only says OK', () => {
    const phone = inGallery();
    phone.hold('thumbnail');
    phone.tap('Photo 2');
    phone.tap('Delete');
    expect(phone.words()).toContain('Delete 2 photos?');
    phone.tap('OK');
    expect(phone.state<GalleryState>('com.android.gallery3d').photos).toHaveLength(22);
  });

  it('has a delete button without any words, known by its id alone', () => {
    const phone = inGallery();
    phone.tap('Photo 3');
    const [button] = phone.byId('action_delete');
    expect([button?.text, button?.description]).toEqual([null, null]);
  });

  it('plays a film whose clock changes every 300 ms and never rests', () => {
    const phone = inGallery();
    phone.tap('Play video');
    const shown = new Set<string | null | undefined>();
    for (let i = 0; i < 5; i++) {
      phone.pass(300);
      shown.add(phone.byId('time_current')[0]?.text);
    }
    expect(shown.size).toBe(5);
  });
});

describe('Notes', () => {
  it('is built in Compose: plain Views, no ids of Android’s kind, the text of a button in a child', () => {
    const phone = new TestWorld();
    phone.open('com.example.notes');
    const nodes = phone.look().nodes.filter((node) => node.package === 'com.example.notes');
    expect(nodes.some((node) => node.class_name === 'androidx.compose.ui.platform.ComposeView')).toBe(true);
    expect(nodes.filter((node) => has(node, 'clickable')).every((node) => node.text === null)).toBe(true);
    expect(nodes.some((node) => node.actions?.includes('Delete') === true)).toBe(true);
  });

  it('deletes by a custom action, and brings the note back while Undo is there', () => {
    const phone = new TestWorld();
    phone.open('com.example.notes');
    const row = phone.look().nodes.findIndex((node) => node.actions !== undefined);
    expect(row).toBeGreaterThan(0);
    phone.action('Delete');
    expect(phone.words()).not.toContain('Shopping');
    phone.tap('Undo');
    expect(phone.words()).toContain('Shopping');
  });
});

describe('Browser', () => {
  it('squashes what is below the fold to the lower edge and does not call it visible', () => {
    const phone = new TestWorld();
    phone.open('com.android.browser');
    const last = phone.node('Part 30 of the story about the bridge.');
    expect(last.bounds[1]).toBe(last.bounds[3]);
    expect(has(last, 'visible')).toBe(false);
    while (phone.give({ do: 'scroll', at: phone.placeOf('webview'), forward: true }));
    expect(has(phone.node('Part 30 of the story about the bridge.'), 'visible')).toBe(true);
    phone.type('a@example.org', 'mail');
    phone.tap('Subscribe');
    expect(phone.state<BrowserState>('com.android.browser').subscribed).toEqual(['a@example.org']);
  });

  it('follows a link out of the page into another app', () => {
    const phone = new TestWorld();
    phone.open('com.android.browser');
    phone.tap('Call the editors');
    expect(phone.front).toBe('com.android.dialer');
    phone.give({ do: 'go', to: 'back' });
    phone.give({ do: 'go', to: 'back' });
    expect(phone.front).toBe('com.android.browser');
  });
});

function inBank(pin: string): TestWorld {
  const phone = new TestWorld();
  phone.open('org.example.bank.android');
  phone.type(pin, 'pin');
  phone.tap('Log in');
  return phone;
}

function inGallery(): TestWorld {
  const phone = new TestWorld();
  phone.open('com.android.gallery3d');
  phone.tap('Allow');
  return phone;
}
