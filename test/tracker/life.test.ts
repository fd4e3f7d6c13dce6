/** One request from binding to its end while the link holds, and when the call's time is over. */
import { describe, expect, it } from 'vitest';
import { requestDigest, sha256OfText } from '../../device-protocol/request.ts';
import { openMemoryStore } from '../../host/store/store.ts';
import {
  answer,
  bound,
  connect,
  countingChance,
  disconnect,
  request,
  settle,
  stateOf,
  tell,
  world,
} from './world.ts';

const REPORT = {
  acted: true,
  error_code: null,
  strategy: 'ref',
  hit: null,
  changed: true,
  change: null,
  foreground: null,
  settled: true,
  settle_ms: 10,
  settle_reason: 'quiet',
  read_back: null,
  read_back_matches: null,
  at_edge: null,
  run_ms: 12,
} as const;

describe('binding a request', () => {
  it('stores everything the digest binds before anything is sent', () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    expect(link.sent).toEqual([]);
    expect(row.state).toBe('ready');
    expect(row.payload_sha256).toBe(sha256OfText(row.payload ?? ''));
    expect(row.digest).toBe(requestDigest(row));
    expect(row.seq).toBe(1);
    // Phone time at binding plus the call's time (rule 13).
    expect(row.not_after).toBe(Math.floor(link.phoneNow()) + 10_000);
    const durable = openMemoryStore(countingChance(9_000), w.store.serialize());
    expect(durable.commands.get(row.request_id)).toEqual(row);
  });

  it('adds the life of the confirmation to the last start of a staged request', () => {
    const w = world();
    const link = connect(w);
    const row = bound(w, { decision: { to: 'staged', confirmation_life_ms: 300_000 } });
    expect(row.not_after).toBe(Math.floor(link.phoneNow()) + 310_000);
    expect(row.confirmation_id).not.toBeNull();
  });

  it('takes no key and no number where nothing can be bound', () => {
    const w = world();
    expect(w.tracker.bind(request())).toMatchObject({ ok: false, error_code: 'device_offline' });
    connect(w);
    expect(w.tracker.bind(request({ payload: '"\ud800"' }))).toMatchObject({
      ok: false,
      error_code: 'text_not_unicode',
    });
    expect(bound(w).seq).toBe(1);
  });

  it('keeps a refusal under its key', () => {
    const w = world();
    connect(w);
    const row = bound(w, { decision: { to: 'refused', error_code: 'app_denied' } });
    expect(row).toMatchObject({ state: 'refused', error_code: 'app_denied', payload: null, display: null });
    expect(w.tracker.bind(request())).toMatchObject({ ok: true, replayed: true, row: { state: 'refused' } });
  });
});

describe('the idempotency key', () => {
  it('answers the first request for the same arguments, and a conflict for others, after a restart too', () => {
    const w = world();
    connect(w);
    const row = bound(w);
    expect(w.tracker.bind(request())).toMatchObject({ ok: true, replayed: true, row });
    expect(w.tracker.bind(request({ args_hash: 'e'.repeat(64) }))).toMatchObject({
      ok: false,
      error_code: 'key_conflict',
      row,
    });
    const durable = openMemoryStore(countingChance(9_000), w.store.serialize());
    expect(durable.commands.byKey('local', row.device_id, 'k1')?.request_id).toBe(row.request_id);
    expect(w.tracker.findByKey('other', row.device_id, 'k1', row.args_hash)).toEqual({ kind: 'new' });
  });

  it('lets twenty copies in flight wait for the one result of one submit', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    const copies = Array.from({ length: 20 }, () => w.tracker.run(row.request_id));
    await settle();
    expect(link.all('submit')).toHaveLength(1);
    tell(w, row, { state: 'done', report: REPORT });
    for (const copy of await Promise.all(copies)) expect(copy.row.state).toBe('done');
    expect(link.all('submit')).toHaveLength(1);
  });
});

describe('sending', () => {
  it('commits `sent` before the first byte is handed to the link', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    let durableState = '';
    link.onSend = (type) => {
      if (type !== 'submit') return;
      const durable = openMemoryStore(countingChance(9_000), w.store.serialize());
      durableState = durable.commands.get(row.request_id)?.state ?? 'none';
    };
    void w.tracker.run(row.request_id);
    expect(durableState).toBe('sent');
  });

  it('binds and marks as sent in one commit where it is sent at once', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w, { decision: { to: 'ready', at_once: true } });
    expect(row).toMatchObject({ state: 'sent', sent_at: w.clock.now() });
    expect(link.all('submit')).toEqual([]);
    const running = w.tracker.run(row.request_id);
    void w.tracker.run(row.request_id);
    expect(link.all('submit')).toHaveLength(1);
    tell(w, row, { state: 'done', report: REPORT });
    expect((await running).row.state).toBe('done');
  });

  it('seals what was marked as sent and then not wanted any more, before a byte had left', async () => {
    let refusal: string | null = null;
    const w = world({ recheck: () => refusal });
    const link = connect(w);
    const row = bound(w, { decision: { to: 'ready', at_once: true } });
    refusal = 'app_denied';
    const running = w.tracker.run(row.request_id);
    expect(link.all('submit')).toEqual([]);
    expect(link.all('seal')).toHaveLength(1);
    tell(w, row, { state: 'sealed' });
    expect((await running).row).toMatchObject({ state: 'sealed', error_code: 'app_denied' });
  });

  it('tells the outcome with the screen that came with it, and erases what was typed', async () => {
    const w = world();
    connect(w);
    const row = bound(w);
    const running = w.tracker.run(row.request_id);
    const snapshot = { taken_at_ms: 1 } as never;
    tell(w, row, { state: 'done', report: REPORT, snapshot });
    const { row: after, snapshot: seen } = await running;
    expect(seen).toBe(snapshot);
    expect(after).toMatchObject({ state: 'done', report: REPORT, error_code: null, payload: null });
    expect(w.store.commands.get(row.request_id)).toEqual(after);
    expect(Buffer.from(w.store.serialize()).includes('Hunter2-Test!')).toBe(false);
  });

  it('does not send what was changed in the store since it was bound (D-43)', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    w.store.raw.prepare('UPDATE commands SET payload = ?').run('{"amount":"820.00"}');
    const { row: after } = await w.tracker.run(row.request_id);
    expect(after).toMatchObject({ state: 'refused', error_code: 'act_refused' });
    expect(link.all('submit')).toEqual([]);
  });

  it('looks again at grant, stop and expiry right before sending', async () => {
    let refusal: string | null = null;
    const w = world({ recheck: () => refusal });
    connect(w);
    const denied = bound(w, { idempotency_key: 'a' });
    refusal = 'app_denied';
    expect((await w.tracker.run(denied.request_id)).row).toMatchObject({
      state: 'refused',
      error_code: 'app_denied',
    });
    refusal = null;
    disconnect(w);
    const link = connect(w, (one) => {
      one.state = { stop_counter: 0, stopped_by: null };
    });
    const late = bound(w, { idempotency_key: 'b', timeout_ms: 10 });
    link.phoneNow = () => 1e9;
    expect((await w.tracker.run(late.request_id)).row).toMatchObject({
      state: 'expired',
      error_code: 'start_expired',
    });
    expect(link.all('submit')).toEqual([]);
  });

  it('waits for the phone, and then sends after a fresh check', async () => {
    const w = world();
    connect(w);
    const row = bound(w);
    disconnect(w);
    const running = w.tracker.run(row.request_id);
    w.clock.pass(3_000);
    const link = connect(w);
    expect(link.all('submit')).toHaveLength(1);
    tell(w, row, { state: 'done', report: REPORT });
    expect((await running).row.state).toBe('done');
  });

  it('refuses a ready row whose phone came back with another boot', async () => {
    const w = world();
    connect(w);
    const row = bound(w);
    disconnect(w);
    const running = w.tracker.run(row.request_id);
    const link = connect(w, (one) => {
      one.boot_id = '9'.repeat(32);
    });
    expect((await running).row).toMatchObject({ state: 'refused', error_code: 'rebooted' });
    expect(link.all('submit')).toEqual([]);
  });
});

describe('when the call’s time is over', () => {
  it('ends as expired what never left', async () => {
    const w = world();
    connect(w);
    const row = bound(w);
    disconnect(w);
    const running = w.tracker.run(row.request_id);
    w.clock.pass(10_000);
    expect((await running).row).toMatchObject({ state: 'expired', error_code: 'start_expired' });
    expect(connect(w).all('submit')).toEqual([]);
  });

  it('writes the seal flag before the seal, and says "did not run" when the phone sealed it', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    const running = w.tracker.run(row.request_id);
    let flagged: boolean | undefined;
    link.onSend = (type) => {
      if (type !== 'seal') return;
      const durable = openMemoryStore(countingChance(9_000), w.store.serialize());
      flagged = durable.commands.get(row.request_id)?.seal_flag;
    };
    w.clock.pass(10_000);
    expect(flagged).toBe(true);
    expect(link.all('seal')[0]).toMatchObject({ digest: row.digest, not_after: row.not_after });
    tell(w, row, { state: 'sealed' });
    expect((await running).row).toMatchObject({ state: 'sealed', error_code: 'sealed' });
  });

  it('tells what happened when the act was faster than the seal', async () => {
    const w = world();
    connect(w);
    const row = bound(w);
    const running = w.tracker.run(row.request_id);
    w.clock.pass(10_000);
    tell(w, row, { state: 'done', report: REPORT });
    expect((await running).row.state).toBe('done');
  });

  it('says unknown when nothing can be said, and finds out later by itself (D-42)', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    const running = w.tracker.run(row.request_id);
    w.clock.pass(10_000);
    // Too late for the seal: it is running.
    tell(w, row, { state: 'started' });
    w.clock.pass(2_000);
    expect((await running).row.state).toBe('doubtful');
    const waiting = w.tracker.wait(row.request_id, 60_000);
    const asked = link.all('status').length;
    w.clock.pass(15_000);
    expect(link.all('status').length).toBeGreaterThan(asked);
    answer(w, row, { state: 'done', report: REPORT });
    expect((await waiting)?.row).toMatchObject({ state: 'done', report: REPORT });
    expect(link.all('submit')).toHaveLength(1);
  });

  it('never submits again what it asked to seal', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    void w.tracker.run(row.request_id);
    w.clock.pass(12_000);
    answer(w, row);
    answer(w, row);
    expect(link.all('submit')).toHaveLength(1);
    expect(link.all('seal').length).toBeGreaterThan(1);
  });

  it('lets a wait end without ending the act', async () => {
    const w = world();
    connect(w);
    const row = bound(w);
    const giveUp = new AbortController();
    const running = w.tracker.run(row.request_id, { signal: giveUp.signal });
    giveUp.abort();
    expect((await running).row.state).toBe('sent');
    tell(w, row, { state: 'done', report: REPORT });
    expect(stateOf(w, row)).toBe('done');
  });
});
