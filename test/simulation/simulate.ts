/**
 * `npm run simulate -- --seeds N --start S [--json] [--until-first] [--seed X]`: many schedules, or one with its trace.
 * Prints what was played and found; exit 0 where every promise held. Not for mutations (mutate.ts).
 */
import { COMMAND_TABLE } from '../../device-protocol/command-table.ts';
import { RECORD_TABLE } from '../../device-protocol/record-table.ts';
import { type Plan, planOf } from './plan.ts';
import { play } from './schedule.ts';

export interface Summary {
  schedules: number;
  steps: number;
  violations: number;
  faults: Record<string, number>;
  seconds: number;
  first_violation: { seed: number; violation: string } | null;
  /** Every violation's seed, at most 100. */
  violating: { seed: number; violation: string }[];
  schedules_per_second: number;
  median_steps: number;
  virtual_hours: number;
  /** Share of schedules with the fault. */
  fault_share: Record<string, number>;
  cells: Record<string, number>;
  cells_not_visited: string[];
}

export function allCells(): string[] {
  const cells = (name: string, table: Record<string, object>) =>
    Object.entries(table).flatMap(([state, moves]) =>
      Object.keys(moves).map((event) => `${name} ${state} ${event}`),
    );
  return [...cells('record', RECORD_TABLE), ...cells('command', COMMAND_TABLE)];
}

export async function simulate(
  start: number,
  seeds: number,
  stopAtFirst = false,
  progress: (done: number) => void = () => {},
): Promise<Summary> {
  const began = performance.now();
  const faults = new Map<string, number>();
  const shares = new Map<string, number>();
  const cells = new Map<string, number>(allCells().map((name) => [name, 0]));
  const add = (map: Map<string, number>, name: string, times: number) =>
    map.set(name, (map.get(name) ?? 0) + times);
  const lengths: number[] = [];
  let virtualMs = 0;
  let violations = 0;
  const violating: Summary['violating'] = [];
  for (let seed = start; seed < start + seeds; seed++) {
    const played = await play(planOf(seed));
    lengths.push(played.steps);
    virtualMs += played.virtualMs;
    for (const [name, times] of played.counts.faults) {
      add(faults, name, times);
      add(shares, name, 1);
    }
    for (const [name, times] of played.counts.cells) add(cells, name, times);
    if (played.violation !== null) {
      violations += 1;
      if (violating.length < 100) violating.push({ seed, violation: played.violation });
      if (stopAtFirst) break;
    }
    progress(seed - start + 1);
  }
  const schedules = lengths.length;
  const seconds = (performance.now() - began) / 1_000;
  return {
    schedules,
    steps: lengths.reduce((sum, one) => sum + one, 0),
    violations,
    faults: Object.fromEntries([...faults].sort()),
    seconds,
    first_violation: violating[0] ?? null,
    violating,
    schedules_per_second: Math.round(schedules / seconds),
    median_steps: lengths.sort((a, b) => a - b)[Math.floor(schedules / 2)] ?? 0,
    virtual_hours: Math.round(virtualMs / 3_600_000),
    fault_share: Object.fromEntries([...shares].sort().map(([name, times]) => [name, times / schedules])),
    cells: Object.fromEntries([...cells].sort()),
    cells_not_visited: [...cells].filter(([, times]) => times === 0).map(([name]) => name),
  };
}

/** The same violation with as few steps as can be found: leaves out one after the other, as long as it stays. */
export async function shrink(plan: Plan): Promise<Plan> {
  let best = plan;
  const kind = (text: string | null) => text?.split(':')[0] ?? null;
  const wanted = kind((await play(plan)).violation);
  for (let again = true; again; ) {
    again = false;
    for (let i = best.steps.length - 1; i >= 0; i--) {
      const fewer = { ...best, steps: best.steps.filter((_, at) => at !== i) };
      if (kind((await play(fewer)).violation) !== wanted) continue;
      best = fewer;
      again = true;
    }
  }
  return best;
}

async function main(): Promise<void> {
  const value = (name: string): number | null => {
    const at = process.argv.indexOf(name);
    return at < 0 ? null : Number(process.argv[at + 1]);
  };
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const seed = value('--seed');
  if (seed !== null) {
    const small = await shrink(planOf(seed));
    const played = await play(small, true);
    for (const { atMs, step } of small.steps) say(`${String(atMs).padStart(6)} ${JSON.stringify(step)}`);
    for (const line of played.trace) say(line);
    say(played.violation ?? 'no violation');
    process.exitCode = played.violation === null ? 0 : 1;
    return;
  }
  const seeds = value('--seeds') ?? 1_000;
  const start = value('--start') ?? 1;
  if (!Number.isSafeInteger(seeds) || !Number.isSafeInteger(start) || seeds < 1) {
    say(
      'usage: npm run simulate -- --seeds N --start S [--json], or --seed X for one schedule with its trace',
    );
    process.exitCode = 2;
    return;
  }
  const summary = await simulate(start, seeds, process.argv.includes('--until-first'), (done) => {
    if (done % 100 === 0) say(`${done} schedules`);
  });
  if (summary.first_violation !== null)
    say(`seed ${summary.first_violation.seed}: ${summary.first_violation.violation}`);
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  process.exitCode = summary.violations === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) await main();
