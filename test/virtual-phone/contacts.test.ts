/** Contacts, from outside: a long list with one button repeated, a form that formats. */
import { describe, expect, it } from 'vitest';
import { has } from '../../device-protocol/snapshot.ts';
import { TestWorld } from './world.ts';

describe('Contacts', () => {
  it('says that it has 200 rows and shows only those that fit, each with its own Delete', () => {
    const phone = inContacts();
    const list = phone.byId('list')[0];
    expect(list?.collection).toEqual({ rows: 200, columns: 1 });
    const rows = phone.byId('cliv_row');
    expect(rows.length).toBeGreaterThan(8);
    expect(rows.length).toBeLessThan(40);
    expect(phone.byId('cliv_delete')).toHaveLength(rows.length);
    expect(rows[3]?.item).toEqual({ row: 3, column: 0 });
  });

  it('reaches row 200 by scrolling, and answers false at the end', () => {
    const phone = inContacts();
    let pages = 0;
    while (scrollList(phone)) pages += 1;
    expect(pages).toBeGreaterThan(5);
    expect(phone.byId('cliv_row').at(-1)?.item?.row).toBe(199);
    expect(scrollList(phone)).toBe(false);
  });

  it('deletes exactly the row whose Delete was tapped, once it is confirmed', () => {
    const phone = inContacts();
    const name = phone.byId('cliv_name_textview')[4]?.text ?? expect.fail('no fifth row');
    phone.tapNode(phone.byId('cliv_delete')[4] ?? expect.fail('no fifth Delete'));
    expect(phone.words()).toContain(`${name} will be permanently deleted.`);
    phone.tapNode(phone.byId('android:id/button1')[0] ?? expect.fail('no dialog'));
    expect(phone.words()).not.toContain(name);
    expect(phone.byId('list')[0]?.collection?.rows).toBe(199);
  });

  it('a touch beside the dialog closes it and deletes nothing', () => {
    const phone = inContacts();
    phone.tapNode(phone.byId('cliv_delete')[0] ?? expect.fail('no Delete'));
    phone.give({ do: 'tap', x: 20, y: 300, holdMs: 60 });
    expect(phone.byId('list')[0]?.collection?.rows).toBe(200);
  });

  it('formats a phone number as it is typed, and refuses a contact without a name', () => {
    const phone = inContacts();
    phone.tap('Create contact');
    phone.type('+491701234567', 'phone');
    expect(phone.byId('phone')[0]?.text).toBe('+49 170 1234567');
    phone.tap('Save');
    expect(phone.byId('name')[0]?.error).toBe('Enter a name');
    phone.type('Zoe Zander', 'name');
    phone.tap('Save');
    expect(phone.words()).toContain('Zoe Zander');
  });

  it('searches while one types, and says when nothing is found', () => {
    const phone = inContacts();
    phone.type('ada c');
    expect(phone.byId('cliv_name_textview').map((node) => node.text)).toEqual(['Ada Cohen']);
    phone.type('nobody');
    expect(phone.words()).toContain('No contacts');
  });

  it('has editable fields only where one can write', () => {
    const phone = inContacts();
    expect(phone.look().nodes.filter((node) => has(node, 'editable'))).toHaveLength(1);
  });
});

function inContacts(): TestWorld {
  const phone = new TestWorld();
  phone.give({ do: 'open_app', package: 'com.android.contacts' });
  return phone;
}

function scrollList(phone: TestWorld): boolean {
  return phone.give({ do: 'scroll', at: phone.placeOf('list'), forward: true });
}
