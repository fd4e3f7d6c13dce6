/** A child process spoken to by JSON lines, every line of its output kept and checked. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The built program: what is started as a process runs from the build, which `npm test` makes first. */
export const PROGRAM = 'dist/host/doors/cli/main.js';

export interface Answer {
  readonly id?: string | number | null;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire holds.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface StdioChild {
  readonly process: ChildProcess;
  readonly lines: string[];
  readonly errors: string[];
  readonly exited: Promise<number | null>;
  send(frame: unknown): void;
  raw(bytes: string | Buffer): void;
  /** The next line, past or to come, that fits. */
  next(fits: (answer: Answer) => boolean): Promise<Answer>;
  request(id: number, method: string, params?: unknown): Promise<Answer>;
  open(): Promise<Answer>;
  end(): Promise<number | null>;
}

export function stdioChild(args: readonly string[], env: NodeJS.ProcessEnv = process.env): StdioChild {
  const child = spawn(process.execPath, [...args], { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const errors: string[] = [];
  const waiting = new Set<() => void>();
  let over = false;
  const wake = () => {
    for (const look of [...waiting]) look();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    wake();
  });
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  child.stdin.on('error', () => {});
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      over = true;
      wake();
      resolve(code);
    }),
  );
  const self: StdioChild = {
    process: child,
    lines,
    errors,
    exited,
    send: (frame) => void child.stdin.write(`${JSON.stringify(frame)}\n`),
    raw: (bytes) => void child.stdin.write(bytes),
    next: (fits) =>
      new Promise((resolve, reject) => {
        let seen = 0;
        const look = () => {
          for (; seen < lines.length; seen++) {
            const answer = JSON.parse(lines[seen] ?? '') as Answer;
            if (fits(answer)) {
              waiting.delete(look);
              resolve(answer);
              return;
            }
          }
          if (over) {
            waiting.delete(look);
            reject(new Error(`the process ended first; it said: ${errors.join('\n')}`));
          }
        };
        waiting.add(look);
        look();
      }),
    request: (id, method, params = {}) => {
      self.send({ jsonrpc: '2.0', id, method, params });
      return self.next((answer) => answer.id === id && answer.method === undefined);
    },
    open: async () => {
      const answer = await self.request(0, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '0' },
      });
      self.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return answer;
    },
    end: () => {
      child.stdin.end();
      return exited;
    },
  };
  return self;
}

export const fakeMcp = (...args: string[]) =>
  stdioChild(['--import', 'tsx', 'test/doors/fake-mcp.ts', ...args]);

export const countersignMcp = (...args: string[]) => stdioChild([PROGRAM, 'mcp', ...args]);
