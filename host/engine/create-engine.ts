/** Puts a running engine together, of what the composition gives. Not for what a call goes through (engine-door.ts). */
import type { ToolName } from '../../device-protocol/tools/tools.ts';
import { callerOf, standingOf } from './agents.ts';
import { Allowance } from './allowance.ts';
import { createOwner } from './create-owner.ts';
import type { Caller, Engine } from './engine.ts';
import { call, type Door } from './engine-door.ts';
import type { EngineGiven } from './given.ts';
import { grantFrom, isOver, listedTools } from './grants.ts';
import type { EngineParts } from './parts.ts';
import { Questions } from './questions.ts';
import { Refusal } from './refusal.ts';
import { Settling } from './settling.ts';
import { Waits } from './waits.ts';
import { OwnMemory, phonesRemember } from './witnesses.ts';

export interface StartedEngine extends Engine {
  /** Ends timers and waits; nothing more is settled. */
  close(): void;
}

export function createEngine(given: EngineGiven): StartedEngine {
  const { store, clock, chance } = given;
  const life = chance.hex(4);
  const memory = new OwnMemory();
  const parts: EngineParts = {
    ...given,
    allowance: new Allowance(clock, store),
    waits: new Waits(),
    questions: new Questions(clock),
    memory,
    witnesses: () => [...phonesRemember(given), ...memory.remembered],
    running: () => ({ life, up_ms: Math.round(clock.monotonic()) }),
  };
  const settling = new Settling(parts);
  const door: Door = { parts, settling };
  settling.start();
  return {
    tools: (caller) => toolsOf(parts, caller),
    callerOf: (token, name) => callerOf(store, token, name),
    call: (caller, tool, args, options = {}) => call(door, caller, tool, args, options),
    blob: (caller, uri) => {
      const blob = parts.blobs.get(caller.agent, uri);
      return blob === null ? null : { contentType: blob.contentType, base64: blob.bytes.toString('base64') };
    },
    owner: createOwner(parts, settling),
    close: () => {
      settling.close();
      parts.questions.close();
    },
  };
}

/** None for an agent whose token or grant is over: what is denied is not listed. */
function toolsOf({ store, clock }: EngineParts, caller: Caller): readonly ToolName[] {
  try {
    const grant = grantFrom(caller.agent, standingOf(store, caller)?.grant ?? null);
    return isOver(grant, clock.now()) ? [] : listedTools(grant);
  } catch (thrown) {
    if (thrown instanceof Refusal) return [];
    throw thrown;
  }
}
