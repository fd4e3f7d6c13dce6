/**
 * Keeps the looks of every phone for as long as their ids live, and tells them to agents under the policy
 * of what may be seen. Not for reading a snapshot (host/screen) or planning with one (look.ts).
 */
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import type { HostClock } from '../devices/clock.ts';
import type { PhonesApi } from '../devices/phone-api.ts';
import { pictureOf, SMALL_SIDE } from '../screen/picture.ts';
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

export interface TellOptions {
  readonly detail: 'summary' | 'full' | 'text';
  readonly since?: string | undefined;
  readonly statusBar?: boolean;
}

export class Looks {
  readonly #parts: LooksParts;
  readonly #kept = new Map<string, Look[]>();

  constructor(parts: LooksParts) {
    this.#parts = parts;
  }

  /** Looks now. Throws PhoneError, or Refusal where the phone is away. */
  async fresh(
    deviceId: string,
    options: { readonly signal?: AbortSignal | undefined; readonly settleMs?: number } = {},
  ): Promise<Look> {
    const phone = this.#parts.phones.of(deviceId);
    if (phone === null) throw new Refusal('device_offline', { device_id: deviceId });
    const looked = await phone.look({
      settleMs: options.settleMs ?? 0,
      screenshot: false,
      signal: options.signal,
    });
    return this.remember(deviceId, looked.snapshot, this.#parts.clock.now());
  }

  /** Gives a snapshot its observation id and refs, and keeps it. */
  remember(deviceId: string, snapshot: Snapshot, at: number): Look {
    const { counters } = this.#parts.store;
    const elements = snapshot.nodes.flatMap((node, index) => {
      const label = node.description ?? node.text ?? '';
      return node.flags.includes('visible') && (label !== '' || node.flags.includes('clickable'))
        ? [
            {
              ref: `e${counters.next(deviceId, 'ref')}`,
              role: node.flags.includes('editable') ? 'field' : 'item',
              label,
              node: index,
            },
          ]
        : [];
    });
    const look = new Look({
      observationId: `o${counters.next(deviceId, 'observation')}`,
      deviceId,
      at,
      snapshot,
      elements,
      whole: snapshot.losses.length === 0,
    });
    const kept = this.#kept.get(deviceId) ?? [];
    kept.push(look);
    while (kept.length > LIFE.looks) kept.shift();
    this.#kept.set(deviceId, kept);
    return look;
  }

  /** The look of that id; refused as unknown where it never was, is another phone's, or is too old. */
  get(deviceId: string, observationId: string): Look {
    const oldest = this.#parts.clock.now() - LIFE.ms;
    const look = (this.#kept.get(deviceId) ?? []).find((one) => one.observationId === observationId);
    if (look === undefined || look.at < oldest) {
      throw new Refusal('observation_unknown', { field: 'observation_id', came: observationId });
    }
    return look;
  }

  tell(look: Look, _agent: string, _options: TellOptions): Record<string, unknown> {
    return {
      observation_id: look.observationId,
      device_id: look.deviceId,
      observed_at: new Date(look.at).toISOString(),
      text: look.elements.map((one) => `${one.ref} ${one.role} ${one.label}`).join('\n'),
      notes: [],
      truncated: false,
      next_cursor: null,
    };
  }

  goOn(_deviceId: string, _cursor: string, _agent: string): Record<string, unknown> {
    throw new Refusal('cursor_bad');
  }

  find(look: Look, agent: string, _text: string): Record<string, unknown> {
    return this.tell(look, agent, { detail: 'summary' });
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
