/**
 * What is looked at again right before bytes are handed to a phone (protocol.md, rule 13): whether the agent is
 * stopped, and whether its grant still allows what it allowed when the request was made. Pure over the store.
 */
import type { ErrorCode } from '../../device-protocol/errors.ts';
import type { Payload } from '../../device-protocol/payload.ts';
import { isToolName } from '../../device-protocol/tools/tools.ts';
import type { HostClock } from '../devices/clock.ts';
import type { CommandRow } from '../store/rows.ts';
import type { StoreApi } from '../store/store-api.ts';
import { HOUSE_AGENT, LOCAL_AGENT } from './agent-names.ts';
import { grantFrom, isOver, mayActOn, mayUseDevice, mayUseTool, reachesApp } from './grants.ts';
import type { Judging } from './judging.ts';
import { veiledRow } from './outcome-of.ts';
import type { Kept, Recheck } from './tracker/tracker-api.ts';

/** The app the request acts in, and the one it opens; unknown ones are outside of any list. */
function appsOf(row: CommandRow): (string | null)[] {
  if (row.payload === null) return [];
  const { act, expect } = JSON.parse(row.payload) as Payload;
  if (act.kind === 'app_open') return [act.package];
  return expect.package === null && act.kind === 'go' ? [] : [expect.package];
}

/** What of a report may be stored: as little as its agent may see now. */
export function keptBy(judging: Judging): Kept {
  return (row, report) => veiledRow({ judging }, { ...row, report }).report ?? report;
}

export function recheckBy(store: StoreApi, clock: HostClock): Recheck {
  return (row): ErrorCode | null => {
    if (row.agent === HOUSE_AGENT) return null;
    const agent = store.agents.get(row.agent);
    if (agent !== null && agent.stopped !== null) return 'paused';
    if (row.agent !== LOCAL_AGENT && (agent === null || agent.revoked_at !== null)) return 'grant_changed';
    const grant = grantFrom(row.agent, agent?.grant ?? null);
    const allowed =
      !isOver(grant, clock.now()) &&
      isToolName(row.tool) &&
      mayUseTool(grant, row.tool) &&
      mayUseDevice(grant, row.device_id) &&
      mayActOn(grant, store.devices.get(row.device_id)?.kind ?? null) &&
      (grant.packages === null || appsOf(row).every((app) => reachesApp(grant, app)));
    return allowed ? null : 'grant_changed';
  };
}
