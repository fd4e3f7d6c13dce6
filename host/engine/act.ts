/**
 * Carries one acting call: key, plan, verdict, binding, staging or sending, outcome. Not for the command
 * table (tracker), for what an argument means (plan.ts) or a word means (judge).
 */
import { type Envelope, failure } from '../../device-protocol/envelope.ts';
import type { Payload } from '../../device-protocol/payload.ts';
import { sha256OfText } from '../../device-protocol/request.ts';
import { type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import type { CommandRow } from '../store/rows.ts';
import { phoneOf } from './device-choice.ts';
import type { Caller, CallOptions } from './engine.ts';
import type { Look } from './look.ts';
import { actEnvelope, type Display, type Lasting, outcomeOf, veiledRow } from './outcome-of.ts';
import type { EngineParts } from './parts.ts';
import { isActing, type Plan, plan } from './plan.ts';
import { Refusal } from './refusal.ts';

/** Reaction, quiet and ceiling times of settling, milliseconds (device-protocol/companion/settle.ts). */
const SETTLE = { reaction_ms: 400, quiet_ms: 250, ceiling_ms: 3_000 } as const;
/** How long a confirmation lives (contracts.md, "Results cost tokens"). */
export const CONFIRMATION_LIFE_MS = 5 * 60_000;
/** At most this many of one agent's requests may wait for the owner (risk.md, rule 1). */
const MOST_PENDING = 3;

type Args = Record<string, unknown>;

/** Hash of what is asked for: key order does not matter, key and presentation do not count. */
export function argumentsHash(tool: ToolName, deviceId: string, args: Args): string {
  const left = Object.entries(args)
    .filter(
      ([name, value]) =>
        value !== undefined && name !== 'device_id' && !toolOf(tool).presentation.includes(name),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256OfText(JSON.stringify([tool, deviceId, left]));
}

/** What the owner's prompt shows of a plan. Everything from the screen is untrusted text. */
function displayOf(tool: ToolName, made: Plan, deviceId: string): Display {
  const look = made.spot?.look ?? null;
  const label =
    made.spot === null || made.spot.meant === null ? null : made.spot.look.labelOf(made.spot.meant);
  const app = look?.snapshot.foreground.package ?? null;
  const what = label === null ? '' : ` “${label.slice(0, 120)}”`;
  return {
    summary: `${tool}${what}${app === null ? '' : ` in ${app}`} on ${deviceId}`,
    app,
    window_title: look?.snapshot.foreground.title ?? null,
    element: label,
    typed_text: made.typed,
  };
}

function payloadText(
  parts: EngineParts,
  caller: Caller,
  made: Plan,
  tool: ToolName,
  verdict: Payload['verdict'],
  claimed: string | null,
): string {
  const spot = made.spot;
  const staged = verdict.decision === 'ask';
  const shown = staged && spot !== null && spot.node !== null ? spot.look.shownOf(spot.node) : null;
  const payload: Payload = {
    version: 1,
    salt: parts.chance.hex(16),
    agent: caller.agent,
    act: made.act,
    expect: {
      package: spot === null ? null : (spot.look.snapshot.foreground.package ?? claimed),
      window_title: staged && spot !== null ? spot.look.snapshot.foreground.title : null,
      shown_print: shown === null ? null : shown.print,
    },
    shown: shown === null ? [] : [...shown.lines],
    verdict,
    run_limit_ms: Math.max(1_000, toolOf(tool).timeoutMs - 2_000),
    settle: SETTLE,
  };
  return JSON.stringify(payload);
}

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
}

/** The fresh screen for the answer: of the same moment as `changed`, else (refusals) taken now. */
async function attach(
  call: ActCall,
  row: CommandRow,
  snapshot: Look['snapshot'] | null,
): Promise<Look | null> {
  const { parts, deviceId } = call;
  if (snapshot !== null) return parts.looks.remember(deviceId, snapshot, parts.clock.now());
  const refused = row.state === 'refused' && (row.refusal ?? row.error_code ?? '').startsWith('target_');
  const phone = parts.phones.of(deviceId);
  if (!refused || phone === null) return null;
  try {
    const looked = await phone.look({ settleMs: 0, screenshot: false, signal: call.options.signal });
    return parts.looks.remember(deviceId, looked.snapshot, parts.clock.now());
  } catch {
    // The refusal stands without a fresh screen; the agent is told to observe again anyway.
    return null;
  }
}

async function answer(
  call: ActCall,
  row: CommandRow,
  snapshot: Look['snapshot'] | null,
  replayed: boolean,
): Promise<Envelope> {
  const { parts } = call;
  const wanted = call.args.observe;
  const isRefusedTarget = row.state === 'refused' && (row.refusal ?? '').startsWith('target_');
  const look =
    (wanted !== undefined && wanted !== 'none') || isRefusedTarget ? await attach(call, row, snapshot) : null;
  const observation =
    wanted === undefined && look === null
      ? undefined
      : look === null
        ? null
        : parts.looks.tell(look, call.caller.agent, { detail: wanted === 'full' ? 'full' : 'summary' });
  const outcome = outcomeOf(veiledRow(parts, row), {
    replayed,
    observedAt: row.report === null ? null : row.final_at,
    viewUrl: row.confirmation_id === null ? null : parts.viewUrl(row.confirmation_id),
    ...(observation === undefined ? {} : { observation }),
  });
  return actEnvelope(row, outcome, call.warnings);
}

async function follow(call: ActCall, row: CommandRow, replayed: boolean): Promise<Envelope> {
  if (row.state === 'staged') return answer(call, row, null, replayed);
  const followed = await call.parts.tracker.run(row.request_id, { signal: call.options.signal });
  return answer(call, followed.row, followed.snapshot, replayed);
}

/** Refusals that take no key: nothing of the call has been stored. */
export function checkBefore(call: ActCall): void {
  const { parts, caller, deviceId } = call;
  if (parts.tracker.stopped() !== null) throw new Refusal('stopped');
  const phone = phoneOf(parts, deviceId);
  if (phone.stopState().stopped_by !== null) throw new Refusal('stopped');
  const waiting = parts.store.commands.staged().filter((row) => row.ending === null);
  const here = waiting.find((row) => row.device_id === deviceId);
  if (here !== undefined) {
    throw new Refusal('confirmation_pending', {
      request_id: here.request_id,
      args: { request_id: here.request_id },
    });
  }
  if (waiting.filter((row) => row.agent === caller.agent).length >= MOST_PENDING)
    throw new Refusal('too_many_pending');
}

/** What a call comes to before anything is stored: the act, the verdict, the app it was told is in front. */
export interface Prepared {
  readonly made: Plan;
  readonly verdict: Payload['verdict'];
  readonly claimed: string | null;
}

/** Plans and judges; stores and sends nothing. Throws Refusal. */
export async function prepare(call: ActCall): Promise<Prepared> {
  const { parts, tool, deviceId, args } = call;
  if (!isActing(tool)) throw new Error(`${tool} does not act`);
  const signal = call.options.signal;
  const made = await plan(tool, args, {
    deviceId,
    look: (id) => parts.looks.get(deviceId, id),
    freshLook: () => parts.looks.fresh(deviceId, { signal }),
    apps: () => phoneOf(parts, deviceId).listApps({ signal }),
  });
  const claimed = claimedForeground(made, args);
  const look = made.spot?.look ?? (await parts.looks.fresh(deviceId, { signal }));
  // The way out stays open; everything else waits for the person who can unlock it (D-04).
  if (look.snapshot.locked === true && made.act.kind !== 'go') throw new Refusal('device_locked');
  return { made, verdict: parts.judging.judge(made, look, claimed), claimed };
}

export async function carryAct(call: ActCall): Promise<Envelope> {
  const { parts, caller, tool, deviceId, args } = call;
  if (!isActing(tool)) throw new Error(`${tool} does not act`);
  const key = String(args.idempotency_key);
  const argsHash = argumentsHash(tool, deviceId, args);
  const known = parts.tracker.findByKey(caller.agent, deviceId, key, argsHash);
  if (known.kind === 'conflict') throw new Refusal('key_conflict', { request_id: known.row.request_id });
  if (known.kind === 'same') return follow(call, known.row, true);

  checkBefore(call);
  const { made, verdict, claimed } = await prepare(call);
  // Planning took time: another call may have staged something, or the owner may have stopped everything.
  checkBefore(call);
  const display = displayOf(tool, made, deviceId);
  const lasting: Lasting = {
    label: display.element,
    role: made.spot === null || made.spot.meant === null ? null : made.spot.look.roleOf(made.spot.meant),
  };
  const bound = parts.tracker.bind({
    device_id: deviceId,
    agent: caller.agent,
    tool,
    idempotency_key: key,
    args_hash: argsHash,
    payload: payloadText(parts, caller, made, tool, verdict, claimed),
    verdict,
    timeout_ms: typeof args.timeout_ms === 'number' ? args.timeout_ms : toolOf(tool).timeoutMs,
    decision:
      verdict.decision === 'allow'
        ? { to: 'ready' }
        : verdict.decision === 'ask'
          ? { to: 'staged', confirmation_life_ms: parts.confirmationLifeMs }
          : { to: 'refused', error_code: refusalCode(verdict) },
    display,
    lasting,
  });
  if (!bound.ok) {
    return failure(
      tool,
      bound.error_code,
      {
        device_id: deviceId,
        field: bound.error_code === 'text_not_unicode' ? 'text' : undefined,
        request_id: bound.row?.request_id,
      },
      true,
    );
  }
  return follow(call, bound.row, bound.replayed);
}

const APP_REASONS: readonly string[] = ['app_category', 'never_controllable', 'denied_package'];

function refusalCode(verdict: Payload['verdict']): 'app_denied' | 'act_refused' | 'foreground_unknown' {
  const classes = verdict.reasons.map((reason) => reason.class as string);
  if (classes.includes('foreground_unknown')) return 'foreground_unknown';
  return classes.some((one) => APP_REASONS.includes(one)) ? 'app_denied' : 'act_refused';
}
