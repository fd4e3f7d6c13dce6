/**
 * When a screen counts as settled, as a state machine that is told of time and stirs and sets no timer
 * itself. Not for what a stir is (change.ts, `stirredBetween`) nor for waiting.
 */

/**
 * Waiting times, milliseconds. Reaction: how long a screen may take to show the first sign of an act; web
 * pages and cold activities need several frames. Quiet: longer than the 300 ms at which video controls and
 * the like repaint for ever (D-12), shorter than Android's own 500. Ceiling: what an agent waits at most.
 */
export const SETTLE_TIMES = { reaction_ms: 500, quiet_ms: 400, ceiling_ms: 3_000 } as const;

/** So many stirs of one node alone make it one that never rests. */
export const RESTLESS_STIRS = 3;
/** A half-built tree is waited for up to here, with a look every so often, for it sends no event (D-01). */
export const HALF_BUILT = { patience_ms: 2_000, look_every_ms: 200 } as const;

export interface SettleRule {
  readonly reaction_ms: number;
  readonly quiet_ms: number;
  readonly ceiling_ms: number;
}

export interface Settling {
  readonly rule: SettleRule;
  readonly started_ms: number;
  /** Last stir of anything that may still come to rest; null while there was none. */
  readonly last_stir_ms: number | null;
  /** Stirs by name of the node. */
  readonly stirs: Readonly<Record<string, number>>;
  /** What was looked at last is not complete. */
  readonly half_built: boolean;
  /** The window the act was in is gone for good: nothing is left to wait for. */
  readonly gone: boolean;
}

export type Rest =
  /** Look or be told again at this time at the latest. */
  | { readonly kind: 'waiting'; readonly until_ms: number }
  | {
      readonly kind: 'settled';
      readonly reason: 'quiet' | 'nothing_changed' | 'window_gone';
      readonly took_ms: number;
    }
  /** Not at rest: the ceiling is reached, or one node goes on for ever while all else is still. */
  | { readonly kind: 'ceiling' | 'restless'; readonly node: string | null; readonly took_ms: number }
  | { readonly kind: 'half_built'; readonly took_ms: number };

export function beginSettling(rule: SettleRule, nowMs: number): Settling {
  return { rule, started_ms: nowMs, last_stir_ms: null, stirs: {}, half_built: false, gone: false };
}

/** Something that counts was seen to differ: the names of the nodes. None: nothing that counts. */
export function stir(state: Settling, nowMs: number, names: readonly string[]): Settling {
  if (names.length === 0) return state;
  const stirs: Record<string, number> = { ...state.stirs };
  for (const name of names) stirs[name] = (stirs[name] ?? 0) + 1;
  const onlyRestless = names.every((name) => (stirs[name] ?? 0) >= RESTLESS_STIRS);
  return { ...state, stirs, last_stir_ms: onlyRestless ? state.last_stir_ms : nowMs };
}

export function looked(state: Settling, look: { readonly half_built: boolean }): Settling {
  return { ...state, half_built: look.half_built };
}

export function windowGone(state: Settling): Settling {
  return { ...state, gone: true };
}

export function restOf(state: Settling, nowMs: number): Rest {
  const { rule, started_ms: started } = state;
  const took_ms = nowMs - started;
  if (state.gone) return { kind: 'settled', reason: 'window_gone', took_ms };
  const ceiling = started + rule.ceiling_ms;
  const restless = restlessNode(state);
  if (nowMs >= ceiling) return { kind: 'ceiling', node: restless ?? mostStirred(state), took_ms };
  const last = state.last_stir_ms;
  const quietAt = last === null ? started + rule.reaction_ms : last + rule.quiet_ms;
  if (nowMs < quietAt) return { kind: 'waiting', until_ms: Math.min(quietAt, ceiling) };
  if (state.half_built) {
    if (took_ms >= HALF_BUILT.patience_ms) return { kind: 'half_built', took_ms };
    return { kind: 'waiting', until_ms: Math.min(nowMs + HALF_BUILT.look_every_ms, ceiling) };
  }
  if (restless !== null) return { kind: 'restless', node: restless, took_ms };
  return { kind: 'settled', reason: last === null ? 'nothing_changed' : 'quiet', took_ms };
}

function restlessNode(state: Settling): string | null {
  const most = mostStirred(state);
  return most !== null && (state.stirs[most] ?? 0) >= RESTLESS_STIRS ? most : null;
}

function mostStirred(state: Settling): string | null {
  let most: string | null = null;
  for (const name of Object.keys(state.stirs).sort()) {
    if (most === null || (state.stirs[name] ?? 0) > (state.stirs[most] ?? 0)) most = name;
  }
  return most;
}

/** `settle_reason` of a report, of at most 300 characters. */
export function reasonOf(rest: Exclude<Rest, { kind: 'waiting' }>): string {
  if (rest.kind === 'settled') return rest.reason;
  if (rest.kind === 'half_built') return 'half_built';
  return rest.node === null ? rest.kind : `${rest.kind}: ${rest.node}`.slice(0, 300);
}
