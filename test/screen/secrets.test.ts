import { describe, expect, test } from 'vitest';
import { findTarget, targetOf } from '../../device-protocol/companion/find-target.ts';
import { withoutSecrets } from '../../device-protocol/companion/secrets.ts';
import { shownOf } from '../../device-protocol/companion/shown.ts';
import type { NodeFlag, Snapshot } from '../../device-protocol/snapshot.ts';
import { observe } from '../../host/screen/observe.ts';
import { FIRST_LOOK } from '../../host/screen/refs.ts';
import { DETAILS, tell } from '../../host/screen/tell.ts';
import { button, column, indexOf, screen, text, type View, withText } from './screens.ts';

const SECRET = 'hunter2-geheim';
const password = (is: readonly NodeFlag[] = ['password'], more: Partial<View> = {}): View => ({
  class_name: 'android.widget.EditText',
  resource_id: 'com.example:id/field1',
  text: SECRET,
  hint: 'Your word',
  at: [0, 300, 1_080, 400],
  is: ['clickable', 'editable', 'focusable', ...is],
  ...more,
});

function everythingTold(snapshot: Snapshot, memory = FIRST_LOOK): string {
  const { seen } = observe(snapshot, memory);
  const told = DETAILS.map((detail) => tell(seen, { detail }).text);
  const targets = snapshot.nodes.map((_, index) => [targetOf(snapshot, index), shownOf(snapshot, index)]);
  return JSON.stringify([told, seen.items, targets]);
}

describe('what a password field holds is in no output (D-72)', () => {
  test('native, Compose, web with its inner text, and marked for accessibility tools only', () => {
    const fields: View[] = [
      password(),
      password(['password'], { class_name: 'android.view.View' }),
      password(['password'], { kids: [text(SECRET, [0, 300, 500, 400])] }),
      { ...text(SECRET, [0, 300, 500, 400]), is: ['sensitive'] },
      password(['password'], { description: 'Password', state: SECRET }),
    ];
    for (const field of fields) {
      const snapshot = screen(
        column([text('Sign in', [0, 0, 300, 80]), field, button('Go', [0, 500, 200, 600])]),
      );
      expect(everythingTold(snapshot)).not.toContain(SECRET);
      expect(JSON.stringify(withoutSecrets(snapshot).snapshot)).not.toContain(SECRET);
    }
  });

  test('the field is listed with its role and name, its length unknown', () => {
    const { seen } = observe(screen(column([password()])));
    expect(tell(seen).text).toContain('e1 password: Your word');
    expect(seen.items[0]?.value).toBeNull();
  });

  test('of two fields made of one part only the password is hidden, shown for the moment or not', () => {
    const mail = { ...password([]), text: 'anna@example.org', at: [0, 100, 1_080, 200] } satisfies View;
    const hidden = screen(column([mail, password()]));
    const shown = screen(column([mail, password([])]));
    const { memory } = observe(hidden);
    for (const later of [hidden, shown]) {
      const said = tell(observe(later, memory).seen).text;
      expect(said).toContain('anna@example.org');
      expect(said).not.toContain(SECRET);
    }
  });

  test('it stays hidden while "show password" is on, by memory or by its id', () => {
    const hidden = screen(column([password(), button('Show', [900, 300, 1_080, 400])]));
    const shown = screen(column([password([]), button('Hide', [900, 300, 1_080, 400])]));
    const { memory } = observe(hidden);
    const kept = JSON.parse(JSON.stringify(memory));
    expect(tell(observe(shown, kept).seen).text).not.toContain(SECRET);
    expect(JSON.stringify(observe(shown, kept).seen.snapshot)).not.toContain(SECRET);
    expect(tell(observe(shown).seen).text).toContain(SECRET);
    const byId = screen(column([password([], { resource_id: 'com.example:id/et_password' })]));
    expect(tell(observe(byId).seen).text).not.toContain(SECRET);
  });

  test('a hint that stands in an empty field is no secret', () => {
    const empty = screen(column([password(['password', 'showing_hint'], { text: 'Password', hint: null })]));
    expect(tell(observe(empty).seen).text).toContain('password: Password');
  });

  test('it is found again whatever was typed into it', () => {
    const before = screen(column([password(['password'], { text: '' })]));
    const after = screen(column([password()]));
    expect(findTarget(after, targetOf(before, 1))).toEqual({ found: 1, strategy: 'ref' });
  });
});

describe('what the owner is shown', () => {
  const dialog = (more: readonly View[]) =>
    screen(
      column([
        text('Send money', [0, 0, 500, 80]),
        text('To Bob', [0, 100, 500, 180]),
        ...more,
        button('Send', [0, 900, 300, 1_000]),
      ]),
    );
  const amount = (held: string): View => ({ ...password([], { text: held, hint: 'Amount' }) });
  const toggle = (on: boolean): View => ({
    class_name: 'android.widget.CheckBox',
    text: 'Save recipient',
    at: [0, 500, 500, 600],
    is: ['clickable', 'checkable', ...(on ? (['checked'] as const) : [])],
  });

  test('holds headings, values and states, in order', () => {
    const snapshot = dialog([amount('500'), toggle(true)]);
    const send = indexOf(snapshot, withText('Send'));
    expect(shownOf(snapshot, send).lines).toEqual([
      'Send money',
      'To Bob',
      '500 · Amount',
      'Save recipient · [on]',
      'Send',
    ]);
  });

  test('has another print when anything of it is another: amount, state, time, the end of a long text', () => {
    const print = (...more: View[]) => {
      const snapshot = dialog(more);
      return shownOf(snapshot, indexOf(snapshot, withText('Send'))).print;
    };
    const prints = [
      print(amount('500'), toggle(true)),
      print(amount('5000'), toggle(true)),
      print(amount('500'), toggle(false)),
      print(amount('500'), toggle(true), text('17:30', [0, 700, 200, 750])),
      print(amount('500'), toggle(true), text('18:00', [0, 700, 200, 750])),
      print(amount('500'), toggle(true), text(`${'x'.repeat(5_000)}a`, [0, 700, 200, 750])),
      print(amount('500'), toggle(true), text(`${'x'.repeat(5_000)}b`, [0, 700, 200, 750])),
    ];
    expect(new Set(prints).size).toBe(prints.length);
    expect(print(amount('500'), toggle(true))).toBe(prints[0]);
  });

  test('shows no password, but that there is one', () => {
    const snapshot = dialog([password()]);
    const { lines } = shownOf(snapshot, indexOf(snapshot, withText('Send')));
    expect(lines).toContain('Your word · [secret]');
  });
});
