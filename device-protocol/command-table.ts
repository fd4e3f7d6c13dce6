/**
 * Life of a command on the host (protocol.md, "Host: life of a command"): the states, the events, the
 * one table, the one function that moves. Not for what is done on a move (host/engine).
 */
export const COMMAND_STATES = [
  'received',
  'staged',
  'ready',
  'sent',
  'doubtful',
  'done',
  'refused',
  'sealed',
  'interrupted',
  'denied',
  'expired',
  'cancelled',
  'unknown',
] as const;
export type CommandState = (typeof COMMAND_STATES)[number];

export const COMMAND_EVENTS = [
  /** The judge let it through. */
  'allow',
  /** The judge asks the owner. */
  'stage',
  /** The judge, the grant, a stop, another boot: it will not be handed to the phone. */
  'refuse',
  'approve',
  'deny',
  /** Its time was over before it was handed to a socket. */
  'expire',
  /** The agent withdrew it, or its task ended, before it was handed to a socket. */
  'cancel',
  /** About to be handed to a socket; or a record was found for a row that never noted the sending. */
  'send',
  'record_done',
  'record_refused',
  'record_sealed',
  'record_interrupted',
  /**
   * Absent, not forgotten, on the bound ledger under another boot of a phone that cannot be turned back:
   * it never ran and never will. The one thing that is proof without a record.
   */
  'outlived',
  /** The call's time is over, or the link is lost, and no final record is known. */
  'doubt',
  /** Nothing can ever be learnt any more. */
  'lose',
] as const;
export type CommandEvent = (typeof COMMAND_EVENTS)[number];

const byRecord = {
  record_done: 'done',
  record_refused: 'refused',
  record_sealed: 'sealed',
  record_interrupted: 'interrupted',
} as const;

/** Every legal move. What is not here does not move. */
export const COMMAND_TABLE = {
  received: { allow: 'ready', stage: 'staged', refuse: 'refused' },
  staged: { approve: 'ready', deny: 'denied', expire: 'expired', cancel: 'cancelled', refuse: 'refused' },
  ready: { send: 'sent', expire: 'expired', cancel: 'cancelled', refuse: 'refused' },
  // Another boot means another session, and the end of the old one has made it doubtful before.
  sent: { ...byRecord, doubt: 'doubtful' },
  doubtful: { ...byRecord, outlived: 'refused', lose: 'unknown' },
  done: {},
  refused: {},
  sealed: {},
  interrupted: {},
  denied: {},
  expired: {},
  cancelled: {},
  unknown: {},
} as const satisfies Record<CommandState, Partial<Record<CommandEvent, CommandState>>>;

/** The state after `event`, or null where the table has no such move (the command stays untouched). */
export function moveCommand(state: CommandState, event: CommandEvent): CommandState | null {
  const moves: Partial<Record<CommandEvent, CommandState>> = COMMAND_TABLE[state];
  return moves[event] ?? null;
}

/** No further move exists: the command is final. */
export function isFinalCommand(state: CommandState): boolean {
  return Object.keys(COMMAND_TABLE[state]).length === 0;
}

/** What a state of a command says about the phone, in the envelope's words. */
export const COMMAND_EFFECT = {
  received: 'none',
  staged: 'none',
  ready: 'none',
  sent: 'unknown',
  doubtful: 'unknown',
  done: 'happened',
  refused: 'none',
  sealed: 'none',
  interrupted: 'unknown',
  denied: 'none',
  expired: 'none',
  cancelled: 'none',
  unknown: 'unknown',
} as const satisfies Record<CommandState, 'none' | 'unknown' | 'happened'>;
