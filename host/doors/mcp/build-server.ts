/**
 * One MCP server over the engine, for every era and transport: lists what the declarations say, hands
 * each call to the engine and gives back its envelope. Decides nothing itself. Not for transports.
 */
import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { failure } from '../../../device-protocol/envelope.ts';
import { type ListingOptions, listTools } from '../../../device-protocol/tools/listing.ts';
import { isToolName, toolOf } from '../../../device-protocol/tools/tools.ts';
import type { Caller } from '../../engine/engine.ts';
import type { AskedEngine } from '../asked-engine.ts';
import { callResultOf, pictureBlocks } from './call-result.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { serveResources } from './resources.ts';
import { serveSkills } from './skills.ts';

export interface ServerParts {
  readonly engine: AskedEngine;
  /** Proven by the door before any frame is read. */
  readonly caller: Caller;
  readonly listing: ListingOptions;
  readonly version: string;
  /** Default LONGEST_WAIT_MS. */
  readonly longestWaitMs?: number;
  readonly log: (line: string) => void;
}

/**
 * No wait of ours stays open longer, whatever was asked: clients of the common SDK give up after 60 s
 * (D-56). Only the wait ends; the answer then says how to go on.
 */
export const LONGEST_WAIT_MS = 57_000;

/** A client keeps no list: the owner's grants hold from the next request on. */
const LIST_TTL_MS = 0;

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

const callParams = z.looseObject({ name: z.string(), arguments: z.unknown() });

/**
 * The SDK's own check of `tools/call` refuses arguments that are no object as a protocol fault and drops
 * names such as `__proto__` silently. Both are the engine's to refuse, with a code and a valid call, so
 * the frame is checked without its arguments and these are handed on as they came.
 */
class ToolServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    return (request, ctx) => {
      const { arguments: raw, ...params } = (request.params ?? {}) as { arguments?: unknown };
      const withRaw: Handler = (checked, inner) =>
        handler({ ...checked, params: { ...checked.params, arguments: raw } }, inner);
      return super._wrapHandler(method, withRaw)({ ...request, params }, ctx);
    };
  }
}

/**
 * A thrown error's text would reach the model as it is, paths and all: only what is meant for a client
 * passes, everything else becomes one fixed sentence, and the diagnostics keep the rest.
 */
async function guarded<T>(log: (line: string) => void, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    log(`mcp, ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'The Countersign host cannot be asked just now.',
    );
  }
}

/** Sends progress with rising numbers while `open`, only where the client asked for it. */
function progressOf(ctx: ServerContext, log: (line: string) => void) {
  const token = ctx.mcpReq._meta?.progressToken;
  let sent = 0;
  let open = token !== undefined;
  return {
    say: (message: string) => {
      if (!open || token === undefined) return;
      sent += 1;
      ctx.mcpReq
        .notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress: sent, message },
        })
        // The client is gone; its call ends by the signal, only this sentence is lost.
        .catch((error: unknown) => log(`progress not sent: ${String(error)}`));
    },
    end: () => {
      open = false;
    },
  };
}

/** A server for one connection; all state lives in the engine, so any number of them may stand side by side. */
export function buildServer(parts: ServerParts): Server {
  const { engine, caller, listing, version, log } = parts;
  const server = new ToolServer(
    { name: 'countersign', title: 'Countersign', version },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false },
      },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    },
  );

  server.setRequestHandler('tools/list', async (request) => {
    if (request.params?.cursor !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor: the list has one page.');
    }
    const allowed = await guarded(log, 'tools/list', () => engine.tools(caller));
    return { tools: listTools(allowed, listing).map((tool) => ({ ...tool })) };
  });

  server.setRequestHandler('tools/call', { params: callParams }, async (params, ctx) => {
    const progress = progressOf(ctx, log);
    const wait = new AbortController();
    const end = () => wait.abort();
    const timer = setTimeout(end, parts.longestWaitMs ?? LONGEST_WAIT_MS);
    if (ctx.mcpReq.signal.aborted) end();
    ctx.mcpReq.signal.addEventListener('abort', end);
    try {
      const envelope = await engine.call(caller, params.name, params.arguments, {
        signal: wait.signal,
        onProgress: progress.say,
      });
      return callResultOf(envelope, await pictureBlocks(envelope, (uri) => engine.blob(caller, uri)));
    } catch (error) {
      // The engine answers every failure by an envelope; what is thrown is a fault of the way to it.
      log(
        `mcp, ${params.name.slice(0, 64)}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      const acting = isToolName(params.name) && toolOf(params.name).effect !== 'reads';
      const details = { came: 'in its diagnostics', effect: acting ? 'unknown' : 'none' } as const;
      return callResultOf(failure(params.name.slice(0, 64), 'internal', details, acting));
    } finally {
      clearTimeout(timer);
      progress.end();
    }
  });

  serveSkills(server);
  serveResources(server, (uri) => guarded(log, 'resources/read', () => engine.blob(caller, uri)));
  server.onerror = (error) => log(`mcp: ${error.message}`);
  return server;
}
