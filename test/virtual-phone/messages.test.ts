/** Messages, from outside: what is shown, what is sent, what is deleted. */
import { describe, expect, it } from 'vitest';
import { has } from '../../device-protocol/snapshot.ts';
import { TestWorld } from './world.ts';

describe('Messages', () => {
  it('is opened from the home screen and lists its conversations', () => {
    const phone = new TestWorld();
    expect(phone.front).toBe('com.android.launcher3');
    phone.tapNode(phone.byId('icon').find((icon) => icon.text === 'Messages') ?? expect.fail('no icon'));
    expect(phone.front).toBe('com.android.messaging');
    expect(phone.words()).toEqual(expect.arrayContaining(['Anna Beispiel', 'Kiosk A', 'Kiosk B']));
  });

  it('sends what was typed: it appears in the conversation, the field is empty, and it counts as sent a moment later', () => {
    const phone = inConversation('Kiosk A');
    phone.type('On my way');
    expect(phone.byId('compose_message_text')[0]?.text).toBe('On my way');
    phone.tap('Send SMS');
    expect(phone.words()).toContain('On my way');
    expect(phone.words()).toContain('Sending…');
    const field = phone.byId('compose_message_text')[0];
    expect(field?.text).toBe('Text message');
    expect(field !== undefined && has(field, 'showing_hint')).toBe(true);
    phone.pass(1_000);
    expect(phone.words()).toContain('Sent · 09:41');
    expect(phone.words()).not.toContain('Sending…');
  });

  it('sends nothing when the field is empty', () => {
    const phone = inConversation('Kiosk A');
    const before = phone.byId('message_text').length;
    phone.tap('Send SMS');
    expect(phone.byId('message_text')).toHaveLength(before);
  });

  it('sends by the keyboard’s own key as by the button', () => {
    const phone = inConversation('Kiosk A');
    phone.tap('Text message');
    phone.type('Hi');
    const keyboard = phone.look().windows.find((window) => window.kind === 'input_method');
    expect(keyboard?.package).toBe('com.android.inputmethod.latin');
    phone.tap('Send');
    expect(phone.byId('message_text').at(-1)?.text).toBe('Hi');
    expect(phone.touches.filter((touch) => touch.how === 'ime_action')).toHaveLength(1);
  });

  it('keeps a draft when one goes back, and shows it in the list', () => {
    const phone = inConversation('Kiosk A');
    phone.type('later');
    phone.give({ do: 'go', to: 'back' });
    expect(phone.words()).toContain('Draft: later');
  });

  it('asks before it deletes; Cancel keeps, Delete deletes', () => {
    const phone = inConversation('Kiosk A');
    phone.tap('Delete');
    expect(phone.look().windows.filter((window) => window.kind === 'application')).toHaveLength(1);
    phone.tap('Cancel');
    expect(phone.words()).toContain('Kiosk A');
    phone.tap('Delete');
    phone.tapNode(phone.byId('android:id/button1')[0] ?? expect.fail('no button'));
    expect(phone.words()).not.toContain('Kiosk A');
    expect(phone.words()).toContain('Kiosk B');
  });

  it('speaks German', () => {
    const phone = new TestWorld({ language: 'de' });
    phone.open('com.android.messaging');
    phone.tap('Kiosk A');
    expect(phone.node('SMS senden').class_name).toBe('android.widget.ImageButton');
  });
});

function inConversation(name: string): TestWorld {
  const phone = new TestWorld();
  phone.open('com.android.messaging');
  phone.tap(name);
  return phone;
}
