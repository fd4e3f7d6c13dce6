/**
 * Life of a record on the phone (protocol.md, "Companion: life of a record"): the states, the events,
 * the one table, the one function that moves. Not for how a record is stored (companion/ledger.ts).
 */
export const RECORD_STATES = [
  'absent',
  'accepted',
  'started',
  'done',
  'refused',
  'sealed',
  'interrupted',
] as const;
export type RecordState = (typeof RECORD_STATES)[number];

/** `absent` is not a record; everything else is. */
export type KeptState = Exclude<RecordState, 'absent'>;

export const RECORD_EVENTS = [
  /** A submit passed every check and waits behind another action. */
  'submit_queued',
  /** A submit passed every check and nothing runs: it starts. */
  'submit_started',
  /** A submit failed a check that is proof of not running. */
  'submit_refused',
  /** The host makes sure that it never runs. */
  'seal',
  /** The queue came to it and every check passed again. */
  'start',
  /** While it waited: expired, restarted, paused, or a check failed at the start. */
  'refuse',
  /** The outcome is known. */
  'finish',
  /** It was cut, or found running when the process came back. */
  'interrupt',
] as const;
export type RecordEvent = (typeof RECORD_EVENTS)[number];

/** Every legal move. What is not here does not move. */
export const RECORD_TABLE = {
  absent: {
    submit_queued: 'accepted',
    submit_started: 'started',
    submit_refused: 'refused',
    seal: 'sealed',
  },
  accepted: { start: 'started', refuse: 'refused', seal: 'sealed' },
  started: { finish: 'done', interrupt: 'interrupted' },
  done: {},
  refused: {},
  sealed: {},
  interrupted: {},
} as const satisfies Record<RecordState, Partial<Record<RecordEvent, KeptState>>>;

/** The state after `event`, or null where the table has no such move (the record stays untouched). */
export function moveRecord(state: RecordState, event: RecordEvent): KeptState | null {
  const moves: Partial<Record<RecordEvent, KeptState>> = RECORD_TABLE[state];
  return moves[event] ?? null;
}

/** No further move exists: the record is final. */
export function isFinalRecord(state: RecordState): boolean {
  return state !== 'absent' && Object.keys(RECORD_TABLE[state]).length === 0;
}

/** What a record's state proves about running: before now, and from now on. */
export const RECORD_PROVES = {
  absent: { ran: 'unproven', mayStillRun: true },
  accepted: { ran: 'no', mayStillRun: true },
  started: { ran: 'maybe', mayStillRun: true },
  done: { ran: 'yes', mayStillRun: false },
  refused: { ran: 'no', mayStillRun: false },
  sealed: { ran: 'no', mayStillRun: false },
  interrupted: { ran: 'maybe', mayStillRun: false },
} as const satisfies Record<RecordState, { ran: 'no' | 'maybe' | 'yes' | 'unproven'; mayStillRun: boolean }>;
