/**
 * Every tool through a real MCP client on the virtual phone; what it did is read from the phone's touch
 * counter and from the app's own state, never from the answer alone.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '../../device-protocol/envelope.ts';
import { TOOL_NAMES } from '../../device-protocol/tools/tools.ts';
import { type ControlConnection, reachControl } from '../../host/virtual-phone/control-socket.ts';
import {
  countersign,
  freshFolder,
  phoneFolder,
  type RunningHost,
  startHostProcess,
} from '../support/host-process.ts';
import { type Agent, agentOn, refOf } from '../support/mcp.ts';
import { newKey } from '../support/messages-walk.ts';

/** Names of what is tapped, in the phone's language. */
const LANGUAGES = {
  en: { notes: 'Notes', contacts: 'Contacts', settings: 'Settings', messages: 'Messages' },
  ar: { notes: 'الملاحظات', contacts: 'جهات الاتصال', settings: 'الإعدادات', messages: 'الرسائل' },
  ja: { notes: 'メモ', contacts: '連絡先', settings: '設定', messages: 'メッセージ' },
} as const;

const PACKAGES = {
  notes: 'com.example.notes',
  contacts: 'com.android.contacts',
  settings: 'com.android.settings',
  messages: 'com.android.messaging',
} as const;

describe.each(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[])(
  'every tool on a phone that speaks %s',
  (language) => {
    const words = LANGUAGES[language];
    const data = freshFolder();
    let host: RunningHost;
    let agent: Agent;
    let phone: ControlConnection;
    const used = new Set<string>();

    const call = async (tool: string, args: Record<string, unknown> = {}): Promise<Envelope> => {
      used.add(tool);
      return agent.call(tool, args);
    };
    const ok = async (tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
      const envelope = await call(tool, args);
      if (!envelope.ok) throw new Error(`${tool}: ${JSON.stringify(envelope)}`);
      return envelope.result;
    };
    const act = (tool: string, args: Record<string, unknown> = {}) =>
      ok(tool, { ...args, idempotency_key: newKey() });
    const touches = async () => (await phone.touches()).length;
    const front = async (name: keyof typeof PACKAGES) => {
      expect(await act('app_open', { app: PACKAGES[name] })).toMatchObject({
        foreground_app: { package: PACKAGES[name] },
      });
    };
    const aimAt = async (label: string | RegExp) => {
      const look = await ok('screen_observe');
      return { ref: refOf(look, label), observation_id: look.observation_id };
    };

    beforeAll(async () => {
      host = await startHostProcess(data.path, ['--virtual', '--phone-control', '--language', language]);
      agent = await agentOn(data.path, 'client 2.4.0', ['--tools', 'all']);
      phone = await reachControl(phoneFolder(data.path));
    });
    afterAll(async () => {
      await agent?.close();
      phone?.close();
      await host?.stop();
      data.remove();
    });

    it('lists the phone and its apps', async () => {
      expect(await ok('device_list')).toMatchObject({
        items: [{ device_id: 'virtual', health: 'ready', may_act: true }],
      });
      const apps = await ok('app_list', { text: words.notes });
      expect(apps.items).toMatchObject([{ package: PACKAGES.notes, label: words.notes }]);
    });

    it('opens an app, finds words and taps', async () => {
      await act('go', { to: 'home' });
      const found = await ok('screen_find', { text: words.contacts });
      const [icon] = found.items as { ref: string }[];
      const before = await touches();
      const tapped = await act('tap', { ref: icon?.ref, observation_id: found.observation_id });
      expect(tapped).toMatchObject({
        acted: true,
        changed: true,
        foreground_app: { package: PACKAGES.contacts },
      });
      expect(await touches()).toBe(before + 1);
      expect((await phone.touches()).at(-1)).toMatchObject({ package: 'com.android.launcher3' });
    });

    it('scrolls a long list and knows its end', async () => {
      await front('contacts');
      const first = await ok('screen_observe');
      const scrolled = await act('scroll', { direction: 'down', observe: 'summary' });
      expect(scrolled).toMatchObject({ acted: true, changed: true });
      expect((scrolled.observation as Record<string, unknown>).text).not.toBe(first.text);
      const back = await act('scroll', { direction: 'up' });
      expect(back).toMatchObject({ acted: true });
      expect(await act('scroll', { direction: 'up' })).toMatchObject({ changed: false, at_edge: true });
    });

    it('scrolls until words show, and tells “not there” from “not far enough”', async () => {
      await front('contacts');
      const contacts = (await phone.state(PACKAGES.contacts)) as { people: { name: string }[] };
      const last = contacts.people.at(-1)?.name ?? '';
      const found = await act('scroll', {
        direction: 'down',
        until_text: last.toUpperCase(),
        observe: 'summary',
      });
      expect(found).toMatchObject({ until: { met: true, why: 'found' } });
      expect(JSON.stringify(found.observation)).toContain(last);
      const absent = await act('scroll', { direction: 'up', until_text: 'Nobody of this name' });
      expect(absent).toMatchObject({ until: { met: false, why: 'end_reached' } });
      const hurried = await act('scroll', { direction: 'down', until_text: last, timeout_ms: 9_000 });
      expect(['found', 'budget_used']).toContain((hurried.until as { why: string }).why);
      await act('scroll', { direction: 'up', until_text: 'Nobody of this name' });
    });

    it('draws a finger over the list', async () => {
      await front('contacts');
      expect(await act('swipe', { x: 540, y: 1700, to_x: 540, to_y: 700 })).toMatchObject({
        acted: true,
        changed: true,
      });
    });

    it('types, reads back, appends and clears', async () => {
      await front('messages');
      const said = await ok('screen_observe');
      if (!/field|hint/i.test(String(said.text))) await act('tap', await aimAt('Anna Beispiel'));
      const typed = await act('set_text', { ...(await aimAt(/field/)), text: 'šŁ 你好 🎉' });
      expect(typed).toMatchObject({ acted: true, read_back: { value: 'šŁ 你好 🎉', matches: true } });
      const more = await act('set_text', { ...(await aimAt(/field/)), text: ' +1', mode: 'append' });
      expect(more).toMatchObject({ read_back: { value: 'šŁ 你好 🎉 +1', matches: true } });
      const state = (await phone.state(PACKAGES.messages)) as { conversations: { draft: string }[] };
      expect(state.conversations.map((one) => one.draft)).toContain('šŁ 你好 🎉 +1');
      await act('set_text', { ...(await aimAt(/field/)), text: '', mode: 'clear' });
      const cleared = (await phone.state(PACKAGES.messages)) as { conversations: { draft: string }[] };
      expect(cleared.conversations.every((one) => one.draft === '')).toBe(true);
      expect(await act('press_key', { key: 'move_home' })).toMatchObject({ state: 'done' });
      await act('go', { to: 'hide_keyboard' });
    });

    it('presses for a while', async () => {
      await front('messages');
      const look = await ok('screen_observe');
      if (/field/.test(String(look.text))) await act('go', { to: 'back' });
      const held = await act('long_press', await aimAt('Kiosk B'));
      expect(held).toMatchObject({ acted: true, changed: true, change: { window: true } });
      expect(await phone.state(PACKAGES.messages)).toMatchObject({ deleting: 'kiosk-b' });
      await act('go', { to: 'back' });
      expect(await phone.state(PACKAGES.messages)).toMatchObject({ deleting: null });
    });

    it('switches a toggle once, and not again where it already is', async () => {
      await front('settings');
      await phone.tell(PACKAGES.settings, 'show', 'network');
      const look = await ok('screen_observe');
      const line = String(look.text)
        .split('\n')
        .find((one) => /toggle|switch/.test(one));
      const ref = /\be\d+\b/.exec(line ?? '')?.[0];
      expect(ref, String(look.text)).toBeDefined();
      const wifi = async () => ((await phone.state(PACKAGES.settings)) as { on: { wifi: boolean } }).on.wifi;
      const toggleTo = async (on: boolean) => {
        const aim = { ref, observation_id: look.observation_id };
        const staged = await ok('set_toggle', { ...aim, on, idempotency_key: newKey() });
        // In Settings a toggle is the owner's to allow: it waits, and nothing is touched.
        expect(staged).toMatchObject({ state: 'pending_confirmation' });
        const id = String(staged.confirmation_id);
        expect((await countersign(['approve', id, '--data', data.path])).status).toBe(0);
        return ok('request_status', { request_id: staged.request_id, wait_ms: 10_000 });
      };
      const before = await touches();
      expect(await wifi()).toBe(true);
      expect(await toggleTo(true)).toMatchObject({ state: 'done', read_back: { matches: true } });
      expect(await touches()).toBe(before);
      expect(await toggleTo(false)).toMatchObject({ state: 'done', acted: true, changed: true });
      expect(await wifi()).toBe(false);
      expect(await touches()).toBe(before + 1);
    });

    it('drags, and a drag of nothing known asks first or is done', async () => {
      await act('go', { to: 'home' });
      const dragged = await call('drag', { x: 540, y: 600, to_x: 540, to_y: 900, idempotency_key: newKey() });
      expect(dragged.ok).toBe(true);
      const result = dragged.result as Record<string, unknown>;
      if (result.state === 'pending_confirmation')
        await ok('request_withdraw', { request_id: result.request_id });
    });

    it('asks before it opens an address outside the grant', async () => {
      const opened = await ok('link_open', { url: 'https://example.org/', idempotency_key: newKey() });
      expect(opened).toMatchObject({ state: 'pending_confirmation', risk: { level: 'high' } });
      await ok('request_withdraw', { request_id: opened.request_id });
    });

    it('writes and reads the clipboard', async () => {
      await act('clipboard_write', { text: 'copied ✓' });
      const read = await ok('clipboard_read');
      // Android 10 and later let only the app in front or the keyboard read; what was refused says so.
      expect(read.text === 'copied ✓' || typeof read.refused === 'string').toBe(true);
      expect((await phone.world()) as unknown as Record<string, unknown>).toMatchObject({
        clipboard: expect.anything(),
      });
    });

    it('waits for words, for an app, for rest, and says when they do not come', async () => {
      await front('contacts');
      expect(await ok('screen_wait', { for: 'app', value: PACKAGES.contacts, wait_ms: 3_000 })).toMatchObject(
        { met: true },
      );
      expect(await ok('screen_wait', { for: 'text', value: words.contacts, wait_ms: 3_000 })).toMatchObject({
        met: true,
      });
      expect(await ok('screen_wait', { for: 'gone', value: words.contacts, wait_ms: 300 })).toMatchObject({
        met: false,
      });
      expect(await ok('screen_wait', { for: 'settled', wait_ms: 3_000 })).toMatchObject({ met: true });
    });

    it('takes a picture, small at once and whole by its address', async () => {
      await front('contacts');
      const picture = await ok('screen_screenshot');
      expect(picture).toMatchObject({ content_type: 'image/png', width: 1080, height: 2400 });
      expect(picture.bytes).toBeGreaterThan(5_000);
      const png = await agent.resource(String(picture.blob));
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect(png.length).toBe(picture.bytes);
    });

    it('previews an act without doing it', async () => {
      await front('contacts');
      const before = await touches();
      const aim = await aimAt(/^e\d+ /);
      const preview = await ok('action_preview', { tool: 'tap', arguments: aim });
      expect(preview).toMatchObject({ tool: 'tap', risk: { level: expect.stringMatching(/low|high/) } });
      expect(['run', 'ask_owner']).toContain(preview.would);
      expect(await touches()).toBe(before);
    });

    it('makes several calls in one and says which failed', async () => {
      const batch = await ok('batch', {
        calls: [
          { tool: 'screen_find', arguments: { text: words.contacts } },
          { tool: 'tap', arguments: { x: 5, y: 5 } },
          { tool: 'app_open', arguments: { app: PACKAGES.notes } },
          { tool: 'app_open', arguments: { app: 'com.example.absent' } },
        ],
        idempotency_key: newKey(),
      });
      expect(batch).toMatchObject({ total: 4, succeeded: 2, failed: 2 });
      expect(batch.results).toMatchObject([
        { ok: true },
        { ok: false, error_code: 'batch_item_refused' },
        { ok: true },
        { ok: false, error_code: 'app_unknown' },
      ]);
    });

    it('tells what became of a request', async () => {
      const gone = await act('go', { to: 'home' });
      expect(await ok('request_status', { request_id: gone.request_id })).toMatchObject({
        state: 'done',
        acted: true,
      });
    });

    it('finds tools and skills that are not listed, and reaches them', async () => {
      const found = await ok('tools_search', { query: 'picture of the screen' });
      expect(JSON.stringify(found.items)).toContain('screen_screenshot');
      expect(await ok('tool_use', { tool: 'device_list', arguments: {} })).toMatchObject({ count: 1 });
      const [skill] = (await ok('skill_list')).items as { skill: string }[];
      expect(await ok('skill_read', { skill: skill?.skill })).toMatchObject({ text: expect.any(String) });
    });

    it('asks the owner, tells where the task stands, and ends it', async () => {
      const asked = await ok('ask_owner', { question: 'Is this all?' });
      const answered = ['answer', String(asked.question_id), 'Yes', '--data', data.path];
      expect((await countersign(answered)).status).toBe(0);
      expect(await ok('ask_owner', { question_id: asked.question_id })).toMatchObject({ answer: 'Yes' });
      const status = await ok('task_status', { limit: 1 });
      expect(status).toMatchObject({ state: 'open', count: 1, has_more: true });
      expect(await ok('task_complete', { outcome: 'done' })).toMatchObject({
        task_id: status.task_id,
        state: 'done',
        steps: status.total,
      });
    });

    it('has used every tool there is', () => {
      expect(TOOL_NAMES.filter((name) => !used.has(name))).toEqual([]);
    });
  },
);
