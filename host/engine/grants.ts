/**
 * What an agent may do: tools, phones, acting at all. Pure: the grant comes from the store, the phone's
 * kind from its hello. Not for what a label means (host/judge) or what may be seen (seeing).
 */
import { z } from 'zod';
import { REACH_TOOLS } from '../../device-protocol/tools/reach.ts';
import { TOOL_NAMES, type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import type { StoreApi } from '../store/store-api.ts';

export const grantSchema = z.strictObject({
  /** Null: every tool. */
  tools: z.array(z.string()).nullable(),
  /** Null: every phone. */
  devices: z.array(z.string()).nullable(),
  /** May act on phones of these kinds; an empty list is read-only. */
  act_on: z.array(z.enum(['virtual', 'jvm', 'android'])),
});
export type Grant = z.infer<typeof grantSchema>;

/** The agent that names itself by no token: the owner's own, on the virtual phone only. */
export const LOCAL_AGENT = 'local';

/** A new agent is read-only until the owner says otherwise; the built-in one may act on the virtual phone. */
function defaultGrant(agent: string): Grant {
  return { tools: null, devices: null, act_on: agent === LOCAL_AGENT ? ['virtual', 'jvm'] : [] };
}

/** The owner's stored grant of `agent`, else the default. A stored one that is damaged allows nothing. */
export function grantOf(store: StoreApi, agent: string): Grant {
  const stored = store.settings.get(`grant:${agent}`);
  if (stored === null || stored === undefined) return defaultGrant(agent);
  const read = grantSchema.safeParse(stored);
  return read.success ? read.data : { tools: [], devices: [], act_on: [] };
}

/** These only lead to other tools, each of which is then looked at by itself: no grant need name them. */
const leads = (tool: ToolName) => Object.hasOwn(REACH_TOOLS, tool);

export const mayUseTool = (grant: Grant, tool: ToolName) =>
  leads(tool) || (grant.tools?.includes(tool) ?? true);
export const mayUseDevice = (grant: Grant, deviceId: string) => grant.devices?.includes(deviceId) ?? true;

/** A phone whose kind was never seen counts as a real one. */
export const mayActOn = (grant: Grant, kind: 'virtual' | 'jvm' | 'android' | null) =>
  grant.act_on.includes(kind ?? 'android');

/** Tools to list: those the grant names; acting ones only where it lets the agent act at all. */
export function listedTools(grant: Grant): ToolName[] {
  return TOOL_NAMES.filter(
    (name) =>
      mayUseTool(grant, name) && (toolOf(name).effect === 'reads' || leads(name) || grant.act_on.length > 0),
  );
}
