/**
 * Starts a virtual phone as a child process that lives as long as we do: what the host's composition and
 * the tests call. Not for the phone itself (main.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type ControlConnection, reachControl } from './control-socket.ts';
import type { PhoneOrder } from './options.ts';

export interface SpawnedPhone {
  readonly pid: number;
  readonly stateFolder: string;
  /** The tests' side channel; only where the order asked for `control`. */
  control(): Promise<ControlConnection>;
  /** Resolves with the exit code, or null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Asks it to end, and kills it where it does not within two seconds. */
  stop(): Promise<void>;
}

const upSchema = z.strictObject({ up: z.literal(true), state_folder: z.string() });
const STOP_MS = 2_000;

/** Resolves once the phone is up (not yet connected); rejects with its own words where it ends before. */
export async function spawnVirtualPhone(
  order: PhoneOrder,
  log: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Promise<SpawnedPhone> {
  const child = spawn(process.execPath, programOf(), { stdio: ['pipe', 'pipe', 'pipe'] });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line);
    if (said.length > 20) said.shift();
    log(line);
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  // A child that dies early breaks the pipe; its exit says why.
  child.stdin.on('error', () => {});
  child.stdin.write(`${JSON.stringify({ ...order, live_with_stdin: true })}\n`);
  const up = await new Promise<z.infer<typeof upSchema>>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) =>
      resolve(upSchema.parse(JSON.parse(line))),
    );
    child.once('error', reject);
    void ended.then(() => reject(new Error(lastWords(said))));
  });
  return {
    pid: child.pid ?? -1,
    stateFolder: up.state_folder,
    control: () => reachControl(up.state_folder),
    ended,
    stop: () => stopChild(child, ended),
  };
}

/** Its own sentence, else what Node said of the fault. */
function lastWords(said: readonly string[]): string {
  const line =
    said.findLast((one) => one.startsWith('virtual phone: ')) ?? said.find((one) => one.includes('Error'));
  return line ?? 'the virtual phone ended before it was up';
}

async function stopChild(child: ChildProcess, ended: Promise<number | null>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}

/** From the build the built program; from the sources the source, through the loader the tests use. */
function programOf(): string[] {
  const built = import.meta.url.endsWith('.js');
  const main = fileURLToPath(new URL(built ? './main.js' : './main.ts', import.meta.url));
  return built ? [main] : ['--import', 'tsx', main];
}
