/**
 * Random trouble between the production host and the production companion, from a seed: frames lost,
 * doubled and late, either side killed, phones rebooted, wiped, turned back, hosts restored, owners and
 * agents who change their minds. The promises of protocol.md must hold for every seed. Not the simulation
 * (which kills at every await and every sync): a short run of the real parts on the bench.
 */
import { describe, expect, it } from 'vitest';
import { payloadText, REPORT } from '../support/companion-rig.ts';
import { request } from '../tracker/world.ts';
import { Bench, DEVICE } from './bench.ts';

/** mulberry32: small, seeded, good enough to choose troubles. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const NEVER_RAN = ['refused', 'sealed', 'denied', 'expired', 'cancelled'];
const FINAL = [...NEVER_RAN, 'done', 'interrupted', 'unknown'];

class Chaos {
  readonly bench: Bench;
  readonly roll: (below: number) => number;
  readonly trace: string[] = [];
  /** What the world knows: how often each request's act really began, by the salt in its bytes. */
  readonly began = new Map<string, number>();
  /** What the host told, by request: a final state is told once and for ever. */
  readonly told = new Map<string, string>();
  readonly salts = new Map<string, string>();
  readonly emulator: boolean;
  #count = 0;
  #quiet = false;
  #counted = 0;
  #snapshot: { readonly disk: Uint8Array | null; readonly nowMs: number } | null = null;
  #backup: Uint8Array | null = null;
  /** A restored host and a wiped phone together are a stated limit: a schedule has one of them. */
  readonly #wipes: boolean;

  constructor(seed: number) {
    this.roll = dice(seed);
    this.emulator = this.roll(3) === 0;
    this.#wipes = this.roll(2) === 0;
    // A ledger this small forgets what it may within a few acts.
    this.bench = new Bench({
      can_be_turned_back: this.emulator,
      ledgerRecords: 3,
    });
    this.bench.body.endsAtOnce = false;
    this.#dial();
  }

  step(): void {
    const { bench, roll } = this;
    // How often each happens, relative to the others; the names are the trace of a failing seed.
    const troubles: [number, string, () => void][] = [
      [12, 'act', () => this.#act()],
      [8, 'end act', () => void this.#endAct()],
      [4, 'pass', () => bench.pass(250 * (1 + roll(40)))],
      [4, 'late frame', () => this.#late()],
      [1, 'cut', () => bench.cable.end(roll(2) === 0, roll(2) === 0)],
      [1, 'silence', () => this.#silence()],
      [6, 'dial', () => this.#dial()],
      [1, 'kill host', () => bench.killHost()],
      [1, 'restart phone', () => bench.killPhone('restart')],
      [1, 'reboot', () => bench.killPhone('reboot')],
      [4, 'decide', () => this.#decide()],
      [2, 'withdraw', () => this.#withdraw()],
      [1, 'stop', () => bench.tracker.stopAll('chaos')],
      [4, 'resume', () => bench.tracker.resumeAll('chaos')],
      [1, 'stop on phone', () => bench.engine.stopOnPhone()],
      [4, 'resume on phone', () => bench.engine.resumeOnPhone()],
      [1, 'touch', () => this.#touch()],
      [1, 'wipe', () => this.#wipe()],
      [1, 'turn back', () => this.#turnBack()],
      [1, 'restore host', () => this.#restore()],
      [2, 'accept host', () => bench.tracker.acceptTurnedBack(DEVICE)],
    ];
    const choose = troubles.flatMap(([weight, name, work]) => Array(weight).fill([name, work]));
    const [name, work] = choose[roll(choose.length)] as [string, () => void];
    this.trace.push(name);
    work();
    bench.flush();
    this.check();
  }

  /** Faults stop, the phone is back, the owner lifts what is stopped: everything must come to its end. */
  calm(): void {
    const { bench } = this;
    this.#quiet = true;
    bench.body.touchMs = null;
    for (let turn = 0; turn < 3; turn++) {
      this.#dial();
      while (this.#endAct());
      bench.pass(40_000);
      while (this.#endAct());
    }
    bench.tracker.resumeAll('calm');
    bench.engine.resumeOnPhone();
    bench.tracker.acceptTurnedBack(DEVICE);
    bench.pass(400_000);
    while (this.#endAct());
    bench.pass(60_000);
    this.check();
    for (const row of bench.store.commands.recent({ last: 1_000 }))
      if (!FINAL.includes(row.state)) throw new Error(`${row.request_id} is still ${row.state}`);
  }

  check(): void {
    const { bench } = this;
    for (; this.#counted < bench.body.runs.length; this.#counted++) {
      const salt = bench.body.runs[this.#counted]?.run.payload.salt ?? '';
      this.began.set(salt, (this.began.get(salt) ?? 0) + 1);
    }
    for (const [salt, times] of this.began) if (times > 1) throw new Error(`${salt} ran ${times} times`);
    for (const row of bench.store.commands.recent({ last: 1_000 })) {
      const ran = (this.began.get(this.salts.get(row.request_id) ?? '') ?? 0) > 0;
      if (row.state === 'done' && !ran) throw new Error(`${row.request_id} is done and never ran`);
      if (NEVER_RAN.includes(row.state) && ran)
        throw new Error(`${row.request_id} is ${row.state} (${row.error_code}) and ran`);
      const before = this.told.get(row.request_id);
      if (before !== undefined && before !== row.state && FINAL.includes(before))
        throw new Error(`${row.request_id} was ${before} and is ${row.state}`);
      this.told.set(row.request_id, row.state);
    }
    if (bench.faults.length > 0) throw bench.faults[0];
  }

  #act(): void {
    this.#count += 1;
    const salt = this.#count.toString(16).padStart(32, '0');
    const staged = this.roll(3) === 0;
    const bound = this.bench.tracker.bind(
      request({
        idempotency_key: `k${this.#count}`,
        payload: payloadText({}, salt),
        timeout_ms: 1_000 + this.roll(20_000),
        decision: staged
          ? { to: 'staged', confirmation_life_ms: 5_000 + this.roll(60_000) }
          : { to: 'ready', at_once: this.roll(2) === 0 },
      }),
    );
    if (!bound.ok) return;
    this.salts.set(bound.row.request_id, salt);
    if (this.roll(8) > 0) void this.bench.tracker.run(bound.row.request_id);
  }

  #endAct(): boolean {
    const { runs } = this.bench.body;
    const waiting = runs.slice(this.bench.livingRuns).filter(({ run }) => run.stillMine());
    const one = waiting[this.roll(Math.max(1, waiting.length))];
    if (one === undefined) return false;
    if (this.roll(5) === 0) one.end({ kind: 'interrupted' });
    else one.end({ kind: 'report', report: REPORT, snapshot: null });
    this.bench.flush();
    return true;
  }

  #dial(): void {
    this.bench.dial((cable) => {
      const bad = this.#quiet ? 0 : this.roll(40);
      cable.filter = () => {
        if (this.#quiet || this.roll(100) >= bad) return 'pass';
        if (this.roll(3) > 0) return 'hold';
        return 'drop';
      };
    });
  }

  /** A frame that was held arrives after all, perhaps long after, perhaps at another socket's end, twice. */
  #late(): void {
    const from = this.bench.cables.filter(({ held }) => held.length > 0);
    const cable = from[this.roll(Math.max(1, from.length))];
    const frame = cable?.held[this.roll(cable.held.length)];
    if (cable === undefined || frame === undefined) return;
    const to = this.roll(2) === 0 ? cable : this.bench.cable;
    for (let times = this.roll(2); times >= 0; times--) if (!to.cut) to.deliver(frame);
  }

  #silence(): void {
    this.bench.cable.silent = true;
  }

  #decide(): void {
    const staged = this.bench.store.commands.staged();
    const row = staged[this.roll(Math.max(1, staged.length))];
    if (row?.confirmation_id == null) return;
    if (this.roll(3) > 0) this.bench.tracker.approve(row.confirmation_id, 'owner', 'chaos');
    else this.bench.tracker.deny(row.confirmation_id, 'owner', 'chaos');
  }

  #withdraw(): void {
    const open = this.bench.store.commands.open();
    const row = open[this.roll(Math.max(1, open.length))];
    if (row !== undefined) this.bench.tracker.withdraw(row.request_id);
  }

  #touch(): void {
    this.bench.body.touchMs = this.bench.phoneClock.nowMs;
  }

  #wipe(): void {
    if (!this.#wipes) return;
    for (const cable of this.bench.cables) cable.end(true, false);
    this.bench.disk.put(null);
    this.bench.startPhone();
  }

  /** An emulator is put back to a snapshot at least ten seconds old; what began since has begun. */
  #turnBack(): void {
    const { bench } = this;
    if (!this.emulator) return;
    const nowMs = bench.phoneClock.nowMs;
    if (this.#snapshot === null || nowMs < this.#snapshot.nowMs + 10_000) {
      this.#snapshot ??= { disk: bench.disk.durableBytes(), nowMs };
      return;
    }
    for (const cable of bench.cables) cable.end(true, false);
    bench.disk.put(this.#snapshot.disk);
    bench.phoneClock.nowMs = this.#snapshot.nowMs;
    this.#snapshot = null;
    bench.startPhone();
  }

  #restore(): void {
    if (this.#wipes) return;
    if (this.#backup === null) {
      this.#backup = this.bench.store.serialize();
      return;
    }
    // What the undone life told is forgotten with it; what it did is not.
    this.told.clear();
    this.bench.killHost(this.#backup);
    this.#backup = null;
  }
}

function runSeed(seed: number, steps: number): Chaos {
  const chaos = new Chaos(seed);
  try {
    for (let i = 0; i < steps; i++) chaos.step();
    chaos.calm();
    return chaos;
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${chaos.trace.join(', ')}`, { cause: error });
  }
}

const SEEDS = Number(process.env.CHAOS_SEEDS ?? 300);
const START = Number(process.env.CHAOS_START ?? 1);

describe('whatever happens', () => {
  it('an act runs at most once, what was told is true, and everything comes to an end', {
    timeout: 600_000,
  }, () => {
    const ends: Record<string, number> = {};
    for (let seed = START; seed < START + SEEDS; seed++)
      for (const { state } of runSeed(seed, 60).bench.store.commands.recent({ last: 1_000 }))
        ends[state] = (ends[state] ?? 0) + 1;
    // A run in which some end never came would show nothing about it.
    if (SEEDS >= 100) expect(Object.keys(ends).sort()).toEqual([...FINAL].sort());
    if (process.env.CHAOS_SEEDS !== undefined) process.stderr.write(`${JSON.stringify(ends)}\n`);
  });
});
