/**
 * The model's state: one request on one host and one phone, every message that was ever sent, what may still
 * go wrong. Small numbers only, so that two equal states are found to be equal. Not for what may happen next
 * (phone-side.ts, host-side.ts).
 */
import { COMMAND_STATES, type CommandState } from '../../device-protocol/command-table.ts';
import { RECORD_STATES, type RecordState } from '../../device-protocol/record-table.ts';

export interface World {
  /* ---- the phone ---- */
  /** 0: the ledger and boot that the request is bound to. */
  ledger: 0 | 1;
  boot: 0 | 1;
  /** The durable record, and whether the mark has passed its `seq`. */
  record: RecordState;
  forgotten: boolean;
  /** Past `not_after`, by the clock of this boot. */
  late: boolean;
  /** Lost with the process: it waits in the queue; its act is about to be, or was, given to the body. */
  queued: boolean;
  running: 'no' | 'to_perform' | 'performed' | 'to_perform_unwritten' | 'performed_unwritten';

  /* ---- what happened, whatever anybody knows of it ---- */
  inputs: 0 | 1 | 2;
  /** A record `done` was durable at some time. */
  doneOnce: boolean;

  /* ---- the host ---- */
  row: CommandState;
  sealFlag: boolean;
  ending: 'none' | 'deny' | 'expire' | 'cancel' | 'refuse';
  /** Born in this life of the host. */
  fresh: boolean;
  /** The phone, asked in this life, had no record. */
  asked: boolean;
  call: 'none' | 'wanted' | 'sealing';
  /** `sent` is committed (or, weakened, not yet), and the bytes go next (or went already). */
  hand: 'nothing' | 'committed' | 'uncommitted';
  /** The bytes were handed over in this call. */
  handed: boolean;
  /** The session: with which ledger and boot the phone said hello. */
  link: 'none' | 'bound' | 'other_boot' | 'other_ledger';

  /* ---- everything ever sent, delivered or not: any of it may still arrive, again and again ---- */
  net: number;
  netMore: number;

  /* ---- what may still go wrong ---- */
  phoneCrashes: number;
  hostCrashes: number;
  reboots: number;
  reinstalls: number;
}

/** How often each accident may happen. */
export interface Accidents {
  readonly phoneCrashes: number;
  readonly hostCrashes: number;
  readonly reboots: number;
  readonly reinstalls: number;
}

export function firstWorlds(accidents: Accidents): World[] {
  const bound: World = {
    ledger: 0,
    boot: 0,
    record: 'absent',
    forgotten: false,
    late: false,
    queued: false,
    running: 'no',
    inputs: 0,
    doneOnce: false,
    row: 'received',
    sealFlag: false,
    ending: 'none',
    fresh: true,
    asked: false,
    call: 'none',
    hand: 'nothing',
    handed: false,
    link: 'bound',
    net: 0,
    netMore: 0,
    ...accidents,
  };
  return [bound];
}

const RUNNING = ['no', 'to_perform', 'performed', 'to_perform_unwritten', 'performed_unwritten'] as const;
const ENDINGS = ['none', 'deny', 'expire', 'cancel', 'refuse'] as const;
const CALLS = ['none', 'wanted', 'sealing'] as const;
const HANDS = ['nothing', 'committed', 'uncommitted'] as const;
const LINKS = ['none', 'bound', 'other_boot', 'other_ledger'] as const;

const recordPlace = new Map(RECORD_STATES.map((state, at) => [state, at]));
const rowPlace = new Map(COMMAND_STATES.map((state, at) => [state, at]));

/** One short text for one state. Written out, because millions are made. */
export function keyOf(w: World): string {
  let flags = w.ledger;
  flags = flags * 2 + w.boot;
  flags = flags * 2 + Number(w.forgotten);
  flags = flags * 2 + Number(w.late);
  flags = flags * 2 + Number(w.queued);
  flags = flags * 2 + Number(w.doneOnce);
  flags = flags * 2 + Number(w.sealFlag);
  flags = flags * 2 + Number(w.fresh);
  flags = flags * 2 + Number(w.asked);
  flags = flags * 2 + Number(w.handed);
  let names = recordPlace.get(w.record) ?? 0;
  names = names * 16 + (rowPlace.get(w.row) ?? 0);
  names = names * 5 + RUNNING.indexOf(w.running);
  names = names * 5 + ENDINGS.indexOf(w.ending);
  names = names * 3 + CALLS.indexOf(w.call);
  names = names * 3 + HANDS.indexOf(w.hand);
  names = names * 4 + LINKS.indexOf(w.link);
  let counts: number = w.inputs;
  counts = counts * 4 + w.phoneCrashes;
  counts = counts * 4 + w.hostCrashes;
  counts = counts * 4 + w.reboots;
  counts = counts * 4 + w.reinstalls;
  return `${flags * 1_024 + counts} ${names} ${w.net} ${w.netMore}`;
}
