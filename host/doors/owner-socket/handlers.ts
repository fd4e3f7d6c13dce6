/** What each method of the owner socket asks of the engine. Not for frames or waits (server.ts). */
import type { CallOptions, Engine } from '../../engine/engine.ts';
import type { OrderName } from '../../engine/orders.ts';
import type { Method, Taken } from './frames.ts';

type Handlers = { readonly [M in Method]: (params: Taken<M>, options: CallOptions) => Promise<unknown> };

/** `consoleLink` answers null where no console is served. */
export function handlersOf(engine: Engine, consoleLink: () => string | null): Handlers {
  const { owner } = engine;
  return {
    tools: async ({ caller }) => engine.tools(caller),
    call: ({ caller, tool, args }, options) => engine.call(caller, tool, args, options),
    blob: async ({ caller, uri }) => engine.blob(caller, uri),
    devices: async () => owner.devices(),
    pending: async () => owner.pending(),
    approve: ({ confirmation_id, how }) => owner.approve(confirmation_id, how),
    deny: ({ confirmation_id, how }) => owner.deny(confirmation_id, how),
    stop: ({ how }) => owner.stop(how),
    resume: ({ how }) => owner.resume(how),
    log: async ({ last, request_id }) =>
      owner.log({
        ...(last === undefined ? {} : { last }),
        ...(request_id === undefined ? {} : { requestId: request_id }),
      }),
    verify: async () => owner.verifyLog(),
    caller_of: async ({ token, door }) => engine.callerOf(token, door),
    order: ({ name, params, how }) => owner.order(name as OrderName, params as never, how),
    console_link: async () => consoleLink(),
  };
}
