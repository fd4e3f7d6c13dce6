/** Sessions, stop, looks: who is answered, who is told superseded or held, what a stop voids (rules 4, 5, 6, 8, 11). */
import { describe, expect, it } from 'vitest';
import { CUT_GRACE_MS } from '../../device-protocol/companion/acts.ts';
import { LOOK_LIMIT_MS, LOOKS_MAX } from '../../device-protocol/companion/engine.ts';
import type { CompanionMessage } from '../../device-protocol/messages.ts';
import { BenchLink, CompanionRig, HOST, REPORT, SNAPSHOT } from '../support/companion-rig.ts';

const said = (messages: CompanionMessage[]): string[] =>
  messages.map((one) =>
    one.type === 'record'
      ? (one.refusal ?? one.interruption ?? one.state)
      : one.type === 'not_a_record'
        ? one.code
        : one.type,
  );
const OTHER = 'b'.repeat(32);
const LOOK = { settled: true, settle_ms: 0, settle_reason: null, screenshot: null, screenshot_refused: null };

describe('two connections of one phone', () => {
  it('D-33: the newer counts; the late end of the older one takes nothing from it', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const a = rig.link;
    const request = rig.request();
    rig.submit(request);
    const b = rig.connect();
    expect(a.closed?.code).toBe('superseded');
    rig.engine.gone(a);
    expect(rig.engine.view().in_session).toBe(true);
    rig.body.runs[0]?.end({ kind: 'report', report: REPORT, snapshot: SNAPSHOT });
    expect(said(b.take())).toEqual(['done']);
  });

  it('leave the older one without effect: what it still delivers is superseded', () => {
    const rig = new CompanionRig();
    const old = rig.link;
    rig.connect();
    old.closed = null;
    const before = rig.disk.bytes();
    expect(
      said(rig.tell({ type: 'submit', request: rig.request(), approval: null, settled_below: 9 }, old)),
    ).toEqual([]);
    expect(old.closed).toMatchObject({ code: 'superseded' });
    expect(rig.disk.bytes()).toEqual(before);
    expect(rig.body.runs).toHaveLength(0);
  });

  it('count the older one out from the hello on, so that the highest seq told stays the highest', () => {
    const rig = new CompanionRig();
    const old = rig.link;
    const hello = rig.engine.hello(HOST, null);
    rig.tell({ type: 'submit', request: rig.request({ seq: 70 }), approval: null, settled_below: 0 }, old);
    expect(hello).toMatchObject({ highest_seq: 0 });
    rig.connect();
    expect(rig.hello.highest_seq).toBe(0);
  });

  it('need a number above every earlier one of this ledger', () => {
    const rig = new CompanionRig();
    rig.engine.hello(HOST, null);
    const same = { type: 'session', session: 1, settled_below: 0, ledger_rolled_back: false } as const;
    expect(rig.engine.begin(HOST, same, new BenchLink())).toMatchObject({ refused: 'superseded' });
    rig.start();
    expect(rig.hello.last_session).toBe(1);
  });
});

describe('two hosts', () => {
  it('are one too many: the second is told held, at hello and at begin, until the owner changes it', () => {
    const rig = new CompanionRig();
    expect(rig.engine.hello(OTHER, null)).toMatchObject({ refused: 'held' });
    const session = { type: 'session', session: 9, settled_below: 0, ledger_rolled_back: false } as const;
    expect(rig.engine.begin(OTHER, session, new BenchLink())).toMatchObject({ refused: 'held' });
    rig.engine.changeHolder(OTHER);
    expect(rig.engine.hello(HOST, null)).toMatchObject({ refused: 'held' });
    rig.connect(OTHER);
    rig.boot();
    expect(rig.engine.hello(HOST, null)).toMatchObject({ refused: 'held' });
  });

  it('do not share records: the same id and seq of another host is another request', () => {
    const rig = new CompanionRig();
    const first = rig.request();
    rig.submit(first);
    rig.engine.changeHolder(OTHER);
    rig.connect(OTHER);
    expect(said(rig.submit({ ...first, host_id: OTHER }))).toEqual(['started', 'done']);
    expect(rig.hello.highest_seq).toBe(0);
  });

  it('leave nothing of the first running or waiting when the phone is given to the second', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const [one, two] = [rig.request(), rig.request()];
    rig.submit(one);
    rig.submit(two);
    rig.engine.changeHolder(OTHER);
    expect(rig.body.runs[0]?.run.stillMine()).toBe(false);
    rig.engine.changeHolder(HOST);
    rig.connect();
    expect([one, two].map((request) => rig.stateOf(request))).toEqual(['interrupted', 'refused']);
  });
});

describe('a stop', () => {
  it('cuts what runs, voids what waits, and refuses everything until it is lifted', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    rig.submit(rig.request());
    rig.submit(rig.request());
    expect(said(rig.tell({ type: 'stop' }))).toEqual(['paused', 'stopped', 'stop_state']);
    expect(rig.body.runs[0]?.run.stillMine()).toBe(false);
    expect(said(rig.submit(rig.request()))).toEqual(['paused']);
    rig.start();
    expect(rig.hello).toMatchObject({ stopped_by: 'host', stop_counter: 1 });
    expect(said(rig.submit(rig.request()))).toEqual(['paused']);
  });

  it('makes sure that a submit still under way when it is lifted does not run', () => {
    const rig = new CompanionRig();
    const before = rig.request();
    rig.tell({ type: 'stop' });
    const during = rig.request();
    rig.tell({ type: 'resume', stop_counter: 1 });
    expect(said(rig.submit(before))).toEqual(['paused']);
    expect(said(rig.submit(during))).toEqual(['paused']);
    expect(said(rig.submit(rig.request()))).toEqual(['started', 'done']);
  });

  it('is lifted only by a resume that names it: a late one lifts no newer stop', () => {
    const rig = new CompanionRig();
    rig.tell({ type: 'stop' });
    rig.tell({ type: 'resume', stop_counter: 1 });
    rig.tell({ type: 'stop' });
    expect(rig.tell({ type: 'resume', stop_counter: 1 })).toMatchObject([
      { stopped_by: 'host', stop_counter: 3 },
    ]);
    expect(rig.tell({ type: 'resume', stop_counter: 3 })).toMatchObject([
      { stopped_by: null, stop_counter: 4 },
    ]);
  });

  it('pressed on the phone is lifted only there', () => {
    const rig = new CompanionRig();
    rig.engine.stopOnPhone();
    expect(rig.link.take()).toMatchObject([
      { type: 'stop_state', stopped_by: 'owner_on_phone', stop_counter: 1 },
    ]);
    expect(rig.tell({ type: 'resume', stop_counter: 1 })).toMatchObject([{ stopped_by: 'owner_on_phone' }]);
    rig.engine.resumeOnPhone();
    expect(rig.link.take()).toMatchObject([{ stopped_by: null, stop_counter: 2 }]);
  });

  it('sent twice is one stop', () => {
    const rig = new CompanionRig();
    rig.tell({ type: 'stop' });
    const before = rig.disk.bytes();
    expect(rig.tell({ type: 'stop' })).toMatchObject([{ stop_counter: 1 }]);
    expect(rig.disk.bytes()).toEqual(before);
  });

  it('that the disk refuses holds all the same, and is written as soon as it can be', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    rig.submit(rig.request());
    rig.disk.capacity = rig.disk.bytes()?.length ?? 0;
    rig.engine.stopOnPhone();
    expect(rig.body.runs[0]?.run.stillMine()).toBe(false);
    expect(rig.engine.hello(HOST, null)).toBeNull();
    rig.disk.capacity = Number.POSITIVE_INFINITY;
    rig.clock.pass(16_000);
    rig.connect();
    expect(rig.hello).toMatchObject({ stopped_by: 'owner_on_phone' });
    rig.start();
    expect(rig.hello).toMatchObject({ stopped_by: 'owner_on_phone' });
  });
});

describe('one act at a time', () => {
  it('waits for the body to come back from an act that was cut, but not for ever', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const first = rig.request({ not_after: 99_999 });
    const second = rig.request({ not_after: 99_999 });
    rig.submit(first);
    rig.submit(second);
    rig.clock.pass(5_000 + CUT_GRACE_MS - 1);
    expect(rig.body.runs).toHaveLength(1);
    rig.clock.pass(1);
    expect(rig.body.runs).toHaveLength(2);
    rig.body.runs[0]?.end({ kind: 'report', report: REPORT, snapshot: null });
    expect(rig.stateOf(first)).toBe('interrupted');
    expect(rig.stateOf(second)).toBe('started');
  });

  it('starts nothing while the service is unbound, and cuts what runs when it goes', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    rig.submit(rig.request());
    rig.engine.bodyBound(false);
    expect(said(rig.link.take())).toEqual(['unbound']);
    expect(said(rig.submit(rig.request()))).toEqual(['not_ready']);
    rig.engine.bodyBound(true);
    rig.body.runs[0]?.end({ kind: 'interrupted' });
    expect(said(rig.submit(rig.request()))).toEqual(['started']);
  });
});

describe('a look', () => {
  it('goes on beside a running act and writes nothing', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    rig.submit(rig.request());
    const before = rig.disk.bytes();
    rig.tell({ type: 'look', look: 5, settle_ms: 0, screenshot: false });
    rig.body.looks[0]?.({ snapshot: SNAPSHOT, ...LOOK });
    expect(rig.link.take()).toMatchObject([{ type: 'snapshot', look: 5 }]);
    expect(said(rig.tell({ type: 'list_apps', look: 6 }))).toEqual(['apps']);
    expect(said(rig.tell({ type: 'read_clipboard', look: 7 }))).toEqual(['clipboard']);
    expect(rig.disk.bytes()).toEqual(before);
  });

  it('is answered to the session that asked or to nobody', () => {
    const rig = new CompanionRig();
    rig.tell({ type: 'look', look: 5, settle_ms: 0, screenshot: false });
    const b = rig.connect();
    rig.body.looks[0]?.({ snapshot: SNAPSHOT, ...LOOK });
    expect(b.take()).toEqual([]);
  });

  it('fails aloud where too many are under way or nothing can be seen', () => {
    const rig = new CompanionRig();
    for (let i = 1; i <= 8; i++) rig.tell({ type: 'look', look: i, settle_ms: 0, screenshot: false });
    expect(rig.tell({ type: 'look', look: 9, settle_ms: 0, screenshot: false })).toMatchObject([
      { type: 'look_failed', look: 9, code: 'busy' },
    ]);
    rig.engine.bodyBound(false);
    expect(rig.tell({ type: 'list_apps', look: 10 })).toMatchObject([
      { type: 'look_failed', code: 'not_ready' },
    ]);
  });
});

describe('a look that the phone never answers', () => {
  it('fails at its limit and gives its place free; what comes after that is nobody’s', () => {
    const rig = new CompanionRig();
    for (let look = 1; look <= LOOKS_MAX; look++)
      rig.tell({ type: 'look', look, settle_ms: 2_000, screenshot: false });
    rig.clock.pass(2_000 + LOOK_LIMIT_MS - 1);
    expect(rig.link.take()).toEqual([]);
    rig.clock.pass(1);
    expect(rig.link.take()).toMatchObject(
      Array.from({ length: LOOKS_MAX }, (_, i) => ({ type: 'look_failed', look: i + 1, code: 'timed_out' })),
    );
    rig.body.looks[0]?.({ snapshot: SNAPSHOT, ...LOOK });
    expect(rig.link.take()).toEqual([]);
    expect(rig.tell({ type: 'look', look: 9, settle_ms: 0, screenshot: false })).toEqual([]);
    rig.body.looks[LOOKS_MAX]?.({ snapshot: SNAPSHOT, ...LOOK });
    expect(rig.link.take()).toMatchObject([{ type: 'snapshot', look: 9 }]);
    rig.body.looks[LOOKS_MAX]?.({ snapshot: SNAPSHOT, ...LOOK });
    expect(rig.link.take()).toEqual([]);
  });
});

describe('every answer', () => {
  it('carries the head of the journal as it is after it', () => {
    const rig = new CompanionRig();
    const heads = [
      ...rig.submit(rig.request()),
      ...rig.seal(rig.request()),
      ...rig.status(rig.request()),
      ...rig.submit(rig.request({ boot_id: '0'.repeat(32) })),
      ...rig.tell({ type: 'stop' }),
      ...rig.tell({ type: 'ping', settled_below: 0 }),
      ...rig.tell({ type: 'list_apps', look: 1 }),
      ...rig.tell({ type: 'read_clipboard', look: 1 }),
    ].map((message) => ('head' in message ? message.head.length : -1));
    expect(heads).toEqual([3, 4, 5, 5, 5, 6, 6, 6, 6]);
  });

  it('to a message that has no place in a session says so', () => {
    const rig = new CompanionRig();
    expect(
      said(rig.tell({ type: 'session', session: 9, settled_below: 0, ledger_rolled_back: false })),
    ).toEqual(['schema']);
  });
});

describe('a rollback that the host found', () => {
  it('cuts what runs in the old file first, then begins anew: nothing old runs or is known', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const [runs, waits] = [rig.request(), rig.request()];
    rig.submit(runs);
    rig.submit(waits);
    const { boot_id, ledger_id } = rig.ready;
    rig.connect(HOST, { ledger_rolled_back: true });
    expect(rig.body.runs[0]?.run.stillMine()).toBe(false);
    expect(rig.ready.ledger_id).not.toBe(ledger_id);
    expect(rig.ready.boot_id).not.toBe(boot_id);
    const old = new TextDecoder().decode(rig.disk.old[0]?.bytes);
    expect(rig.disk.old[0]?.why).toBe('rolled_back');
    expect(old.match(/"interruption":"rolled_back"/g)).toHaveLength(1);
    expect(old.match(/"refusal":"ledger_rolled_back"/g)).toHaveLength(1);
    rig.body.runs[0]?.end({ kind: 'report', report: REPORT, snapshot: null });
    expect([runs, waits].map((request) => rig.stateOf(request))).toEqual(['absent', 'absent']);
    expect(said(rig.submit(waits))).toEqual(['other_ledger']);
    expect(rig.body.runs).toHaveLength(1);
  });
});
