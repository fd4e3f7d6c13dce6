/**
 * `npm run faults -- --kills N [--seed S] [--json]`: a real host and a real virtual phone over the real socket,
 * killed at random moments and at named points until N kills are reached; then what was told is held against
 * the phone's own counter. Exit 0 where every promise held.
 */
import { FaultWorld, type Tally } from './world.ts';

export interface FaultFigures extends Omit<Tally, 'violations'> {
  readonly violations: number;
  readonly first_violation: string | null;
  readonly seconds: number;
}

/** Acts left below which a fresh pair of host and phone is begun. */
const FEW = 12;

export async function faults(
  kills: number,
  seed: number,
  say: (line: string) => void = () => {},
): Promise<FaultFigures> {
  const began = performance.now();
  const sum: Tally = { kills: 0, kills_in_flight: 0, cuts: 0, actions: 0, violations: [] };
  for (let world = 0; sum.kills < kills; world += 1) {
    const one = new FaultWorld(seed + world);
    try {
      await one.open();
      for (let rounds = 0; one.actsLeft > FEW; rounds += 1) {
        await one.round();
        if (sum.kills + one.tally.kills >= kills) break;
        if (rounds % 10 === 9) say(`${sum.kills + one.tally.kills} kills`);
      }
      await one.judge();
    } finally {
      await one.close();
    }
    for (const key of ['kills', 'kills_in_flight', 'cuts', 'actions'] as const) sum[key] += one.tally[key];
    sum.violations.push(...one.tally.violations);
    for (const violation of one.tally.violations) say(violation);
  }
  return {
    ...sum,
    violations: sum.violations.length,
    first_violation: sum.violations[0] ?? null,
    seconds: Math.round((performance.now() - began) / 1_000),
  };
}

if (process.argv[1] === import.meta.filename) {
  const value = (name: string, otherwise: number) => {
    const at = process.argv.indexOf(name);
    return at < 0 ? otherwise : Number(process.argv[at + 1]);
  };
  const figures = await faults(
    value('--kills', 500),
    value('--seed', 1),
    (line) => void process.stderr.write(`${line}\n`),
  );
  const share = Math.round((100 * figures.kills_in_flight) / figures.kills);
  process.stdout.write(
    process.argv.includes('--json')
      ? `${JSON.stringify(figures)}\n`
      : `${figures.kills} kills (${share} % with an act under way), ${figures.cuts} cuts, ${figures.actions} acts, ${figures.violations} violations, ${figures.seconds} s\n`,
  );
  process.exit(figures.violations === 0 ? 0 : 1);
}
