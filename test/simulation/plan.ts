/**
 * What happens in one schedule: acts of agents, decisions of the owner, faults; drawn from the seed, each at
 * its time. A plan is a list, so that a failing one can be made shorter. Not for what follows from it.
 */
import { Random } from './random.ts';

export type Step =
  | {
      readonly kind: 'act';
      readonly key: number;
      readonly to: 'ready' | 'at_once' | 'staged' | 'refused';
      readonly timeoutMs: number;
      readonly durationMs: number;
      readonly ending: 'report' | 'cancelled' | 'never';
      readonly more: number;
      readonly runLimitMs: number;
      readonly runAfterMs: number;
    }
  | { readonly kind: 'again'; readonly key: number }
  | { readonly kind: 'withdraw' | 'approve' | 'deny' | 'approve_twice'; readonly key: number }
  | { readonly kind: 'stop_host' | 'resume_host' | 'stop_phone' | 'resume_phone' }
  | { readonly kind: 'other_host_dials' | 'change_holder' }
  | {
      readonly kind:
        | 'phone_kill'
        | 'phone_power_cut'
        | 'wipe'
        | 'damage'
        | 'phone_snapshot'
        | 'phone_turned_back';
    }
  | {
      readonly kind: 'phone_kill_armed';
      readonly operations: number;
      readonly when: 'before' | 'after';
      readonly power: boolean;
    }
  | { readonly kind: 'disk_full'; readonly roomBytes: number; readonly forMs: number }
  | {
      readonly kind: 'disk_fails';
      readonly operation: 'append' | 'sync' | 'sync_folder' | 'replace' | 'truncate' | 'renew' | 'reserve';
    }
  | { readonly kind: 'host_kill' | 'host_backup' | 'host_turned_back' }
  | { readonly kind: 'host_kill_armed'; readonly commits: number }
  | { readonly kind: 'link_cut' }
  | { readonly kind: 'link_silent'; readonly forMs: number }
  | { readonly kind: 'weather'; readonly drop: number; readonly double: number; readonly slowMs: number }
  | { readonly kind: 'old_frame' | 'tampered_frame' | 'accept_turned_back' }
  | { readonly kind: 'finger'; readonly cancels: boolean }
  | { readonly kind: 'phone_clock_jump' | 'host_clock_jump'; readonly ms: number }
  | { readonly kind: 'policy' | 'target' | 'grant'; readonly forMs: number }
  | { readonly kind: 'service_unbound'; readonly forMs: number };

export interface Plan {
  readonly seed: number;
  /** Milliseconds from the start. */
  readonly faultsEndMs: number;
  readonly hosts: number;
  readonly canBeTurnedBack: boolean;
  readonly ledgerRecords: number;
  readonly compactAfterBytes: number;
  readonly steps: readonly { readonly atMs: number; readonly step: Step }[];
}

/**
 * How long acts and faults go on; afterwards everything heals. Many short schedules find what happens close
 * together, fewer long ones what needs time (a silent peer, an expiry, a ledger that fills).
 */
const SPANS_MS = [6_000, 6_000, 12_000, 30_000] as const;

type Maker = (dice: Random) => Step;
const ms = (low: number, high: number) => (dice: Random) => dice.whole(low, high);

/** Faults and how often a schedule has them: probability, most of it. */
const FAULTS: readonly (readonly [number, number, Maker])[] = [
  [0.15, 2, () => ({ kind: 'phone_kill' })],
  [0.12, 2, () => ({ kind: 'phone_power_cut' })],
  [
    0.3,
    3,
    (dice) => ({
      kind: 'phone_kill_armed',
      operations: dice.whole(1, 8),
      when: dice.pick(['before', 'after']),
      power: dice.chance(0.5),
    }),
  ],
  [
    0.12,
    1,
    (dice) => ({
      kind: 'disk_full',
      roomBytes: dice.pick([0, 50, 300, 5_000, 24_700]),
      forMs: ms(500, 12_000)(dice),
    }),
  ],
  [
    0.15,
    2,
    (dice) => ({
      kind: 'disk_fails',
      operation: dice.pick([
        'append',
        'sync',
        'sync',
        'sync_folder',
        'replace',
        'truncate',
        'renew',
        'reserve',
      ]),
    }),
  ],
  [0.12, 2, () => ({ kind: 'host_kill' })],
  [0.3, 3, (dice) => ({ kind: 'host_kill_armed', commits: dice.whole(1, 10) })],
  [0.25, 3, () => ({ kind: 'link_cut' })],
  [0.12, 2, (dice) => ({ kind: 'link_silent', forMs: ms(1_000, 25_000)(dice) })],
  [
    0.35,
    2,
    (dice) => ({
      kind: 'weather',
      drop: dice.pick([0, 0.05, 0.3]),
      double: dice.pick([0, 0.1, 0.4]),
      slowMs: dice.pick([5, 200, 3_000]),
    }),
  ],
  [0.4, 4, () => ({ kind: 'old_frame' })],
  [0.06, 2, () => ({ kind: 'tampered_frame' })],
  [0.2, 4, (dice) => ({ kind: 'finger', cancels: dice.chance(0.6) })],
  [0.08, 1, (dice) => ({ kind: 'phone_clock_jump', ms: dice.pick([500, 5_000, 60_000]) })],
  [0.08, 1, (dice) => ({ kind: 'host_clock_jump', ms: dice.pick([-3_600_000, -2_000, 2_000]) })],
  [0.08, 1, (dice) => ({ kind: 'policy', forMs: ms(500, 8_000)(dice) })],
  [0.1, 1, (dice) => ({ kind: 'target', forMs: ms(500, 8_000)(dice) })],
  [0.08, 1, (dice) => ({ kind: 'grant', forMs: ms(500, 8_000)(dice) })],
  [0.06, 1, (dice) => ({ kind: 'service_unbound', forMs: ms(500, 6_000)(dice) })],
  [0.1, 1, () => ({ kind: 'stop_host' })],
  [0.1, 1, () => ({ kind: 'stop_phone' })],
];

/** At most one of these in a schedule: two together are stated limits of the protocol. */
const TIME_TURNERS = ['none', 'wipe', 'damage', 'phone_turned_back', 'host_turned_back'] as const;

function act(dice: Random, key: number): Step {
  return {
    kind: 'act',
    key,
    to: dice.chance(0.25) ? 'staged' : dice.chance(0.05) ? 'refused' : dice.pick(['ready', 'at_once']),
    timeoutMs: dice.pick([1_500, 4_000, 8_000, 20_000]),
    durationMs: dice.pick([5, 80, 600, 3_000, 7_000]),
    ending: dice.chance(0.82) ? 'report' : dice.pick(['cancelled', 'never']),
    more: dice.pick([0, 0, 1, 3]),
    runLimitMs: dice.pick([2_000, 5_000, 20_000]),
    runAfterMs: dice.chance(0.2) ? dice.whole(10, 3_000) : 0,
  };
}

export function planOf(seed: number): Plan {
  const dice = new Random(seed, 0);
  const steps: { atMs: number; step: Step }[] = [];
  const at = (atMs: number, step: Step) => steps.push({ atMs, step });
  const turner = dice.chance(0.4) ? dice.pick(TIME_TURNERS) : 'none';
  const turnsTime = turner === 'phone_turned_back' || turner === 'host_turned_back';
  // Being turned back by less than the clock's tolerance, and what the last answer was late by, is a stated
  // limit (rule 4), so it needs room.
  const faultsEndMs = dice.pick(turnsTime ? SPANS_MS.filter((span) => span >= 12_000) : SPANS_MS);
  const anyTime = () => dice.whole(200, faultsEndMs);

  const acts = dice.whole(1, Math.max(2, Math.round(faultsEndMs / 4_000)));
  for (let key = 0; key < acts; key++) {
    const bound = dice.whole(300, faultsEndMs - 4_000);
    const made = act(dice, key);
    at(bound, made);
    if (dice.chance(0.3)) at(bound + dice.whole(0, 5_000), { kind: 'again', key });
    if (dice.chance(0.12)) at(bound + dice.whole(0, 4_000), { kind: 'withdraw', key });
    if (made.kind === 'act' && made.to === 'staged' && dice.chance(0.85))
      at(bound + dice.whole(100, 9_000), {
        kind: dice.chance(0.75) ? dice.pick(['approve', 'approve_twice']) : 'deny',
        key,
      });
  }
  for (const [probability, most, make] of FAULTS)
    if (dice.chance(probability)) for (let i = dice.whole(1, most); i > 0; i--) at(anyTime(), make(dice));
  for (const { atMs, step } of [...steps]) {
    if (step.kind === 'stop_host' && dice.chance(0.8))
      at(atMs + dice.whole(20, 8_000), { kind: 'resume_host' });
    if (step.kind === 'stop_phone' && dice.chance(0.8))
      at(atMs + dice.whole(20, 8_000), { kind: 'resume_phone' });
  }
  if (dice.chance(0.06)) {
    // A submit still under way when a stop is pressed and lifted (rule 6): by itself this is too rare.
    const from = dice.whole(300, faultsEndMs - 4_000);
    at(from, { kind: 'weather', drop: 0, double: 0.1, slowMs: 3_000 });
    at(from + 10, act(dice, acts));
    at(from + dice.whole(20, 400), { kind: 'stop_phone' });
    at(from + dice.whole(420, 900), { kind: 'resume_phone' });
  }
  if (turner === 'wipe' || turner === 'damage') at(anyTime(), { kind: turner });
  if (turner === 'phone_turned_back') {
    const early = dice.whole(1_000, faultsEndMs / 2);
    at(early, { kind: 'phone_snapshot' });
    at(early + dice.whole(6_500, Math.max(7_000, faultsEndMs / 2)), { kind: 'phone_turned_back' });
  }
  if (turner === 'host_turned_back') {
    const early = dice.whole(500, faultsEndMs / 2);
    at(early, { kind: 'host_backup' });
    const back = early + dice.whole(200, faultsEndMs / 2);
    at(back, { kind: 'host_turned_back' });
    // The owner's word, and an agent that asks again for what was perhaps done already.
    const word = back + dice.whole(1_000, 12_000);
    at(word, { kind: 'accept_turned_back' });
    for (let i = dice.whole(0, 2); i > 0; i--)
      at(word + dice.whole(10, 6_000), { kind: 'again', key: dice.whole(0, acts - 1) });
  }
  // A host's clock set back by as much as the phone's, or a phone's that gains again what it lost, hides it
  // (PROTOCOL.md, "Limits").
  const told = (step: Step) =>
    turner === 'phone_turned_back' &&
    (step.kind === 'phone_clock_jump' || (step.kind === 'host_clock_jump' && step.ms === -2_000));
  const kept = steps.filter(({ step }) => !told(step));
  steps.splice(0, steps.length, ...kept);
  const hosts = dice.chance(0.12) ? 2 : 1;
  if (hosts === 2) {
    for (let i = dice.whole(1, 3); i > 0; i--) at(anyTime(), { kind: 'other_host_dials' });
    if (dice.chance(0.7)) at(anyTime(), { kind: 'change_holder' });
  }
  steps.sort((a, b) => a.atMs - b.atMs);
  return {
    seed,
    faultsEndMs,
    hosts,
    canBeTurnedBack: turner === 'phone_turned_back' || dice.chance(0.2),
    ledgerRecords: dice.pick([2, 3, 5, 100_000]),
    compactAfterBytes: dice.pick([500, 2_000, 1 << 20]),
    steps,
  };
}
