/** Every cell of the command table, on the real store: it moves, or it is refused without a trace. */
import { describe, expect, it } from 'vitest';
import {
  COMMAND_EVENTS,
  COMMAND_STATES,
  type CommandEvent,
  type CommandState,
  isFinalCommand,
} from '../../device-protocol/command-table.ts';
import type { CommandRow } from '../../host/store/rows.ts';
import { openMemoryStore, type Store } from '../../host/store/store.ts';

/** protocol.md, "Host: life of a command", and the one proof without a record; written down apart from the table. */
const LEGAL: Record<CommandState, Partial<Record<CommandEvent, CommandState>>> = {
  received: { refuse: 'refused', stage: 'staged', allow: 'ready' },
  staged: { approve: 'ready', deny: 'denied', expire: 'expired', cancel: 'cancelled', refuse: 'refused' },
  ready: { cancel: 'cancelled', expire: 'expired', refuse: 'refused', send: 'sent' },
  sent: {
    record_done: 'done',
    record_refused: 'refused',
    record_sealed: 'sealed',
    record_interrupted: 'interrupted',
    doubt: 'doubtful',
  },
  doubtful: {
    record_done: 'done',
    record_refused: 'refused',
    record_sealed: 'sealed',
    record_interrupted: 'interrupted',
    outlived: 'refused',
    lose: 'unknown',
  },
  done: {},
  refused: {},
  sealed: {},
  interrupted: {},
  denied: {},
  expired: {},
  cancelled: {},
  unknown: {},
};

const PATHS: Record<CommandState, readonly CommandEvent[]> = {
  received: [],
  staged: ['stage'],
  ready: ['allow'],
  sent: ['allow', 'send'],
  doubtful: ['allow', 'send', 'doubt'],
  done: ['allow', 'send', 'record_done'],
  refused: ['refuse'],
  sealed: ['allow', 'send', 'record_sealed'],
  interrupted: ['allow', 'send', 'record_interrupted'],
  denied: ['stage', 'deny'],
  expired: ['stage', 'expire'],
  cancelled: ['stage', 'cancel'],
  unknown: ['allow', 'send', 'doubt', 'lose'],
};

const ID = '1'.repeat(32);

function storeWith(state: CommandState): Store {
  const store = openMemoryStore({ hex: (bytes) => 'a'.repeat(bytes * 2) });
  store.devices.register('p', 'c'.repeat(64), 1);
  const row: Omit<CommandRow, 'state' | 'final_at' | 'updated_at' | 'born_in'> = {
    request_id: ID,
    device_id: 'p',
    agent: 'local',
    tool: 'tap',
    idempotency_key: 'k',
    args_hash: 'd'.repeat(64),
    task_id: null,
    payload: '{"text":"Hunter2"}',
    payload_sha256: 'e'.repeat(64),
    host_id: 'a'.repeat(32),
    seq: store.commands.takeSeq('p'),
    ledger_id: 'b'.repeat(32),
    boot_id: 'c'.repeat(32),
    not_after: 1,
    stop_counter: 0,
    key_hash: 'f'.repeat(64),
    digest: '0'.repeat(64),
    seal_flag: false,
    ending: null,
    timeout_ms: 1,
    sent_at: null,
    error_code: null,
    refusal: null,
    report: null,
    verdict: { level: 'high', decision: 'ask', reasons: [] },
    display: { text: 'Hunter2' },
    lasting: { label: 'Send' },
    confirmation_id: 'c1',
    expires_at: 5,
    decided_by: null,
    decided_at: null,
    decided_how: null,
    approved_digest: null,
    approval_signature: null,
    created_at: 2,
  };
  store.commands.insert(row);
  for (const event of PATHS[state]) store.commands.move(ID, event, {}, 3);
  return store;
}

describe.each(COMMAND_STATES)('a command that is %s', (state) => {
  it.each(COMMAND_EVENTS)('on %s', (event) => {
    const store = storeWith(state);
    const before = store.commands.get(ID);
    expect(before?.state).toBe(state);
    const moved = store.commands.move(ID, event, { error_code: 'stopped', sent_at: 9 }, 10);
    const after = store.commands.get(ID);
    const next = LEGAL[state][event];
    if (next === undefined) {
      expect(moved).toBeNull();
      expect(after).toEqual(before);
      return;
    }
    expect(after).toEqual(moved);
    expect(after).toMatchObject({ state: next, error_code: 'stopped', sent_at: 9, updated_at: 10 });
    const final = isFinalCommand(next);
    expect([after?.final_at, after?.payload, after?.display]).toEqual(
      final ? [10, null, null] : [null, '{"text":"Hunter2"}', { text: 'Hunter2' }],
    );
    expect(after?.lasting).toEqual({ label: 'Send' });
    expect(Buffer.from(store.serialize()).includes('Hunter2')).toBe(!final);
  });
});

describe('a row', () => {
  it('reads back exactly as it was written', () => {
    const store = storeWith('staged');
    expect(openMemoryStore({ hex: () => 'x' }, store.serialize()).commands.get(ID)).toEqual(
      store.commands.get(ID),
    );
  });

  it('that is final is not patched any more', () => {
    const store = storeWith('done');
    expect(() => store.commands.patch(ID, { seal_flag: true }, 9)).toThrow('final');
    expect(storeWith('sent').commands.patch(ID, { seal_flag: true }, 9)).toMatchObject({
      seal_flag: true,
      state: 'sent',
    });
  });

  it('has its key to itself: agent, phone and key together', () => {
    const store = storeWith('done');
    const {
      state: _s,
      final_at: _f,
      updated_at: _u,
      born_in: _b,
      ...again
    } = store.commands.get(ID) as CommandRow;
    const second = {
      ...again,
      request_id: '2'.repeat(32),
      confirmation_id: null,
      seq: store.commands.takeSeq('p'),
    };
    expect(() => store.commands.insert(second)).toThrow('UNIQUE');
    expect(store.commands.insert({ ...second, agent: 'other' }).state).toBe('received');
  });

  it('is forgotten after its time, but never while it is open', () => {
    const store = storeWith('sent');
    expect(store.commands.prune(1_000)).toBe(0);
    store.commands.move(ID, 'record_done', {}, 3);
    expect(store.commands.prune(2)).toBe(0);
    expect(store.commands.prune(3)).toBe(1);
    expect(store.commands.byKey('local', 'p', 'k')).toBeNull();
    // Its number is not given again.
    expect(store.commands.takeSeq('p')).toBe(2);
  });
});
