/** Starts the built product as a user does: a host in a process of its own, with its own data directory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const MAIN = join(root, 'dist/host/doors/cli/main.js');

/** A fresh folder for one test, and how to remove it. */
export function freshFolder(name = 'countersign-'): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), name));
  return {
    path,
    remove: () => {
      for (const one of [path, phoneFolder(path)]) rmSync(one, { recursive: true, force: true });
    },
  };
}

/** Where the embedded virtual phone of that data directory keeps its own memory. */
export const phoneFolder = (dataDir: string): string => `${dataDir}-virtual-phone`;

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of stdout as JSON, undefined where it is none. */
  readonly json: unknown;
}

/** Runs `countersign ARGS` to its end. */
export function countersign(
  args: readonly string[],
  options: { env?: Record<string, string>; input?: string } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, ...options.env },
      stdio: 'pipe',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (status) => {
      let json: unknown;
      try {
        json = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
      } catch {
        json = undefined;
      }
      resolve({ status, stdout, stderr, json });
    });
    child.stdin.end(options.input ?? '');
  });
}

export interface RunningHost {
  readonly child: ChildProcess;
  /** The line `start --json` prints once it is ready. */
  readonly ready: Record<string, unknown>;
  stderr(): string;
  /** Ends it as a user does, and waits for the end. */
  stop(): Promise<void>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
}

/** `countersign start --json` on `dataDir`, resolved once it says ready. */
export function startHostProcess(
  dataDir: string,
  more: readonly string[] = ['--virtual'],
  env: Record<string, string> = {},
): Promise<RunningHost> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, 'start', '--json', '--data', dataDir, ...more], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    const ended = new Promise<void>((done) => child.on('close', () => done()));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('close', (status) =>
      reject(new Error(`host ended with ${status} before it was ready: ${stderr}`)),
    );
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const line = stdout.split('\n').find((one) => one.includes('"ready"'));
      if (line === undefined || !stdout.includes(`${line}\n`)) return;
      resolve({
        child,
        ready: JSON.parse(line) as Record<string, unknown>,
        stderr: () => stderr,
        stop: async () => {
          child.kill('SIGTERM');
          await ended;
        },
        kill: async () => {
          child.kill('SIGKILL');
          await ended;
        },
      });
    });
  });
}
