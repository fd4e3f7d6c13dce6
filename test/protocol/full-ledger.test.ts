/** A ledger that is large or written anew: bounded in bytes, nothing lost on the way, nothing found that is not there. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LaterEntry, NOTHING } from '../../device-protocol/companion/entries.ts';
import { Ledger } from '../../device-protocol/companion/ledger.ts';
import { HashIndex, HashRows } from '../../device-protocol/companion/packed-hashes.ts';
import type { CompanionMessage } from '../../device-protocol/messages.ts';
import type { Request } from '../../device-protocol/request.ts';
import { CompanionRig, HOST, REPORT } from '../support/companion-rig.ts';
import { MemoryDisk } from '../support/memory-disk.ts';

const hashOf = (n: number): string => createHash('sha256').update(String(n)).digest('hex');
/** Hashes that begin alike, so that slots collide. */
const alike = (n: number): string => `00000000${hashOf(n).slice(8)}`;

const said = (messages: CompanionMessage[]): string[] =>
  messages.map((one) =>
    one.type === 'record' ? (one.refusal ?? one.state) : one.type === 'not_a_record' ? one.code : one.type,
  );

describe('packed hashes', () => {
  it('find what a map finds, whatever is added and removed, alike or not', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 40 }), fc.boolean()), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (all) => {
        const index = new HashIndex<number>();
        const map = new Map<string, { owner: number; row: number }>();
        all.forEach(([adds, n, collides], owner) => {
          const hash = collides ? alike(n) : hashOf(n);
          const held = map.get(hash);
          if (adds && held === undefined) map.set(hash, { owner, row: index.add(hash, owner) });
          if (!adds && held !== undefined) {
            index.remove(held.row);
            map.delete(hash);
          }
        });
        for (let n = 0; n <= 40; n++)
          for (const hash of [alike(n), hashOf(n)]) {
            expect(index.find(hash)).toBe(map.get(hash)?.owner);
            const row = map.get(hash)?.row;
            if (row !== undefined) expect(index.hex(row)).toBe(hash);
          }
      }),
    );
  });

  it('give a dropped row again, and keep thousands apart', () => {
    const rows = new HashRows();
    const first = Array.from({ length: 5_000 }, (_, n) => rows.put(hashOf(n)));
    rows.drop(first[17] as number);
    expect(rows.put(hashOf(9_999))).toBe(first[17]);
    expect(rows.hex(first[17] as number)).toBe(hashOf(9_999));
    for (const n of [0, 16, 18, 2_047, 2_048, 4_999]) expect(rows.hex(first[n] as number)).toBe(hashOf(n));
  });
});

describe('a journal', () => {
  /** A report of about two thousand bytes, as a large screen leaves one. */
  const long = { ...REPORT, settle_reason: 'x'.repeat(300), read_back: 'y'.repeat(1_700) };
  /** More than the chains of earlier heads need, which are kept whatever is forgotten. */
  const BYTES = 200_000;
  const filled = (): CompanionRig => {
    const rig = new CompanionRig({ journalBytes: BYTES });
    rig.body.perform = (_run, end) => end({ kind: 'report', report: long, snapshot: null });
    return rig;
  };

  it('that grew to its limit forgets the oldest whose time is over, and stays below it', () => {
    const rig = filled();
    const sizes: number[] = [];
    const requests: Request[] = [];
    for (let i = 0; i < 120; i++) {
      const request = rig.request();
      requests.push(request);
      expect(said(rig.submit(request))).toEqual(['started', 'done']);
      sizes.push(rig.disk.bytes()?.length ?? 0);
      rig.clock.pass(11_000);
    }
    // Looked at before each act, whose own entries come on top.
    expect(Math.max(...sizes)).toBeLessThan(BYTES + 4_000);
    expect(Math.max(...sizes)).toBeGreaterThan(BYTES * 0.9);
    const states = requests.map((one) => rig.stateOf(one));
    const kept = states.lastIndexOf('forgotten');
    expect(kept).toBeGreaterThan(20);
    expect(states.slice(0, kept + 1)).toEqual(Array.from({ length: kept + 1 }, () => 'forgotten'));
    expect(states.slice(kept + 1)).toEqual(Array.from({ length: 119 - kept }, () => 'done'));
    expect(said(rig.submit(requests[0] as Request))).toEqual(['forgotten']);
  });

  it('that is full of what may still be asked for takes nothing more, and answers what it has', () => {
    const rig = filled();
    const requests: Request[] = [];
    let last: string[] = [];
    while (last[0] !== 'storage_failed') {
      const request = rig.request({ not_after: 9_000_000 });
      requests.push(request);
      last = said(rig.submit(request));
      if (requests.length > 120) throw new Error('it never became full');
    }
    const refused = requests.pop() as Request;
    expect(requests.map((one) => rig.stateOf(one))).toEqual(requests.map(() => 'done'));
    expect(rig.stateOf(refused)).toBe('absent');
    expect(rig.disk.bytes()?.length).toBeLessThan(BYTES + 4_000);
  });

  it('is short once the host has stored the outcomes: screen texts go, what happened stays', () => {
    const rig = filled();
    const requests = Array.from({ length: 120 }, () => {
      const request = rig.request();
      rig.submit(request, { settled_below: request.seq });
      return request;
    });
    expect(requests.map((one) => rig.stateOf(one))).toEqual(requests.map(() => 'done'));
    const old = rig.status(requests[3] as Request)[0];
    expect(old).toMatchObject({
      records: [{ report: { acted: true, strategy: 'global', run_ms: 60, read_back: null, changed: null } }],
    });
    expect(rig.disk.bytes()?.length).toBeLessThan(BYTES);
  });
});

describe('writing anew', () => {
  const OTHER = 'b'.repeat(32);
  type Kind = 'sealed' | 'refused' | 'done' | 'interrupted' | 'started' | 'accepted';
  const kinds: Kind[] = ['sealed', 'refused', 'done', 'interrupted', 'started', 'accepted'];
  const begun = (disk: MemoryDisk): Ledger =>
    Ledger.begin(disk, undefined, {
      ledger_id: 'c'.repeat(32),
      began: 'first',
      ledger_key: null,
      at: 1,
      boot_id: 'd'.repeat(32),
      boot_count: 1,
      stop_counter: 0,
      stopped_by: null,
      holder: HOST,
      hosts: [],
    });

  function put(ledger: Ledger, host_id: string, seq: number, kind: Kind): void {
    const common = { at: 5, host_id, request_id: hashOf(seq).slice(0, 32), ...NOTHING } as const;
    const born = {
      ...common,
      entry: 'record',
      seq,
      digest: hashOf(seq + 1e6),
      key_hash: kind === 'sealed' ? null : hashOf(seq + 2e6),
      boot_id: seq % 3 === 0 ? 'e'.repeat(32) : 'd'.repeat(32),
      not_after: 9,
    } as const;
    const first: Record<Kind, LaterEntry> = {
      sealed: { ...born, event: 'seal' },
      refused: { ...born, event: 'submit_refused', refusal: 'target_stale' },
      accepted: { ...born, event: 'submit_queued' },
      started: { ...born, event: 'submit_started' },
      done: { ...born, event: 'submit_started' },
      interrupted: { ...born, event: 'submit_started' },
    };
    ledger.write([first[kind]]);
    if (kind === 'done')
      ledger.write([
        { ...common, entry: 'move', event: 'finish', report: { ...REPORT, read_back: `read ${seq} ✓` } },
      ]);
    if (kind === 'interrupted')
      ledger.write([{ ...common, entry: 'move', event: 'interrupt', interruption: 'run_limit' }]);
  }

  /** Everything that can be asked of a ledger. */
  const facts = (ledger: Ledger) =>
    [HOST, OTHER].map((host) => {
      const book = ledger.book(host);
      const records = [...book.all()].map((one) => ({
        id: one.request_id,
        digest: one.digest,
        key: one.key_hash,
        boot: one.boot_id,
        not_after: one.not_after,
        byKey: one.key_hash === null ? null : book.byKey(one.key_hash)?.request_id,
        bySeq: book.bySeq(one.seq)?.request_id,
        ...ledger.stateOf(one),
      }));
      return { ...book.summary, records };
    });

  it('loses nothing, at any number of records, of two hosts, again and again', () => {
    const acts = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.boolean()), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(acts, fc.nat({ max: 300 }), (all, anewAt) => {
        const disk = new MemoryDisk();
        const ledger = begun(disk);
        all.forEach(([kind, first], i) => {
          put(ledger, first ? HOST : OTHER, i + 1, kind);
          if (i === anewAt % all.length) ledger.compact();
        });
        const before = facts(ledger);
        ledger.compact();
        expect(facts(ledger)).toEqual(before);
        const { ledger: again, damaged } = Ledger.read(disk);
        if (again === null || damaged) throw new Error('not read');
        expect(facts(again)).toEqual(before);
        expect(again.head).toEqual(ledger.head);
        // It can be gone on with: what was open moves, what is there is not taken twice.
        const [kind, first] = all[0] ?? ['sealed', true];
        expect(() => put(again, first ? HOST : OTHER, 1, kind)).toThrow();
        put(again, HOST, all.length + 1, 'done');
        again.compact();
        expect(facts(Ledger.read(disk).ledger as Ledger)).toEqual(facts(again));
      }),
      { numRuns: 25 },
    );
  });
});
