/**
 * The figures over many measured screens, with the names others rely on (figures.md). Not for measuring one
 * (measure.ts) nor for reading files and printing (eval-screens.ts).
 */
import type { Measured } from './measure.ts';

export interface Row extends Measured {
  readonly file: string;
  /** o200k_base; null where the tokenizer is not installed. */
  readonly tokens: number | null;
}

export interface ScreenFigures {
  readonly files: number;
  readonly crashes: number;
  readonly unreadable: number;
  readonly damaged: number;
  readonly nodes: number;
  readonly nodes_recovered: number;
  readonly nodes_index: number | null;
  readonly elements: number;
  readonly actionable: number;
  readonly covered: number;
  readonly reachable: number;
  readonly named: number;
  readonly labels: number;
  readonly labels_lost: number;
  readonly labels_cut: number;
  readonly labels_twice: number;
  readonly tokens: { readonly p50: number; readonly p90: number; readonly max: number } | null;
  readonly token_estimate_error: {
    readonly p50: number;
    readonly p90: number;
    readonly below: number;
  } | null;
  readonly ms: { readonly p50: number; readonly p90: number; readonly max: number };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function spread(values: readonly number[]) {
  return { p50: quantile(values, 0.5), p90: quantile(values, 0.9), max: Math.max(0, ...values) };
}

export const round = (value: number, digits = 2) => Number(value.toFixed(digits));

/** Sums and quantiles over all screens. */
export function figuresOf(
  rows: readonly Row[],
  counts: { files: number; crashes: number; unreadable: number; nodes_index: number | null },
): ScreenFigures {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const measured = rows.flatMap((row) => (row.tokens === null ? [] : [{ ...row, tokens: row.tokens }]));
  const errors = measured.map((row) => (row.estimate - row.tokens) / Math.max(1, row.tokens));
  const ms = spread(rows.map((row) => row.ms));
  return {
    files: counts.files,
    crashes: counts.crashes,
    unreadable: counts.unreadable,
    damaged: sum((row) => (row.damaged ? 1 : 0)),
    nodes: sum((row) => row.nodes),
    nodes_recovered: sum((row) => row.recovered),
    nodes_index: counts.nodes_index,
    elements: sum((row) => row.elements),
    actionable: sum((row) => row.actionable),
    covered: sum((row) => row.covered),
    reachable: sum((row) => row.reachable),
    named: sum((row) => row.named),
    labels: sum((row) => row.labels),
    labels_lost: sum((row) => row.lost.length),
    labels_cut: sum((row) => row.cut.length),
    labels_twice: sum((row) => row.twice.length),
    tokens: measured.length === 0 ? null : spread(measured.map((row) => row.tokens)),
    token_estimate_error:
      measured.length === 0
        ? null
        : {
            p50: round(quantile(errors.map(Math.abs), 0.5), 3),
            p90: round(quantile(errors.map(Math.abs), 0.9), 3),
            below: round(errors.filter((error) => error < 0).length / errors.length, 3),
          },
    ms: { p50: round(ms.p50), p90: round(ms.p90), max: round(ms.max) },
  };
}

/** What figures.md asks of the recorded screens; times are goals that are printed, never held. */
const GOALS = { reachable: 0.995, named: 0.99, cut: 0.005, tokens_p50: 250, tokens_p90: 900 } as const;

/** Each goal that does not hold, in words; none where all do. */
export function missedGoals(figures: ScreenFigures): string[] {
  const missed: string[] = [];
  const least = (name: string, part: number, whole: number, goal: number) => {
    if (whole > 0 && part / whole < goal)
      missed.push(`${name}: ${part} of ${whole}, at least ${goal} wanted`);
  };
  if (figures.crashes > 0) missed.push(`crashes: ${figures.crashes}`);
  least('reachable', figures.reachable, figures.actionable, GOALS.reachable);
  least('named', figures.named, figures.actionable, GOALS.named);
  if (figures.labels_lost > 0) missed.push(`labels_lost: ${figures.labels_lost}`);
  if (figures.labels_cut > figures.labels * GOALS.cut)
    missed.push(`labels_cut: ${figures.labels_cut} of ${figures.labels}`);
  const { tokens } = figures;
  if (tokens !== null && tokens.p50 > GOALS.tokens_p50) missed.push(`tokens p50: ${tokens.p50}`);
  if (tokens !== null && tokens.p90 > GOALS.tokens_p90) missed.push(`tokens p90: ${tokens.p90}`);
  return missed;
}
