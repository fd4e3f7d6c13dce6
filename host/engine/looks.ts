/**
 * Keeps the looks of every phone for as long as their ids live, and tells them to agents under the policy
 * of what may be seen. Not for reading a snapshot (host/screen) or planning with one (look.ts).
 */
import { z } from 'zod';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import type { HostClock } from '../devices/clock.ts';
import type { PhonesApi } from '../devices/phone-api.ts';
import { tellSince } from '../screen/delta.ts';
import { findWords } from '../screen/find.ts';
import { observe } from '../screen/observe.ts';
import { pictureOf, SMALL_SIDE } from '../screen/picture.ts';
import { FIRST_LOOK, type RefMemory } from '../screen/refs.ts';
import { DETAILS, type Detail, tell } from '../screen/tell.ts';
import type { StoreApi } from '../store/store-api.ts';
import type { Blobs } from './blobs.ts';
import type { Judging } from './judging.ts';
import { Look } from './look.ts';
import { Refusal } from './refusal.ts';

/** An observation lives ten minutes or two hundred looks, whichever ends first (contracts.md). */
const LIFE = { ms: 10 * 60_000, looks: 200 } as const;

export interface LooksParts {
  readonly store: StoreApi;
  readonly phones: PhonesApi;
  readonly judging: Judging;
  readonly clock: HostClock;
  readonly blobs: Blobs;
}

interface Kept {
  readonly looks: readonly Look[];
  readonly memory: RefMemory;
}

/** Elements of one answer of `screen_find`. */
const MOST_FOUND = 30;

const cursorSchema = z.strictObject({
  device: z.string(),
  observation: z.string(),
  detail: z.enum(DETAILS),
  from: z.int().min(0),
});

const writeCursor = (of: z.infer<typeof cursorSchema>) =>
  Buffer.from(JSON.stringify(of)).toString('base64url');

function readCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    // Not one of ours: the schema refuses it.
    return null;
  }
}

const heading = (look: Look) => ({
  observation_id: look.observationId,
  device_id: look.deviceId,
  observed_at: new Date(look.at).toISOString(),
});

/** Which app is in front, and that its content is withheld: nothing else of it. */
function withheldObservation(look: Look, category: string): Record<string, unknown> {
  const app = look.snapshot.foreground.package ?? 'unknown app';
  const say = `The content of ${app} (${category.replaceAll('_', ' ')}) is withheld from you. Go home or back, or ask the owner.`;
  return {
    ...heading(look),
    text: `app ${app}\n! ${say}`,
    notes: [{ code: 'withheld', say }],
    truncated: false,
    next_cursor: null,
  };
}

export interface TellOptions {
  readonly detail: 'summary' | 'full' | 'text';
  readonly since?: string | undefined;
}

export class Looks {
  readonly #parts: LooksParts;
  readonly #kept = new Map<string, Kept>();

  constructor(parts: LooksParts) {
    this.#parts = parts;
  }

  /** Looks now. Throws PhoneError, or Refusal where the phone is away. */
  async fresh(
    deviceId: string,
    options: {
      readonly signal?: AbortSignal | undefined;
      readonly settleMs?: number;
      readonly statusBar?: boolean;
    } = {},
  ): Promise<Look> {
    const phone = this.#parts.phones.of(deviceId);
    if (phone === null) throw new Refusal('device_offline', { device_id: deviceId });
    const looked = await phone.look({
      settleMs: options.settleMs ?? 0,
      screenshot: false,
      signal: options.signal,
    });
    return this.remember(deviceId, looked.snapshot, this.#parts.clock.now(), {
      statusBar: options.statusBar ?? false,
    });
  }

  /** Gives a snapshot its observation id and refs, and keeps it. Indices mean the same veiled or not. */
  remember(
    deviceId: string,
    snapshot: Snapshot,
    at: number,
    reading: { readonly statusBar: boolean } = { statusBar: false },
  ): Look {
    const { counters } = this.#parts.store;
    const kept = this.#kept.get(deviceId) ?? { looks: [], memory: FIRST_LOOK };
    const { seen, memory } = observe(this.#parts.judging.veiled(snapshot), kept.memory, {
      ...reading,
      takeRef: () => counters.next(deviceId, 'ref'),
    });
    const look = new Look({
      observationId: `o${counters.next(deviceId, 'observation')}`,
      deviceId,
      at,
      snapshot,
      seen,
    });
    const looks = [...kept.looks, look].slice(-LIFE.looks);
    this.#kept.set(deviceId, { looks, memory });
    return look;
  }

  /** The look of that id; refused as unknown where it never was, is another phone's, or is too old. */
  get(deviceId: string, observationId: string): Look {
    const oldest = this.#parts.clock.now() - LIFE.ms;
    const look = this.#kept.get(deviceId)?.looks.find((one) => one.observationId === observationId);
    if (look === undefined || look.at < oldest) {
      throw new Refusal('observation_unknown', { field: 'observation_id', came: observationId });
    }
    return look;
  }

  /** The look as an agent gets it: withheld apps by name only, everything else within the budget. */
  tell(look: Look, _agent: string, options: TellOptions): Record<string, unknown> {
    const { judging } = this.#parts;
    const seeing = judging.seeing(look.snapshot);
    if (!seeing.see) return withheldObservation(look, seeing.withheld);
    if (options.since === undefined) return this.#told(look, { detail: options.detail, from: 0 });
    const before = this.get(look.deviceId, options.since);
    // What the agent was never shown has nothing to be compared with.
    if (!judging.seeing(before.snapshot).see) return this.#told(look, { detail: options.detail, from: 0 });
    const told = tellSince(look.seen, before.seen, options.since, { detail: options.detail });
    if (told.delta === null) return this.#told(look, { detail: options.detail, from: 0 });
    return {
      ...this.#told(look, { detail: options.detail, from: 0 }),
      text: told.text,
      since: options.since,
      delta: told.delta,
    };
  }

  /** The rest of a cut observation. */
  goOn(deviceId: string, cursor: string, _agent: string): Record<string, unknown> {
    const read = cursorSchema.safeParse(readCursor(cursor));
    if (!read.success || read.data.device !== deviceId) throw new Refusal('cursor_bad', { field: 'cursor' });
    const look = this.get(deviceId, read.data.observation);
    const seeing = this.#parts.judging.seeing(look.snapshot);
    if (!seeing.see) return withheldObservation(look, seeing.withheld);
    return this.#told(look, read.data);
  }

  #told(look: Look, part: { readonly detail: Detail; readonly from: number }): Record<string, unknown> {
    const told = tell(look.seen, part);
    const cursor =
      told.next === null
        ? null
        : writeCursor({
            device: look.deviceId,
            observation: look.observationId,
            detail: part.detail,
            from: told.next,
          });
    return {
      ...heading(look),
      text: told.text,
      notes: look.seen.notes.map(({ code, say, count }) => ({
        code,
        say,
        ...(count === undefined ? {} : { count }),
      })),
      truncated: told.truncated,
      ...(told.truncated ? { cut_by: told.cut_by, shown: told.shown, total: told.total } : {}),
      next_cursor: cursor,
    };
  }

  /** Elements whose words contain the words asked for, folded as everywhere. */
  find(look: Look, _agent: string, text: string): Record<string, unknown> {
    const seeing = this.#parts.judging.seeing(look.snapshot);
    if (!seeing.see)
      throw new Refusal('content_withheld', { came: look.snapshot.foreground.package ?? 'this app' });
    const { found, near } = findWords(look.seen, text);
    const byRef = new Map(look.elements.map((one) => [one.ref, one]));
    const items = found.slice(0, MOST_FOUND).flatMap(({ ref, fit }) => {
      const one = byRef.get(ref);
      if (one === undefined) return [];
      const { role, label, value } = one;
      return [{ ref, role, label, ...(value === null ? {} : { value }), fit }];
    });
    return {
      ...heading(look),
      items,
      count: items.length,
      total: found.length,
      has_more: found.length > items.length,
      next_cursor: null,
      ...(near.length === 0 ? {} : { near }),
      next_action: found.length > 0 ? null : { tool: 'screen_observe', args: { device_id: look.deviceId } },
    };
  }

  /** A picture as this agent may have it: withheld windows and masked texts are black in it. */
  async screenshot(
    deviceId: string,
    agent: string,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, unknown>> {
    const { phones, judging, clock, blobs } = this.#parts;
    const phone = phones.of(deviceId);
    if (phone === null) throw new Refusal('device_offline', { device_id: deviceId });
    const looked = await phone.look({ settleMs: 0, screenshot: true, signal });
    const { snapshot } = looked;
    const seeing = judging.seeing(snapshot);
    if (!seeing.see)
      throw new Refusal('content_withheld', { came: snapshot.foreground.package ?? 'this app' });
    if (looked.screenshot === null) {
      throw new Refusal('picture_refused', { came: looked.screenshot_refused ?? 'empty' });
    }
    const png = Buffer.from(looked.screenshot, 'base64');
    const black = judging.blackened(snapshot);
    const whole = await pictureOf(png, snapshot.display, black, Number.POSITIVE_INFINITY);
    const small = await pictureOf(whole.png, snapshot.display, [], SMALL_SIDE);
    const kept = blobs.put(agent, 'image/png', whole.png);
    const preview = blobs.put(agent, 'image/png', small.png);
    return {
      device_id: deviceId,
      blob: kept.uri,
      preview: preview.uri,
      content_type: kept.contentType,
      bytes: kept.bytes.length,
      width: whole.width,
      height: whole.height,
      preview_width: small.width,
      preview_height: small.height,
      blackened: black.length,
      expires_at: new Date(kept.expiresAt).toISOString(),
      observed_at: new Date(clock.now()).toISOString(),
    };
  }
}
