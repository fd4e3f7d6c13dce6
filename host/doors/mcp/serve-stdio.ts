/**
 * Serves one client over standard input and output until it goes away. Not for where the engine is
 * (host/doors/cli/mcp.ts).
 */
import type { Readable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildServer, type ServerParts } from './build-server.ts';
import { StdioTransport, type WriteLine } from './stdio-transport.ts';

export interface StdioService {
  /** Resolves when the client closed its end, or stopped reading ours. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export function serveClient(parts: ServerParts, input: Readable, write: WriteLine): StdioService {
  const transport = new StdioTransport(input, write);
  const handle = serveStdio(() => buildServer(parts), {
    transport,
    onerror: (error) => parts.log(`mcp: ${error.message}`),
  });
  // serveStdio has set its own; ours comes after it.
  const before = transport.onclose;
  const ended = new Promise<void>((resolve) => {
    transport.onclose = () => {
      before?.();
      resolve();
    };
  });
  return { ended, close: () => handle.close() };
}
