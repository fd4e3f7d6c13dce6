/**
 * Field reports as scenarios: what the phone's own side must hold of each. What the host makes of them is
 * tested where the host is.
 */
import { describe, expect, it } from 'vitest';
import { findTarget } from '../../device-protocol/companion/find-target.ts';
import type { Report } from '../../device-protocol/report.ts';
import { has, snapshotSchema } from '../../device-protocol/snapshot.ts';
import { PhoneRig } from './rig.ts';

const told = (answer: Report | string): Report => {
  if (typeof answer === 'string') throw new Error(`refused: ${answer}`);
  return answer;
};

describe('observation', () => {
  it('D-01: a half-published tree is marked, and waited for although it sends no event', () => {
    const phone = PhoneRig.scenario('d-01-half-published');
    const early = phone.look().snapshot;
    expect(early.losses.map((loss) => loss.code)).toEqual(['still_loading']);
    const whole = phone.look(3_000);
    expect(whole.snapshot.losses).toEqual([]);
    expect(
      whole.snapshot.nodes
        .filter((node) => node.text?.startsWith('Order'))
        .every((node) => node.bounds[2] > 0),
    ).toBe(true);
  });

  it('D-02: the hidden area is there without any words in it', () => {
    const phone = PhoneRig.scenario('d-02-hidden-area');
    const { snapshot } = phone.look();
    expect(snapshotSchema.safeParse(snapshot).success).toBe(true);
    const hole = snapshot.nodes.find((node) => node.bounds.join() === '0,368,1440,2752');
    expect(hole).toBeDefined();
    expect(phone.words()).not.toContain('a picture only');
  });

  it('D-03: a window without a root says so, and is never an empty good tree', () => {
    const phone = PhoneRig.of();
    phone.arm({ rootless_of_five: 2 });
    for (let i = 0; i < 20; i++) {
      const { snapshot } = phone.look();
      const active = snapshot.windows.find((window) => window.active);
      expect(active?.root === null ? active.unreadable : 'readable').toBe(i % 5 < 2 ? 'no_root' : 'readable');
      expect(snapshotSchema.safeParse(snapshot).success).toBe(true);
    }
  });

  it('D-05: six rows without own words, each tapped by its target', () => {
    const phone = PhoneRig.scenario('d-05-rows-without-text');
    for (const row of ['Reports', 'Alarms', 'Profile', 'Units', 'Help', 'About']) {
      expect(told(phone.tap(row)).acted).toBe(true);
      expect(phone.values.opened).toBe(row);
    }
  });

  it('D-06: four thousand texts and a tree of more than 110 levels are given whole', () => {
    const phone = PhoneRig.scenario('d-06-huge');
    const { nodes } = phone.screen();
    expect(nodes.filter((node) => node.text?.startsWith('entry'))).toHaveLength(4_000);
    expect(nodes.find((node) => node.text === 'entry 3990')).toBeDefined();
    phone.tap('Deep one');
    const deep = phone.screen();
    let levels = 0;
    for (let at = phone.indexOf('the bottom', null, deep); at >= 0; at = deep.nodes[at]?.parent ?? -1)
      levels += 1;
    expect(levels).toBeGreaterThan(110);
  });
});

describe('text', () => {
  it('D-11: a field that keeps its text is told as not changed, one that formats as changed with its value', () => {
    const phone = PhoneRig.scenario('d-11-deaf-field');
    expect(told(phone.setText('deaf', 'after'))).toMatchObject({
      acted: false,
      error_code: 'text_not_taken',
      read_back: 'before',
      changed: false,
    });
    expect(told(phone.setText('sum', '1234567'))).toMatchObject({
      acted: true,
      read_back: '1,234,567',
      read_back_matches: false,
      changed: true,
    });
  });

  it('D-14: no run reports a text that the field does not hold', () => {
    let taken = 0;
    for (let run = 0; run < 50; run++) {
      const phone = PhoneRig.scenario('d-14-typing-early');
      phone.tap('Find');
      phone.clock.advance((run * 18) % 900);
      const answer = told(phone.setText('query', 'kiosk'));
      const held = phone.values.query;
      if (answer.acted === true) taken += 1;
      expect([answer.acted, answer.read_back]).toEqual([held === 'kiosk', held]);
    }
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(50);
  });
});

describe('settling', () => {
  it('D-12: a label that never rests does not hold the act up: within its ceiling, unsettled, the node named, the panel there', () => {
    const phone = PhoneRig.scenario('d-12-never-rests');
    phone.clock.advance(1_000);
    const answer = told(phone.tap('Details'));
    expect(answer).toMatchObject({ acted: true, changed: true, settled: false });
    expect(answer.settle_reason).toContain('ticks');
    expect(answer.settle_ms).toBeLessThanOrEqual(3_000);
    expect(answer.change?.appeared).toContain('The panel');
  });

  it('D-15: a click that is answered yes without effect is told as unchanged; a finger works', () => {
    const phone = PhoneRig.scenario('d-15-click-without-effect');
    expect(told(phone.tap('Press'))).toMatchObject({ acted: true, changed: false });
    const { bounds } = phone.screen().nodes[phone.indexOf('Press')] ?? expect.fail();
    const point = { x: bounds[0] + 10, y: bounds[1] + 10 };
    expect(told(phone.act({ kind: 'tap', aim: { by: 'point', point, under: null }, count: 1 })).changed).toBe(
      true,
    );
    expect(phone.values.pressed).toBe(1);
  });
});

describe('targets', () => {
  it('D-20, D-22: with a new row above, the same row is tapped or none, whenever it comes in', () => {
    for (let wait = 0; wait < 400; wait += 4) {
      const phone = PhoneRig.scenario('d-20-new-row-above');
      const target = phone.target('Beta');
      phone.clock.advance(wait);
      const answer = phone.act({ kind: 'tap', aim: { by: 'element', target }, count: 1 });
      expect([typeof answer === 'string' ? 'nobody' : 'Beta']).toContain(phone.values.tapped);
      expect(phone.values.tapped).not.toBe('Alpha');
    }
  });

  it('D-21: a target of the screen that was left is refused before anything is touched', () => {
    const phone = PhoneRig.scenario('d-21-same-place-other-button');
    phone.tap('Go on');
    const verify = phone.target('Verify');
    phone.act({ kind: 'go', to: 'back' });
    const touches = phone.touches.all().length;
    expect(phone.act({ kind: 'tap', aim: { by: 'element', target: verify }, count: 1 })).toBe('target_stale');
    expect(phone.touches.all()).toHaveLength(touches);
    expect(phone.values).toMatchObject({ deleted: false, verified: false });
  });

  it('D-24: each of five equal Deletes is its own row’s, and no other', () => {
    const names = ['Budget', 'Holiday', 'Letters', 'Photos', 'Taxes'];
    for (const [nth, name] of names.entries()) {
      const phone = PhoneRig.scenario('d-24-five-deletes');
      told(phone.tap('Delete', nth));
      expect(phone.values.gone).toBe(name);
    }
  });

  it('D-49: the screen that was approved is gone when the approval comes: refused', () => {
    const phone = PhoneRig.scenario('d-49-other-chat');
    const target = phone.target('Send');
    phone.clock.advance(61_000);
    expect('refused' in findTarget(phone.screen(), target)).toBe(true);
    expect(phone.act({ kind: 'tap', aim: { by: 'element', target }, count: 1 })).toBe('target_stale');
    expect(phone.values.sent).toBe('nobody');
  });
});

describe('scrolling', () => {
  it('D-25, D-26: row 150 is reached from the top; at the end every further scroll says so and moves nothing', () => {
    const phone = PhoneRig.scenario('d-25-far-down');
    const scroll = (direction: 'down' | 'up') => told(phone.act({ kind: 'scroll', target: null, direction }));
    let pages = 0;
    while (!phone.words().includes('row_150') && pages < 50) {
      expect(scroll('down').acted).toBe(true);
      pages += 1;
    }
    expect(phone.words()).toContain('row_150');
    while (scroll('down').at_edge !== true && pages < 50) pages += 1;
    const ends = Array.from({ length: 5 }, () => scroll('down'));
    for (const end of ends) expect(end).toMatchObject({ acted: true, at_edge: true, changed: false });
    expect(phone.words()).not.toContain('row_999');
    expect(
      phone
        .screen()
        .nodes.filter((node) => has(node, 'visible'))
        .map((node) => node.text),
    ).toContain('row_200');
  });
});
