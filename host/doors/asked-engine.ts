/**
 * The engine as a door asks for it, in this process or across the owner socket: the same questions, every
 * answer awaited. Derived from `Engine`, so that the two cannot differ.
 */
import type { ToolName } from '../../device-protocol/tools/tools.ts';
import type { Caller, CallOptions, DoorName, Engine, Owner } from '../engine/engine.ts';

type Asked<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

export interface AskedEngine {
  tools(caller: Caller): Promise<readonly ToolName[]>;
  blob(caller: Caller, uri: string): Promise<ReturnType<Engine['blob']>>;
  call(caller: Caller, tool: string, args: unknown, options?: CallOptions): ReturnType<Engine['call']>;
  callerOf(token: string, door: DoorName): Promise<Caller | null>;
  readonly owner: Asked<Omit<Owner, 'order'>> & Pick<Owner, 'order'>;
}

/** The engine of this process, asked like one of another. */
export function askedHere(engine: Engine): AskedEngine {
  const { owner } = engine;
  return {
    tools: async (caller) => engine.tools(caller),
    blob: async (caller, uri) => engine.blob(caller, uri),
    callerOf: async (token, door) => engine.callerOf(token, door),
    call: (caller, tool, args, options) => engine.call(caller, tool, args, options),
    owner: {
      devices: async () => owner.devices(),
      pending: async () => owner.pending(),
      approve: (confirmationId, how) => owner.approve(confirmationId, how),
      deny: (confirmationId, how) => owner.deny(confirmationId, how),
      stop: (how) => owner.stop(how),
      resume: (how) => owner.resume(how),
      log: async (filter) => owner.log(filter),
      verifyLog: async () => owner.verifyLog(),
      order: (name, params, how) => owner.order(name, params, how),
    },
  };
}
