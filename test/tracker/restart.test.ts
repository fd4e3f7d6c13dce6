/** The host process is killed and comes back: what it finds is asked about before it ends (rules 3 and 5). */
import { describe, expect, it } from 'vitest';
import {
  answer,
  bound,
  connect,
  DEVICE,
  disconnect,
  request,
  restarted,
  STAGED,
  stateOf,
  tell,
  world,
} from './world.ts';

const OTHER = 'f'.repeat(32);

describe('a host that was killed', () => {
  it('asks about what it had sent, and tells the outcome under the same key (D-38)', () => {
    const w = world();
    connect(w);
    const row = bound(w);
    void w.tracker.run(row.request_id);
    const again = restarted(w);
    expect(stateOf(again, row)).toBe('doubtful');
    const link = connect(again);
    answer(again, row, { state: 'done' });
    expect(again.tracker.bind(request())).toMatchObject({
      ok: true,
      replayed: true,
      row: { request_id: row.request_id, state: 'done' },
    });
    expect(link.all('submit')).toEqual([]);
  });

  it('seals what the phone never got: nobody waits for it any more', () => {
    const w = world();
    connect(w);
    const row = bound(w);
    void w.tracker.run(row.request_id);
    const again = restarted(w);
    const link = connect(again);
    answer(again, row);
    expect(link.all('submit')).toEqual([]);
    expect(link.all('seal')).toHaveLength(1);
    tell(again, row, { state: 'sealed' });
    expect(stateOf(again, row)).toBe('sealed');
  });

  it('does not end a ready row of an earlier life before the phone sealed it', () => {
    const w = world();
    connect(w);
    const row = bound(w);
    const again = restarted(w);
    expect(stateOf(again, row)).toBe('doubtful');
    expect(again.store.commands.get(row.request_id)?.sent_at).toBeNull();
    again.clock.pass(600_000);
    expect(stateOf(again, row)).toBe('doubtful');
    const link = connect(again);
    answer(again, row);
    expect(link.all('submit')).toEqual([]);
    tell(again, row, { state: 'sealed' });
    expect(stateOf(again, row)).toBe('sealed');
  });

  it('goes on sealing what it was sealing', () => {
    const w = world();
    connect(w);
    const row = bound(w);
    void w.tracker.run(row.request_id);
    w.clock.pass(10_000);
    const again = restarted(w);
    const link = connect(again);
    answer(again, row);
    expect(link.all('submit')).toEqual([]);
    expect(link.all('seal')).toHaveLength(1);
  });
});

describe('a staged request outlives the host', () => {
  const staged = () => {
    const w = world();
    connect(w);
    const row = bound(w, { decision: STAGED });
    return { w, row, again: restarted(w) };
  };

  it('is approved afterwards, asked about, and sent once with the bytes the owner saw', () => {
    const { row, again } = staged();
    const link = connect(again);
    expect(link.all('status')).toHaveLength(1);
    expect(again.tracker.approve(row.confirmation_id ?? '', 'owner', 'cli')).toMatchObject({ ok: true });
    expect(link.all('submit')).toEqual([]);
    answer(again, row);
    expect(link.all('submit')).toHaveLength(1);
    expect(link.all('submit')[0]).toMatchObject({
      request: { payload: row.payload },
      approval: { by: 'owner', request_digest: row.digest },
    });
    tell(again, row, { state: 'done' });
    expect(stateOf(again, row)).toBe('done');
  });

  it('is denied only once the phone made sure that it never runs', () => {
    const { row, again } = staged();
    const link = connect(again);
    answer(again, row);
    expect(again.tracker.deny(row.confirmation_id ?? '', 'owner', 'cli')).toMatchObject({
      ok: true,
      row: { state: 'staged', ending: 'deny' },
    });
    expect(again.tracker.approve(row.confirmation_id ?? '', 'owner', 'cli')).toMatchObject({
      ok: false,
      error_code: 'already_decided',
    });
    expect(link.all('seal')).toHaveLength(1);
    tell(again, row, { state: 'sealed' });
    expect(again.store.commands.get(row.request_id)).toMatchObject({
      state: 'denied',
      error_code: 'denied',
      decided_how: 'cli',
    });
  });

  it('expires by itself, with the seal, and a record found wins over it', () => {
    const { row, again } = staged();
    const link = connect(again);
    again.clock.pass(300_000);
    expect(link.all('seal').length).toBeGreaterThan(0);
    tell(again, row, { state: 'done' });
    expect(stateOf(again, row)).toBe('done');
  });

  it('ends as expired when the seal holds', () => {
    const { row, again } = staged();
    connect(again);
    again.clock.pass(300_000);
    tell(again, row, { state: 'sealed' });
    expect(again.store.commands.get(row.request_id)).toMatchObject({
      state: 'expired',
      error_code: 'approval_expired',
    });
  });

  it('ends as refused (rebooted) with another boot or ledger, never anew', () => {
    for (const said of [{ boot_id: OTHER }, { ledger_id: OTHER }]) {
      const { row, again } = staged();
      connect(again, (link) => Object.assign(link, said));
      answer(again, row, said);
      expect(again.store.commands.get(row.request_id)).toMatchObject({
        state: 'refused',
        error_code: 'rebooted',
      });
    }
  });

  it('asks again when the first question was lost', () => {
    const { row, again } = staged();
    const link = connect(again);
    again.tracker.approve(row.confirmation_id ?? '', 'owner', 'cli');
    again.clock.pass(1_000);
    expect(link.all('status').length).toBeGreaterThan(1);
    answer(again, row);
    expect(link.all('submit')).toHaveLength(1);
  });

  it('approved after a restart but never asked about: sealed, not expired, when its time is over', () => {
    const { row, again } = staged();
    again.tracker.approve(row.confirmation_id ?? '', 'owner', 'cli');
    again.clock.pass(10_000);
    expect(again.store.commands.get(row.request_id)).toMatchObject({ state: 'doubtful', seal_flag: true });
    const link = connect(again);
    answer(again, row);
    expect(link.all('submit')).toEqual([]);
    tell(again, row, { state: 'sealed' });
    expect(stateOf(again, row)).toBe('sealed');
  });
});

describe('a host that was turned back', () => {
  const turnedBack = () => {
    const w = world();
    connect(w);
    const staged = bound(w, { idempotency_key: 'a', decision: STAGED });
    const ready = bound(w, { idempotency_key: 'b' });
    const again = restarted(w);
    const link = connect(again, (one) => {
      one.highest_seq = 40;
    });
    return { again, link, staged, ready };
  };

  it('finds out by the phone’s highest seq, raises its own, and binds nothing until the owner’s word', () => {
    const { again } = turnedBack();
    expect(again.store.devices.get(DEVICE)).toMatchObject({ last_seq: 40 });
    expect(again.tracker.bind(request({ idempotency_key: 'c' }))).toMatchObject({
      ok: false,
      error_code: 'host_turned_back',
    });
    again.tracker.acceptTurnedBack(DEVICE);
    expect(bound(again, { idempotency_key: 'c' }).seq).toBe(41);
  });

  it('only asks about and seals its old staged and ready rows', () => {
    const { again, link, staged, ready } = turnedBack();
    expect(again.tracker.approve(staged.confirmation_id ?? '', 'owner', 'cli').ok).toBe(false);
    answer(again, staged);
    answer(again, ready);
    again.tracker.acceptTurnedBack(DEVICE);
    expect(again.tracker.approve(staged.confirmation_id ?? '', 'owner', 'cli').ok).toBe(false);
    expect(link.all('submit')).toEqual([]);
    tell(again, staged, { state: 'sealed' });
    tell(again, ready, { state: 'sealed' });
    expect(again.store.commands.get(staged.request_id)).toMatchObject({
      state: 'refused',
      error_code: 'host_turned_back',
    });
    expect(stateOf(again, ready)).toBe('sealed');
  });

  it('believes the record of what its undone life did', () => {
    const { again, staged } = turnedBack();
    answer(again, staged, { state: 'done' });
    expect(stateOf(again, staged)).toBe('done');
  });

  it('cannot say anything of its old rows when the phone’s memory is gone as well', () => {
    const { again, staged } = turnedBack();
    disconnect(again);
    connect(again, (one) => {
      one.ledger_id = OTHER;
    });
    answer(again, staged, { ledger_id: OTHER });
    expect(stateOf(again, staged)).toBe('unknown');
  });

  it('remembers across another restart that the owner has not spoken', () => {
    const { again } = turnedBack();
    const third = restarted(again);
    connect(third, (one) => {
      one.highest_seq = 40;
    });
    expect(third.tracker.bind(request({ idempotency_key: 'z' }))).toMatchObject({
      error_code: 'host_turned_back',
    });
  });
});
