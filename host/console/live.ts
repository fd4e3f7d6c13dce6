/**
 * What the host pushes, kept as the newest of every part, and how fresh it is. Comes back by itself after
 * the host was started again. Not for drawing.
 */
import type { DeviceView, LogEntry, PendingView } from '../engine/engine.ts';
import { openStream, SignedOut } from './ask.ts';

export interface Parts {
  readonly devices: readonly DeviceView[];
  readonly pending: readonly PendingView[];
  readonly log: readonly LogEntry[];
}

export type Link =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'stale'; readonly since: number }
  | { readonly state: 'signed_out' };

export interface Seen {
  readonly link: Link;
  /** Null until the host has said it once. */
  readonly parts: { readonly [P in keyof Parts]: Parts[P] | null };
}

/** The host beats every two seconds; two beats missed is stale. */
const STALE_MS = 5_000;
const BACK_OFF_MS = [300, 600, 1_200, 2_400, 4_000] as const;

/** Events of a stream, as they are complete. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ name: string; data: string }> {
  const reader = body
    // The two types differ in what a writable side may take, and only there.
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string?]);
      const of = (name: string) => fields.find(([key]) => key === name)?.[1] ?? '';
      yield { name: of('event'), data: of('data') };
    }
  }
}

/** Follows the host until `signal` ends it; `tell` gets every change. */
export async function follow(tell: (seen: Seen) => void, signal: AbortSignal): Promise<void> {
  let seen: Seen = { link: { state: 'connecting' }, parts: { devices: null, pending: null, log: null } };
  let heardAt = Date.now();
  const change = (next: Partial<Seen>) => {
    seen = { ...seen, ...next };
    tell(seen);
  };
  const watch = setInterval(() => {
    const quiet = Date.now() - heardAt > STALE_MS;
    if (quiet && seen.link.state !== 'stale') change({ link: { state: 'stale', since: heardAt } });
  }, 500);
  signal.addEventListener('abort', () => clearInterval(watch));
  for (let failed = 0; !signal.aborted; failed += 1) {
    const attempt = new AbortController();
    const end = () => attempt.abort();
    signal.addEventListener('abort', end);
    // A host that hangs sends nothing and ends nothing: give that stream up and dial anew.
    const hang = setInterval(() => {
      if (Date.now() - heardAt > 2 * STALE_MS && failed === 0) attempt.abort();
    }, 1_000);
    try {
      const answer = await openStream(attempt.signal);
      if (answer.body === null) throw new Error('no stream');
      for await (const { name, data } of eventsOf(answer.body)) {
        heardAt = Date.now();
        failed = 0;
        const parts = name in seen.parts ? { ...seen.parts, [name]: JSON.parse(data) } : seen.parts;
        change({ parts, link: { state: 'live' } });
      }
    } catch (error) {
      if (error instanceof SignedOut) {
        clearInterval(watch);
        clearInterval(hang);
        change({ link: { state: 'signed_out' } });
        return;
      }
      // The link is down: the banner says so in a moment, and the next attempt follows.
    } finally {
      clearInterval(hang);
      signal.removeEventListener('abort', end);
    }
    const wait = BACK_OFF_MS[Math.min(failed, BACK_OFF_MS.length - 1)] ?? 4_000;
    await new Promise((resolve) => setTimeout(resolve, wait * (0.75 + Math.random() / 2)));
  }
}
