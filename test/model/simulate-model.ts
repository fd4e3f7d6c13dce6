/**
 * `npm run simulate:model`: visits every state of the model and says how many there are and what does not
 * hold in them. Not for what is in a state (world.ts) or may follow (phone-side.ts, host-side.ts).
 *
 *     npm run simulate:model -- [--json] [--reinstalls N] [--reboots N] [--crashes N] [--weakenings]
 *
 * `--weakenings` takes the rules out one by one and says which of them the model misses; rules that another
 * one covers must not be missed when both are out.
 */
import { parseArgs } from 'node:util';
import { COMMAND_TABLE } from '../../device-protocol/command-table.ts';
import { RECORD_TABLE } from '../../device-protocol/record-table.ts';
import { type Explored, explore } from './explore.ts';
import { COVERED, WEAKENINGS, type Weakening } from './weakenings.ts';
import type { Accidents } from './world.ts';

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** All legal moves of a table, as `state event`. */
export function cellsOf(table: Readonly<Record<string, object>>): string[] {
  return Object.entries(table).flatMap(([state, moves]) =>
    Object.keys(moves).map((event) => `${state} ${event}`),
  );
}

interface Taken {
  readonly without: readonly Weakening[];
  readonly caught: boolean;
  readonly covered_by: Weakening | null;
  readonly states: number;
  readonly why: string | null;
}

/** Rules that say something of a ledger that is gone; the others are shown without, for that is sooner. */
const NEEDS_REINSTALL: readonly Weakening[] = ['ledger_not_compared', 'other_ledger_proves'];

/** Every rule out once; a covered one also, or only, together with the rule that covers it. */
export function* takeOut(alsoCoveredAlone: boolean): Generator<Taken> {
  const covers = new Map(COVERED.map(({ alone, by }) => [alone, by]));
  const run = (without: Weakening[], covered_by: Weakening | null): Taken => {
    const reinstalls = without.some((one) => NEEDS_REINSTALL.includes(one)) ? 1 : 0;
    const accidents = { phoneCrashes: 1, hostCrashes: 1, reboots: 1, reinstalls };
    const { violations, states, first } = explore({ accidents, weak: without, untilFirst: true });
    return { without, caught: violations > 0, covered_by, states, why: first?.why ?? null };
  };
  for (const weakening of Object.keys(WEAKENINGS) as Weakening[]) {
    const by = covers.get(weakening) ?? null;
    if (by === null || alsoCoveredAlone) yield run([weakening], by);
    if (by !== null) yield run([weakening, by], null);
  }
}

function tell({ first, states, transitions, violations }: Explored, ms: number): void {
  say(`${states} states, ${transitions} transitions, ${violations} violations, ${Math.round(ms)} ms`);
  if (first !== null) say([first.why, ...first.trace].join('\n  '));
}

const countOf = (text: string, name: string): number => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0 || count > 3) throw new Error(`--${name}: 0 to 3`);
  return count;
};

function main(): number {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      crashes: { type: 'string', default: '1' },
      reboots: { type: 'string', default: '1' },
      reinstalls: { type: 'string', default: '1' },
      weakenings: { type: 'boolean', default: false },
    },
  });
  const crashes = countOf(values.crashes, 'crashes');
  const accidents: Accidents = {
    phoneCrashes: crashes,
    hostCrashes: crashes,
    reboots: countOf(values.reboots, 'reboots'),
    reinstalls: countOf(values.reinstalls, 'reinstalls'),
  };
  const startMs = performance.now();
  const explored = explore({ accidents });
  tell(explored, performance.now() - startMs);
  const cells = {
    record: { moved: explored.recordCells.size, legal: cellsOf(RECORD_TABLE).length },
    command: { moved: explored.commandCells.size, legal: cellsOf(COMMAND_TABLE).length },
  };
  const taken: Taken[] = [];
  if (values.weakenings)
    for (const one of takeOut(true)) {
      taken.push(one);
      const [verdict, by] = [one.caught ? 'caught' : 'not caught', one.covered_by];
      say(
        `${one.without.join(' and ')}: ${verdict}${by === null ? '' : ` (covered by ${by})`}, ${one.states} states`,
      );
    }
  const missed = taken.filter((one) => !one.caught && one.covered_by === null);
  const { states, transitions, violations } = explored;
  const seconds = (performance.now() - startMs) / 1_000;
  const line = { states, transitions, violations, accidents, cells, seconds: Number(seconds.toFixed(1)) };
  const more = values.weakenings ? { weakenings: taken, missed: missed.length } : {};
  if (values.json) process.stdout.write(`${JSON.stringify({ ...line, ...more })}\n`);
  return violations === 0 && missed.length === 0 ? 0 : 1;
}

if (process.argv[1]?.endsWith('simulate-model.ts') === true) {
  try {
    process.exitCode = main();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
}
