/**
 * One MCP server over the engine, for every era and transport: lists what the declarations say, hands
 * each call to the engine and gives back its envelope. Decides nothing itself. Not for transports.
 */
import {
  type CallToolResult,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Envelope } from '../../../device-protocol/envelope.ts';
import { type ListingOptions, listTools } from '../../../device-protocol/tools/listing.ts';
import type { Caller } from '../../engine/engine.ts';
import type { AskedEngine } from '../asked-engine.ts';
import { INSTRUCTIONS } from './instructions.ts';

export interface ServerParts {
  readonly engine: AskedEngine;
  /** Proven by the door before any frame is read. */
  readonly caller: Caller;
  readonly listing: ListingOptions;
  readonly version: string;
  readonly log: (line: string) => void;
}

/**
 * No wait of ours stays open longer, whatever was asked: clients of the common SDK give up after 60 s
 * (D-56). Only the wait ends; the answer then says how to go on.
 */
const LONGEST_WAIT_MS = 57_000;

/** How long a client may keep the list: it changes with the owner's grants only. */
const LIST_TTL_MS = 60_000;

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

/** What a picture's answer says of it; absent on every other answer. */
const pictured = z.looseObject({
  blob: z.string(),
  preview: z.string(),
  content_type: z.string(),
  bytes: z.number(),
});

type Blob = Awaited<ReturnType<AskedEngine['blob']>>;
type Content = CallToolResult['content'];

/** The small picture to look at at once, and a link to the whole one. */
async function pictureBlocks(envelope: Envelope, blobOf: (uri: string) => Promise<Blob>): Promise<Content> {
  const said = envelope.ok ? pictured.safeParse(envelope.result) : null;
  if (said === null || !said.success) return [];
  const { blob, preview, content_type, bytes } = said.data;
  const small = await blobOf(preview);
  return [
    ...(small === null ? [] : [{ type: 'image' as const, data: small.base64, mimeType: small.contentType }]),
    { type: 'resource_link', uri: blob, name: 'screenshot', mimeType: content_type, size: bytes },
  ];
}

/** An envelope as MCP carries it: structured, and the same as text for clients that read only text. */
export function callResultOf(envelope: Envelope, blocks: Content = []): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(envelope) }, ...blocks],
    structuredContent: envelope,
    ...(envelope.ok ? {} : { isError: true }),
  };
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
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    },
  );

  server.setRequestHandler('tools/list', async (request) => {
    if (request.params?.cursor !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor: the list has one page.');
    }
    const allowed = await engine.tools(caller);
    return { tools: listTools(allowed, listing).map((tool) => ({ ...tool })) };
  });

  server.setRequestHandler('tools/call', { params: callParams }, async (params, ctx) => {
    const progress = progressOf(ctx, log);
    try {
      const envelope = await engine.call(caller, params.name, params.arguments, {
        signal: AbortSignal.any([ctx.mcpReq.signal, AbortSignal.timeout(LONGEST_WAIT_MS)]),
        onProgress: progress.say,
      });
      return callResultOf(envelope, await pictureBlocks(envelope, (uri) => engine.blob(caller, uri)));
    } finally {
      progress.end();
    }
  });

  // Pictures are found only by the address an answer gave; there is nothing to list.
  server.setRequestHandler('resources/list', async () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async (request) => {
    const { uri } = request.params;
    const blob = await engine.blob(caller, uri);
    if (blob === null) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'There is no such resource, or it is not kept any longer: take a new picture with screen_screenshot.',
      );
    }
    return { contents: [{ uri, mimeType: blob.contentType, blob: blob.base64 }] };
  });

  server.onerror = (error) => log(`mcp: ${error.message}`);
  return server;
}
