/** The owner's yes, no and stop; the agent's withdrawal; and time running out while all of it races. */
import { describe, expect, it } from 'vitest';
import {
  answer,
  bound,
  connect,
  DEVICE,
  disconnect,
  request,
  restarted,
  type ScriptedLink,
  STAGED,
  settle,
  stateOf,
  tell,
  type World,
  world,
} from './world.ts';

function staged(w: World, key = 'k1') {
  const row = bound(w, { decision: STAGED, idempotency_key: key });
  return { row, id: row.confirmation_id ?? '' };
}

describe('the owner approves', () => {
  it('exactly what was bound, once', async () => {
    const w = world();
    const link = connect(w);
    const { row, id } = staged(w);
    expect(w.tracker.approve(id, 'owner', 'console')).toMatchObject({ ok: true, row: { state: 'sent' } });
    expect(w.tracker.approve(id, 'owner', 'cli')).toMatchObject({ ok: false, error_code: 'already_decided' });
    expect(w.tracker.deny(id, 'owner', 'cli')).toMatchObject({ ok: false, error_code: 'already_decided' });
    expect(link.all('submit')).toEqual([
      expect.objectContaining({
        request: expect.objectContaining({ payload: row.payload, request_id: row.request_id }),
        approval: { by: 'owner', request_digest: row.digest, signature: null },
      }),
    ]);
    const waiting = w.tracker.wait(row.request_id, 60_000);
    tell(w, row, { state: 'done' });
    expect((await waiting)?.row).toMatchObject({
      state: 'done',
      decided_by: 'owner',
      decided_how: 'console',
    });
  });

  it('and nothing that was changed since (D-43): payload, target device, amount', () => {
    for (const change of ["payload = '{}'", "boot_id = 'x'", 'seq = 99', "approved_digest = 'x'"]) {
      const w = world();
      connect(w);
      const { row, id } = staged(w);
      disconnect(w);
      w.tracker.approve(id, 'owner', 'console');
      w.store.raw.prepare(`UPDATE commands SET ${change}`).run();
      const link = connect(w);
      expect(link.all('submit')).toEqual([]);
      expect(w.store.commands.get(row.request_id)).toMatchObject({
        state: 'refused',
        error_code: 'act_refused',
      });
      expect(w.tracker.approve(id, 'owner', 'console')).toMatchObject({ error_code: 'already_decided' });
    }
  });

  it('late, and the agent’s short wait was no denial (D-44)', async () => {
    const w = world();
    const link = connect(w);
    const { row, id } = staged(w);
    const short = w.tracker.wait(row.request_id, 10_000);
    w.clock.pass(10_000);
    expect((await short)?.row.state).toBe('staged');
    w.clock.pass(50_000);
    expect(w.tracker.approve(id, 'owner', 'console').ok).toBe(true);
    expect(w.tracker.bind(request())).toMatchObject({ ok: true, replayed: true });
    tell(w, row, { state: 'done' });
    expect(link.all('submit')).toHaveLength(1);
  });

  it('while the phone is away: it goes out when it is back, within the call’s time that begins at the yes', () => {
    const w = world();
    connect(w);
    const first = staged(w, 'a');
    const second = staged(w, 'b');
    disconnect(w);
    w.clock.pass(60_000);
    w.tracker.approve(first.id, 'owner', 'console');
    w.clock.pass(9_000);
    w.tracker.approve(second.id, 'owner', 'console');
    w.clock.pass(2_000);
    const link = connect(w);
    expect(stateOf(w, first.row)).toBe('expired');
    expect(link.all('submit')).toHaveLength(1);
  });

  it('an unknown confirmation: nothing', () => {
    const w = world();
    expect(w.tracker.approve('nope', 'owner', 'cli')).toMatchObject({ error_code: 'request_unknown' });
  });
});

describe('the owner denies', () => {
  it('and nothing runs, and whoever waits is told', async () => {
    const w = world();
    const link = connect(w);
    const { row, id } = staged(w);
    const waiting = w.tracker.wait(row.request_id, 60_000);
    w.tracker.deny(id, 'owner', 'console');
    expect((await waiting)?.row).toMatchObject({ state: 'denied', error_code: 'denied', payload: null });
    expect(link.all('submit')).toEqual([]);
  });
});

describe('a confirmation that nobody answers', () => {
  it('expires by itself', () => {
    const w = world();
    connect(w);
    const { row, id } = staged(w);
    w.clock.pass(299_999);
    expect(stateOf(w, row)).toBe('staged');
    w.clock.pass(1);
    expect(w.store.commands.get(row.request_id)).toMatchObject({
      state: 'expired',
      error_code: 'approval_expired',
    });
    expect(w.tracker.approve(id, 'owner', 'cli')).toMatchObject({
      ok: false,
      error_code: 'approval_expired',
    });
  });

  it('cannot be approved after its end even if the timer is late, and a wall clock set back does not prolong it', () => {
    const w = world();
    connect(w);
    const { row, id } = staged(w, 'a');
    w.clock.jump(300_000);
    expect(w.tracker.approve(id, 'owner', 'cli')).toMatchObject({
      ok: false,
      error_code: 'approval_expired',
    });
    expect(stateOf(w, row)).toBe('expired');
    const other = staged(w, 'b');
    w.clock.jump(-3_600_000);
    w.clock.pass(300_000);
    expect(stateOf(w, other.row)).toBe('expired');
  });

  it('is ended by expireDue as well', () => {
    const w = world();
    connect(w);
    const { row } = staged(w);
    w.clock.jump(300_000);
    w.tracker.expireDue();
    expect(stateOf(w, row)).toBe('expired');
  });
});

describe('the agent withdraws', () => {
  it('what waits: cancelled', () => {
    const w = world();
    connect(w);
    const { row } = staged(w);
    expect(w.tracker.withdraw(row.request_id)).toMatchObject({ state: 'cancelled', error_code: 'withdrawn' });
  });

  it('what may be on its way: sealed, and the phone says which came first', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    const running = w.tracker.run(row.request_id);
    expect(w.tracker.withdraw(row.request_id)).toMatchObject({ state: 'sent', seal_flag: true });
    expect(link.all('seal')).toHaveLength(1);
    tell(w, row, { state: 'sealed' });
    expect((await running).row).toMatchObject({ state: 'sealed', error_code: 'withdrawn' });
  });

  it('what was lost on the way: it is sealed, though the call still had time to be sent again', () => {
    const w = world();
    connect(w);
    const row = bound(w);
    void w.tracker.run(row.request_id);
    disconnect(w);
    w.tracker.withdraw(row.request_id);
    const link = connect(w);
    answer(w, row);
    expect(link.all('submit')).toEqual([]);
    expect(link.all('seal')).toHaveLength(1);
  });

  it('what has run: nothing changes', () => {
    const w = world();
    connect(w);
    const row = bound(w);
    void w.tracker.run(row.request_id);
    tell(w, row, { state: 'done' });
    expect(w.tracker.withdraw(row.request_id)).toMatchObject({ state: 'done' });
    expect(w.tracker.withdraw('nope')).toBeNull();
  });
});

describe('the owner stops everything', () => {
  it('voids staged and ready, seals what was sent, tells the phone, and binds nothing any more', async () => {
    const w = world();
    const link = connect(w);
    const waiting = staged(w, 'a');
    const sent = bound(w, { idempotency_key: 'b' });
    const running = w.tracker.run(sent.request_id);
    const ready = bound(w, { idempotency_key: 'c' });
    w.tracker.stopAll('console');
    expect(stateOf(w, waiting.row)).toBe('refused');
    expect(stateOf(w, ready)).toBe('refused');
    expect(w.store.commands.get(sent.request_id)).toMatchObject({ state: 'sent', seal_flag: true });
    expect(link.sent.slice(-2).map(({ type }) => type)).toEqual(['stop', 'seal']);
    expect(w.tracker.bind(request({ idempotency_key: 'd' }))).toMatchObject({ error_code: 'stopped' });
    expect(w.tracker.approve(waiting.id, 'owner', 'cli').ok).toBe(false);
    tell(w, sent, { state: 'sealed' });
    expect((await running).row).toMatchObject({ state: 'sealed', error_code: 'paused' });
  });

  it('stays stopped across a restart, and tells a phone that was away', () => {
    const w = world();
    connect(w);
    disconnect(w);
    w.tracker.stopAll('cli');
    const again = restarted(w);
    expect(again.tracker.stopped()).toMatchObject({ how: 'cli' });
    expect(connect(again).all('stop')).toHaveLength(1);
  });

  it('is lifted by the owner only, also for a phone that was away', () => {
    const w = world();
    w.tracker.stopAll('cli');
    w.tracker.resumeAll('cli');
    expect(w.tracker.stopped()).toBeNull();
    const link = connect(w, (one) => {
      one.state = { stop_counter: 7, stopped_by: 'host' };
    });
    expect(link.all('resume')).toEqual([{ type: 'resume', stop_counter: 7 }]);
    link.state = { stop_counter: 7, stopped_by: null };
    w.links.heard().stopChanged(link, link.state);
    expect(w.store.devices.get(DEVICE)?.resume_owed).toBe(false);
  });

  it('is lifted as well where it was still on its way to the phone when the owner lifted it', () => {
    const w = world();
    const link = connect(w);
    w.tracker.stopAll('cli');
    w.tracker.resumeAll('cli');
    // The phone has not said yet that it stopped: nothing to lift, and nothing forgotten.
    expect(link.all('resume')).toEqual([]);
    expect(w.store.devices.get(DEVICE)?.resume_owed).toBe(true);
    link.state = { stop_counter: 1, stopped_by: 'host' };
    w.links.heard().stopChanged(link, link.state);
    expect(link.all('resume')).toEqual([{ type: 'resume', stop_counter: 1 }]);
    link.state = { stop_counter: 2, stopped_by: null };
    w.links.heard().stopChanged(link, link.state);
    expect(w.store.devices.get(DEVICE)?.resume_owed).toBe(false);
  });

  it('does not lift a stop that was pressed on the phone, nor one it was not asked to lift', () => {
    const w = world();
    const owner = connect(w, (one) => {
      one.state = { stop_counter: 3, stopped_by: 'owner_on_phone' };
    });
    w.tracker.resumeAll('cli');
    expect(owner.all('resume')).toEqual([]);
    const other = world();
    const host = connect(other, (one) => {
      one.state = { stop_counter: 3, stopped_by: 'host' };
    });
    expect(host.all('resume')).toEqual([]);
    expect(other.tracker.bind(request())).toMatchObject({ error_code: 'stopped' });
  });

  it('pressed on the phone: what waits for the old counter can never run, and ends (rule 6)', () => {
    const w = world();
    const link = connect(w);
    const { row } = staged(w);
    link.state = { stop_counter: 1, stopped_by: 'owner_on_phone' };
    w.links.heard().stopChanged(link, link.state);
    expect(w.store.commands.get(row.request_id)).toMatchObject({ state: 'refused', error_code: 'paused' });
    link.state = { stop_counter: 1, stopped_by: null };
    w.links.heard().stopChanged(link, link.state);
    const next = bound(w, { idempotency_key: 'n' });
    expect(next.stop_counter).toBe(1);
  });

  it('is looked at again right before sending', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    w.store.settings.set('stop', { at: 1, how: 'another part of the host' });
    expect((await w.tracker.run(row.request_id)).row).toMatchObject({
      state: 'refused',
      error_code: 'paused',
    });
    expect(link.all('submit')).toEqual([]);
  });

  it('does not send under a counter that is no more, even if nobody told the tracker', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    link.state = { stop_counter: 1, stopped_by: null };
    expect((await w.tracker.run(row.request_id)).row).toMatchObject({
      state: 'refused',
      error_code: 'paused',
    });
    expect(link.all('submit')).toEqual([]);
  });

  it('while an absent request was about to be sent again: it is sealed instead', () => {
    const w = world();
    connect(w);
    const row = bound(w);
    void w.tracker.run(row.request_id);
    disconnect(w);
    w.tracker.stopAll('cli');
    const link = connect(w);
    answer(w, row);
    expect(link.all('submit')).toEqual([]);
    expect(link.all('seal').length).toBeGreaterThan(0);
  });
});

describe('closing the tracker', () => {
  it('ends every wait and every timer, and sends nothing', async () => {
    const w = world();
    const link = connect(w);
    const row = bound(w);
    const running = w.tracker.run(row.request_id);
    const waiting = w.tracker.wait(row.request_id, 60_000);
    await settle();
    w.tracker.close();
    expect((await running).row.state).toBe('sent');
    expect((await waiting)?.row.state).toBe('sent');
    const before = (link as ScriptedLink).sent.length;
    w.clock.pass(600_000);
    expect(link.sent.length).toBe(before);
  });
});
