/**
 * Counts what agents use against what their grants allow: calls, acts, tokens, acts of a task. Calls and
 * tokens are counted in memory, acts in the store, so that a restart forgets none of them. Not for waiting.
 */
import type { HostClock } from '../devices/clock.ts';
import type { StoreApi } from '../store/store-api.ts';
import type { Grant } from './grants.ts';
import { Refusal } from './refusal.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Tokens are summed by the minute: an hour is sixty numbers, whatever the rate. */
const SLOT_MS = MINUTE_MS;

interface Used {
  /** Calls left in the bucket, as of `atMs`. */
  left: number;
  atMs: number;
  /** Minute of the monotonic clock → tokens. */
  readonly tokens: Map<number, number>;
}

export class Allowance {
  readonly #clock: HostClock;
  readonly #store: StoreApi;
  readonly #used = new Map<string, Used>();

  constructor(clock: HostClock, store: StoreApi) {
    this.#clock = clock;
    this.#store = store;
  }

  /** Counts one call; refused where there is none left, or the hour's tokens are used up. */
  takeCall(agent: string, { rates }: Grant): void {
    const used = this.#of(agent, rates.calls_a_minute);
    const now = this.#clock.monotonic();
    if (rates.calls_a_minute !== null) {
      const perMs = rates.calls_a_minute / MINUTE_MS;
      used.left = Math.min(rates.calls_a_minute, used.left + (now - used.atMs) * perMs);
      used.atMs = now;
      if (used.left < 1)
        throw new Refusal('rate_limited', {
          limit: `${rates.calls_a_minute} calls a minute`,
          retry_after_ms: Math.ceil((1 - used.left) / perMs),
        });
      used.left -= 1;
    }
    if (rates.tokens_an_hour !== null && this.#tokens(used, now) >= rates.tokens_an_hour) {
      const oldest = Math.min(...used.tokens.keys()) * SLOT_MS;
      throw new Refusal('rate_limited', {
        limit: `${rates.tokens_an_hour} tokens an hour`,
        retry_after_ms: Math.max(1, Math.ceil(oldest + HOUR_MS + SLOT_MS - now)),
      });
    }
  }

  /** What an answer cost. */
  spent(agent: string, tokens: number): void {
    const used = this.#used.get(agent);
    if (used === undefined) return;
    const slot = Math.floor(this.#clock.monotonic() / SLOT_MS);
    used.tokens.set(slot, (used.tokens.get(slot) ?? 0) + tokens);
  }

  /** Refused where another act would be one too many in this hour or this task. */
  checkAct(agent: string, { rates }: Grant, taskId: string | null): void {
    if (rates.acts_an_hour !== null) {
      const now = this.#clock.now();
      const { count, oldest } = this.#store.commands.madeSince(agent, now - HOUR_MS);
      if (count >= rates.acts_an_hour)
        throw new Refusal('rate_limited', {
          limit: `${rates.acts_an_hour} acts an hour`,
          retry_after_ms: Math.max(1, (oldest ?? now) + HOUR_MS - now),
        });
    }
    if (
      rates.steps_a_run !== null &&
      taskId !== null &&
      this.#store.commands.countOfTask(taskId) >= rates.steps_a_run
    )
      throw new Refusal('steps_used', { limit: rates.steps_a_run });
  }

  #of(agent: string, callsAMinute: number | null): Used {
    let used = this.#used.get(agent);
    if (used === undefined) {
      used = { left: callsAMinute ?? 0, atMs: this.#clock.monotonic(), tokens: new Map() };
      this.#used.set(agent, used);
    }
    return used;
  }

  #tokens(used: Used, now: number): number {
    const first = Math.floor((now - HOUR_MS) / SLOT_MS);
    for (const slot of used.tokens.keys()) if (slot <= first) used.tokens.delete(slot);
    return [...used.tokens.values()].reduce((sum, one) => sum + one, 0);
  }
}
