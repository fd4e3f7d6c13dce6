/**
 * The one door inside: every tool call of every door passes here in the same order: name, normalising,
 * grant, audit, carrying out, audit. Not for what a tool does (reads.ts, act.ts).
 */
import { type Envelope, failure } from '../../device-protocol/envelope.ts';
import { isSkillName } from '../../device-protocol/skills.ts';
import { isToolName, type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import { PhoneError } from '../devices/phone-api.ts';
import { carryAct } from './act.ts';
import { carryAsking } from './asking.ts';
import { completionOf, redactedArguments } from './audit-row.ts';
import { chooseDevice } from './device-choice.ts';
import type { Caller, CallOptions, Engine } from './engine.ts';
import { grantOf, listedTools, mayActOn, mayUseTool } from './grants.ts';
import { nearestTools, normaliseArguments } from './normalise.ts';
import { createOwner } from './owner.ts';
import type { EngineParts } from './parts.ts';
import { isActing } from './plan.ts';
import { Refusal } from './refusal.ts';

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

async function dispatch(
  parts: EngineParts,
  caller: Caller,
  tool: ToolName,
  args: Record<string, unknown>,
  warnings: readonly string[],
  options: CallOptions,
): Promise<Envelope> {
  const grant = grantOf(parts.store, caller.agent);
  if (!mayUseTool(grant, tool)) throw new Refusal('tool_not_granted', { tool });
  if (!isActing(tool)) {
    const again = (name: string, raw: unknown) => call(parts, caller, name, raw, options);
    return carryAsking(tool, args, { parts, caller, grant, warnings, options, again });
  }
  if (grant.act_on.length === 0) throw new Refusal('read_only');
  const named = args.device_id;
  const deviceId = chooseDevice(parts, grant, typeof named === 'string' ? named : undefined);
  if (!mayActOn(grant, parts.store.devices.get(deviceId)?.kind ?? null)) throw new Refusal('read_only');
  return carryAct({ parts, caller, tool, deviceId, args, warnings, options });
}

async function call(
  parts: EngineParts,
  caller: Caller,
  name: string,
  raw: unknown,
  options: CallOptions,
): Promise<Envelope> {
  const began = parts.clock.monotonic();
  const declaration = isToolName(name) ? toolOf(name) : null;
  const acting = declaration?.needsKey ?? false;
  const normal = isToolName(name) ? normaliseArguments(name, raw) : null;
  const readable = normal?.ok === true ? normal.args : raw;
  if (name === 'tool_use' && normal?.ok === true) {
    // Only a way to name another tool: that one passes this very door, under its own name, and is logged so.
    const { tool, arguments: inner } = normal.args;
    const opened = await call(parts, caller, String(tool), inner, options);
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
      task_id: null,
      device_id: null,
      arguments: redactedArguments(declaration, readable),
    });
  } catch (thrown) {
    parts.log(`audit: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return failure(name, 'audit_failed', {}, acting);
  }

  let envelope: Envelope;
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
        await dispatch(parts, caller, name, normal.args, normal.warnings, options),
      );
    } else {
      envelope = normal;
    }
  } catch (thrown) {
    envelope = envelopeOf(parts, name, acting, thrown);
  }

  try {
    const now = parts.clock.monotonic();
    parts.store.audit.complete(
      audit,
      completionOf(envelope, {
        at: parts.clock.now(),
        durationMs: now - began,
        bytesOut: Buffer.byteLength(JSON.stringify(envelope)),
      }),
    );
  } catch (thrown) {
    // What happened has happened and is told; the row stays open, which the log shows as "cut".
    parts.log(`audit: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  return envelope;
}

export function createEngine(parts: EngineParts): Engine {
  return {
    tools: (caller) => listedTools(grantOf(parts.store, caller.agent)),
    call: (caller, tool, args, options = {}) => call(parts, caller, tool, args, options),
    blob: (caller, uri) => {
      const blob = parts.blobs.get(caller.agent, uri);
      return blob === null ? null : { contentType: blob.contentType, base64: blob.bytes.toString('base64') };
    },
    owner: createOwner(parts),
  };
}
