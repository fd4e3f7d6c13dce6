/**
 * Keeps the looks of every phone for as long as their ids live, and tells them to agents under the policy
 * of what may be seen. Not for reading a snapshot (host/screen) or planning with one (look.ts).
 */
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import type { HostClock } from '../devices/clock.ts';
import type { Phone, PhonesApi } from '../devices/phone-api.ts';
import { tellSince } from '../screen/delta.ts';
import { findWords } from '../screen/find.ts';
import { observe } from '../screen/observe.ts';
import { FIRST_LOOK, type RefMemory } from '../screen/refs.ts';
import { BUDGETS, type Detail, tell } from '../screen/tell.ts';
import type { StoreApi } from '../store/store-api.ts';
import type { Blobs } from './blobs.ts';
import type { Judging } from './judging.ts';
import { Look } from './look.ts';
import { cursorSchema, readCursor, writeCursor } from './look-cursor.ts';
import { Refusal } from './refusal.ts';
import { type NamedApp, sayWithheld } from './veil.ts';

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

/** Apps come and go rarely; until then a new one is withheld by its package alone. */
const NAMES_LIFE_MS = 10 * 60_000;

/** Elements of one answer of `screen_find`. */
const MOST_FOUND = 30;

const keyOf = (deviceId: string, agent: string) => `${deviceId} ${agent}`;

const heading = (look: Look) => ({
  observation_id: look.observationId,
  device_id: look.deviceId,
  observed_at: new Date(look.at).toISOString(),
});

/** Which app is in front, and that its content is withheld: nothing else of it. */
function withheldObservation(look: Look, category: string): Record<string, unknown> {
  const app = look.snapshot.foreground.package ?? 'unknown app';
  const say = sayWithheld(look.snapshot.foreground.package, category);
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
  /** Fewer tokens than the detail's own budget, where the grant says so. */
  readonly budget?: number | null;
}

export class Looks {
  readonly #parts: LooksParts;
  /** By agent and phone: what one agent was shown, and its refs, mean nothing to another. */
  readonly #kept = new Map<string, Kept>();

  readonly #names = new Map<string, { readonly at: number; readonly apps: readonly NamedApp[] }>();

  constructor(parts: LooksParts) {
    this.#parts = parts;
  }

  /** Looks now, for this agent. Throws PhoneError, or Refusal where the phone is away. */
  async fresh(
    deviceId: string,
    agent: string,
    options: {
      readonly signal?: AbortSignal | undefined;
      readonly settleMs?: number;
      readonly statusBar?: boolean;
    } = {},
  ): Promise<Look> {
    const phone = this.#parts.phones.of(deviceId);
    if (phone === null) throw new Refusal('device_offline', { device_id: deviceId });
    const [looked] = await Promise.all([
      phone.look({ settleMs: options.settleMs ?? 0, screenshot: false, signal: options.signal }),
      this.#learnNames(deviceId, phone),
    ]);
    return this.remember(deviceId, agent, looked.snapshot, this.#parts.clock.now(), {
      statusBar: options.statusBar ?? false,
    });
  }

  /** What apps are called there, so that the system's windows do not speak of withheld ones. */
  async #learnNames(deviceId: string, phone: Phone): Promise<void> {
    const { clock } = this.#parts;
    const known = this.#names.get(deviceId);
    if (known !== undefined && clock.now() - known.at < NAMES_LIFE_MS) return;
    // Without the list only names are missing; apps and their windows are known by their packages.
    const apps = await phone.listApps().catch(() => known?.apps ?? []);
    this.#names.set(deviceId, { at: clock.now(), apps });
  }

  /** Gives a snapshot its observation id and refs, and keeps it. Indices mean the same veiled or not. */
  remember(
    deviceId: string,
    agent: string,
    snapshot: Snapshot,
    at: number,
    reading: { readonly statusBar: boolean } = { statusBar: false },
  ): Look {
    const { counters } = this.#parts.store;
    const key = keyOf(deviceId, agent);
    const kept = this.#kept.get(key) ?? { looks: [], memory: FIRST_LOOK };
    const eyes = this.#parts.judging.as(agent, deviceId);
    const { seen, memory } = observe(eyes.veiled(snapshot, this.#names.get(deviceId)?.apps), kept.memory, {
      ...reading,
      takeRef: () => counters.next(deviceId, 'ref'),
    });
    const look = new Look({
      observationId: `o${counters.next(deviceId, 'observation')}`,
      deviceId,
      agent,
      at,
      snapshot,
      seen,
      withheld:
        !eyes.seeing(snapshot).see ||
        snapshot.windows.some((window) => window.kind === 'application' && !eyes.seesApp(window.package)),
    });
    const looks = [...kept.looks, look].slice(-LIFE.looks);
    this.#kept.set(key, { looks, memory });
    return look;
  }

  /** The look of that id; refused as unknown where it never was, is another's, or is too old. */
  get(deviceId: string, agent: string, observationId: string): Look {
    const oldest = this.#parts.clock.now() - LIFE.ms;
    const { looks = [] } = this.#kept.get(keyOf(deviceId, agent)) ?? {};
    const look = looks.find((one) => one.observationId === observationId);
    if (look === undefined || look.at < oldest) {
      throw new Refusal('observation_unknown', { field: 'observation_id', came: observationId });
    }
    return look;
  }

  /** What this agent was shown so far counts no more: it may see something else from now on. */
  forget(agent: string): void {
    for (const key of this.#kept.keys()) if (key.endsWith(keyOf('', agent))) this.#kept.delete(key);
  }

  /** The look as its agent gets it: withheld apps by name only, everything else within the budget. */
  tell(look: Look, options: TellOptions): Record<string, unknown> {
    const eyes = this.#parts.judging.as(look.agent, look.deviceId);
    const seeing = eyes.seeing(look.snapshot);
    if (!seeing.see) return withheldObservation(look, seeing.withheld);
    const part = {
      detail: options.detail,
      from: 0,
      budget: Math.min(BUDGETS[options.detail], options.budget ?? BUDGETS[options.detail]),
    };
    if (options.since === undefined) return this.#told(look, part);
    const before = this.get(look.deviceId, look.agent, options.since);
    // What the agent was never shown has nothing to be compared with.
    if (!eyes.seeing(before.snapshot).see) return this.#told(look, part);
    const told = tellSince(look.seen, before.seen, options.since, {
      detail: options.detail,
      budget: part.budget,
    });
    if (told.delta === null) return this.#told(look, part);
    return { ...this.#told(look, part), text: told.text, since: options.since, delta: told.delta };
  }

  /** The rest of a cut observation. */
  goOn(deviceId: string, agent: string, cursor: string): Record<string, unknown> {
    const read = cursorSchema.safeParse(readCursor(cursor));
    if (!read.success || read.data.device !== deviceId) throw new Refusal('cursor_bad', { field: 'cursor' });
    const look = this.get(deviceId, agent, read.data.observation);
    const seeing = this.#parts.judging.as(agent, deviceId).seeing(look.snapshot);
    if (!seeing.see) return withheldObservation(look, seeing.withheld);
    return this.#told(look, read.data);
  }

  #told(
    look: Look,
    part: { readonly detail: Detail; readonly from: number; readonly budget: number },
  ): Record<string, unknown> {
    const told = tell(look.seen, part);
    const cursor =
      told.next === null
        ? null
        : writeCursor({
            device: look.deviceId,
            observation: look.observationId,
            detail: part.detail,
            from: told.next,
            budget: part.budget,
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
  find(look: Look, text: string): Record<string, unknown> {
    const seeing = this.#parts.judging.as(look.agent, look.deviceId).seeing(look.snapshot);
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
}
