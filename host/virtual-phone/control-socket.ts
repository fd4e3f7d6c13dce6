/**
 * Carries PhoneControl over a local socket (a named pipe on Windows): one JSON line a call, one an answer.
 * Who may connect is shown by a token in a file of the phone's own folder, which only its user can read.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { CONTROL_CALLS, type ControlCall, type PhoneControl } from './control.ts';

const noteSchema = z.strictObject({ path: z.string(), token: z.string().regex(/^[0-9a-f]{64}$/) });
const callSchema = z.strictObject({
  id: z.int().min(0),
  token: z.string().max(64),
  call: z.enum(CONTROL_CALLS),
  args: z.array(z.unknown()).max(3),
});
const answerSchema = z.strictObject({ id: z.int(), error: z.string().nullable(), value: z.unknown() });

const noteOf = (folder: string) => join(folder, 'control.json');

/** Unix sockets have short names (104 bytes on macOS), so it lies in the temporary folder, named by chance. */
function socketPath(): string {
  const name = `countersign-phone-${randomBytes(8).toString('hex')}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Begins to answer; the result ends it. */
export async function serveControl(folder: string, control: PhoneControl): Promise<() => void> {
  const path = socketPath();
  const token = randomBytes(32).toString('hex');
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).on('line', (line) => void answer(line, token, control, socket));
  });
  const umask = process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(umask);
  }
  writeFileSync(noteOf(folder), JSON.stringify({ path, token }), { mode: 0o600 });
  return () => {
    rmSync(noteOf(folder), { force: true });
    for (const socket of sockets) socket.destroy();
    server.close();
  };
}

async function answer(line: string, token: string, control: PhoneControl, socket: Socket): Promise<void> {
  let id = -1;
  try {
    const call = callSchema.parse(JSON.parse(line));
    id = call.id;
    const given = Buffer.from(call.token.padEnd(64, '-'));
    if (!timingSafeEqual(given, Buffer.from(token))) throw new Error('wrong token');
    const run = control[call.call] as (...args: unknown[]) => Promise<unknown>;
    const value = (await run.apply(control, call.args)) ?? null;
    socket.write(`${JSON.stringify({ id, error: null, value })}\n`);
  } catch (error) {
    socket.write(`${JSON.stringify({ id, error: String(error), value: null })}\n`);
  }
}

export interface ControlConnection extends PhoneControl {
  close(): void;
}

/** Reaches the phone that lives in `folder`. */
export async function reachControl(folder: string): Promise<ControlConnection> {
  const { path, token } = noteSchema.parse(JSON.parse(readFileSync(noteOf(folder), 'utf8')));
  const socket = createConnection(path);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const open = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let next = 0;
  createInterface({ input: socket }).on('line', (line) => {
    const { id, error, value } = answerSchema.parse(JSON.parse(line));
    const waiting = open.get(id);
    open.delete(id);
    if (error === null) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  });
  const gone = () => {
    for (const waiting of open.values()) waiting.reject(new Error('the phone is gone'));
    open.clear();
  };
  socket.on('close', gone);
  socket.on('error', gone);
  const call =
    (name: ControlCall) =>
    (...args: unknown[]) =>
      new Promise<unknown>((resolve, reject) => {
        const id = next++;
        open.set(id, { resolve, reject });
        socket.write(`${JSON.stringify({ id, token, call: name, args })}\n`);
      });
  const calls = Object.fromEntries(CONTROL_CALLS.map((name) => [name, call(name)]));
  return { ...(calls as unknown as PhoneControl), close: () => socket.destroy() };
}
