/**
 * Takes what an agent put on a phone's clipboard off it again when the task is over: by a tracked act like any
 * other, once the phone is there. Not for when (settling.ts).
 */
import { createHash } from 'node:crypto';
import type { Payload } from '../../device-protocol/payload.ts';
import { HOUSE_AGENT } from './agent-names.ts';
import type { EngineParts } from './parts.ts';

const ACT: Payload['act'] = { kind: 'clipboard_write', text: '', sensitive: false };
const LOW: Payload['verdict'] = { level: 'low', decision: 'allow', reasons: [] };
const TIMEOUT_MS = 10_000;
/** Between two tries on a phone that does not let it through, milliseconds: doubling from the first to the last. */
const AGAIN = { first: 15_000, most: 15 * 60_000 } as const;

export class Clipboards {
  /** What was written, as a hash, in this life of the host: somebody else's text since then stays. */
  readonly #written = new Map<string, string>();
  /** After a try that failed: when the next one may be, and how long it is waited then. */
  readonly #later = new Map<string, { readonly atMs: number; readonly waitMs: number }>();

  note(taskId: string, deviceId: string, text: string): void {
    this.#written.set(`${taskId} ${deviceId}`, hashOf(text));
  }

  /** True: nothing of the task is on it any more. False: to be tried again when the phone is there. */
  async clear(parts: EngineParts, taskId: string, deviceId: string): Promise<boolean> {
    const phone = parts.phones.of(deviceId);
    if (phone === null) return parts.store.devices.get(deviceId) === null;
    // Nothing acts while it is stopped, not even this.
    if (parts.tracker.stopped() !== null || phone.stopState().stopped_by !== null) return false;
    const key = `${taskId} ${deviceId}`;
    const later = this.#later.get(key);
    const now = parts.clock.monotonic();
    if (later !== undefined && now < later.atMs) return false;
    const waitMs = Math.min(AGAIN.most, (later?.waitMs ?? AGAIN.first / 2) * 2);
    this.#later.set(key, { atMs: now + waitMs, waitMs });
    const read = await phone.readClipboard().catch(() => null);
    if (read?.refused === 'empty') return this.#done(taskId, deviceId);
    const ours = this.#written.get(`${taskId} ${deviceId}`);
    // Somebody copied something else since. Where it cannot be read, or not be compared, it is emptied.
    if (typeof read?.text === 'string' && ours !== undefined && hashOf(read.text) !== ours)
      return this.#done(taskId, deviceId);
    return (await this.#empty(parts, taskId, deviceId)) && this.#done(taskId, deviceId);
  }

  async #empty(parts: EngineParts, taskId: string, deviceId: string): Promise<boolean> {
    const { tracker, store, clock, chance, running } = parts;
    const began = clock.monotonic();
    const number = store.audit.open({
      at: clock.now(),
      agent: HOUSE_AGENT,
      door: 'engine',
      tool: 'clipboard_write',
      kind: 'repeatable',
      schema_version: 1,
      task_id: taskId,
      device_id: deviceId,
      arguments: { text: { redacted: 'string', length: 0 } },
      running: running(),
    });
    const payload: Payload = {
      version: 1,
      salt: chance.hex(16),
      agent: HOUSE_AGENT,
      act: ACT,
      expect: { package: null, window_title: null, shown_print: null },
      shown: [],
      verdict: LOW,
      run_limit_ms: TIMEOUT_MS - 2_000,
      settle: { reaction_ms: 0, quiet_ms: 0, ceiling_ms: 500 },
    };
    const bound = tracker.bind({
      device_id: deviceId,
      agent: HOUSE_AGENT,
      tool: 'clipboard_write',
      // Emptying twice harms nobody: a try that failed is followed by another.
      idempotency_key: `${taskId} ${chance.hex(4)}`,
      args_hash: hashOf(''),
      payload: JSON.stringify(payload),
      verdict: LOW,
      timeout_ms: TIMEOUT_MS,
      decision: { to: 'ready' },
      display: null,
      lasting: { label: null, role: null },
    });
    const row = bound.ok ? (await tracker.run(bound.row.request_id)).row : null;
    const done = row?.state === 'done' && row.report?.acted === true;
    store.audit.complete(number, {
      at: clock.now(),
      request_id: row?.request_id ?? null,
      state: row?.state ?? null,
      error_code: bound.ok ? (row?.error_code ?? null) : bound.error_code,
      verdict: LOW,
      approval: null,
      strategy: row?.report?.strategy ?? null,
      target: null,
      duration_ms: Math.round(clock.monotonic() - began),
      bytes_out: null,
      tokens_out: null,
      retries: null,
      replayed: false,
      say: done
        ? 'The clipboard was emptied at the end of the task.'
        : 'The clipboard could not be emptied yet.',
      running: running(),
    });
    return done;
  }

  #done(taskId: string, deviceId: string): true {
    this.#written.delete(`${taskId} ${deviceId}`);
    this.#later.delete(`${taskId} ${deviceId}`);
    return true;
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
