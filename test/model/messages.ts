/**
 * Every message of the model, one bit each: once sent it stays, and may be delivered at any later time and as
 * often as it likes. Not for what is done with one (phone-side.ts, host-side.ts).
 */
import type { RecordState } from '../../device-protocol/record-table.ts';
import type { World } from './world.ts';

/**
 * Questions and answers are told apart by one thing only: whether they were asked after the bytes were last
 * handed over (`current`) or before (`stale`). What an absence then proves is different.
 */
export type Message =
  | { readonly to: 'phone'; readonly kind: 'submit' | 'seal' | 'ask_current' | 'ask_stale' }
  | {
      readonly to: 'host';
      readonly kind: 'record';
      readonly state: RecordState;
      readonly ledger: 0 | 1;
      readonly boot: 0 | 1;
    }
  | {
      readonly to: 'host';
      readonly kind: 'status';
      readonly state: RecordState | 'forgotten';
      readonly ledger: 0 | 1;
      readonly boot: 0 | 1;
      readonly asked: 'current' | 'stale' | 'any';
    }
  /** `storage_failed`, `busy`, `expired_submit`, …: this copy did not run. */
  | { readonly to: 'host'; readonly kind: 'not_a_record' };

const KEPT = ['accepted', 'started', 'done', 'refused', 'sealed', 'interrupted'] as const;

function allMessages(): Message[] {
  const all: Message[] = [
    { to: 'phone', kind: 'submit' },
    { to: 'phone', kind: 'seal' },
    { to: 'phone', kind: 'ask_current' },
    { to: 'phone', kind: 'ask_stale' },
    { to: 'host', kind: 'not_a_record' },
    // Of another ledger everything proves the same.
    { to: 'host', kind: 'record', state: 'done', ledger: 1, boot: 1 },
    { to: 'host', kind: 'status', state: 'absent', ledger: 1, boot: 1, asked: 'any' },
  ];
  for (const boot of [0, 1] as const) {
    for (const state of KEPT) {
      all.push({ to: 'host', kind: 'record', state, ledger: 0, boot });
      for (const asked of state === 'accepted' ? (['current', 'stale'] as const) : (['any'] as const))
        all.push({ to: 'host', kind: 'status', state, ledger: 0, boot, asked });
    }
    all.push({ to: 'host', kind: 'status', state: 'forgotten', ledger: 0, boot, asked: 'any' });
    for (const asked of boot === 0 ? (['current', 'stale'] as const) : (['any'] as const))
      all.push({ to: 'host', kind: 'status', state: 'absent', ledger: 0, boot, asked });
  }
  return all;
}

export const MESSAGES: readonly Message[] = allMessages();

/** Two messages of the same fields are the same one. */
function nameOf(message: Message): string {
  if (message.kind === 'record') return `record ${message.state} ${message.ledger} ${message.boot}`;
  if (message.kind !== 'status') return message.kind;
  return `status ${message.state} ${message.ledger} ${message.boot} ${message.asked}`;
}
const bitOf = new Map(MESSAGES.map((message, at) => [nameOf(message), at]));
export function bit(message: Message): number {
  const at = bitOf.get(nameOf(message));
  if (at === undefined) throw new Error(`no such message: ${nameOf(message)}`);
  return at;
}

/** Numbers of JavaScript have 32 bits where bits count. */
const HALF = 24;

export function isOut(w: World, at: number): boolean {
  return at < HALF ? (w.net & (1 << at)) !== 0 : (w.netMore & (1 << (at - HALF))) !== 0;
}

export function send(w: World, at: number): void {
  if (at < HALF) w.net |= 1 << at;
  else w.netMore |= 1 << (at - HALF);
}

export function takeBack(w: World, at: number): void {
  if (at < HALF) w.net &= ~(1 << at);
  else w.netMore &= ~(1 << (at - HALF));
}

/** Nobody listens to anything else any more. */
export function keepOnly(w: World, bits: readonly number[]): void {
  const out = bits.filter((at) => isOut(w, at));
  w.net = 0;
  w.netMore = 0;
  for (const at of out) send(w, at);
}

/** Pairs that differ in `current` and `stale` only. */
const PAIRS = MESSAGES.flatMap((message, at) => {
  if (message.kind === 'ask_current') return [[at, bit({ to: 'phone', kind: 'ask_stale' })] as const];
  if (message.kind === 'status' && message.asked === 'current')
    return [[at, bit({ ...message, asked: 'stale' })] as const];
  return [];
});

/** The bytes go out now: whatever was asked before was asked before that. */
export function becomeStale(w: World): void {
  for (const [current, stale] of PAIRS)
    if (isOut(w, current)) {
      takeBack(w, current);
      send(w, stale);
    }
}
