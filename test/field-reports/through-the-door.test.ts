/**
 * Field reports as an agent meets them: a real MCP client on a real host, the report's scenario on the virtual
 * phone, what happened counted by the phone itself. Each scenario is a short file in
 * test/virtual-phone/scenarios.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { refOf } from '../support/mcp.ts';
import { outcomeOf, ReportRig, type Result } from './rig.ts';

let rig: ReportRig;
afterEach(() => rig?.ended());

const notes = (seen: Result) => ((seen.notes ?? []) as { code: string }[]).map(({ code }) => code);
const text = (seen: Result) => String(seen.text);

describe('observation', () => {
  it('D-01: a tree that is complete after a while is waited for, or marked; never three nodes without a word', async () => {
    rig = await ReportRig.of('d-01-half-published', 'org.example.compose');
    const seen = await rig.look();
    const orders = text(seen)
      .split('\n')
      .filter((line) => line.includes('Order'));
    expect(orders.length >= 22 || notes(seen).length > 0).toBe(true);
    await expect.poll(async () => text(await rig.look())).toContain('Order 22');
  });

  it('D-02: three quarters that say nothing are said, with the picture as the other way to look', async () => {
    rig = await ReportRig.of('d-02-hidden-area', 'org.example.holder');
    const seen = await rig.look();
    expect(text(seen)).not.toContain('a picture only');
    expect(JSON.stringify(seen)).toMatch(/(7|8)\d% of the screen has no readable content/);
    expect(text(seen)).toContain('screenshot');
  });

  it('D-05: rows without words of their own are listed once each and open what they name', async () => {
    rig = await ReportRig.of('d-05-rows-without-text', 'org.example.menu');
    const seen = await rig.look();
    for (const row of ['Reports', 'Alarms', 'Profile', 'Units', 'Help', 'About']) {
      expect(text(seen).split(row).length - 1, row).toBe(1);
      expect(outcomeOf(await rig.tap(row, seen)), row).toMatchObject({ state: 'done', acted: true });
      expect((await rig.values()).opened).toBe(row);
    }
  });

  it('D-06: of four thousand texts it says which are shown and how many more there are, deep ones included', async () => {
    rig = await ReportRig.of('d-06-huge', 'org.example.feed');
    const seen = await rig.look();
    expect(text(seen)).toContain('entry 1');
    expect(text(seen)).toMatch(/of 4,?00\d|off screen|more below/);
    expect(text(seen)).not.toContain('entry 3990');
    expect(outcomeOf(await rig.tap('Deep one', seen)).state).toBe('done');
    expect(text(await rig.look())).toContain('the bottom');
  });
});

describe('text input', () => {
  it('D-11: a field that keeps its old text is no success, one that formats says what it holds', async () => {
    rig = await ReportRig.of('d-11-deaf-field', 'org.example.form');
    const seen = await rig.look();
    const type = (label: string, value: string) =>
      rig.act('set_text', { ref: refOf(seen, label), observation_id: seen.observation_id, text: value });
    const deaf = await type('Name', 'after');
    expect(deaf).toMatchObject({
      ok: false,
      error_code: 'text_not_taken',
      result: { acted: false, read_back: { value: 'before' } },
    });
    expect((await rig.values()).name).toBe('before');
    expect(outcomeOf(await type('Sum', '1234567'))).toMatchObject({
      acted: true,
      read_back: { value: '1,234,567', matches: false },
    });
  });

  it('D-07: every script is read back code point for code point', async () => {
    rig = await ReportRig.of('d-11-deaf-field', 'org.example.form');
    await rig.phone.bringUp('com.android.contacts');
    for (const written of ['很', '☝', 'שלום!', 'Ærø å', 'naïve café', 'हिन्दी', '👩🏽‍🚒 e\u0301']) {
      const seen = await rig.look();
      const ended = await rig.act('set_text', {
        ref: refOf(seen, 'Search contacts'),
        observation_id: seen.observation_id,
        text: written,
      });
      expect(outcomeOf(ended), written).toMatchObject({
        acted: true,
        read_back: { value: written, matches: true },
      });
    }
  });

  it('D-14: early typing is never told as done unless the field holds it', async () => {
    rig = await ReportRig.of('d-14-typing-early', 'org.example.search');
    const opened = await rig.tap('Find');
    expect(outcomeOf(opened).state).toBe('done');
    const seen = await rig.look();
    const typed = await rig.act('set_text', {
      ref: refOf(seen, /field/),
      observation_id: seen.observation_id,
      text: 'kiosk',
    });
    const held = (await rig.values()).query;
    expect([typed.ok, (outcomeOf(typed).read_back as { value: unknown }).value]).toEqual([
      held === 'kiosk',
      held,
    ]);
  });
});

describe('settle and outcome', () => {
  it('D-12: an app that never rests holds nothing up: the panel is told, and no tick for it', async () => {
    rig = await ReportRig.of('d-12-never-rests', 'org.example.watch');
    const ended = outcomeOf(await rig.tap('Details'));
    expect(ended).toMatchObject({ state: 'done', changed: true });
    expect(Number(ended.settle_ms)).toBeLessThanOrEqual(3_500);
    if (ended.settled === false) expect(String(ended.settle_reason)).toContain('ticks');
    expect(JSON.stringify(ended.change)).toContain('The panel');
  });

  it('D-15: a click without effect is told as unchanged', async () => {
    rig = await ReportRig.of('d-15-click-without-effect', 'org.example.finger');
    expect(outcomeOf(await rig.tap('Press'))).toMatchObject({ state: 'done', changed: false });
    expect((await rig.values()).pressed).toBe(0);
  });
});

describe('refs', () => {
  it('D-20: a row that came in above is never tapped for the one that was meant', async () => {
    rig = await ReportRig.of('d-20-new-row-above', 'org.example.rows');
    const seen = await rig.look();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const ended = await rig.tap('Beta', seen);
    const { tapped } = await rig.values();
    expect(tapped).toBe(ended.ok ? 'Beta' : 'nobody');
  });

  it('D-21: a ref of the screen that was left is refused, with a fresh look to go on from', async () => {
    rig = await ReportRig.of('d-21-same-place-other-button', 'org.example.place');
    await rig.tap('Go on');
    const there = await rig.look();
    await rig.act('go', { to: 'back' });
    const before = (await rig.phone.touches()).length;
    const ended = await rig.tap('Verify', there);
    expect(ended).toMatchObject({ ok: false, error_code: 'target_stale', effect: 'none' });
    expect((await rig.phone.touches()).length).toBe(before);
    expect(await rig.values()).toMatchObject({ deleted: false, verified: false });
  });

  it('D-24: the Delete of the third row is the third row’s, after the owner said yes', async () => {
    rig = await ReportRig.of('d-24-five-deletes', 'org.example.files');
    const seen = await rig.look();
    const line = text(seen)
      .split('\n')
      .findIndex((one) => one.includes('Letters'));
    const own =
      text(seen)
        .split('\n')
        .slice(line)
        .find((one) => one.includes('Delete')) ?? '';
    const ref = /\be\d+\b/.exec(own)?.[0] ?? '';
    const staged = await rig.act('tap', { ref, observation_id: seen.observation_id });
    expect(outcomeOf(staged).state).toBe('pending_confirmation');
    expect(JSON.stringify(await rig.owner('pending'))).toContain('Letters');
    await rig.owner('approve', String(outcomeOf(staged).confirmation_id));
    const ended = await rig.ok('request_status', {
      request_id: outcomeOf(staged).request_id,
      wait_ms: 20_000,
    });
    expect(ended).toMatchObject({ state: 'done', acted: true });
    expect((await rig.values()).gone).toBe('Letters');
  });
});

describe('scroll', () => {
  it('D-25, D-26: “not there” after the end is another answer than “further down than I looked”', async () => {
    rig = await ReportRig.of('d-25-far-down', 'org.example.long');
    const until = async (words: string) =>
      outcomeOf(await rig.act('scroll', { direction: 'down', until_text: words, timeout_ms: 55_000 }));
    const found = await until('row_150');
    expect(JSON.stringify(found)).toContain('found');
    expect(text(await rig.look())).toContain('row_150');
    const end = await until('row_999');
    expect(JSON.stringify(end)).toMatch(/end_reached|budget_used/);
    const again = outcomeOf(await rig.act('scroll', { direction: 'down' }));
    if (JSON.stringify(end).includes('end_reached')) expect(again).toMatchObject({ changed: false });
  });
});

describe('approval', () => {
  it('D-49: the chat changed between question and answer: nothing is sent, and both are told so', async () => {
    rig = await ReportRig.of('d-49-other-chat', 'org.example.chat');
    const staged = await rig.tap('Send');
    expect(outcomeOf(staged).state).toBe('pending_confirmation');
    await rig.phone.advance(61_000);
    const approved = await rig.owner('approve', String(outcomeOf(staged).confirmation_id));
    const ended = await rig.agent.call('request_status', {
      request_id: outcomeOf(staged).request_id,
      wait_ms: 20_000,
    });
    expect(outcomeOf(ended)).toMatchObject({ state: 'refused' });
    expect(JSON.stringify([approved, ended])).toMatch(/target_changed|target_stale|foreground_changed/);
    expect((await rig.values()).sent).toBe('nobody');
  });
});
