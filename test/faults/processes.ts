/** A real host and a real virtual phone as processes that can be killed and started again. Not for what happens. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PRELOAD = here('crash-point.mjs');
const HOST = here('host-main.mjs');
const PHONE = here('../../dist/host/virtual-phone/main.js');

/** How long a start and an end may take on a busy machine, milliseconds. */
const START_MS = 30_000;
const END_MS = 10_000;

/** A program that is started, dies, and is started again. */
export class Mortal {
  readonly name: string;
  readonly #args: readonly string[];
  readonly #order: string | null;
  #child: ChildProcess | null = null;
  /** Called at every death by SIGKILL, its own crash points included. */
  onKilled: () => void = () => {};
  said: string[] = [];

  constructor(name: string, args: readonly string[], order: object | null) {
    this.name = name;
    this.#args = args;
    this.#order = order === null ? null : `${JSON.stringify(order)}\n`;
  }

  get alive(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves once it says that it is up, or has died before; `crash` as crash-point.mjs reads it. */
  async start(crash = ''): Promise<void> {
    const child = spawn(process.execPath, ['--import', PRELOAD, ...this.#args], {
      env: { ...process.env, COUNTERSIGN_CRASH: crash },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdin.on('error', () => {
      // It died before it had read its order; the exit says so.
    });
    if (this.#order !== null) child.stdin.write(this.#order);
    createInterface({ input: child.stderr }).on('line', (line) => {
      this.said = [...this.said.slice(-30), line];
    });
    const died = new Promise<void>((resolve) =>
      child.once('exit', (_code, signal) => {
        if (signal === 'SIGKILL') this.onKilled();
        resolve();
      }),
    );
    const up = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    const failed = new Promise<void>((resolve) => child.once('error', () => resolve()));
    // A program that is neither up nor dead by then is no use: it is ended, and the next start tries again.
    const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
    await Promise.race([up, died, failed]);
    clearTimeout(late);
  }

  /** Ends it by `signal` and waits for the end. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === null || !this.alive) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await gone;
    clearTimeout(late);
  }
}

export const hostProcess = (dataDir: string, port: number) =>
  new Mortal('host', [HOST, dataDir, String(port)], null);

export const phoneProcess = (order: object) => new Mortal('phone', [PHONE], order);
