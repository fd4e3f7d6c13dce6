/**
 * The same door, where the phone itself is at stake: settings, tiles, notifications, lock, share sheet, prompts to
 * install and to permit, other apps' categories. What reached the phone is counted, as in door-paths.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observe } from '../support/messages-walk.ts';
import { DoorPhone } from './door-phone.ts';

const SETTINGS = 'com.android.settings';
const MESSAGES = 'com.android.messaging';
const BANK = 'org.example.bank.android';
let phone: DoorPhone;
const close = () => phone?.end();

describe('the system', () => {
  beforeAll(async () => {
    phone = await DoorPhone.with('paths.yaml', 'org.example.paths');
  });
  afterAll(close);

  it('waits at every toggle and tap in Settings, and lets one read and search', async () => {
    await phone.control.bringUp(SETTINGS);
    await phone.waits(() => phone.on('tap', /Network/u), 'system_setting', SETTINGS);
    await phone.waits(() => phone.on('long_press', /Display/u), 'system_setting', SETTINGS);
    await phone.passes(() => phone.on('set_text', /field/u, { text: 'wifi' }));
    await phone.passes(() => phone.call('go', { to: 'home' }));
  });

  it('waits at a quick-settings tile and at a notification’s own button', async () => {
    await phone.control.bringUp(MESSAGES);
    await phone.control.tell(MESSAGES, 'arrive', { id: 'kiosk-a', text: 'Are you there?' });
    await phone.passes(() => phone.call('go', { to: 'notifications' }));
    await phone.waits(() => phone.on('tap', /Wi-Fi/u), 'system_surface', MESSAGES);
    await phone.waits(() => phone.on('tap', /Airplane/u), 'system_surface', MESSAGES);
    await phone.waits(() => phone.on('tap', /Mark as read/iu), 'system_surface', MESSAGES);
    await phone.waits(() => phone.on('tap', /Clear all/iu), 'system_surface', MESSAGES);
    await phone.passes(() => phone.call('go', { to: 'back' }));
    expect((await phone.control.world()).settings).toEqual({});
  });

  it('waits beside the field in which a message is written', async () => {
    await phone.control.bringUp(MESSAGES);
    await phone.control.tell(MESSAGES, 'show', 'kiosk-a');
    await phone.waits(() => phone.on('tap', /Attach/u), 'composer', MESSAGES);
    await phone.waits(() => phone.on('tap', /Send SMS/u), 'send', MESSAGES);
  });

  it('knows no power or lock key, and no place of theirs', async () => {
    for (const key of ['power', 'lock', 'volume_up', 'app_switch', 'wakeup']) {
      const answer = await phone.refuses(() => phone.call('press_key', { key }));
      expect(answer).toMatchObject({ ok: false, kind: 'invalid_args' });
    }
    for (const to of ['power_menu', 'quick_settings', 'lock']) {
      expect(await phone.refuses(() => phone.call('go', { to }))).toMatchObject({ kind: 'invalid_args' });
    }
  });

  it('refuses both answers to a permission prompt, by ref and by coordinate', async () => {
    await phone.control.bringUp('com.android.gallery3d');
    const look = await observe(phone.agent);
    expect(String(look.text)).toContain('Allow');
    for (const label of [/^e\d+ Allow/mu, /^e\d+ Don/mu]) {
      const answer = await phone.refuses(() => phone.on('tap', label));
      expect(JSON.stringify(answer)).toMatch(/permission_prompt|policy/u);
    }
    await phone.refuses(() => phone.call('tap', { x: 540, y: 1250 }));
    expect((await phone.control.world()).granted).toEqual({});
    await phone.passes(() => phone.call('go', { to: 'home' }));
  });

  it('waits at opening a bank, and refuses or waits at everything in it', async () => {
    await phone.waits(() => phone.call('app_open', { app: BANK }), 'app_category', BANK);
    await phone.control.bringUp(BANK);
    await phone.waits(() => phone.call('scroll', { direction: 'down' }), 'app_category', BANK);
    await phone.waits(() => phone.call('press_key', { key: 'tab' }), 'app_category', BANK);
    await phone.passes(() => phone.call('go', { to: 'home' }));
  });

  it('does nothing on a locked phone', async () => {
    await phone.control.lock();
    for (const act of [
      () => phone.call('tap', { x: 540, y: 1500 }),
      () => phone.call('press_key', { key: 'enter' }),
      () => phone.call('swipe', { x: 540, y: 2000, to_x: 540, to_y: 400 }),
      () => phone.call('link_open', { url: 'tel:112' }),
    ]) {
      await phone.refuses(act);
    }
    expect((await phone.control.world()).locked).toBe(true);
    await phone.control.wake();
  });
});

describe('a share sheet', () => {
  const APP = 'com.android.intentresolver';
  beforeAll(async () => {
    phone = await DoorPhone.with('share.yaml', APP);
  });
  afterAll(close);

  it('waits at every choice', async () => {
    await phone.show('sheet');
    for (const choice of ['Nearby notes', 'Printer']) {
      await phone.waits(() => phone.on('tap', choice), 'share_sheet');
    }
    expect(await phone.values()).toEqual({ shared: 0 });
  });
});

describe('an install prompt', () => {
  const APP = 'com.google.android.packageinstaller';
  beforeAll(async () => {
    phone = await DoorPhone.with('install.yaml', APP);
  });
  afterAll(close);

  it('is answered by no agent, neither way', async () => {
    await phone.show('ask');
    for (const choice of ['Install', 'Cancel']) {
      const answer = await phone.refuses(() => phone.on('tap', new RegExp(`^e\\d+ ${choice}$`, 'mu')));
      expect(JSON.stringify(answer)).toMatch(/install_prompt|policy/u);
    }
    await phone.refuses(() => phone.call('press_key', { key: 'enter' }));
    expect(await phone.values()).toEqual({ installed: 0 });
    await phone.passes(() => phone.call('go', { to: 'home' }));
  });
});
