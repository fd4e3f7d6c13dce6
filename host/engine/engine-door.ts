/**
 * The one door inside: every tool call of every door passes here in the same order: name, normalising,
 * grant, audit, carrying out, audit. Not for what a tool does (reads.ts, act.ts).
 */
import { type Envelope, failure } from '../../device-protocol/envelope.ts';
import { isSkillName } from '../../device-protocol/skills.ts';
import { isToolName, type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import { PhoneError } from '../devices/phone-api.ts';
import { estimateTokens } from '../screen/tokens.ts';
import { carryAct } from './act.ts';
import { standingOf } from './agents.ts';
import { carryAsking } from './asking.ts';
import { completionOf, redactedArguments } from './audit-row.ts';
import { chooseDevice } from './device-choice.ts';
import type { Caller, CallOptions } from './engine.ts';
import { grantFrom, isOver, mayActOn, mayUseTool } from './grants.ts';
import { nearestTools, normaliseArguments } from './normalise.ts';
import type { EngineParts } from './parts.ts';
import { isActing } from './plan.ts';
import { Refusal } from './refusal.ts';
import { type Trace, tried } from './retrying.ts';
import type { Settling } from './settling.ts';
import { limitsOf } from './tool-limits.ts';

/** Turns whatever was thrown into a coded envelope; a bug gets a reference that the log explains. */
function envelopeOf(parts: EngineParts, tool: string, acting: boolean, thrown: unknown): Envelope {
  if (thrown instanceof Refusal) return failure(tool, thrown.code, thrown.details, acting);
  if (thrown instanceof PhoneError) {
    return failure(tool, thrown.code, { device_id: 'this phone', came: thrown.message }, acting);
  }
  const reference = parts.chance.hex(4);
  const said = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  parts.log(`fault ${reference} in ${tool}: ${said}`);
  // A read cannot have had an effect; an act may have been handed on before the fault.
  return failure(tool, 'internal', { came: reference, effect: acting ? 'unknown' : 'none' }, acting);
}

/** Answers are held against their own declaration before anyone gets them: a drift is a bug, and said. */
function checkedResult(tool: ToolName, envelope: Envelope): Envelope {
  if (!envelope.ok) return envelope;
  const read = toolOf(tool).result.safeParse(envelope.result);
  if (read.success) return envelope;
  const where = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new Error(`the result does not fit its schema (${where})`);
}

/** The parts of a running engine, as every call has them at hand. */
export interface Door {
  readonly parts: EngineParts;
  readonly settling: Settling;
}

async function dispatch(
  engine: Door,
  caller: Caller,
  tool: ToolName,
  args: Record<string, unknown>,
  warnings: readonly string[],
  options: CallOptions,
  trace: Trace,
): Promise<Envelope> {
  const { parts, settling } = engine;
  const standing = standingOf(parts.store, caller);
  const grant = grantFrom(caller.agent, standing?.grant ?? null);
  if (isOver(grant, parts.clock.now()))
    throw new Refusal('grant_expired', { until: new Date(grant.until ?? 0).toISOString() });
  if (!mayUseTool(grant, tool)) throw new Refusal('tool_not_granted', { tool });
  parts.allowance.takeCall(caller.agent, grant);
  const limits = limitsOf(toolOf(tool), tool, grant);
  if (!isActing(tool)) {
    const again = (name: string, raw: unknown) => call(engine, caller, name, raw, options);
    const wait = parts.waits.begin(caller.agent, options.signal);
    try {
      return await tried(parts, limits.attempts, wait.signal, trace, () =>
        carryAsking(tool, args, {
          parts,
          caller,
          grant,
          warnings,
          options: { ...options, signal: wait.signal },
          again,
          limits,
          settling,
        }),
      );
    } finally {
      wait.end();
    }
  }
  if (grant.act_on.length === 0) throw new Refusal('read_only');
  const named = args.device_id;
  const deviceId = chooseDevice(parts, grant, typeof named === 'string' ? named : undefined);
  if (!mayActOn(grant, parts.store.devices.get(deviceId)?.kind ?? null)) throw new Refusal('read_only');
  return carryAct({
    parts,
    caller,
    tool,
    deviceId,
    args,
    warnings,
    options,
    grant,
    standing,
    limits,
    settling,
  });
}

/** The phone a call is about, for the log; null where it cannot be said before the call is looked at. */
function deviceOf({ store }: EngineParts, args: unknown): string | null {
  const named = (args as { device_id?: unknown } | null)?.device_id;
  if (typeof named === 'string') return store.devices.get(named) === null ? null : named;
  const [only, ...others] = store.devices.list();
  return only === undefined || others.length > 0 ? null : only.device_id;
}

/** The task stands in every answer once there is one. */
function withTask({ store }: EngineParts, caller: Caller, envelope: Envelope): Envelope {
  const ended = envelope.tool === 'task_complete' && envelope.ok ? envelope.result.task_id : null;
  const taskId = typeof ended === 'string' ? ended : store.tasks.openOf(caller.agent)?.task_id;
  return taskId === undefined ? envelope : { ...envelope, task_id: taskId };
}

export async function call(
  engine: Door,
  caller: Caller,
  name: string,
  raw: unknown,
  options: CallOptions,
): Promise<Envelope> {
  const { parts } = engine;
  const began = parts.clock.monotonic();
  const declaration = isToolName(name) ? toolOf(name) : null;
  const acting = declaration?.needsKey ?? false;
  const normal = isToolName(name) ? normaliseArguments(name, raw) : null;
  const readable = normal?.ok === true ? normal.args : raw;
  if (name === 'tool_use' && normal?.ok === true) {
    // Only a way to name another tool: that one passes this very door, under its own name, and is logged so.
    const { tool, arguments: inner } = normal.args;
    const opened = await call(engine, caller, String(tool), inner, options);
    return normal.warnings.length === 0
      ? opened
      : { ...opened, warnings: [...normal.warnings, ...opened.warnings] };
  }

  let audit: number;
  try {
    audit = parts.store.audit.open({
      at: parts.clock.now(),
      agent: caller.agent,
      door: caller.door,
      tool: name.slice(0, 64),
      kind: declaration?.effect ?? 'unknown',
      schema_version: declaration?.schemaVersion ?? 0,
      task_id: parts.store.tasks.openOf(caller.agent)?.task_id ?? null,
      device_id: deviceOf(parts, readable),
      arguments: redactedArguments(declaration, readable),
      running: parts.running(),
    });
  } catch (thrown) {
    parts.log(`audit: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return failure(name, 'audit_failed', {}, acting);
  }

  let envelope: Envelope;
  const trace: Trace = { retries: null };
  try {
    if (normal === null || !isToolName(name)) {
      envelope = isSkillName(name)
        ? failure(name, 'tool_is_skill', { tool: name })
        : failure(name.slice(0, 64), 'tool_unknown', {
            tool: name.slice(0, 64),
            nearest: nearestTools(name),
          });
    } else if (normal.ok) {
      envelope = checkedResult(
        name,
        await dispatch(engine, caller, name, normal.args, normal.warnings, options, trace),
      );
    } else {
      envelope = normal;
    }
  } catch (thrown) {
    envelope = envelopeOf(parts, name, acting, thrown);
  }

  try {
    // Last of all: the call may have opened or ended the task.
    envelope = withTask(parts, caller, envelope);
    const text = JSON.stringify(envelope);
    const tokensOut = estimateTokens(text);
    parts.allowance.spent(caller.agent, tokensOut);
    parts.store.audit.complete(
      audit,
      completionOf(envelope, {
        at: parts.clock.now(),
        durationMs: parts.clock.monotonic() - began,
        bytesOut: Buffer.byteLength(text),
        tokensOut,
        retries: trace.retries,
        running: parts.running(),
      }),
    );
    parts.memory.note(parts.store.audit.head());
  } catch (thrown) {
    // What happened has happened and is told; the row stays open, which the log shows as "cut".
    parts.log(`audit: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  return envelope;
}
