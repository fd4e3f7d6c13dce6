/**
 * The host's side of the owner socket: answers the command line and `countersign mcp` of other processes.
 * Who can connect is the owner's own account (mode 0600 in a 0700 folder). Not for agents over a network.
 */
import { chmodSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import type { Engine } from '../../engine/engine.ts';
import { LineReader, textOf } from '../line-reader.ts';
import {
  type Answer,
  CONNECTIONS,
  isMethod,
  METHODS,
  OPEN_REQUESTS,
  requestSchema,
  SOCKET_ERRORS,
  SOCKET_LINE_BYTES,
  SOCKET_VERSION,
  type SocketErrorCode,
} from './frames.ts';
import { handlersOf } from './handlers.ts';
import { ownerSocketPath, secureFolderOf } from './place.ts';

export interface OwnerSocketParts {
  readonly dataDir: string;
  readonly engine: Engine;
  /** A fresh sign-in link for the owner's console; null where none is served. */
  readonly consoleLink?: () => string | null;
  /** Diagnostics, one line each. */
  readonly log: (line: string) => void;
}

export interface OwnerSocket {
  readonly path: string;
  close(): Promise<void>;
}

/** Another host answers on this data directory's socket. */
export class SocketInUse extends Error {}

/** Whether somebody answers at `path`; a file left behind by a killed host does not. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

export async function serveOwnerSocket(parts: OwnerSocketParts): Promise<OwnerSocket> {
  const { dataDir, log } = parts;
  const path = ownerSocketPath(dataDir);
  secureFolderOf(path);
  if (await answers(path)) throw new SocketInUse('another host answers on this data directory');
  // Whoever left the file is gone: it would only keep us from listening.
  if (process.platform !== 'win32') rmSync(path, { force: true });

  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    serveConnection(socket, parts);
  });
  server.maxConnections = CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.on('error', (error) => log(`owner socket: ${error.message}`));
  if (process.platform !== 'win32') chmodSync(path, 0o600);

  return {
    path,
    close: () =>
      new Promise((resolve) => {
        // Closing removes the socket's file; connections left open would keep it from ending.
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function serveConnection(socket: Socket, { engine, consoleLink, log }: OwnerSocketParts): void {
  const handlers = handlersOf(engine, consoleLink ?? (() => null));
  const waits = new Map<number, AbortController>();
  const say = (answer: Answer | { countersign: number }) => {
    if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`);
  };
  const refuse = (id: number | null, code: SocketErrorCode) =>
    say({ id, error: { code, message: SOCKET_ERRORS[code] } });

  const answer = async (id: number, method: string, raw: unknown) => {
    if (!isMethod(method)) return refuse(id, 'method_unknown');
    if (waits.size >= OPEN_REQUESTS || waits.has(id)) return refuse(id, 'too_many');
    const params = METHODS[method].safeParse(raw ?? {});
    if (!params.success) return refuse(id, 'params_bad');
    const wait = new AbortController();
    waits.set(id, wait);
    try {
      const run = handlers[method] as (params: unknown, options: object) => Promise<unknown>;
      const result = await run(params.data, {
        signal: wait.signal,
        onProgress: (sentence: string) => say({ id, progress: sentence }),
      });
      say({ id, result: result ?? null });
    } catch (error) {
      log(
        `owner socket, ${method}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      refuse(id, 'fault');
    } finally {
      waits.delete(id);
    }
  };

  const read = (line: Buffer) => {
    let value: unknown;
    try {
      value = JSON.parse(textOf(line) ?? '');
    } catch {
      return refuse(null, 'bad_frame');
    }
    const request = requestSchema.safeParse(value);
    if (!request.success) return refuse(null, 'bad_frame');
    if ('cancel' in request.data) waits.get(request.data.cancel)?.abort();
    else void answer(request.data.id, request.data.method, request.data.params);
  };

  const reader = new LineReader(SOCKET_LINE_BYTES, read, () => refuse(null, 'too_long'));
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  // A reset is a close with another word; what it cut off was only waits.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const wait of waits.values()) wait.abort();
  });
  say({ countersign: SOCKET_VERSION });
}
