/**
 * One schedule: everything that takes part, one time line, one seed, and what is counted of it. Not for
 * choosing what happens (plan.ts).
 */
import type { CommandEvent, CommandState } from '../../device-protocol/command-table.ts';
import type { CompanionSettings } from '../../device-protocol/companion/engine-api.ts';
import type { RecordEvent, RecordState } from '../../device-protocol/record-table.ts';
import { SimHost } from './host.ts';
import { Network } from './network.ts';
import { type Handling, SimPhone } from './phone.ts';
import { Random } from './random.ts';
import { TimeLine } from './time.ts';
import { Truth, Violation } from './truth.ts';

/** No schedule needs so many events; one that does goes round in circles. */
const STEPS_MOST = 100_000;

export interface Counts {
  readonly faults: Map<string, number>;
  /** Visits of legal cells, as "record absent seal". */
  readonly cells: Map<string, number>;
}

export class World {
  readonly time = new TimeLine();
  readonly dice: Random;
  readonly phoneChance: Random;
  readonly hostChance: Random;
  readonly net: Network;
  readonly truth: Truth;
  readonly hosts: readonly SimHost[];
  readonly phone: SimPhone;
  readonly handlings = new Map<string, Handling>();
  readonly seqOf = new Map<string, number>();
  /** Which request a payload belongs to, by its salt. */
  readonly requestOf = new Map<string, string>();
  /** In which boot of the phone a boot_id was given. */
  readonly bootOf = new Map<string, number>();
  readonly lines: string[] = [];
  readonly counts: Counts = { faults: new Map(), cells: new Map() };
  violation: Error | null = null;
  readonly #tracing: boolean;

  constructor(seed: number, hosts: number, settings: CompanionSettings, tracing: boolean) {
    this.#tracing = tracing;
    this.dice = new Random(seed, 1);
    this.phoneChance = new Random(seed, 2);
    this.hostChance = new Random(seed, 3);
    this.truth = new Truth((line) => this.trace(line));
    this.net = new Network(
      this.time,
      (stream) => new Random(seed, stream),
      (fault) => this.count(fault),
      (line) => this.trace(line),
    );
    this.hosts = Array.from({ length: hosts }, (_, i) => new SimHost(this, String.fromCharCode(65 + i)));
    this.phone = new SimPhone(this, this.hosts[0] as SimHost, settings);
  }

  trace(line: string): void {
    if (this.#tracing) this.lines.push(`${this.time.nowMs.toFixed(1).padStart(9)} ${line}`);
  }

  count(fault: string): void {
    this.counts.faults.set(fault, (this.counts.faults.get(fault) ?? 0) + 1);
    this.trace(`   [${fault}]`);
  }

  cell(
    table: 'record' | 'command',
    state: RecordState | CommandState,
    event: RecordEvent | CommandEvent,
  ): void {
    const name = `${table} ${state} ${event}`;
    this.counts.cells.set(name, (this.counts.cells.get(name) ?? 0) + 1);
  }

  /** Something found outside of the time line's own turn. */
  claim(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.violation ??= error as Error;
    }
  }

  /** Lets everything happen until `untilMs`; stops at the first violation. */
  async run(untilMs: number): Promise<void> {
    while (this.violation === null) {
      const event = this.time.next(untilMs);
      if (event === null) break;
      this.claim(event);
      if (this.time.steps > STEPS_MOST)
        this.claim(() => {
          throw new Violation('livelock: no end of events');
        });
      // Answers to agents come through promises.
      await null;
    }
    this.time.nowMs = Math.max(this.time.nowMs, untilMs);
  }

  end(): void {
    for (const host of this.hosts) host.life?.store.raw.close();
    this.phone.process?.engine.close();
  }
}
