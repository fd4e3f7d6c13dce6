/**
 * Carries the two tools about other tools: several calls in one, each through the same door as if it had
 * come alone, and the dry run of an act. Not for what a single tool does.
 */
import { type Envelope, failure } from '../../device-protocol/envelope.ts';
import { isErrorCode } from '../../device-protocol/errors.ts';
import { isToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import type { AskingCall } from './asking-call.ts';
import { chooseDevice } from './device-choice.ts';
import { mayActOn, mayUseTool } from './grants.ts';
import { nearestTools, normaliseArguments } from './normalise.ts';
import { isActing } from './plan.ts';
import type { Prepared } from './prepared.ts';
import { type ActCall, checkBefore, prepare } from './preparing.ts';
import { Refusal } from './refusal.ts';
import { ruleFor, ruleOffer } from './standing-rules.ts';
import { limitsOf } from './tool-limits.ts';

interface BatchItem {
  readonly tool: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

/** In order, one after another; a failed item does not end the rest. Items use the batch's key and their place. */
export async function carryBatch(
  calls: readonly BatchItem[],
  key: string,
  call: AskingCall,
): Promise<Record<string, unknown>> {
  const results: (Envelope & { index: number })[] = [];
  for (const [index, item] of calls.entries()) {
    const known = isToolName(item.tool) ? toolOf(item.tool) : null;
    const fits = known === null || (known.effect !== 'once' && item.tool !== 'batch');
    const given = item.arguments ?? {};
    const args = known?.needsKey === true ? { ...given, idempotency_key: `${key}#${index}` } : given;
    const envelope = fits
      ? await call.again(item.tool, args)
      : failure(item.tool, 'batch_item_refused', { tool: item.tool }, true);
    // Said once, for the batch.
    const { task_id: _, ...item_envelope } = envelope;
    results.push({ index, ...(item_envelope as Envelope) });
  }
  const failed = results.filter((one) => !one.ok);
  const again = failed.filter((one) => !one.ok && one.retryable).map((one) => calls[one.index]);
  return {
    total: results.length,
    succeeded: results.length - failed.length,
    failed: failed.length,
    results,
    next_action: again.length === 0 ? null : { tool: 'batch', args: { calls: again } },
  };
}

/** What the call would come to. Nothing is stored, no key is taken, nothing reaches the phone but looks. */
export async function carryPreview(
  named: string,
  given: Record<string, unknown>,
  call: AskingCall,
): Promise<Record<string, unknown>> {
  const { parts, caller, grant, options } = call;
  if (!isToolName(named)) throw new Refusal('tool_unknown', { tool: named, nearest: nearestTools(named) });
  if (!isActing(named)) throw new Refusal('preview_not_acting', { tool: named });
  const normal = normaliseArguments(named, { idempotency_key: 'preview', ...given });
  if (!normal.ok) throw new Refusal(normal.error_code, { ...normal });
  const { idempotency_key: _, ...args } = normal.args;
  const deviceId = chooseDevice(
    parts,
    grant,
    typeof args.device_id === 'string' ? args.device_id : undefined,
  );
  const act: ActCall = {
    parts,
    caller,
    tool: named,
    deviceId,
    args,
    warnings: normal.warnings,
    options,
    grant,
    standing: parts.store.agents.get(caller.agent),
    limits: limitsOf(toolOf(named), named, grant),
    settling: call.settling,
  };

  const refusedBy: { error_code: string; message: string }[] = [];
  const noting = async <T>(work: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const { error_code, message } = failure(named, thrown.code, thrown.details);
      if (!refusedBy.some((one) => one.error_code === error_code)) refusedBy.push({ error_code, message });
      return null;
    }
  };
  await noting(() => {
    if (!mayUseTool(grant, named)) throw new Refusal('tool_not_granted', { tool: named });
  });
  await noting(() => {
    if (!mayActOn(grant, parts.store.devices.get(deviceId)?.kind ?? null)) throw new Refusal('read_only');
  });
  await noting(() => checkBefore(act));
  const prepared: Prepared | null = await noting(() => prepare(act));

  const spot = prepared?.made.spot ?? null;
  const eyes = parts.judging.as(caller.agent, deviceId);
  const front = prepared?.look.snapshot.foreground ?? { package: null, activity: null };
  const verdict =
    prepared === null ? null : eyes.veiledVerdict(prepared.verdict, front.package, front.activity);
  const label = spot === null || spot.meant === null ? null : spot.look.labelOf(spot.meant);
  const decision = decisionNow(prepared, act);
  return {
    tool: named,
    device_id: deviceId,
    arguments: args,
    changed_arguments: normal.warnings,
    target:
      spot === null || spot.meant === null
        ? null
        : {
            label: label === null ? null : eyes.veiledText(label, front.package),
            role: spot.look.roleOf(spot.meant),
          },
    risk: verdict,
    would:
      refusedBy.length > 0 || decision === null || decision === 'refuse'
        ? 'refuse'
        : decision === 'ask'
          ? 'ask_owner'
          : 'run',
    refused_by: refusedBy.filter((one) => isErrorCode(one.error_code)),
  };
}

/** What would become of it now: a standing rule of the owner lets through what would otherwise wait. */
function decisionNow(prepared: Prepared | null, { parts, caller, tool, deviceId }: ActCall) {
  if (prepared === null || prepared.verdict.decision !== 'ask') return prepared?.verdict.decision ?? null;
  const offer = ruleOffer(parts.judging, tool, prepared);
  return ruleFor(parts.store, caller.agent, deviceId, offer, parts.clock.now()) === null ? 'ask' : 'allow';
}
