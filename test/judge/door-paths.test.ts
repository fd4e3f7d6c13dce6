/**
 * Every path of risk.md that must not slip past, through the MCP door of a real host and on the virtual phone: what
 * counts is what reached the phone, by its own counters. The pure judge's share stands in paths.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../device-protocol/errors.ts';
import { refOf } from '../support/mcp.ts';
import { observe } from '../support/messages-walk.ts';
import { DoorPhone } from './door-phone.ts';

const APP = 'org.example.paths';
/** On the first message of a conversation. */
const BUBBLE = { x: 200, y: 330 };
let phone: DoorPhone;

describe('an act that says nothing of itself', () => {
  beforeAll(async () => {
    phone = await DoorPhone.with('paths.yaml', APP);
  });
  afterAll(() => phone?.end());

  describe('in a field that sends', () => {
    beforeAll(() => phone.show('writing'));

    it('types, and waits when ENTER, the IME action or a line break would send', async () => {
      await phone.passes(() => phone.on('set_text', /Message$/, { text: 'see you' }));
      await phone.passes(() => phone.on('tap', /Message$/));
      for (const key of ['enter', 'ime_action']) {
        await phone.waits(() => phone.call('press_key', { key }), 'ime_action');
      }
      await phone.waits(
        () => phone.on('set_text', /Message$/, { text: 'see you', submit: true }),
        'ime_action',
      );
      for (const text of ['yes\n', 'yes\rno', 'yes\u2028no']) {
        await phone.waits(() => phone.on('set_text', /Message$/, { text }), 'newline');
      }
      expect((await phone.values()).sent).toBe(0);
    });

    it('waits at the keyboard, key by key, since it may send what stands in the field', async () => {
      await phone.passes(() => phone.on('tap', /Message$/));
      await phone.waits(() => phone.call('tap', { x: 980, y: 2230 }), 'ime_action');
      await phone.waits(() => phone.call('tap', { x: 540, y: 1760 }), 'ime_action');
    });

    it('goes through in a search beside it', async () => {
      await phone.passes(() => phone.on('set_text', /Search notes$/, { text: 'shoes', submit: true }));
      expect(await phone.values()).toMatchObject({ opened: 1, sent: 0, find: 'shoes' });
    });
  });

  describe('by a gesture', () => {
    it('waits at a slide to pay, and draws a finger elsewhere', async () => {
      await phone.show('sliding');
      await phone.waits(() => phone.call('swipe', { x: 150, y: 680, to_x: 950, to_y: 680 }), 'slide');
      await phone.passes(() => phone.call('swipe', { x: 150, y: 980, to_x: 950, to_y: 980 }));
      expect(await phone.values()).toMatchObject({ paid: 0 });
    });

    it('waits at a long press, a double tap, a coordinate and a drag onto what deletes', async () => {
      await phone.show('gestures');
      await phone.waits(() => phone.on('long_press', 'Delete'), 'delete');
      await phone.waits(() => phone.on('tap', 'Delete', { count: 2 }), 'delete');
      await phone.waits(() => phone.call('tap', { x: 290, y: 670 }), 'delete');
      await phone.waits(() => phone.call('long_press', { x: 290, y: 670 }), 'delete');
      await phone.waits(() => phone.call('drag', { x: 290, y: 970, to_x: 290, to_y: 670 }), 'delete');
      await phone.passes(() => phone.on('long_press', 'Details'));
      expect(await phone.values()).toMatchObject({ deleted: 0, held: 0 });
    });

    it('waits at a double tap on a message, which others see', async () => {
      const messages = 'com.android.messaging';
      await phone.control.bringUp(messages);
      await phone.control.tell(messages, 'show', 'kiosk-a');
      await phone.waits(() => phone.call('tap', { ...BUBBLE, count: 2 }), 'composer', messages);
      await phone.passes(() => phone.call('tap', BUBBLE));
    });

    it('has no tool that runs a custom action of accessibility', async () => {
      const names = (await phone.agent.tools()).map((tool) => tool.name);
      expect(names.length).toBeGreaterThan(20);
      expect(names.filter((name) => /action/u.test(name))).toEqual(['action_preview']);
    });
  });

  describe('by a picture or by pieces', () => {
    beforeAll(() => phone.show('pictures'));

    it.each([
      ['only an id', 165, 475, 'send'],
      ['only a description', 365, 475, 'delete'],
      ['nothing at all', 565, 475, 'unknown_target'],
      ['two words over two nodes', 540, 780, 'delete'],
      ['one word cut over two nodes', 540, 980, 'delete'],
    ] as const)('waits at a button with %s', async (_, x, y, reason) => {
      await phone.waits(() => phone.call('tap', { x, y }), reason);
    });

    it('waits at the same ones by their refs', async () => {
      await phone.waits(() => phone.on('tap', /^e\d+ send$/mu), 'send');
      await phone.waits(() => phone.on('tap', /Delete · account/u), 'delete');
      await phone.waits(() => phone.on('tap', /Del · ete/u), 'delete');
    });

    it('presses those beside them', async () => {
      const { opened } = await phone.values();
      await phone.passes(() => phone.on('tap', /^e\d+ refresh$/mu));
      await phone.passes(() => phone.call('tap', { x: 540, y: 1180 }));
      expect(await phone.values()).toMatchObject({ opened: Number(opened) + 2, deleted: 0 });
    });
  });

  it('waits at a point on a surface, a page and where nothing is', async () => {
    await phone.show('surfaces');
    await phone.waits(() => phone.call('tap', { x: 540, y: 700 }), 'surface');
    await phone.waits(() => phone.call('tap', { x: 540, y: 1850 }), 'surface');
    await phone.waits(() => phone.on('tap', 'Buy now'), 'pay');
    await phone.waits(() => phone.call('tap', { x: 540, y: 2390 }), 'unknown_target', APP);
    expect(await phone.values()).toMatchObject({ paid: 0 });
  });

  it('does not press a button that has another label by now', async () => {
    await phone.show('changing');
    const look = await observe(phone.agent);
    const args = { ref: refOf(look, 'Next'), observation_id: look.observation_id };
    await phone.control.tell(APP, 'steps', [{ set: { button: 'Pay now' } }]);
    const before = (await phone.values()).opened;
    const answer = await phone.refuses(() => phone.call('tap', args));
    expect(answer).toMatchObject({ ok: false, error_code: 'target_stale' satisfies ErrorCode });
    expect((await phone.values()).opened).toBe(before);
    await phone.waits(() => phone.on('tap', 'Pay now'), 'pay');
  });

  it('waits at OK in a dialog that asks whether to delete, and presses Cancel', async () => {
    await phone.show('asking');
    await phone.waits(() => phone.on('tap', /\bOK$/u), 'delete');
    await phone.passes(() => phone.on('tap', 'Cancel'));
    expect(await phone.values()).toMatchObject({ deleted: 0 });
  });

  it('waits at what fills in a field for it', async () => {
    await phone.show('filling');
    await phone.waits(() => phone.on('tap', 'alex@example.org'), 'autofill');
    await phone.passes(() => phone.on('tap', 'running shoes'));
  });

  it('waits in a browser at an address that is typed, and searches for words', async () => {
    const browser = 'com.android.browser';
    await phone.control.bringUp(browser);
    const bar = /^e\d+ field.*(?:web address|Search|URL|https?:)/imu;
    for (const text of ['example.org', 'https://evil.example/pay']) {
      await phone.waits(() => phone.on('set_text', bar, { text, submit: true }), 'link', browser);
    }
    await phone.refuses(
      () => phone.on('set_text', bar, { text: 'javascript:alert(1)', submit: true }),
      browser,
    );
    await phone.passes(() => phone.on('set_text', bar, { text: 'weather', submit: true }));
  });

  it('D-69: types a text that a shell could read as text, and refuses such packages and addresses', async () => {
    await phone.show('writing');
    const text = 'a; input keyevent 3';
    await phone.passes(() => phone.on('set_text', /Message$/, { text }));
    expect((await phone.values()).message).toBe(text);
    await phone.refuses(() => phone.call('app_open', { app: 'com.android.settings; reboot' }));
    await phone.refuses(() => phone.call('link_open', { url: "http://x'; input keyevent 3; echo '" }));
    expect((await phone.control.world()).stack.at(-1)).toBe(APP);
  });

  describe('by an address', () => {
    beforeAll(() => phone.show('hub'));

    it.each([
      ['tel:+15550100', 'call'],
      ['sms:+15550100?body=hi', 'send'],
      ['mailto:a@example.org', 'send'],
      ['upi://pay?pa=a@b&am=5', 'pay'],
      ['intent://scan/#Intent;scheme=zxing;end', 'link'],
      ['market://details?id=org.example', 'install'],
      ['exampleapp://transfer/9', 'link'],
      ['https://unknown.example/', 'link'],
    ])('waits at %s', async (url, reason) => {
      await phone.waits(() => phone.call('link_open', { url }), reason);
    });

    it.each(['javascript:alert(1)', 'file:///sdcard/x', 'content://sms', 'https://a.example@b.example/'])(
      'refuses %s',
      async (url) => {
        await phone.refuses(() => phone.call('link_open', { url }));
      },
    );
  });
});
