/** The log shows an edit, a removal and a cut end; the counters never give a number twice. */
import { describe, expect, it } from 'vitest';
import type { AuditCompletion, AuditOpening } from '../../host/store/rows.ts';
import { openMemoryStore, type Store } from '../../host/store/store.ts';

const chance = { hex: (bytes: number) => 'a'.repeat(bytes * 2) };

const OPENING: AuditOpening = {
  at: 1,
  agent: 'local',
  door: 'cli',
  tool: 'tap',
  kind: 'call',
  schema_version: 1,
  task_id: null,
  device_id: 'p',
  arguments: { ref: 'e1', text: { class: 'secret', length: 13 } },
};
const COMPLETION: AuditCompletion = {
  at: 2,
  request_id: 'r1',
  state: 'done',
  error_code: null,
  verdict: null,
  approval: null,
  strategy: 'ref',
  target: null,
  duration_ms: 12,
  bytes_out: null,
  tokens_out: null,
  retries: null,
  replayed: null,
  say: 'Tapped "Send" — ☎',
};

function written(): Store {
  const store = openMemoryStore(chance);
  const first = store.audit.open(OPENING);
  const second = store.audit.open({ ...OPENING, tool: 'go' });
  store.audit.complete(second, { ...COMPLETION, request_id: 'r2' });
  store.audit.complete(first, COMPLETION);
  store.audit.open({ ...OPENING, tool: 'cut' });
  return store;
}

describe('the log', () => {
  it('lists calls oldest first, with what is missing as missing', () => {
    const rows = written().audit.list({});
    expect(
      rows.map(({ number, tool, completion }) => [number, tool, completion?.request_id ?? null]),
    ).toEqual([
      [1, 'tap', 'r1'],
      [2, 'go', 'r2'],
      [3, 'cut', null],
    ]);
    expect(rows[0]).toEqual({ ...OPENING, number: 1, completion: COMPLETION });
  });

  it('finds the calls of one request, and the last ones', () => {
    const { audit } = written();
    expect(audit.list({ requestId: 'r2' }).map(({ tool }) => tool)).toEqual(['go']);
    expect(audit.list({ last: 2 }).map(({ tool }) => tool)).toEqual(['go', 'cut']);
    expect(audit.list({ requestId: 'nope' })).toEqual([]);
  });

  it('verifies as written, across a restart', () => {
    const store = written();
    expect(store.audit.verify()).toMatchObject({ ok: true, rows: 5, first_bad: null });
    const again = openMemoryStore(chance, store.serialize());
    expect(again.audit.open(OPENING)).toBe(4);
    expect(again.audit.verify()).toMatchObject({ ok: true, rows: 6 });
    expect(openMemoryStore(chance).audit.verify()).toMatchObject({ ok: true, rows: 0 });
  });

  const damage: [string, string, number][] = [
    ['an edited body', `UPDATE audit SET body = replace(body, '"go"', '"no"') WHERE position = 2`, 2],
    ['an edited request id', `UPDATE audit SET request_id = 'r9' WHERE position = 3`, 3],
    ['a completion moved to another call', `UPDATE audit SET call = 3 WHERE position = 4`, 4],
    ['a removed entry', 'DELETE FROM audit WHERE position = 3', 3],
    ['a removed first entry', 'DELETE FROM audit WHERE position = 1', 1],
    ['a cut end', 'DELETE FROM audit WHERE position > 3', 4],
    ['an emptied log', 'DELETE FROM audit', 1],
    [
      'an entry put in',
      `INSERT INTO audit (position, call, part, request_id, body, chain)
       SELECT 6, 9, part, request_id, body, chain FROM audit WHERE position = 5`,
      6,
    ],
    ['two swapped entries', `UPDATE audit SET position = CASE position WHEN 2 THEN -1 ELSE position END`, 1],
  ];
  for (const [title, sql, firstBad] of damage)
    it(`shows ${title}`, () => {
      const store = written();
      store.raw.exec(sql);
      expect(store.audit.verify()).toMatchObject({ ok: false, first_bad: firstBad });
    });

  it('is not written by a transaction that is undone, and its numbers have no gap', () => {
    const store = openMemoryStore(chance);
    expect(() =>
      store.transaction(() => {
        store.audit.open(OPENING);
        throw new Error('no');
      }),
    ).toThrow();
    expect(store.audit.open(OPENING)).toBe(1);
    expect(store.audit.verify()).toMatchObject({ ok: true, rows: 1 });
  });

  it('takes completions that can wait along with the next commit, and not with one that is undone', () => {
    let commits = 0;
    const store = openMemoryStore(chance, null, () => {
      commits += 1;
    });
    const first = store.audit.open(OPENING);
    commits = 0;
    store.audit.completeSoon(first, COMPLETION);
    expect(commits).toBe(0);
    expect(() =>
      store.transaction(() => {
        throw new Error('no');
      }),
    ).toThrow();
    const cut = openMemoryStore(chance, store.serialize());
    expect(cut.audit.list({})[0]?.completion).toBeNull();
    store.audit.open(OPENING);
    expect(commits).toBe(1);
    expect(openMemoryStore(chance, store.serialize()).audit.list({})[0]?.completion).toEqual(COMPLETION);
    store.audit.completeSoon(2, COMPLETION);
    expect(store.audit.list({})[1]?.completion).toEqual(COMPLETION);
    expect(store.audit.verify()).toMatchObject({ ok: true, rows: 4 });
    store.audit.flush();
    expect(commits).toBe(2);
  });

  it('completes a call once', () => {
    const { audit } = written();
    expect(() => audit.complete(1, COMPLETION)).toThrow();
    expect(() => audit.completeSoon(1, COMPLETION)).toThrow('completed already');
    expect(() => audit.completeSoon(9, COMPLETION)).toThrow('not there');
    audit.completeSoon(3, COMPLETION);
    expect(() => audit.completeSoon(3, COMPLETION)).toThrow('completed already');
    audit.flush();
    expect(audit.verify()).toMatchObject({ ok: true, rows: 6 });
  });
});

describe('counters', () => {
  it('never give a number twice, restarts and kills included', () => {
    const seen = new Set<number>();
    let bytes: Uint8Array | null = null;
    for (let life = 0; life < 5; life++) {
      const store = openMemoryStore(chance, bytes);
      for (let i = 0; i < 700; i++) {
        const next = store.counters.next('p', 'ref');
        expect(seen.has(next)).toBe(false);
        seen.add(next);
      }
      bytes = store.serialize();
    }
    expect(seen.size).toBe(3_500);
  });

  it('cost one commit for many numbers', () => {
    let commits = 0;
    const store = openMemoryStore(chance, null, () => {
      commits += 1;
    });
    commits = 0;
    for (let i = 0; i < 512; i++) store.counters.next('p', 'ref');
    expect(commits).toBe(1);
  });

  it('run apart for each phone and each kind, from 1', () => {
    const { counters } = openMemoryStore(chance);
    expect([
      counters.next('p', 'ref'),
      counters.next('q', 'ref'),
      counters.next('p', 'observation'),
      counters.next('p', 'ref'),
    ]).toEqual([1, 1, 1, 2]);
  });

  it('are not taken inside a transaction that might be undone', () => {
    const store = openMemoryStore(chance);
    expect(() => store.transaction(() => store.counters.next('p', 'ref'))).toThrow('outside transactions');
  });
});
