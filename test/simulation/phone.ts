/**
 * A phone of the simulation: the production companion engine and dialogue over a disk that forgets, a clock
 * of its own, hands whose inputs the truth counts. Not for when faults happen (plan.ts).
 */
import { hostsWord } from '../../device-protocol/companion/approval.ts';
import { CompanionDialogue } from '../../device-protocol/companion/dialogue.ts';
import { CompanionEngine } from '../../device-protocol/companion/engine.ts';
import type { CompanionSettings } from '../../device-protocol/companion/engine-api.ts';
import type { LaterEntry } from '../../device-protocol/companion/entries.ts';
import { Ledger } from '../../device-protocol/companion/ledger.ts';
import {
  type ActEnd,
  type ActRun,
  type CompanionPorts,
  DiskError,
  type Look,
} from '../../device-protocol/companion/ports.ts';
import type { RecordEvent, RecordState } from '../../device-protocol/record-table.ts';
import type { Refusal } from '../../device-protocol/refusals.ts';
import { FOREGROUND, REPORT, SNAPSHOT } from '../support/companion-rig.ts';
import { type DiskOperation, MemoryDisk } from '../support/memory-disk.ts';
import type { SimHost } from './host.ts';
import type { Connection } from './network.ts';
import { Killed } from './time.ts';
import { Violation } from './truth.ts';
import type { World } from './world.ts';

export const DEVICE = 'phone-1';
export const SECRET = '5e'.repeat(32);
export const FINGERPRINT = 'f1'.repeat(32);

/** What the hands do with one act; found by the payload's salt. */
export interface Handling {
  readonly durationMs: number;
  readonly ending: 'report' | 'cancelled' | 'never';
  /** Inputs after the first. */
  readonly more: number;
}

interface Process {
  alive: boolean;
  readonly engine: CompanionEngine;
  connection: Connection | null;
  dialogue: CompanionDialogue | null;
}

interface Timer {
  readonly atMs: number;
  readonly wake: () => void;
  cancel: () => void;
}

/** The process ends at one of its next disk operations. */
export interface ArmedKill {
  operations: number;
  readonly when: 'before' | 'after';
  readonly power: boolean;
}

export interface PhoneImage {
  readonly bytes: Uint8Array | null;
  readonly elapsedMs: number;
  readonly boots: number;
  readonly takenAtMs: number;
}

/** Which state a move leaves: each of these events leaves one only. */
const STATE_BEFORE: Partial<Record<RecordEvent, RecordState>> = {
  start: 'accepted',
  refuse: 'accepted',
  seal: 'accepted',
  finish: 'started',
  interrupt: 'started',
};

function* entriesIn(bytes: Uint8Array): Generator<LaterEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const length = view.getUint32(at);
    yield JSON.parse(Buffer.from(bytes.subarray(at + 8, at + 8 + length)).toString()) as LaterEntry;
    at += length + 40;
  }
}

export class SimPhone {
  readonly disk = new MemoryDisk();
  process: Process | null = null;
  armed: ArmedKill | null = null;
  /** The next operation of this kind is refused. */
  failing: { readonly operation: DiskOperation; readonly code: DiskError['code'] } | null = null;
  policyRefusal: Refusal | null = null;
  targetRefusal: Refusal | null = null;
  /** Which host is dialled. */
  dials: SimHost;
  /** Put back to an earlier day: records that hosts know may be gone. */
  turnedBack = false;
  /** Something was done to the journal, or its power cut left half an entry before zeros. */
  mayLoseLedger = false;
  /**
   * Whether a power cut may leave half an entry and zeros behind it, which costs the ledger. Not beside a
   * host that is restored: the two together are a stated limit (rule 5).
   */
  mayTearIntoZeros = true;
  /** It was turned back, or the clock a host compares with was set. */
  mayBeSuspected = false;
  #ledgerId: string | null = null;
  boots = 1;
  readonly #world: World;
  readonly #settings: CompanionSettings;
  #zeroMs = -60_000;
  #timers = new Set<Timer>();
  #touchMs: number | null = null;
  #performing = new Map<string, { readonly end: (end: ActEnd) => void; readonly endsAtMs: number }>();
  #backoffMs = 100;
  #redialDue = false;

  constructor(world: World, dials: SimHost, settings: CompanionSettings) {
    this.#world = world;
    this.dials = dials;
    this.#settings = settings;
    const append = this.disk.append.bind(this.disk);
    this.disk.append = (bytes) => {
      append(bytes);
      for (const entry of entriesIn(bytes)) {
        if (entry.entry === 'record') world.cell('record', 'absent', entry.event);
        if (entry.entry === 'move') world.cell('record', STATE_BEFORE[entry.event] ?? 'absent', entry.event);
      }
    };
    this.disk.before = (operation) => this.#before(operation);
    this.disk.after = () => this.#after();
  }

  get elapsedMs(): number {
    return this.#world.time.nowMs - this.#zeroMs;
  }

  /* ---- life and death ---- */

  start(): void {
    const world = this.#world;
    if (this.process !== null) return;
    world.trace(`phone starts (boot ${this.boots})`);
    this.#checkRecords();
    const process: Process = {
      alive: true,
      engine: new CompanionEngine(
        this.#ports(() => process),
        this.#settings,
      ),
      connection: null,
      dialogue: null,
    };
    this.process = process;
    this.guard(() => {
      process.engine.open();
      process.engine.whenReady(() => this.#noteLedger(process));
      this.#redial(process, 0);
    });
  }

  /** The process dies here and now. With the power, what was not synced may go too, and the phone reboots. */
  kill(power: boolean): void {
    const { process } = this;
    this.#world.trace(power ? 'PHONE LOSES POWER' : 'PHONE PROCESS KILLED');
    this.armed = null;
    if (process !== null) {
      process.alive = false;
      process.connection?.end('phone');
    }
    this.process = null;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#performing.clear();
    this.#redialDue = false;
    if (power) this.#reboot();
    this.#world.time.after(this.#world.dice.whole(100, 2_500), () => this.start());
  }

  wipe(): void {
    this.#world.trace('PHONE WIPED');
    this.kill(false);
    this.mayLoseLedger = true;
    this.disk.put(null);
    this.#world.truth.stopHolds = false;
  }

  image(): PhoneImage {
    return {
      bytes: this.disk.durableBytes(),
      elapsedMs: this.elapsedMs,
      boots: this.boots,
      takenAtMs: this.#world.time.nowMs,
    };
  }

  /** Disk, clock and boot come back together, as an emulator's snapshot does. */
  restore(image: PhoneImage): void {
    this.#world.trace(`PHONE TURNED BACK by ${Math.round(this.#world.time.nowMs - image.takenAtMs)} ms`);
    this.kill(false);
    this.mayLoseLedger = true;
    this.disk.put(image.bytes);
    this.boots = image.boots;
    this.#zeroMs = this.#world.time.nowMs - image.elapsedMs;
    this.turnedBack = true;
    this.mayBeSuspected = true;
    this.#world.truth.stopHolds = false;
  }

  /** The phone sleeps through `ms`: its clock goes on, its processor does not. */
  jump(ms: number): void {
    // What would have ended by then has ended, though nobody was awake to hear of it.
    for (const [id, { endsAtMs }] of this.#performing)
      if (endsAtMs <= this.#world.time.nowMs + ms) this.#performing.delete(id);
    this.#zeroMs -= ms;
    const timers = [...this.#timers];
    for (const timer of timers) {
      timer.cancel();
      this.#arm(timer);
    }
  }

  touch(cancels: boolean): void {
    this.#touchMs = this.elapsedMs;
    if (!cancels) return;
    for (const [id, { end }] of [...this.#performing]) {
      this.#world.trace(`a finger cancels ${id.slice(0, 6)}`);
      this.#performing.delete(id);
      this.guard(() => end({ kind: 'interrupted' }));
    }
  }

  /** Runs something inside the phone's process, which may die in it. */
  guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }

  /** An old frame of any earlier connection arrives in this session. */
  haunt(text: string): void {
    const { process } = this;
    if (process?.dialogue?.inSession === true) this.guard(() => process.dialogue?.frame(text));
  }

  /** Another host is dialled beside the current session; it can only be told that the phone is held. */
  visit(host: SimHost): void {
    const { process } = this;
    if (process === null || host === this.dials) return;
    this.#dial(process, host, false);
  }

  hangUp(): void {
    this.process?.connection?.end('network');
  }

  /* ---- inside ---- */

  #reboot(): void {
    const { dice } = this.#world;
    const zeros = dice.chance(0.3) && this.mayTearIntoZeros;
    this.disk.cutPower(dice.whole(0, 700), zeros);
    this.mayLoseLedger ||= zeros;
    this.boots += 1;
    this.#zeroMs = this.#world.time.nowMs;
    this.#touchMs = null;
  }

  /** The journal as it stands; null where there is none or it is damaged. */
  #read(): Ledger | null {
    // A copy, because reading cuts a torn tail.
    const copy = new MemoryDisk();
    copy.put(this.disk.bytes());
    const { ledger, damaged } = Ledger.read(copy);
    return damaged ? null : ledger;
  }

  #checkRecords(): void {
    const ledger = this.#read();
    if (ledger === null || this.turnedBack) return;
    this.#world.truth.recovered(ledger.ledger_id, (host, id): RecordState | 'forgotten' => {
      const book = ledger.book(host);
      const seq = this.#world.seqOf.get(id) ?? 0;
      return book.byId(id)?.state ?? (seq <= book.mark ? 'forgotten' : 'absent');
    });
  }

  /** Which boot a boot_id means, and that no ledger was lost without a reason. */
  #noteLedger(process: Process): void {
    const { ledger_id, boot_id, ledger_began } = process.engine.view();
    if (ledger_id === null || boot_id === null) return;
    if (!this.#world.bootOf.has(boot_id)) this.#world.bootOf.set(boot_id, this.boots);
    const reason = ledger_began === 'rolled_back' ? this.mayBeSuspected : this.mayLoseLedger;
    if (this.#ledgerId !== null && ledger_id !== this.#ledgerId && !reason)
      this.#world.claim(() => {
        throw new Violation(`the ledger was lost without a reason (${ledger_began})`);
      });
    this.#ledgerId = ledger_id;
    this.mayLoseLedger = false;
  }

  #before(operation: DiskOperation): void {
    if (this.process === null || !this.process.alive) throw new Killed('phone');
    if (this.armed?.when === 'before' && --this.armed.operations <= 0) this.#die();
    if (this.failing?.operation === operation) {
      const { code } = this.failing;
      this.failing = null;
      this.#world.count(code);
      this.#world.trace(`disk: ${operation} fails (${code})`);
      throw new DiskError(code, 'the schedule says so');
    }
  }

  #after(): void {
    if (this.armed?.when === 'after' && --this.armed.operations <= 0) this.#die();
  }

  #die(): never {
    const power = this.armed?.power === true;
    this.#world.count(power ? 'phone_power_cut_at_disk' : 'phone_kill_at_disk');
    this.kill(power);
    throw new Killed('phone');
  }

  #arm(timer: Timer): void {
    this.#timers.add(timer);
    const { time } = this.#world;
    const wake = (): void => {
      // A rounding error short of its time is not at or after it.
      if (this.elapsedMs < timer.atMs) {
        timer.cancel = time.after(0.001, wake);
        return;
      }
      this.#timers.delete(timer);
      this.guard(timer.wake);
    };
    timer.cancel = time.at(timer.atMs + this.#zeroMs, wake);
  }

  #ports(process: () => Process): CompanionPorts {
    const world = this.#world;
    const alive = () => this.process === process();
    return {
      clock: {
        elapsedMs: () => this.elapsedMs,
        bootCount: () => this.boots,
        at: (atMs, wake) => {
          const timer: Timer = { atMs, wake, cancel: () => {} };
          this.#arm(timer);
          return () => {
            timer.cancel();
            this.#timers.delete(timer);
          };
        },
      },
      disk: this.disk,
      chance: { hex: (count) => world.phoneChance.hex(count) },
      policy: { refuses: () => this.policyRefusal },
      approval: hostsWord,
      body: {
        foreground: () => FOREGROUND,
        lastPersonTouchMs: () => this.#touchMs,
        check: () => this.targetRefusal,
        perform: (run, end) => this.#perform(process(), run, (how) => alive() && this.guard(() => end(how))),
        look: (_request, end) => {
          const look: Look = {
            snapshot: SNAPSHOT,
            settled: null,
            settle_ms: null,
            settle_reason: null,
            screenshot: null,
            screenshot_refused: null,
          };
          world.time.after(30, () => alive() && this.guard(() => end(look)));
        },
        listApps: (end) => end([]),
        readClipboard: (end) => end({ text: null, refused: 'empty' }),
      },
    };
  }

  #perform(process: Process, run: ActRun, end: (how: ActEnd) => void): void {
    const world = this.#world;
    const id = world.requestOf.get(run.payload.salt);
    world.truth.ran(id, {
      elapsedMs: this.elapsedMs,
      boot: this.boots,
      bootOf: (bootId) => world.bootOf.get(bootId),
      payload: run.payload,
      openInputs: this.#performing.size,
      keeps: (hostId, requestId) => this.#read()?.find(hostId, requestId) !== undefined,
    });
    if (id === undefined) return;
    const { durationMs, ending, more } = world.handlings.get(run.payload.salt) as Handling;
    const mine = { end, endsAtMs: world.time.nowMs + durationMs };
    this.#performing.set(id, mine);
    const over = (how: ActEnd | null): void => {
      if (this.process !== process || this.#performing.get(id) !== mine) return;
      this.#performing.delete(id);
      if (how?.kind === 'report') world.truth.ended(id);
      if (how !== null) end(how);
    };
    for (let i = 1; i <= more; i++)
      world.time.after((durationMs * i) / (more + 1), () => {
        if (this.process !== process || this.#performing.get(id) !== mine) return;
        if (!run.stillMine()) over({ kind: 'interrupted' });
        else world.claim(() => world.truth.wentOn(id, process.engine.view().running));
      });
    world.time.after(durationMs, () =>
      over(
        ending === 'report'
          ? { kind: 'report', report: REPORT, snapshot: SNAPSHOT }
          : ending === 'cancelled'
            ? { kind: 'interrupted' }
            : null,
      ),
    );
  }

  #redial(process: Process, afterMs: number): void {
    if (this.#redialDue) return;
    this.#redialDue = true;
    this.#world.time.after(afterMs, () => {
      this.#redialDue = false;
      if (this.process !== process) return;
      this.guard(() =>
        process.engine.whenReady(() => this.process === process && this.#dial(process, this.dials, true)),
      );
    });
  }

  #dial(process: Process, host: SimHost, main: boolean): void {
    const world = this.#world;
    if (main && process.connection?.open === true) return;
    const connection = world.net.connect();
    if (main) process.connection = connection;
    if (!host.answers(connection)) {
      connection.end('network');
      if (main) this.#again(process);
      return;
    }
    const dialogue = new CompanionDialogue(
      process.engine,
      { clock: this.#ports(() => process).clock, chance: { hex: (n) => world.phoneChance.hex(n) } },
      { device_id: DEVICE, secret: SECRET, fingerprint: FINGERPRINT, host_id: null },
      {
        send: (text) => {
          if (this.process === process) connection.send('host', text);
        },
        destroy: () => {
          connection.end('phone');
          if (main && process.connection === connection) this.#again(process);
        },
      },
    );
    if (main) process.dialogue = dialogue;
    connection.attach('phone', {
      frame: (text) => {
        if (this.process !== process) return;
        this.guard(() => dialogue.frame(text));
        if (!dialogue.inSession) return;
        this.#backoffMs = 100;
        if (process.engine.view().ledger_id !== this.#ledgerId) this.#noteLedger(process);
      },
      gone: () => {
        if (this.process !== process) return;
        this.guard(() => dialogue.gone());
        if (main && process.connection === connection) this.#again(process);
      },
    });
    this.guard(() => dialogue.start());
  }

  #again(process: Process): void {
    this.#backoffMs = Math.min(this.#backoffMs * 2, 5_000);
    this.#redial(process, this.#backoffMs * (0.5 + this.#world.dice.unit() / 2));
  }
}
