/** What becomes of a command when the link, the phone or its memory goes: protocol.md, "Host", rules 1 to 7. */
import { describe, expect, it } from 'vitest';
import { NOT_A_RECORD, type NotARecordCode } from '../../device-protocol/messages.ts';
import {
  answer,
  BOOT,
  bound,
  connect,
  disconnect,
  LEDGER,
  recordOf,
  restarted,
  type ScriptedLink,
  STAGED,
  settle,
  stateOf,
  tell,
  type World,
  world,
} from './world.ts';

const OTHER = 'f'.repeat(32);

function sent(w: World) {
  const link = connect(w);
  const row = bound(w);
  const running = w.tracker.run(row.request_id);
  return { link, row, running };
}

function say(w: World, request_id: string, code: NotARecordCode): void {
  if (w.links.current === null) throw new Error('nothing is connected');
  w.links.heard().notARecord(w.links.current, {
    type: 'not_a_record',
    request_id,
    code,
    detail: '',
    ledger_id: LEDGER,
    boot_id: BOOT,
    head: { length: 1, chain: '0'.repeat(64) },
  });
}

describe('the reply is lost', () => {
  it('asks by status on reconnect and tells the outcome; nothing runs twice (D-38)', async () => {
    const w = world();
    const { link, row, running } = sent(w);
    disconnect(w);
    expect(stateOf(w, row)).toBe('doubtful');
    const back = connect(w);
    expect(back.all('status')[0]).toMatchObject({ ids: [{ request_id: row.request_id, seq: row.seq }] });
    answer(w, row, { state: 'done' });
    expect((await running).row.state).toBe('done');
    expect([...link.all('submit'), ...back.all('submit')]).toHaveLength(1);
  });

  it('sends exactly the same bytes again when the phone has no record and the call is wanted', async () => {
    const w = world();
    const { link, row } = sent(w);
    disconnect(w);
    const back = connect(w);
    answer(w, row);
    expect(back.all('submit')).toEqual(link.all('submit'));
    answer(w, row, { state: 'done' });
    expect(stateOf(w, row)).toBe('done');
  });

  it('seals instead when the call is over', async () => {
    const w = world();
    const { row, running } = sent(w);
    disconnect(w);
    w.clock.pass(10_000);
    expect((await running).row).toMatchObject({ state: 'doubtful', seal_flag: true });
    const back = connect(w);
    answer(w, row);
    expect(back.all('submit')).toEqual([]);
    expect(back.all('seal')).toHaveLength(1);
    tell(w, row, { state: 'sealed' });
    expect(stateOf(w, row)).toBe('sealed');
  });

  it('does not send again what the owner stopped, the grant forbids or time overtook meanwhile', () => {
    let forbidden: string | null = null;
    const w = world({ recheck: () => forbidden });
    const { row } = sent(w);
    disconnect(w);
    forbidden = 'app_denied';
    const back = connect(w);
    answer(w, row);
    expect(back.all('submit')).toEqual([]);
    expect(back.all('seal')).toHaveLength(1);
    tell(w, row, { state: 'sealed' });
    expect(w.store.commands.get(row.request_id)).toMatchObject({ state: 'sealed', error_code: 'app_denied' });
  });

  it('takes no absence for an answer that was asked for before the bytes left', () => {
    const w = world();
    connect(w);
    const early = bound(w, { decision: STAGED });
    disconnect(w);
    const link = connect(w);
    const row = bound(w, { idempotency_key: 'k2' });
    void w.tracker.run(row.request_id);
    answer(w, row, { ask: 1 });
    expect(link.all('submit')).toHaveLength(1);
    answer(w, row, { ask: 99 });
    expect(link.all('submit')).toHaveLength(2);
    expect(stateOf(w, early)).toBe('staged');
  });

  it('counts as sent what the socket did not take, until the phone says otherwise', async () => {
    const w = world();
    const link = connect(w, (one) => {
      one.broken = true;
    });
    const row = bound(w);
    const running = w.tracker.run(row.request_id);
    expect(stateOf(w, row)).toBe('doubtful');
    link.broken = false;
    connect(w);
    answer(w, row, { ask: 99 });
    answer(w, row, { state: 'done' });
    expect((await running).row.state).toBe('done');
  });
});

describe('absence proves', () => {
  const cases = [
    [
      'on the bound ledger after another boot: it did not run',
      { boot_id: OTHER },
      false,
      'refused',
      'rebooted',
    ],
    ['after another boot of an emulator: nothing', { boot_id: OTHER }, true, 'unknown', 'outcome_lost'],
    ['on another ledger: nothing', { ledger_id: OTHER }, false, 'unknown', 'outcome_lost'],
    [
      'on another ledger and boot: nothing',
      { ledger_id: OTHER, boot_id: OTHER },
      false,
      'unknown',
      'outcome_lost',
    ],
    ['when it may have been pruned: nothing', { forgotten: true }, false, 'unknown', 'outcome_lost'],
    [
      'when pruned and rebooted: nothing',
      { forgotten: true, boot_id: OTHER },
      false,
      'unknown',
      'outcome_lost',
    ],
  ] as const;
  for (const [title, said, emulator, state, error_code] of cases)
    it(title, async () => {
      const w = world();
      const { row, running } = sent(w);
      disconnect(w);
      connect(w, (link) => {
        link.can_be_turned_back = emulator;
      });
      answer(w, row, said);
      expect((await running).row).toMatchObject({ state, error_code });
    });

  it('takes a seal of an emulator under another boot for no proof', async () => {
    const w = world();
    const { row, running } = sent(w);
    disconnect(w);
    connect(w, (link) => {
      link.can_be_turned_back = true;
    });
    answer(w, row, { state: 'sealed', boot_id: OTHER });
    expect((await running).row.state).toBe('unknown');
  });

  it('takes somebody else’s record under our id for no proof (D-39)', async () => {
    const w = world();
    const { row, running } = sent(w);
    tell(w, row, { state: 'done', digest: '0'.repeat(64) });
    expect((await running).row).toMatchObject({ state: 'unknown', error_code: 'outcome_lost' });
  });
});

describe('an answer that is not a record', () => {
  for (const code of NOT_A_RECORD)
    it(`${code} never ends a request as "did not run"`, async () => {
      const w = world();
      const { link, row } = sent(w);
      say(w, row.request_id, code);
      await settle();
      expect(['sent', 'doubtful']).toContain(stateOf(w, row));
      // It is asked about, or sealed: the row does not rest on the word.
      w.clock.pass(1_500);
      expect(link.all('status').length + link.all('seal').length).toBeGreaterThan(0);
      tell(w, row, { state: 'done' });
      expect(stateOf(w, row)).toBe('done');
    });

  it('a conflict on the seal itself ends as unknown: the phone can never tell', () => {
    const w = world();
    const { row } = sent(w);
    say(w, row.request_id, 'conflict');
    say(w, row.request_id, 'conflict');
    expect(stateOf(w, row)).toBe('unknown');
  });

  it('is ignored for requests of another phone and for ended ones', () => {
    const w = world();
    const { row } = sent(w);
    tell(w, row, { state: 'done' });
    say(w, row.request_id, 'conflict');
    say(w, OTHER, 'conflict');
    expect(stateOf(w, row)).toBe('done');
    expect(w.faults).toEqual([]);
  });
});

describe('asking again', () => {
  it('goes on with a backoff of at most 15 s while anything is open, and then ends', () => {
    const w = world();
    const { link, row } = sent(w);
    tell(w, row, { state: 'started' });
    const asked: number[] = [];
    const from = w.clock.monotonic();
    link.onSend = (type) => type === 'status' && asked.push(w.clock.monotonic() - from);
    w.clock.pass(120_000);
    const gaps = asked.map((at, index) => at - (asked[index - 1] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(15_000);
    expect(gaps.at(-1)).toBe(15_000);
    tell(w, row, { state: 'interrupted', interruption: 'run_limit' });
    expect(w.store.commands.get(row.request_id)).toMatchObject({
      state: 'interrupted',
      refusal: 'run_limit',
    });
    const before = asked.length;
    w.clock.pass(120_000);
    expect(asked.length).toBe(before);
  });

  it('does not go in a circle with a phone that never seals', () => {
    const w = world();
    const { link, row } = sent(w);
    w.tracker.withdraw(row.request_id);
    expect(link.all('seal')).toHaveLength(1);
    for (let i = 0; i < 5; i++) {
      answer(w, row, { ask: 0 });
      tell(w, row, { state: 'accepted' });
    }
    expect(link.all('seal')).toHaveLength(1);
    w.clock.pass(1_000);
    answer(w, row, { state: 'accepted' });
    expect(link.all('seal')).toHaveLength(2);
    w.clock.pass(2_000);
    answer(w, row);
    expect(link.all('seal')).toHaveLength(3);
  });

  it('seals what waits on the phone and is not wanted any more', () => {
    const w = world();
    const { row } = sent(w);
    const again = restarted(w);
    const link = connect(again);
    tell(again, row, { state: 'accepted' });
    expect(link.all('seal')).toHaveLength(1);
    tell(again, row, { state: 'sealed' });
    expect(stateOf(again, row)).toBe('sealed');
  });

  it('asks about a thousand open commands in questions that fit', () => {
    const w = world();
    connect(w);
    for (let i = 0; i < 1_000; i++) bound(w, { idempotency_key: `k${i}`, decision: STAGED });
    disconnect(w);
    const link = connect(w);
    const ids = link.all('status').map((one) => (one.ids as unknown[]).length);
    expect(ids.reduce((a, b) => a + b, 0)).toBe(1_000);
    expect(Math.max(...ids)).toBeLessThanOrEqual(512);
  });
});

describe('what may be forgotten', () => {
  it('acknowledges only below the lowest open request, staged ones included', () => {
    const w = world();
    connect(w);
    const below = () => w.store.commands.settledBelow('phone-1');
    expect(below()).toBe(1);
    const first = bound(w, { idempotency_key: 'a' });
    const second = bound(w, { idempotency_key: 'b', decision: STAGED });
    const third = bound(w, { idempotency_key: 'c' });
    void w.tracker.run(first.request_id);
    void w.tracker.run(third.request_id);
    tell(w, third, { state: 'done' });
    expect(below()).toBe(first.seq);
    tell(w, first, { state: 'done' });
    expect(below()).toBe(second.seq);
    w.tracker.deny(second.confirmation_id ?? '', 'owner', 'test');
    expect(below()).toBe(third.seq + 1);
  });
});

describe('a late answer', () => {
  it('changes nothing about a request that is final', async () => {
    const w = world();
    const { row } = sent(w);
    tell(w, row, { state: 'done' });
    const before = w.store.commands.get(row.request_id);
    tell(w, row, { state: 'interrupted' });
    answer(w, row, { ledger_id: OTHER });
    expect(w.store.commands.get(row.request_id)).toEqual(before);
  });

  it('survives a store that fails while an outcome is written: nothing is told, and it is asked again', async () => {
    const w = world();
    const { link, row, running } = sent(w);
    const commands = w.store.commands as { move: unknown };
    const { move } = w.store.commands;
    commands.move = () => {
      throw new Error('disk full');
    };
    w.links.heard().record(link as ScriptedLink, recordOf(row, { state: 'done' }));
    expect(w.faults).toHaveLength(1);
    commands.move = move.bind(w.store.commands);
    expect(stateOf(w, row)).toBe('sent');
    w.clock.pass(1_000);
    expect(link.all('status').length).toBeGreaterThan(0);
    answer(w, row, { state: 'done' });
    expect((await running).row.state).toBe('done');
  });
});
