/** The disk refuses, fails, is full, is damaged: what is answered, what runs, what is found afterwards (rules 1, 4, 9). */
import { describe, expect, it } from 'vitest';
import { DiskError } from '../../device-protocol/companion/ports.ts';
import type { CompanionMessage } from '../../device-protocol/messages.ts';
import type { Request } from '../../device-protocol/request.ts';
import { CompanionRig, HOST, REPORT } from '../support/companion-rig.ts';
import type { DiskOperation } from '../support/memory-disk.ts';

const said = (messages: CompanionMessage[]): string[] =>
  messages.map((one) =>
    one.type === 'record'
      ? (one.refusal ?? one.interruption ?? one.state)
      : one.type === 'not_a_record'
        ? one.code
        : one.type,
  );
const failing = (rig: CompanionRig, operation: DiskOperation, code: DiskError['code'], times = 1): void => {
  let left = times;
  rig.disk.before = (now) => {
    if (now === operation && left-- > 0) throw new DiskError(code, 'the test says so');
  };
};

describe('a failed write', () => {
  it('of started refuses before anything is dispatched, and is no evidence', () => {
    for (const operation of ['append', 'sync'] as const) {
      const rig = new CompanionRig();
      failing(rig, operation, 'disk_failed');
      expect(said(rig.submit(rig.request())).at(-1)).toBe('storage_failed');
      expect(rig.body.runs).toHaveLength(0);
      expect(rig.engine.view().ready).toBe(true);
    }
  });

  it('is followed by a journal written anew: what a failed sync was about is not trusted', () => {
    const rig = new CompanionRig();
    failing(rig, 'sync', 'disk_failed');
    const request = rig.request();
    rig.submit(request);
    // The entry could be read, so it counts, and from now on it is really there.
    expect(rig.stateOf(request)).toBe('interrupted');
    expect(rig.disk.durableBytes()).toEqual(rig.disk.bytes());
    rig.disk.cutPower(0, false);
    rig.start();
    expect(rig.stateOf(request)).toBe('interrupted');
  });

  it('of done leaves interrupted, and the act does not run again', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const request = rig.request();
    rig.submit(request);
    failing(rig, 'append', 'disk_failed');
    rig.body.runs[0]?.end({ kind: 'report', report: REPORT, snapshot: null });
    expect(said(rig.link.take())).toEqual(['restarted']);
    expect(said(rig.submit(request))).toEqual(['restarted']);
    expect(rig.body.runs).toHaveLength(1);
  });

  it('that goes on makes the companion fall silent until recovery is over, hello included', () => {
    const rig = new CompanionRig();
    failing(rig, 'append', 'disk_failed', 3);
    rig.disk.before = () => {
      throw new DiskError('disk_failed', 'nothing works');
    };
    const { link } = rig;
    expect(said(rig.submit(rig.request()))).toEqual([]);
    expect(link.closed).toEqual({ code: null, detail: 'recovering' });
    expect(rig.engine.hello(HOST, null)).toBeNull();
    rig.clock.pass(60_000);
    expect(rig.engine.hello(HOST, null)).toBeNull();
    rig.disk.before = () => {};
    rig.clock.pass(16_000);
    expect(rig.engine.hello(HOST, null)).toMatchObject({ type: 'hello' });
  });

  it('cuts what runs at once, though the record cannot be closed yet', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const first = rig.request();
    rig.submit(first);
    expect(rig.body.runs[0]?.run.stillMine()).toBe(true);
    rig.disk.before = () => {
      throw new DiskError('disk_failed', 'nothing works');
    };
    rig.submit(rig.request());
    expect(rig.body.runs[0]?.run.stillMine()).toBe(false);
    rig.disk.before = () => {};
    rig.clock.pass(1_000);
    rig.connect();
    expect(rig.stateOf(first)).toBe('interrupted');
  });
});

describe('a full disk', () => {
  it('refuses an act before it starts, without a trace, and answers what is known', () => {
    const rig = new CompanionRig();
    const done = rig.request();
    rig.submit(done);
    rig.disk.capacity = (rig.disk.bytes()?.length ?? 0) + 100;
    const request = rig.request();
    expect(said(rig.submit(request))).toEqual(['storage_failed']);
    expect(rig.stateOf(request)).toBe('absent');
    expect(rig.body.runs).toHaveLength(1);
    expect(rig.stateOf(done)).toBe('done');
  });

  it('cuts the half-written entry off and goes on when there is room again', () => {
    const rig = new CompanionRig();
    rig.disk.capacity = (rig.disk.bytes()?.length ?? 0) + 100;
    const before = rig.disk.bytes();
    expect(said(rig.seal(rig.request()))).toEqual(['storage_failed']);
    expect(rig.disk.bytes()).toEqual(before);
    rig.disk.capacity = Number.POSITIVE_INFINITY;
    expect(said(rig.submit(rig.request()))).toEqual(['started', 'done']);
  });

  it('forgets what the host has stored, mark first, where that makes room', () => {
    const rig = new CompanionRig();
    const old = [1, 2, 3, 4].map(() => rig.request());
    for (const request of old) rig.submit(request);
    rig.tell({ type: 'ping', settled_below: 4 });
    rig.clock.pass(20_000);
    const full = rig.disk.bytes()?.length ?? 0;
    const operations: DiskOperation[] = [];
    rig.disk.after = (operation) => operations.push(operation);
    // Room for an act only once the four old ones are gone.
    rig.disk.capacity = full + 23_500;
    expect(said(rig.submit(rig.request()))).toEqual(['started', 'done']);
    expect(operations.slice(0, 3)).toEqual(['append', 'sync', 'replace']);
    expect(old.map((one) => rig.stateOf(one))).toEqual(['forgotten', 'forgotten', 'forgotten', 'done']);
  });
});

describe('pruning', () => {
  const filled = (settled_below: number, records = 5): { rig: CompanionRig; old: Request[] } => {
    const rig = new CompanionRig({ ledgerRecords: records });
    const old = Array.from({ length: records }, () => rig.request());
    for (const request of old) rig.submit(request);
    rig.tell({ type: 'ping', settled_below });
    return { rig, old };
  };

  it('takes nothing while a late copy could still pass the time check: the ledger is full', () => {
    const { rig, old } = filled(99);
    expect(said(rig.submit(rig.request()))).toEqual(['storage_failed']);
    expect(old.map((one) => rig.stateOf(one))).toEqual(old.map(() => 'done'));
  });

  it('takes what is acknowledged, lowest seq first, never the rest', () => {
    const { rig, old } = filled(2);
    rig.clock.pass(20_000);
    rig.submit(rig.request());
    expect(old.map((one) => rig.stateOf(one))).toEqual(['forgotten', 'done', 'done', 'done', 'done']);
    expect(said(rig.submit(old[0] as Request))).toEqual(['forgotten']);
    expect(rig.body.runs).toHaveLength(6);
  });

  it('takes the lowest seq where nothing is acknowledged and space has run out', () => {
    const { rig, old } = filled(0);
    rig.clock.pass(20_000);
    expect(said(rig.submit(rig.request()))).toEqual(['started', 'done']);
    expect(old.map((one) => rig.stateOf(one)).slice(0, 2)).toEqual(['forgotten', 'done']);
  });

  it('raises the mark before anything is gone: killed in between, the records are forgotten all the same', () => {
    const { rig, old } = filled(3);
    rig.clock.pass(20_000);
    rig.disk.after = (operation) => {
      if (operation === 'sync') throw new Error('killed');
    };
    expect(() => rig.submit(rig.request())).toThrow('killed');
    rig.disk.after = () => {};
    rig.start();
    expect(rig.stateOf(old[0] as Request)).toBe('forgotten');
    expect(said(rig.submit({ ...(old[0] as Request), not_after: 99_999 }))).toEqual(['forgotten']);
  });

  it('of an open record never happens: the mark stops before it', () => {
    const rig = new CompanionRig({ ledgerRecords: 3 });
    rig.body.endsAtOnce = false;
    const long = rig.request();
    rig.submit(long);
    rig.seal(rig.request());
    rig.seal(rig.request());
    rig.tell({ type: 'ping', settled_below: 99 });
    rig.clock.nowMs += 11_000;
    expect(said(rig.seal(rig.request()))).toContain('storage_failed');
    expect(rig.stateOf(long)).not.toBe('forgotten');
  });
});

describe('compaction', () => {
  it('keeps records, marks, counters and the entry counter, and shows chains a host remembers', () => {
    const rig = new CompanionRig({ compactAfterBytes: 8_000 });
    const requests: Request[] = [];
    const heads = [rig.ready.head];
    const replaced: number[] = [];
    rig.disk.after = (operation) => {
      if (operation === 'replace') replaced.push(heads.length);
    };
    for (let i = 0; i < 60; i++) {
      const request = rig.request();
      requests.push(request);
      const last = rig.submit(request).at(-1);
      if (last?.type === 'record') heads.push(last.head);
      if (i % 3 === 0) rig.connect();
    }
    expect(replaced.length).toBeGreaterThan(0);
    for (let i = 1; i < heads.length; i++)
      expect(heads[i]?.length).toBeGreaterThan(heads[i - 1]?.length ?? Number.POSITIVE_INFINITY);
    rig.boot();
    const { ledger_id } = rig.engine.view();
    for (const head of heads) {
      const hello = rig.engine.hello(HOST, { ledger_id: ledger_id ?? '', length: head.length });
      expect(hello).toMatchObject({ chain_at_remembered: head.chain });
    }
    rig.connect();
    expect(requests.map((one) => rig.stateOf(one))).toEqual(requests.map(() => 'done'));
  });

  it('leaves only what an acknowledged act did, not what was on the screen', () => {
    const rig = new CompanionRig({ compactAfterBytes: 1_500 });
    rig.body.perform = (_run, end) =>
      end({ kind: 'report', report: { ...REPORT, read_back: 'my private words' }, snapshot: null });
    const request = rig.request();
    rig.submit(request, { settled_below: 2 });
    const text = () => new TextDecoder().decode(rig.disk.bytes() ?? undefined);
    expect(text()).toContain('my private words');
    rig.seal(rig.request());
    for (let i = 0; i < 8; i++) rig.connect();
    rig.tell({ type: 'ping', settled_below: 2 });
    expect(text()).not.toContain('my private words');
    expect(rig.status(request)[0]).toMatchObject({ records: [{ report: { acted: true, read_back: null } }] });
  });

  it('that finds the disk full leaves the old journal and everything in it', () => {
    const rig = new CompanionRig({ compactAfterBytes: 500 });
    failing(rig, 'replace', 'disk_full', 99);
    const requests = Array.from({ length: 10 }, () => rig.request());
    for (const request of requests) rig.submit(request);
    expect(requests.map((one) => rig.stateOf(one))).toEqual(requests.map(() => 'done'));
  });

  it('killed before the new file is in its place leaves the old one', () => {
    const rig = new CompanionRig({ compactAfterBytes: 500 });
    const request = rig.request();
    rig.disk.before = (operation) => {
      if (operation === 'replace') throw new Error('killed');
    };
    expect(() => {
      rig.submit(request);
      for (let i = 0; i < 9; i++) rig.connect();
    }).toThrow('killed');
    rig.disk.before = () => {};
    rig.start();
    expect(rig.stateOf(request)).toBe('done');
  });
});

describe('a journal that cannot be gone on with', () => {
  it('that is damaged begins a new ledger, keeps the old file, and every earlier request is of another ledger', () => {
    const rig = new CompanionRig();
    const request = rig.request();
    rig.submit(request);
    const bytes = rig.disk.bytes() as Uint8Array;
    bytes[bytes.length - 40] = (bytes[bytes.length - 40] as number) ^ 0x10;
    rig.disk.put(bytes);
    const before = rig.engine.view();
    rig.start();
    expect(rig.engine.view()).toMatchObject({ ledger_began: 'damaged', records: 0 });
    expect(rig.engine.view().ledger_id).not.toBe(before.ledger_id);
    expect(rig.engine.view().boot_id).not.toBe(before.boot_id);
    expect(rig.disk.old).toEqual([{ why: 'damaged', bytes }]);
    expect(said(rig.submit(request))).toEqual(['other_ledger']);
    expect(said(rig.seal(request))).toEqual(['other_ledger']);
    expect(rig.stateOf(request)).toBe('absent');
    expect(rig.body.runs).toHaveLength(1);
  });

  it('that is damaged behind a stop stays stopped', () => {
    const rig = new CompanionRig();
    rig.engine.stopOnPhone();
    rig.submit(rig.request());
    const bytes = rig.disk.bytes() as Uint8Array;
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1;
    rig.disk.put(bytes);
    rig.start();
    expect(rig.engine.view()).toMatchObject({ ledger_began: 'damaged', stopped_by: 'owner_on_phone' });
  });

  it('that was begun on another phone begins a new ledger', () => {
    const rig = new CompanionRig({ ledger_key: 'key of phone one' });
    rig.submit(rig.request());
    rig.settings = { ...rig.settings, ledger_key: 'key of phone two' };
    rig.start();
    expect(rig.engine.view()).toMatchObject({ ledger_began: 'other_phone', records: 0 });
    expect(rig.disk.old).toHaveLength(1);
  });

  it('with a torn tail goes on where the last whole entry ended', () => {
    const rig = new CompanionRig();
    const request = rig.request();
    rig.submit(request);
    const { ledger_id } = rig.engine.view();
    const bytes = rig.disk.bytes() as Uint8Array;
    rig.disk.put(bytes.slice(0, bytes.length - 3));
    rig.start();
    expect(rig.engine.view().ledger_id).toBe(ledger_id);
    expect(rig.stateOf(request)).toBe('interrupted');
  });
});

describe('a boot', () => {
  it('is the same after a restart of the process, another after a reboot', () => {
    const rig = new CompanionRig();
    const { boot_id } = rig.engine.view();
    rig.clock.pass(5_000);
    rig.start();
    expect(rig.engine.view().boot_id).toBe(boot_id);
    rig.clock.boots += 1;
    rig.start();
    expect(rig.engine.view().boot_id).not.toBe(boot_id);
  });

  it('is another where the clock stands lower than it did, whatever the counter says', () => {
    const rig = new CompanionRig();
    const { boot_id } = rig.engine.view();
    rig.clock.pass(5_000);
    rig.submit(rig.request());
    rig.clock.nowMs -= 4_000;
    rig.boot();
    expect(rig.engine.view().boot_id).not.toBe(boot_id);
  });

  it('that changes under a living companion ends the session and cuts what runs', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const request = rig.request();
    rig.submit(request);
    const { link } = rig;
    rig.clock.nowMs -= 5_000;
    expect(said(rig.status(request))).toEqual([]);
    expect(link.closed).not.toBeNull();
    rig.connect();
    expect(rig.stateOf(request)).toBe('interrupted');
    expect(rig.hello.boot_id).not.toBe(request.boot_id);
  });

  it('makes a submit of before harmless, and a seal of before an absence', () => {
    const rig = new CompanionRig();
    const request = rig.request();
    rig.clock.boots += 1;
    rig.start();
    expect(said(rig.submit(request))).toEqual(['other_boot']);
    const answer = rig.seal(request)[0];
    expect(answer).toMatchObject({
      type: 'status_answer',
      ask: 0,
      records: [{ state: 'absent', forgotten: false }],
    });
    expect(answer).toMatchObject({ boot_id: rig.ready.boot_id });
  });
});
