/**
 * Carries one acting call: key, binding, staging or sending, outcome. Not for what it comes to before it is stored
 * (preparing.ts), or for the command table (tracker).
 */
import { type Envelope, failure } from '../../device-protocol/envelope.ts';
import { sha256OfText } from '../../device-protocol/request.ts';
import { type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import type { Verdict } from '../../device-protocol/verdict.ts';
import type { CommandRow, RuleRow } from '../store/rows.ts';
import type { Eyes } from './judging.ts';
import type { Look } from './look.ts';
import { actEnvelope, isOtherScreen, outcomeOf, veiledRow } from './outcome-of.ts';
import { isActing } from './plan.ts';
import type { Prepared } from './prepared.ts';
import { type ActCall, checkBefore, prepare } from './preparing.ts';
import { Refusal } from './refusal.ts';
import { displayOf, lastingOf, payloadText, pictureFor } from './staging.ts';
import { ruleFor } from './standing-rules.ts';
import { taskForAct } from './tasks.ts';
import type { BindInput, Bound } from './tracker/tracker-api.ts';

/** How long a confirmation lives (contracts.md, "Results cost tokens"). */
export const CONFIRMATION_LIFE_MS = 5 * 60_000;

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

/** The fresh screen for the answer: of the same moment as `changed`, else (refusals) taken now. */
async function attach(
  call: ActCall,
  row: CommandRow,
  snapshot: Look['snapshot'] | null,
): Promise<Look | null> {
  const { parts, caller, deviceId } = call;
  if (snapshot !== null) return parts.looks.remember(deviceId, caller.agent, snapshot, parts.clock.now());
  const phone = parts.phones.of(deviceId);
  if (!isOtherScreen(row) || phone === null) return null;
  try {
    const looked = await phone.look({ settleMs: 0, screenshot: false, signal: call.options.signal });
    return parts.looks.remember(deviceId, caller.agent, looked.snapshot, parts.clock.now());
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
  const look =
    (wanted !== undefined && wanted !== 'none') || isOtherScreen(row)
      ? await attach(call, row, snapshot)
      : null;
  const observation =
    wanted === undefined && look === null
      ? undefined
      : look === null
        ? null
        : parts.looks.tell(look, {
            detail: wanted === 'full' ? 'full' : 'summary',
            budget: call.limits.tokens,
          });
  const veiled = veiledRow(parts, row);
  const outcome = outcomeOf(veiled, {
    replayed,
    observedAt: row.report === null ? null : row.final_at,
    viewUrl: row.confirmation_id === null ? null : parts.viewUrl(row.confirmation_id),
    ...(observation === undefined ? {} : { observation }),
  });
  return actEnvelope(veiled, outcome, call.warnings);
}

async function follow(call: ActCall, row: CommandRow, replayed: boolean): Promise<Envelope> {
  if (row.state === 'staged') return answer(call, row, null, replayed);
  const followed = await call.parts.tracker.run(row.request_id, { signal: call.options.signal });
  return answer(call, followed.row, followed.snapshot, replayed);
}

/** What the verdict comes to for this agent: on its way, waiting for the owner, or refused. */
function decisionOf({ parts }: ActCall, verdict: Verdict, rule: RuleRow | null): BindInput['decision'] {
  switch (verdict.decision) {
    case 'refuse':
      return { to: 'refused', error_code: refusalCode(verdict) };
    case 'ask':
      return rule === null
        ? { to: 'staged', confirmation_life_ms: parts.confirmationLifeMs }
        : { to: 'ready', approved: { by: 'owner', how: `rule ${rule.rule_id}` } };
    case 'allow':
      // Recorded as given by the profile that lets it through.
      return verdict.level === 'low'
        ? { to: 'ready' }
        : { to: 'ready', approved: { by: 'profile', how: 'profile' } };
  }
}

/** Everything that must be there before anything leaves, in one commit: task, rule's use, request. */
function store(call: ActCall, prepared: Prepared, eyes: Eyes, argsHash: string): Bound {
  const { parts, caller, tool, deviceId, args, grant } = call;
  const { clock, chance } = parts;
  const display = displayOf(parts, tool, prepared, eyes);
  const { foreground } = prepared.look.snapshot;
  const verdict = eyes.veiledVerdict(prepared.verdict, foreground.package, foreground.activity);
  const rule =
    verdict.decision === 'ask'
      ? ruleFor(parts.store, caller.agent, deviceId, display.rule, clock.now())
      : null;
  const decision = decisionOf(call, verdict, rule);
  const profile = grant.profile ?? parts.judging.book.profiles.default;
  try {
    return parts.store.transaction(() => {
      const task = taskForAct(parts.store, clock, chance, caller.agent);
      if (rule !== null && !parts.store.rules.spend(rule.rule_id, clock.now())) throw new Undone(null);
      if (tool === 'clipboard_write') {
        parts.store.tasks.setClipboards(task.task_id, [...task.clipboards, deviceId]);
        call.settling.clipboards.note(task.task_id, deviceId, String(args.text));
      }
      const bound = parts.tracker.bind({
        device_id: deviceId,
        agent: caller.agent,
        tool,
        idempotency_key: String(args.idempotency_key),
        args_hash: argsHash,
        task_id: task.task_id,
        payload: payloadText(parts, caller.agent, tool, prepared, verdict),
        verdict,
        timeout_ms: Math.min(
          call.limits.timeout_ms,
          typeof args.timeout_ms === 'number' ? args.timeout_ms : toolOf(tool).timeoutMs,
        ),
        decision:
          decision.to === 'ready' && decision.approved?.by === 'profile'
            ? { ...decision, approved: { by: `profile ${profile}`, how: 'profile' } }
            : decision,
        display,
        lasting: lastingOf(prepared, eyes),
      });
      if (!bound.ok || bound.replayed) throw new Undone(bound);
      return bound;
    });
  } catch (thrown) {
    if (!(thrown instanceof Undone)) throw thrown;
    // Nothing of it was stored; a rule that was used up under our hands asks the owner instead.
    return thrown.bound ?? store(call, prepared, eyes, argsHash);
  }
}

/** Takes everything back that was written for a request that is none. */
class Undone extends Error {
  readonly bound: Bound | null;
  constructor(bound: Bound | null) {
    super('undone');
    this.bound = bound;
  }
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
  const prepared = await prepare(call);
  // Planning took time: another call may have staged something, or the owner may have stopped everything.
  const standing = parts.store.agents.get(caller.agent);
  checkBefore({ ...call, standing });
  const bound = store(call, prepared, parts.judging.as(caller.agent, deviceId), argsHash);
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
  if (bound.row.state === 'staged' && !bound.replayed) {
    pictureFor(parts, bound.row, prepared.made.act).catch((fault: unknown) => {
      // The owner decides without a picture then; the words are all there.
      parts.log(`picture: ${fault instanceof Error ? fault.message : String(fault)}`);
    });
  }
  return follow(call, bound.row, bound.replayed);
}

const APP_REASONS: readonly string[] = ['app_category', 'never_controllable', 'denied_package'];

function refusalCode(verdict: Verdict): 'app_denied' | 'act_refused' | 'foreground_unknown' {
  const classes = verdict.reasons.map((reason) => reason.class as string);
  if (classes.includes('foreground_unknown')) return 'foreground_unknown';
  return classes.some((one) => APP_REASONS.includes(one)) ? 'app_denied' : 'act_refused';
}
