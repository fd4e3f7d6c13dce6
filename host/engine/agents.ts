/**
 * Who an agent is: its name, the token that proves it, and whether it may still ask at all. A token is told
 * once and kept only as its hash. Not for what it may do (grants.ts) or for who carries a token here (doors).
 */
import { createHash } from 'node:crypto';
import type { HostChance } from '../devices/clock.ts';
import type { AgentRow } from '../store/rows.ts';
import type { StoreApi } from '../store/store-api.ts';
import { LOCAL_AGENT } from './agent-names.ts';
import type { Caller, DoorName } from './engine.ts';
import { Refusal } from './refusal.ts';

const TOKEN = /^cs_[0-9a-f]{64}$/;

/** 256 random bits: nothing slow is needed to keep its hash from being turned back. */
export function freshToken(chance: HostChance): string {
  return `cs_${chance.hex(32)}`;
}

function hashOf(token: string): string {
  return createHash('sha256').update(`countersign-agent-token-v1\n${token}`).digest('hex');
}

/** What the store keeps of a token: what it hashes to, and a name for it that proves nothing. */
export function keptOf(token: string): { readonly hash: string; readonly credential: string } {
  const hash = hashOf(token);
  return { hash, credential: createHash('sha256').update(hash).digest('hex').slice(0, 16) };
}

/** Whose token this is, now; null: nobody's. Looked up by its hash, so that no timing tells anything of it. */
export function callerOf(store: StoreApi, token: string, door: DoorName): Caller | null {
  if (!TOKEN.test(token)) return null;
  const row = store.agents.byTokenHash(hashOf(token));
  if (row === null || row.revoked_at !== null) return null;
  return { agent: row.name, door, credential: row.credential };
}

/** The agent's row if this caller is still it; refused where its token was taken back or replaced. */
export function standingOf(store: StoreApi, caller: Caller): AgentRow | null {
  const row = store.agents.get(caller.agent);
  if (caller.agent === LOCAL_AGENT) return row;
  if (row === null || row.revoked_at !== null || row.credential !== (caller.credential ?? null))
    throw new Refusal('agent_revoked');
  return row;
}
