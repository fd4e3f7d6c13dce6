/**
 * The other processes' side of the owner socket: an engine asked across it. Not for starting a host where
 * none runs.
 */
import { createConnection, type Socket } from 'node:net';
import { envelopeSchema, failure } from '../../../device-protocol/envelope.ts';
import { isToolName, type ToolName, toolOf } from '../../../device-protocol/tools/tools.ts';
import type {
  Caller,
  CallOptions,
  DeviceView,
  Engine,
  LogEntry,
  OwnerAnswer,
  OwnerCheck,
  PendingView,
} from '../../engine/engine.ts';
import type { AskedEngine } from '../asked-engine.ts';
import { LineReader, textOf } from '../line-reader.ts';
import {
  answerSchema,
  greetingSchema,
  jsonOf,
  type Method,
  type Params,
  SOCKET_LINE_BYTES,
  SOCKET_VERSION,
} from './frames.ts';
import { ownerSocketPath } from './place.ts';

export type HostErrorCode = 'host_not_running' | 'host_gone' | 'host_other_version' | 'host_refused';

/** Why a host could not be asked, or did not answer. */
export class HostError extends Error {
  readonly code: HostErrorCode;
  constructor(code: HostErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface RemoteEngine extends AskedEngine {
  /** A fresh sign-in link for the owner's console; null where the host serves none. */
  consoleLink(): Promise<string | null>;
  close(): void;
}

interface Open {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: HostError) => void;
  readonly onProgress: ((say: string) => void) | undefined;
}

const GREETING_MS = 5_000;

/** One connection: requests by number, answers in any order. */
class Connection {
  private readonly socket: Socket;
  private readonly open = new Map<number, Open>();
  private next = 0;
  private gone: HostError | null = null;
  private greeted: ((version: number) => void) | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
    const reader = new LineReader(
      SOCKET_LINE_BYTES,
      (line) => this.read(line),
      () => this.end('the host’s answer was too long'),
    );
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', (error) => this.end(error.message));
    socket.on('close', () => this.end('the host ended the connection'));
  }

  get alive(): boolean {
    return this.gone === null;
  }

  greeting(): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new HostError('host_gone', 'the host does not answer')),
        GREETING_MS,
      );
      this.greeted = (version) => {
        clearTimeout(timer);
        resolve(version);
      };
      this.socket.once('close', () => {
        clearTimeout(timer);
        reject(this.gone ?? new HostError('host_gone', 'the host ended the connection'));
      });
    });
  }

  ask<M extends Method>(method: M, params: Params<M>, options: CallOptions = {}): Promise<unknown> {
    const { gone } = this;
    if (gone !== null) return Promise.reject(gone);
    const id = this.next++;
    const { signal, onProgress } = options;
    const cancel = () => this.write({ cancel: id });
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject, onProgress });
      this.write({ id, method, params });
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    }).finally(() => {
      this.open.delete(id);
      signal?.removeEventListener('abort', cancel);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private write(frame: unknown): void {
    if (this.socket.writable) this.socket.write(`${jsonOf(frame)}\n`);
  }

  private read(line: Buffer): void {
    let value: unknown;
    try {
      value = JSON.parse(textOf(line) ?? '');
    } catch {
      this.end('the host’s answer was not JSON');
      return;
    }
    if (this.greeted === null) {
      this.answer(value);
      return;
    }
    const greeting = greetingSchema.safeParse(value);
    this.greeted(greeting.success ? greeting.data.countersign : -1);
    this.greeted = null;
  }

  private answer(value: unknown): void {
    const answer = answerSchema.safeParse(value);
    if (!answer.success) {
      this.end('the host’s answer could not be read');
      return;
    }
    const waiting = answer.data.id === null ? undefined : this.open.get(answer.data.id);
    if ('progress' in answer.data) waiting?.onProgress?.(answer.data.progress);
    else if ('result' in answer.data) waiting?.resolve(answer.data.result);
    else
      waiting?.reject(
        new HostError('host_refused', `${answer.data.error.code}: ${answer.data.error.message}`),
      );
  }

  private end(why: string): void {
    if (this.gone === null) this.gone = new HostError('host_gone', why);
    for (const waiting of this.open.values()) waiting.reject(this.gone);
    this.open.clear();
    this.socket.destroy();
  }
}

async function connect(dataDir: string): Promise<Connection> {
  const socket = createConnection(ownerSocketPath(dataDir));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (error: NodeJS.ErrnoException) =>
      // Nobody listens, or the file was left behind by a host that was killed.
      reject(
        new HostError('host_not_running', `no host runs on this data directory (${error.code ?? 'no code'})`),
      ),
    );
  });
  const connection = new Connection(socket);
  const version = await connection.greeting();
  if (version !== SOCKET_VERSION) {
    connection.close();
    throw new HostError(
      'host_other_version',
      'The running host is of another version; end it and start it again from this one.',
    );
  }
  return connection;
}

/** The running host of a data directory. Throws HostError `host_not_running` where there is none. */
export async function connectEngine(dataDir: string): Promise<RemoteEngine> {
  let connection = await connect(dataDir);
  /** A host that was started again is found again, so that an agent's client need not be restarted (D-57). */
  const present = async () => {
    if (!connection.alive) connection = await connect(dataDir);
    return connection;
  };
  const ask = async <M extends Method>(method: M, params: Params<M>) => (await present()).ask(method, params);

  return {
    close: () => connection.close(),
    consoleLink: async () => (await ask('console_link', {})) as string | null,
    blob: async (caller, uri) => (await ask('blob', { caller, uri })) as ReturnType<Engine['blob']>,
    callerOf: async (token, door) => (await ask('caller_of', { token, door })) as Caller | null,
    tools: async (caller) => (await ask('tools', { caller })) as readonly ToolName[],
    call: async (caller, tool, args, options) => {
      const acting = isToolName(tool) && toolOf(tool).effect !== 'reads';
      let handedOn = false;
      const once = async () => {
        const there = await present();
        handedOn = true;
        return envelopeSchema.parse(await there.ask('call', { caller, tool, args: args ?? {} }, options));
      };
      try {
        // A host that ended under the call and is back already is asked again: a read may be repeated, and
        // an act carries the key by which it happens at most once.
        return await once().catch((error: unknown) => {
          if (error instanceof HostError && error.code === 'host_gone') return once();
          throw error;
        });
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        // An act that was handed on may have happened; one that never left us, or a read, cannot.
        const effect = acting && handedOn ? 'unknown' : 'none';
        return failure(tool, 'host_gone', { effect }, acting);
      }
    },
    // Both sides are this program at one version, so these shapes are its own types.
    owner: {
      devices: async () => (await ask('devices', {})) as DeviceView[],
      pending: async () => (await ask('pending', {})) as PendingView[],
      approve: async (confirmation_id, how) =>
        (await ask('approve', { confirmation_id, how })) as OwnerAnswer,
      deny: async (confirmation_id, how) => (await ask('deny', { confirmation_id, how })) as OwnerAnswer,
      stop: async (how) => (await ask('stop', { how })) as OwnerAnswer,
      resume: async (how) => (await ask('resume', { how })) as OwnerAnswer,
      log: async ({ last, requestId }) =>
        (await ask('log', {
          ...(last === undefined ? {} : { last }),
          ...(requestId === undefined ? {} : { request_id: requestId }),
        })) as LogEntry[],
      verifyLog: async () => (await ask('verify', {})) as OwnerCheck,
      order: async (name, params, how) => (await ask('order', { name, params, how })) as never,
    },
  };
}
