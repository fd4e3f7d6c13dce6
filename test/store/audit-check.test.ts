/**
 * What a check of the log finds, and where: each kind of damage told apart, clocks that were wrong, a log
 * that a witness remembers otherwise, cuts with and without the owner's word. And rows found by what they say.
 */
import { describe, expect, it } from 'vitest';
import { chained, START } from '../../host/store/audit-chain.ts';
import type { AuditLink, AuditOpening } from '../../host/store/rows.ts';
import { openMemoryStore, type Store } from '../../host/store/store.ts';

const chance = { hex: (bytes: number) => 'a'.repeat(bytes * 2) };
const HOUR = 3_600_000;
const BEGAN = 1_700_000_000_000;

/** A log of `calls` calls, a second apart, by a clock and a running time that the test may bend. */
function logOf(
  calls: number,
  bend: (call: number) => { at?: number; up?: number; life?: string } = () => ({}),
): Store {
  const store = openMemoryStore(chance);
  for (let call = 1; call <= calls; call++) {
    const { at = BEGAN + call * 1_000, up = call * 1_000, life = 'one' } = bend(call);
    const running = { life, up_ms: up };
    const number = store.audit.open({
      at,
      agent: call % 2 === 0 ? 'shopper' : 'local',
      door: 'mcp_stdio',
      tool: call % 3 === 0 ? 'tap' : 'screen_observe',
      kind: 'once',
      schema_version: 1,
      task_id: `t${Math.ceil(call / 10)}`,
      device_id: 'phone',
      arguments: { ref: `e${call}` },
      running,
    });
    store.audit.complete(number, {
      at,
      request_id: `r${call}`,
      state: call % 7 === 0 ? 'refused' : 'done',
      error_code: call % 7 === 0 ? 'target_stale' : null,
      verdict: null,
      approval: null,
      strategy: 'ref',
      target: { label: call === 5 ? 'Größe wählen' : 'Next', role: 'button' },
      duration_ms: 3,
      bytes_out: 100,
      tokens_out: 30,
      retries: 0,
      replayed: false,
      say: `tap “${call === 5 ? 'Größe wählen' : 'Next'}”: done`,
      running,
    });
  }
  return store;
}

const kinds = (store: Store, now?: number) =>
  store.audit.verify([], now).findings.map(({ kind, entry }) => [kind, entry]);

describe('a check of the log tells', () => {
  it('an edit from a removal, another order and a cut end, each where it is', () => {
    const edited = logOf(20);
    edited.raw.exec(`UPDATE audit SET body = replace(body, '"e4"', '"e5"') WHERE position = 7`);
    expect(kinds(edited)).toEqual([['edited', 7]]);

    const removed = logOf(20);
    removed.raw.exec('DELETE FROM audit WHERE position IN (9, 10)');
    expect(removed.audit.verify().findings).toMatchObject([
      { kind: 'missing', entry: 9, say: 'Entries 9 to 10 are missing.' },
    ]);

    const swapped = logOf(20);
    swapped.raw.exec('UPDATE audit SET position = -position WHERE position IN (3, 4, 9, 10)');
    swapped.raw.exec(
      'UPDATE audit SET position = CASE position WHEN -3 THEN 9 WHEN -4 THEN 10 WHEN -9 THEN 3 ELSE 4 END WHERE position < 0',
    );
    expect(kinds(swapped).filter(([kind]) => kind === 'reordered')).toEqual([
      ['reordered', 3],
      ['reordered', 4],
      ['reordered', 9],
      ['reordered', 10],
    ]);

    const cut = logOf(20);
    cut.raw.exec('DELETE FROM audit WHERE position > 36');
    expect(cut.audit.verify()).toMatchObject({
      ok: false,
      first_bad: 37,
      findings: [{ kind: 'cut_end', entry: 37 }],
    });
  });

  it('several damages at once, each by itself', () => {
    const store = logOf(30);
    store.raw.exec(`UPDATE audit SET body = replace(body, '"e2"', '"e9"') WHERE position = 3`);
    store.raw.exec('DELETE FROM audit WHERE position = 20');
    store.raw.exec(`UPDATE audit SET request_id = 'r0' WHERE position = 40`);
    expect(kinds(store)).toEqual([
      ['edited', 3],
      ['missing', 20],
      ['edited', 40],
    ]);
  });

  it('words by which a row is found that were changed to hide it', () => {
    const store = logOf(5);
    store.raw.exec(`UPDATE audit SET words = 'nothing' WHERE position = 6`);
    expect(kinds(store)).toEqual([['edited', 6]]);
  });

  it('a clock that was set back, between two runs and within one, and rows of the future', () => {
    // Within one run: the computer ran a second on while its clock lost an hour.
    expect(kinds(logOf(10, (call) => (call >= 6 ? { at: BEGAN + call * 1_000 - HOUR } : {})))).toEqual([
      ['clock', 11],
    ]);
    // Another run begins before the last one ended.
    expect(
      kinds(logOf(10, (call) => (call >= 8 ? { at: BEGAN - HOUR + call, up: call, life: 'two' } : {}))),
    ).toEqual([['clock', 15]]);
    // A little is what setting a clock right does all day.
    expect(kinds(logOf(10, (call) => (call >= 6 ? { at: BEGAN + call * 1_000 - 900 } : {})))).toEqual([]);
    const ahead = logOf(4);
    expect(ahead.audit.verify([], BEGAN - HOUR).findings).toMatchObject([{ kind: 'clock', entry: 1 }]);
    expect(kinds(ahead, BEGAN + HOUR)).toEqual([]);
  });

  it('a whole log written anew, or an older one put back, by what a phone remembers', () => {
    const store = logOf(20);
    const early = { who: 'phone a', ...headAt(store, 10) };
    const late = { who: 'phone b', ...store.audit.head() };
    expect(store.audit.verify([early, late])).toMatchObject({
      ok: true,
      witnesses: ['phone a', 'phone b'],
    });

    // Somebody who can write the file changes entry 31 and makes every checksum after it anew.
    rewritten(store, 31, (body) => body.replace('"e16"', '"e1"'));
    expect(store.audit.verify()).toMatchObject({ ok: true });
    expect(store.audit.verify([early, late])).toMatchObject({
      ok: false,
      findings: [{ kind: 'witness', entry: 40, say: expect.stringContaining('after 10 were rewritten') }],
    });

    const older = logOf(10);
    expect(older.audit.verify([late])).toMatchObject({
      ok: false,
      findings: [{ kind: 'witness', entry: 21, say: expect.stringContaining('phone b remembers 40') }],
    });
  });
});

function headAt(store: Store, position: number): { length: number; chain: string } {
  const link = store.audit.links(position - 1, 1)[0] as AuditLink;
  return { length: link.position, chain: link.chain };
}

/** As an attacker would: one body changed, and all checksums from there on computed again. */
function rewritten(store: Store, from: number, change: (body: string) => string): void {
  let before = START;
  for (const link of store.audit.links(0, 1_000)) {
    const body = link.position === from ? change(link.body) : link.body;
    const chain = link.position < from ? link.chain : chained(before, { ...link, body });
    store.raw
      .prepare('UPDATE audit SET body = ?, chain = ?, words = NULL WHERE position = ?')
      .run(body, chain, link.position);
    before = chain;
  }
  store.raw.prepare('UPDATE audit_head SET chain = ?').run(before);
}

describe('a cut of the log’s start', () => {
  const signedRow = (point: { up_to: number; chain: string }): AuditOpening => ({
    at: BEGAN + HOUR,
    agent: 'owner',
    door: 'command line',
    tool: 'log_cut',
    kind: 'owner',
    schema_version: 1,
    task_id: null,
    device_id: null,
    arguments: { up_to: point.up_to, chain: point.chain },
  });

  it('never tears a call apart, and leaves a log that holds', () => {
    const store = openMemoryStore(chance);
    const rowAt = (at: number) =>
      store.audit.open({ ...signedRow({ up_to: 0, chain: '' }), at, agent: 'a', tool: 'x' });
    const end = (number: number, at: number) =>
      store.audit.complete(number, {
        ...COMPLETION,
        at,
      });
    end(rowAt(1), 2);
    const long = rowAt(3);
    end(rowAt(4), 5);
    end(rowAt(50), 51);
    end(long, 60);
    expect(store.audit.cutPoint(10)).toMatchObject({ up_to: 2, calls: 1, next_call: 2 });
    expect(store.audit.cutPoint(1)).toBeNull();
  });

  it('holds with the owner’s word, and not without', () => {
    const store = logOf(20);
    const point = store.audit.cutPoint(BEGAN + 10_500);
    if (point === null) throw new Error('nothing to cut');
    expect(point).toMatchObject({ up_to: 20, calls: 10 });
    store.transaction(() => {
      store.audit.open(signedRow(point));
      store.audit.cut(point, BEGAN + HOUR);
    });
    const checked = store.audit.verify([{ who: 'phone', ...headAt(store, 30) }]);
    expect(checked).toMatchObject({ ok: true, say: expect.stringContaining('20 earlier ones were cut') });
    expect(store.audit.list({})).toHaveLength(11);

    const secretly = logOf(20);
    secretly.audit.cut(point, BEGAN + HOUR);
    expect(secretly.audit.verify().findings).toMatchObject([{ kind: 'cut', entry: 21 }]);

    // A word for another cut is no word for this one.
    const otherwise = logOf(20);
    otherwise.audit.open(signedRow({ ...point, chain: 'f'.repeat(64) }));
    otherwise.audit.cut(point, BEGAN + HOUR);
    expect(otherwise.audit.verify().findings).toMatchObject([{ kind: 'cut', entry: 21 }]);

    const rough = logOf(20);
    rough.raw.exec('DELETE FROM audit WHERE position <= 20');
    expect(rough.audit.verify().findings).toMatchObject([{ kind: 'missing', entry: 1 }]);
  });
});

const COMPLETION = {
  request_id: null,
  state: null,
  error_code: null,
  verdict: null,
  approval: null,
  strategy: null,
  target: null,
  duration_ms: null,
  bytes_out: null,
  tokens_out: null,
  retries: null,
  replayed: null,
  say: 'done',
};

describe('a search of the log', () => {
  it('finds rows by fields, words, times and pages', () => {
    const { audit } = logOf(60);
    const numbers = (filter: Parameters<typeof audit.search>[0]) =>
      audit.search(filter).map((row) => row.number);
    expect(numbers({ last: 3 })).toEqual([58, 59, 60]);
    expect(numbers({ text: 'groesse', last: 9 })).toEqual([]);
    expect(numbers({ text: 'GRÖSSE wahlen', last: 9 })).toEqual([5]);
    expect(numbers({ text: 'tap e6', last: 9 })).toEqual([6, 60]);
    expect(numbers({ agent: 'shopper', tool: 'tap', last: 2 })).toEqual([54, 60]);
    expect(numbers({ error_code: 'target_stale', state: 'refused', last: 99 })).toEqual([
      7, 14, 21, 28, 35, 42, 49, 56,
    ]);
    expect(numbers({ task_id: 't2', last: 99 })).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(numbers({ request_id: 'r33', last: 99 })).toEqual([33]);
    expect(numbers({ from: BEGAN + 3_000, to: BEGAN + 5_000, last: 99 })).toEqual([3, 4]);
    expect(numbers({ after: 10, last: 3 })).toEqual([11, 12, 13]);
    expect(numbers({ before: 10, last: 3 })).toEqual([7, 8, 9]);
    expect(audit.taskIds()).toEqual(['t6', 't5', 't4', 't3', 't2', 't1']);
  });

  it('takes a word as it stands: signs of other languages are no wildcards', () => {
    const { audit } = logOf(10);
    expect(audit.search({ text: '%', last: 9 })).toEqual([]);
    expect(audit.search({ text: `" OR 1=1 --`, last: 9 })).toEqual([]);
  });
});
