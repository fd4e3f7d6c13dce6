/** What the system itself does: lock screen, shade, keyboard, rotation, recent apps, fingers and keys. */
import { describe, expect, it } from 'vitest';
import { has } from '../../device-protocol/snapshot.ts';
import { runNamed } from '../../host/virtual-phone/android/world.ts';
import { CATALOGUE } from '../../host/virtual-phone/apps/all.ts';
import type { MessagesState } from '../../host/virtual-phone/apps/messages.ts';
import { TestWorld } from './world.ts';

describe('the lock screen', () => {
  it('says locked and secure, shows nothing of the app, and opens with the PIN', () => {
    const phone = new TestWorld({ pin: '1379' });
    phone.open('com.android.messaging');
    phone.give({ do: 'lock' });
    const locked = phone.look();
    expect([locked.locked, locked.secure_lock, locked.screen_on]).toEqual([true, true, false]);
    expect(phone.words()).not.toContain('Kiosk A');
    phone.give({ do: 'wake' });
    for (const digit of '1378') phone.tap(digit);
    expect(phone.look().locked).toBe(true);
  });

  it('opens by the right digits', () => {
    const phone = new TestWorld({ pin: '1379' });
    phone.give({ do: 'lock' });
    for (const digit of '1379') phone.tap(digit);
    expect(phone.look().locked).toBe(false);
  });

  it('without a PIN a swipe is enough, and no app can be opened before', () => {
    const phone = new TestWorld();
    phone.give({ do: 'lock' });
    expect(phone.give({ do: 'open_app', package: 'com.android.messaging' })).toBe(false);
    phone.swipe([540, 2000], [540, 800]);
    expect(phone.look().locked).toBe(false);
    expect(phone.look().secure_lock).toBe(false);
  });
});

describe('a notification', () => {
  function withMessage(): TestWorld {
    const phone = new TestWorld();
    phone.world = runNamed(CATALOGUE, phone.world, 'com.android.messaging', 'arrive', {
      id: 'kiosk-b',
      text: 'Closed today',
    });
    return phone;
  }

  it('shows as an icon, in the shade with its words and its action', () => {
    const phone = withMessage();
    expect(phone.words()).toContain('Messages notification: Kiosk B');
    phone.give({ do: 'go', to: 'notifications' });
    expect(phone.front).toBe('com.android.systemui');
    expect(phone.words()).toEqual(expect.arrayContaining(['Kiosk B', 'Closed today', 'Mark as read']));
  });

  it('its action works without opening the app', () => {
    const phone = withMessage();
    phone.give({ do: 'go', to: 'notifications' });
    phone.tap('Mark as read');
    expect(
      phone.state<MessagesState>('com.android.messaging').conversations.find((one) => one.id === 'kiosk-b')
        ?.unread,
    ).toBe(false);
    expect(phone.world.notices).toEqual([]);
  });

  it('a tap on it opens the conversation', () => {
    const phone = withMessage();
    phone.give({ do: 'go', to: 'notifications' });
    phone.tap('Closed today');
    expect(phone.front).toBe('com.android.messaging');
    expect(phone.look().foreground.title).toBe('Kiosk B');
  });
});

describe('the keyboard', () => {
  it('comes with the touch of a field, types letters, and hides without leaving the screen', () => {
    const phone = new TestWorld();
    phone.open('com.android.contacts');
    phone.tap('Search contacts');
    phone.tap('a');
    phone.tap('d');
    expect(phone.byId('search_view')[0]?.text).toBe('ad');
    expect(has(phone.byId('search_view')[0] ?? expect.fail('no field'), 'focused')).toBe(true);
    phone.give({ do: 'go', to: 'hide_keyboard' });
    expect(phone.look().windows.some((window) => window.kind === 'input_method')).toBe(false);
    expect(phone.byId('search_view')[0]?.text).toBe('ad');
  });

  it('Back hides it first and leaves only then', () => {
    const phone = new TestWorld();
    phone.open('com.android.messaging');
    phone.tap('Kiosk A');
    phone.tap('Text message');
    phone.give({ do: 'go', to: 'back' });
    expect(phone.look().foreground.title).toBe('Kiosk A');
    phone.give({ do: 'go', to: 'back' });
    expect(phone.look().foreground.title).toBe('Messages');
  });

  it('goes when a dialog comes', () => {
    const phone = new TestWorld();
    phone.open('com.android.messaging');
    phone.tap('Kiosk A');
    phone.tap('Text message');
    phone.tapNode(phone.byId('action_delete')[0] ?? expect.fail('no delete'));
    expect(phone.look().windows.map((window) => window.kind)).toEqual(['application', 'system']);
  });
});

describe('the display', () => {
  it('turns: width and height change places and everything still fits', () => {
    const phone = new TestWorld();
    phone.open('com.android.contacts');
    phone.give({ do: 'rotate', rotation: 1 });
    const { display, nodes } = phone.look();
    expect(display).toEqual({ width: 2400, height: 1080, rotation: 1 });
    for (const node of nodes.filter((one) => has(one, 'visible')))
      expect(node.bounds[3]).toBeLessThanOrEqual(1080);
  });

  it('a finger drawn up scrolls the list by as much, and one from the upper edge opens the shade', () => {
    const phone = new TestWorld();
    phone.open('com.android.contacts');
    const before = phone.byId('cliv_row')[5]?.bounds[1] ?? 0;
    phone.swipe([500, 1500], [500, 1200]);
    const after = phone.byId('cliv_row').find((row) => row.item?.row === 5)?.bounds[1] ?? 0;
    expect(before - after).toBe(300);
    phone.swipe([500, 10], [500, 900]);
    expect(phone.front).toBe('com.android.systemui');
  });

  it('what is scrolled away in a scroll view has swapped bounds, as Android gives them', () => {
    const phone = new TestWorld();
    phone.open('com.android.messaging');
    phone.tap('Kiosk A');
    for (let i = 0; i < 20; i++) {
      phone.type(`line ${i}`);
      phone.tap('Send SMS');
    }
    const hidden = phone.look().nodes.filter((node) => node.bounds[1] > node.bounds[3]);
    expect(hidden.length).toBeGreaterThan(0);
    expect(hidden.some((node) => has(node, 'visible'))).toBe(false);
  });
});

describe('recent apps', () => {
  it('lists what was used, newest first, and goes back to it', () => {
    const phone = new TestWorld();
    phone.open('com.android.contacts');
    phone.open('com.example.notes');
    phone.give({ do: 'go', to: 'home' });
    phone.give({ do: 'go', to: 'recents' });
    expect(phone.byId('task').map((node) => node.description)).toEqual(['Notes', 'Contacts']);
    phone.tapNode(phone.byId('task')[1] ?? expect.fail('no card'));
    expect(phone.front).toBe('com.android.contacts');
  });
});
