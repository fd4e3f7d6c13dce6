/**
 * One agent at a time drives a phone: whoever acted on it last holds it until its task ends, it falls silent
 * for a while, or the owner takes the phone from it (D-60). Read from the commands, so that it holds over
 * restarts. Not for locking what runs at once (the phone does one act at a time anyway).
 */
import type { StoreApi } from '../store/store-api.ts';

/** A phone is free this long after its holder's last act. */
export const HOLD_MS = 2 * 60_000;

export interface Holder {
  readonly agent: string;
  /** Wall clock. */
  readonly until: number;
}

const releasedKey = (deviceId: string) => `released:${deviceId}`;

/** Who holds the phone now; null: it is free. */
export function holderOf(store: StoreApi, deviceId: string, now: number): Holder | null {
  const last = store.commands.newestOn(deviceId);
  if (last === null || last.task_id === null) return null;
  const until = (last.final_at ?? last.updated_at) + HOLD_MS;
  const released = store.settings.get(releasedKey(deviceId));
  if (until <= now || (typeof released === 'number' && released >= last.created_at)) return null;
  if (store.tasks.get(last.task_id)?.ended_at !== null) return null;
  const row = store.agents.get(last.agent);
  if (row !== null && (row.revoked_at !== null || row.stopped !== null)) return null;
  return { agent: last.agent, until };
}

/** The owner's word: whoever holds it now holds it no longer. */
export function release(store: StoreApi, deviceId: string, now: number): void {
  store.settings.set(releasedKey(deviceId), now);
}
