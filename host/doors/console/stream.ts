/**
 * What the console shows, pushed as it changes: one stream a tab, whole parts, each only when it differs
 * from what that tab has. Not for questions (routes.ts).
 */
import type { ServerResponse } from 'node:http';
import type { AskedEngine } from '../asked-engine.ts';

/** How often the host is looked at while anybody watches; what a person takes for at once. */
export const LOOK_EVERY_MS = 100;
/** A sign of life at least so often: a page that hears nothing says that it is stale. */
export const BEAT_EVERY_MS = 2_000;
/** Entries of the log that travel by themselves; older ones are asked for. */
const LOG_LAST = 200;

export interface StreamParts {
  readonly owner: AskedEngine['owner'];
  /** Milliseconds that never go back. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

type Part = 'devices' | 'pending' | 'log';

export class Streams {
  readonly #parts: StreamParts;
  /** Each open stream, and what it was sent last of every part. */
  readonly #open = new Map<ServerResponse, { readonly sent: Map<Part, string>; saidAtMs: number }>();
  #timer: NodeJS.Timeout | null = null;
  #looking = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Takes over `response` until the page goes away. */
  add(response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    this.#open.set(response, { sent: new Map(), saidAtMs: Number.NEGATIVE_INFINITY });
    response.on('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.#rest();
    });
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS);
    void this.#look();
  }

  #rest(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #look(): Promise<void> {
    if (this.#looking || this.#open.size === 0) return;
    this.#looking = true;
    try {
      const { owner } = this.#parts;
      const [devices, pending, log] = await Promise.all([
        owner.devices(),
        owner.pending(),
        owner.log({ last: LOG_LAST }),
      ]);
      const now = this.#parts.now();
      const parts = Object.entries({ devices, pending, log }) as [Part, unknown][];
      const texts = parts.map(([part, value]) => [part, JSON.stringify(value)] as const);
      for (const [response, tab] of this.#open) {
        for (const [part, text] of texts) {
          if (tab.sent.get(part) === text) continue;
          tab.sent.set(part, text);
          tab.saidAtMs = now;
          response.write(`event: ${part}\ndata: ${text}\n\n`);
        }
        if (now - tab.saidAtMs < BEAT_EVERY_MS) continue;
        tab.saidAtMs = now;
        response.write('event: beat\ndata: {}\n\n');
      }
    } catch (error) {
      this.#parts.log(`console: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#looking = false;
    }
  }

  close(): void {
    this.#rest();
    for (const response of this.#open.keys()) response.end();
    this.#open.clear();
  }
}
