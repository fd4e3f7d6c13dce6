/**
 * One act at a time: what is submitted, waits, runs, ends, is cut or sealed. Every step is written by the
 * keeper before anything follows from it. Not for sessions, looks or the owner's switch (engine.ts).
 */
import { LIMITS } from '../limits.ts';
import type { Interruption, NotARecordCode, Seal, Submit } from '../messages.ts';
import type { Payload } from '../payload.ts';
import type { Refusal } from '../refusals.ts';
import { type Candidate, checkSeal, checkSubmit, refusalAtStart } from './checks.ts';
import { type LaterEntry, NOTHING } from './entries.ts';
import type { Keeper } from './keeper.ts';
import { closings } from './keeper.ts';
import type { Ledger } from './ledger.ts';
import type { ActEnd, CompanionPorts } from './ports.ts';
import type { LedgerRecord } from './records.ts';
import { fittingReport } from './report-size.ts';

/** A person's finger must have rested this long before an act starts (contracts.md: 1 s of quiet). */
export const QUIET_MS = 1_000;
/**
 * After a cut the body may still be inside one single input: the next act waits for its end, but no longer
 * than this. The longest single input there is, a drag, may take 10 s.
 */
export const CUT_GRACE_MS = 12_000;
/** Set aside before `started`: both entries of an act, and what a stop or a restart writes beside them. */
const ACT_ROOM_BYTES = LIMITS.reportBytes + 8_192;

interface Waiting extends Candidate {
  readonly host_id: string;
  readonly record: LedgerRecord;
}

interface Running {
  readonly host_id: string;
  readonly record: LedgerRecord;
  readonly payload: Payload;
  /** The body was called; before that a cut leaves nothing to wait for. */
  performed: boolean;
  readonly endsAtMs: number;
  /** Its record has left `started`; only the body is not back yet, and is not waited for after this time. */
  cutUntilMs: number | null;
}

/** What a message gets back: the record as it is, or what is no evidence, or nothing at all. */
export type Answer =
  | { readonly kind: 'known'; readonly record: LedgerRecord }
  | { readonly kind: 'not_a_record'; readonly code: NotARecordCode; readonly detail: string }
  | { readonly kind: 'silence' };

/** What acts say by themselves. */
export interface Teller {
  /** A record moved; `end` carries the screen right after a `done` act. */
  record(hostId: string, record: LedgerRecord, end?: ActEnd): void;
  /** The body came back: the next act may start. */
  freed(): void;
}

export class Acts {
  readonly #ports: CompanionPorts;
  readonly #keeper: Keeper;
  readonly #tell: Teller;
  #waiting: Waiting[] = [];
  #running: Running | null = null;
  #bound = true;

  constructor(ports: CompanionPorts, keeper: Keeper, tell: Teller) {
    this.#ports = ports;
    this.#keeper = keeper;
    this.#tell = tell;
  }

  get runningId(): string | null {
    return this.#running === null || this.#running.cutUntilMs !== null
      ? null
      : this.#running.record.request_id;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get idle(): boolean {
    return this.#running === null && this.#waiting.length === 0;
  }

  get bound(): boolean {
    return this.#bound;
  }

  submit(hostId: string, submit: Submit): Answer {
    const ledger = this.#keeper.ledger as Ledger;
    const nowMs = this.#ports.clock.elapsedMs();
    const { request } = submit;
    const checked = checkSubmit(submit, hostId, ledger, this.#ports, nowMs);
    if (checked.kind === 'known' || checked.kind === 'not_a_record') return checked;
    if (!this.#bound) return not('not_ready', 'the accessibility service is not bound');
    const mustWait =
      checked.kind === 'pass' &&
      (this.#running !== null || this.#waiting.length > 0 || this.#quietAtMs() > nowMs);
    if (mustWait && this.#waiting.length >= LIMITS.acceptedQueue)
      return not('busy', `${LIMITS.acceptedQueue} acts wait already`);
    // A recovery on the way has changed what was just checked: the host has to ask again.
    if (!this.#keeper.roomForRecord() || this.#keeper.ledger !== ledger)
      return this.#unless('storage_failed', 'the ledger is full');
    const starts = checked.kind === 'pass' && !mustWait;
    if (starts && (!this.#keeper.reserve(ACT_ROOM_BYTES) || this.#keeper.ledger !== ledger))
      return this.#unless('storage_failed', 'no room for the closing entry');
    // Making room may have raised the mark past this very seq.
    if (request.seq <= ledger.book(hostId).mark)
      return not('forgotten', 'seq is at or below the pruned mark');

    const { request_id, seq, key_hash, boot_id, not_after } = request;
    const digest = checked.kind === 'pass' ? checked.candidate.digest : checked.digest;
    const identity = { host_id: hostId, request_id, seq, digest, key_hash, boot_id, not_after };
    const witness = submit.audit_head === undefined ? {} : { audit_head: submit.audit_head };
    const born = {
      entry: 'record',
      at: this.#keeper.now(),
      ...identity,
      ...NOTHING,
      ...witness,
    } as const;
    const entry: LaterEntry =
      checked.kind === 'refuse'
        ? { ...born, event: 'submit_refused', refusal: checked.code }
        : { ...born, event: starts ? 'submit_started' : 'submit_queued' };
    if (!this.#keeper.write([entry]))
      return this.#unless('storage_failed', 'the journal could not be written');
    const record = ledger.find(hostId, request_id) as LedgerRecord;
    if (checked.kind === 'pass') {
      const waiting = { ...checked.candidate, host_id: hostId, record };
      if (starts) this.#running = this.#begun(waiting);
      else this.#waiting.push(waiting);
    }
    return { kind: 'known', record };
  }

  seal(hostId: string, seal: Seal): Answer | { readonly kind: 'absent' } {
    const ledger = this.#keeper.ledger as Ledger;
    const { request_id, seq, digest, boot_id, not_after } = seal;
    const checked = checkSeal(seal, hostId, ledger);
    if (checked.kind === 'known') return this.#sealKnown(hostId, checked.record);
    if (checked.kind !== 'tombstone') return checked;
    if (!this.#keeper.roomForRecord() || this.#keeper.ledger !== ledger)
      return this.#unless('storage_failed', 'the ledger is full');
    // Making room may have raised the mark past this very seq.
    if (seq <= ledger.book(hostId).mark) return not('forgotten', 'seq is at or below the pruned mark');
    const identity = { host_id: hostId, request_id, seq, digest, key_hash: null, boot_id, not_after };
    const tombstone = { entry: 'record', at: this.#keeper.now(), ...identity, ...NOTHING } as const;
    if (!this.#keeper.write([{ ...tombstone, event: 'seal' }]))
      return this.#unless('storage_failed', 'the journal could not be written');
    return { kind: 'known', record: ledger.find(hostId, request_id) as LedgerRecord };
  }

  #sealKnown(hostId: string, record: LedgerRecord): Answer {
    if (record.state === 'accepted') {
      const move = {
        entry: 'move',
        at: this.#keeper.now(),
        host_id: hostId,
        request_id: record.request_id,
      } as const;
      if (!this.#keeper.write([{ ...move, ...NOTHING, event: 'seal' }]))
        return this.#unless('storage_failed', 'the journal could not be written');
      this.#waiting = this.#waiting.filter((one) => one.record !== record);
    }
    return { kind: 'known', record };
  }

  /**
   * One thing that is due now: an end of time, or the next start. False: nothing is. The engine calls it
   * until it answers false, after everything that happened.
   */
  step(): boolean {
    const now = this.#ports.clock.elapsedMs();
    const run = this.#running;
    if (run !== null && run.cutUntilMs !== null && (!run.performed || now >= run.cutUntilMs)) {
      this.#running = null;
      return true;
    }
    const { ledger } = this.#keeper;
    if (ledger === null) return false;
    if (run !== null && !run.performed) {
      this.#perform(run);
      return true;
    }
    if (run !== null && run.cutUntilMs === null && now >= run.endsAtMs) return this.cut('run_limit', []);
    const late = this.#waiting.find((one) => now > one.request.not_after);
    if (late !== undefined) {
      const onlyAPerson =
        this.#running === null && this.#waiting[0] === late && this.#quietAtMs() > late.request.not_after;
      return this.#refuse(late, onlyAPerson ? 'person_touch' : 'start_expired');
    }
    const next = this.#waiting[0];
    if (next === undefined || this.#running !== null || !this.#bound || this.#quietAtMs() > now) return false;
    const refusal = refusalAtStart(next, ledger, this.#ports, now);
    if (refusal !== null) return this.#refuse(next, refusal);
    const room = this.#keeper.reserve(ACT_ROOM_BYTES);
    // Recovery on the way has refused everything that waited.
    if (this.#keeper.ledger !== ledger) return true;
    if (!room) return this.#refuse(next, 'device_full');
    const { host_id, record } = next;
    const move = { entry: 'move', at: this.#keeper.now(), host_id, request_id: record.request_id } as const;
    if (!this.#keeper.write([{ ...move, ...NOTHING, event: 'start' }])) return true;
    this.#waiting.shift();
    this.#running = this.#begun(next);
    this.#tell.record(host_id, record);
    return true;
  }

  /** The next moment at which `step` may have something to do; null: not by time alone. */
  nextDueMs(): number | null {
    const due: number[] = [];
    if (this.#running !== null) due.push(this.#running.cutUntilMs ?? this.#running.endsAtMs);
    // Without a ledger nothing waits, and what runs is cut already.
    else if (this.#waiting.length > 0 && this.#bound) due.push(this.#quietAtMs());
    for (const { request } of this.#waiting) due.push(request.not_after + 1);
    return due.length === 0 ? null : Math.min(...due);
  }

  /** Ends what runs, its effect unknown; `before` is written in the same go. True. */
  cut(why: Interruption, before: readonly LaterEntry[], voided: readonly Waiting[] = []): true {
    const at = this.#keeper.now();
    const run = this.#running?.cutUntilMs === null ? this.#running : null;
    // First of all no further input may follow, whatever the disk says.
    if (run !== null) run.cutUntilMs = this.#ports.clock.elapsedMs() + CUT_GRACE_MS;
    const moved = [...voided, ...(run === null ? [] : [run])].map(({ host_id, record }) => ({
      host_id,
      record,
    }));
    const entries = [...before, ...closings(moved, at, 'paused', why)];
    if (entries.length === 0 || this.#keeper.ledger === null || !this.#keeper.write(entries)) return true;
    this.#waiting = this.#waiting.filter((one) => !voided.includes(one));
    for (const { host_id, record } of moved) this.#tell.record(host_id, record);
    return true;
  }

  /** A stop, or the phone given to another host: what runs is cut, what waits never starts. */
  void(why: Interruption, before: readonly LaterEntry[]): void {
    this.cut(why, before, this.#waiting);
  }

  setBound(bound: boolean): void {
    this.#bound = bound;
    if (!bound) this.cut('unbound', []);
  }

  /** The journal was closed: recovery ends every open record, so nothing waits and what runs is cut. */
  reset(): void {
    this.#waiting = [];
    if (this.#running !== null) this.#running.cutUntilMs ??= this.#ports.clock.elapsedMs() + CUT_GRACE_MS;
  }

  #quietAtMs(): number {
    const touch = this.#ports.body.lastPersonTouchMs();
    return touch === null ? 0 : touch + QUIET_MS;
  }

  #begun({ host_id, record, payload }: Waiting): Running {
    const endsAtMs = this.#ports.clock.elapsedMs() + payload.run_limit_ms;
    return { host_id, record, payload, endsAtMs, performed: false, cutUntilMs: null };
  }

  #perform(run: Running): void {
    run.performed = true;
    const stillMine = () => this.#running === run && run.cutUntilMs === null;
    const { payload } = run;
    this.#ports.body.perform({ act: payload.act, payload, stillMine }, (end) => this.#ended(run, end));
  }

  #ended(run: Running, end: ActEnd): void {
    if (this.#running !== run) return;
    const cut = run.cutUntilMs !== null;
    this.#running = null;
    if (!cut && this.#keeper.ledger !== null) {
      const { host_id, record } = run;
      const move = { entry: 'move', at: this.#keeper.now(), host_id, request_id: record.request_id } as const;
      const closing: LaterEntry =
        end.kind === 'report'
          ? { ...move, ...NOTHING, event: 'finish', report: fittingReport(end.report) }
          : { ...move, ...NOTHING, event: 'interrupt', interruption: 'cancelled' };
      if (this.#keeper.write([closing])) this.#tell.record(host_id, record, end);
    }
    this.#tell.freed();
  }

  #refuse(one: Waiting, code: Refusal): true {
    const { host_id, record } = one;
    const move = { entry: 'move', at: this.#keeper.now(), host_id, request_id: record.request_id } as const;
    if (!this.#keeper.write([{ ...move, ...NOTHING, event: 'refuse', refusal: code }])) return true;
    this.#waiting = this.#waiting.filter((other) => other !== one);
    this.#tell.record(host_id, record);
    return true;
  }

  /** After a failure: said only if recovery is over, for before that nothing may be answered. */
  #unless(code: NotARecordCode, detail: string): Answer {
    return this.#keeper.ledger === null ? { kind: 'silence' } : not(code, detail);
  }
}

const not = (code: NotARecordCode, detail: string): Answer => ({ kind: 'not_a_record', code, detail });
