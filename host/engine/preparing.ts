/**
 * What an acting call comes to before anything is stored: whether it may be made at all, what it would hit, what
 * the judge says. Throws Refusal, which takes no key. Not for storing or sending (act.ts).
 */
import type { ToolName } from '../../device-protocol/tools/tools.ts';
import type { AgentRow } from '../store/rows.ts';
import { phoneOf } from './device-choice.ts';
import { holderOf } from './device-hold.ts';
import type { Caller, CallOptions } from './engine.ts';
import { type Grant, reachesApp } from './grants.ts';
import type { Look } from './look.ts';
import type { EngineParts } from './parts.ts';
import { isActing, type Plan, plan } from './plan.ts';
import type { Prepared } from './prepared.ts';
import { Refusal } from './refusal.ts';
import type { Settling } from './settling.ts';
import type { DerivedLimits } from './tool-limits.ts';

/** At most this many of one agent's requests may wait for the owner (risk.md, rule 1). */
const MOST_PENDING = 3;

type Args = Record<string, unknown>;

/** Nothing is done where the app in front is unknown, unless the agent names the one of its latest look. */
function claimedForeground(made: Plan, args: Args): string | null {
  const spot = made.spot;
  if (spot === null || spot.look.snapshot.foreground.package !== null) return null;
  const claimed = args.foreground_package;
  const window = spot.node === null ? null : spot.look.windowPackageOf(spot.node);
  if (typeof claimed === 'string' && claimed === window) return claimed;
  throw new Refusal('foreground_unknown');
}

export interface ActCall {
  readonly parts: EngineParts;
  readonly caller: Caller;
  readonly tool: ToolName;
  readonly deviceId: string;
  readonly args: Args;
  readonly warnings: readonly string[];
  readonly options: CallOptions;
  readonly grant: Grant;
  /** The agent's row; null for the built-in one of which nothing was ever said. */
  readonly standing: AgentRow | null;
  readonly limits: DerivedLimits;
  readonly settling: Settling;
}

/** Refusals that take no key: nothing of the call has been stored. */
export function checkBefore(call: ActCall): void {
  const { parts, caller, deviceId, grant, standing } = call;
  const { store, clock } = parts;
  if (parts.tracker.stopped() !== null) throw new Refusal('stopped');
  if (standing?.stopped != null) throw new Refusal('agent_stopped');
  if (standing?.held != null) throw new Refusal('agent_held', { came: standing.held.why });
  const phone = phoneOf(parts, deviceId);
  if (phone.stopState().stopped_by !== null) throw new Refusal('stopped');
  const holder = holderOf(store, deviceId, clock.now());
  if (holder !== null && holder.agent !== caller.agent) {
    throw new Refusal('device_held', {
      came: holder.agent,
      until: new Date(holder.until).toISOString(),
      retry_after_ms: holder.until - clock.now(),
    });
  }
  const waiting = store.commands.staged().filter((row) => row.ending === null);
  const here = waiting.find((row) => row.device_id === deviceId);
  if (here !== undefined) {
    // Whose request it is, only its own agent may learn.
    const own = here.agent === caller.agent;
    throw new Refusal('confirmation_pending', {
      request_id: own ? here.request_id : 'of another agent',
      ...(own ? { args: { request_id: here.request_id } } : {}),
    });
  }
  if (waiting.filter((row) => row.agent === caller.agent).length >= MOST_PENDING)
    throw new Refusal('too_many_pending');
  parts.allowance.checkAct(caller.agent, grant, store.tasks.openOf(caller.agent)?.task_id ?? null);
}

/** Acts that lead out of an app, or into another one that is looked at by itself. */
const leadsAway = ({ act }: Plan) =>
  act.kind === 'app_open' || (act.kind === 'go' && ['home', 'back', 'hide_keyboard'].includes(act.to));

/** Every app that the act would touch must be one of the grant's. */
function checkApps({ grant }: ActCall, made: Plan, look: Look, claimed: string | null): void {
  if (grant.packages === null) return;
  const { act, spot } = made;
  const touched = act.kind === 'app_open' ? [act.package] : [];
  if (!leadsAway(made)) touched.push(look.snapshot.foreground.package ?? claimed ?? '');
  for (const node of [spot?.node ?? null, spot?.meant ?? null]) {
    const window = node === null ? null : (spot?.look.windowPackageOf(node) ?? null);
    if (window !== null && !leadsAway(made)) touched.push(window);
  }
  const outside = touched.find((name) => !reachesApp(grant, name));
  if (outside !== undefined) throw new Refusal('app_not_granted', { came: outside || 'an unknown app' });
}

/** Plans and judges; stores and sends nothing. Throws Refusal. */
export async function prepare(call: ActCall): Promise<Prepared> {
  const { parts, caller, tool, deviceId, args } = call;
  if (!isActing(tool)) throw new Error(`${tool} does not act`);
  const signal = call.options.signal;
  const fresh = () => parts.looks.fresh(deviceId, caller.agent, { signal });
  const made = await plan(tool, args, {
    deviceId,
    look: (id) => parts.looks.get(deviceId, caller.agent, id),
    freshLook: fresh,
    apps: () => phoneOf(parts, deviceId).listApps({ signal }),
  });
  const claimed = claimedForeground(made, args);
  const look = made.spot?.look ?? (await fresh());
  // The way out stays open; everything else waits for the person who can unlock it (D-04).
  if (look.snapshot.locked === true && made.act.kind !== 'go') throw new Refusal('device_locked');
  checkApps(call, made, look, claimed);
  return {
    made,
    look,
    verdict: parts.judging.as(caller.agent, deviceId).judge(made, look, claimed),
    claimed,
  };
}
