/**
 * Which phones are known, which session of each counts, and what was seen of them. One session a phone: the
 * newest, by identity. Not for the handshake (arrival.ts) or a session's own work (session.ts).
 */
import type { KnownPhone, Opened } from '../../device-protocol/host-dialogue.ts';
import { frameOf } from '../../device-protocol/wire.ts';
import type { StoreApi } from '../store/store-api.ts';
import { Arrival } from './arrival.ts';
import { Attempts } from './attempts.ts';
import type { HostChance, HostClock } from './clock.ts';
import { Expected } from './expected.ts';
import type { LinkListener } from './link.ts';
import type { Phone, PhoneHealth, PhonesApi } from './phone-api.ts';
import { Session } from './session.ts';
import type { Wire, WireEvents } from './wire.ts';

export interface PhonesGiven {
  readonly store: StoreApi;
  readonly clock: HostClock;
  readonly chance: HostChance;
  /** SHA-256 of the certificate's DER, lower-case hex: part of what both sides prove. */
  readonly fingerprint: string;
  /** Something that must not be swallowed and has nobody to throw to. */
  readonly onFault: (fault: unknown) => void;
}

interface Live {
  readonly session: Session;
  readonly wire: Wire;
  readonly since: number;
}

interface Trouble {
  readonly code: string;
  readonly at: number;
}

/** The head and the clock of a phone that only looks are written down this often, beside every outcome. */
const REMEMBER_EVERY_MS = 60_000;

export class Phones implements PhonesApi {
  readonly #given: PhonesGiven;
  readonly #attempts: Attempts;
  readonly #live = new Map<string, Live>();
  readonly #arrivals = new Set<Arrival>();
  readonly #refusals = new Map<string, Trouble>();
  readonly #expected: Expected;
  /** Our monotonic clock when a phone last told its own, for phones whose session ended in this life. */
  readonly #toldAtMs = new Map<string, number>();
  #listener: LinkListener | null = null;

  constructor(given: PhonesGiven) {
    const { clock, onFault } = given;
    this.#given = {
      ...given,
      clock: {
        now: () => clock.now(),
        monotonic: () => clock.monotonic(),
        // A fault in a timer is told, and never ends the process.
        at: (atMs, wake) =>
          clock.at(atMs, () => {
            try {
              wake();
            } catch (fault) {
              onFault(fault);
            }
          }),
      },
    };
    this.#attempts = new Attempts(clock);
    this.#expected = new Expected(this.#given.clock);
  }

  of(deviceId: string): Phone | null {
    return this.#live.get(deviceId)?.session ?? null;
  }

  all(): Phone[] {
    return [...this.#live.values()].map(({ session }) => session);
  }

  listen(listener: LinkListener): void {
    if (this.#listener !== null) throw new Error('somebody listens already');
    this.#listener = listener;
  }

  registerDevice(deviceId: string, secret: string): void {
    const { store, clock } = this.#given;
    const before = store.devices.secret(deviceId);
    store.devices.register(deviceId, secret, clock.now());
    // Whoever connected with the old secret is no longer who was paired.
    if (before !== null && before !== secret) this.#end(deviceId, null);
  }

  health(): PhoneHealth[] {
    return this.#given.store.devices.list().map((known) => {
      const live = this.#live.get(known.device_id);
      const hello = live?.session.hello;
      return {
        device_id: known.device_id,
        connected: live !== undefined,
        last_seen_at: live?.session.heardAt() ?? known.last_seen_at,
        since: live?.since ?? null,
        companion_version: known.companion_version,
        kind: known.kind,
        model: known.model,
        can_be_turned_back: hello?.can_be_turned_back ?? null,
        stopped_by: live?.session.stopState().stopped_by ?? null,
        last_refusal: this.#refusals.get(known.device_id) ?? null,
      };
    });
  }

  connected(deviceId: string, timeoutMs: number, signal?: AbortSignal): Promise<Phone> {
    const now = this.of(deviceId);
    if (now !== null) return Promise.resolve(now);
    return this.#expected.wait(deviceId, timeoutMs, signal);
  }

  /** A socket was opened. Frames and its end are told through the answer. */
  accept(wire: Wire): WireEvents {
    let session: Session | null = null;
    const arrival = new Arrival({
      ...this.#given,
      wire,
      attempts: this.#attempts,
      known: (deviceId) => this.#known(deviceId),
      onArrived: (opened) => {
        this.#arrivals.delete(arrival);
        session = this.#open(wire, opened);
      },
      onRefused: (deviceId, code) => {
        this.#arrivals.delete(arrival);
        if (deviceId !== null) this.#refused(deviceId, code);
      },
    });
    this.#arrivals.add(arrival);
    const guarded = (work: () => void): void => {
      try {
        work();
      } catch (fault) {
        // A fault of ours on one socket ends that socket: what it did durably is asked about later.
        this.#given.onFault(fault);
        if (session !== null) this.#endSession(session);
        arrival.end();
        wire.destroy();
      }
    };
    return {
      frame: (text) => guarded(() => (session === null ? arrival.frame(text) : session.frame(text))),
      gone: () =>
        guarded(() => {
          this.#arrivals.delete(arrival);
          arrival.end();
          if (session !== null) this.#endSession(session);
        }),
    };
  }

  /** Ends every session and every handshake, at once. */
  close(): void {
    for (const deviceId of [...this.#live.keys()]) this.#end(deviceId, null);
    for (const arrival of this.#arrivals) arrival.end();
    this.#arrivals.clear();
  }

  /** What the handshake compares the phone with: as of its newest answer, stored or not. */
  #known(deviceId: string): KnownPhone | null {
    const { store, clock } = this.#given;
    const row = store.devices.get(deviceId);
    const secret = store.devices.secret(deviceId);
    if (row === null || secret === null) return null;
    const live = this.#live.get(deviceId)?.session;
    const memory = live?.memory() ?? row.memory;
    const toldAtMs = live?.toldAtMs ?? this.#toldAtMs.get(deviceId);
    return {
      secret,
      last_seq: row.last_seq,
      settled_below: store.commands.settledBelow(deviceId),
      // Within one life by the monotonic clock: a wall clock that was set is no phone that lost time.
      memory:
        memory === null || toldAtMs === undefined
          ? memory
          : { ...memory, seen_at: clock.now() - (clock.monotonic() - toldAtMs) },
    };
  }

  #open(wire: Wire, opened: Opened): Session {
    const { store, clock } = this.#given;
    const deviceId = opened.device_id;
    let rememberedAtMs = clock.monotonic();
    const session: Session = new Session({
      opened,
      wire,
      clock,
      settledBelow: () => store.commands.settledBelow(deviceId),
      auditHead: () => store.audit.head(),
      listener: () => this.#listener,
      onEnd: () => this.#endSession(session),
      onBadMessage: (code) => this.#refused(deviceId, code),
      onBeat: () => {
        if (clock.monotonic() - rememberedAtMs < REMEMBER_EVERY_MS) return;
        rememberedAtMs = clock.monotonic();
        store.devices.remember(deviceId, session.memory());
      },
    });
    // The old one first, so that nothing of it is credited to the new one (D-33).
    this.#end(deviceId, 'superseded');
    const { companion, phone } = opened.hello;
    store.transaction(() => {
      store.devices.seen(
        deviceId,
        {
          model: phone.model,
          kind: companion.kind,
          companion_version: companion.version,
          locale: phone.locale,
        },
        clock.now(),
      );
      store.devices.remember(deviceId, session.memory());
    });
    this.#refusals.delete(deviceId);
    this.#live.set(deviceId, { session, wire, since: clock.now() });
    this.#listener?.opened(session);
    this.#expected.came(session);
    return session;
  }

  #end(deviceId: string, code: 'superseded' | null): void {
    const live = this.#live.get(deviceId);
    if (live === undefined) return;
    const frame = frameOf({ type: 'refused', code: 'superseded', detail: 'a newer session of this phone' });
    if (code !== null && frame !== null) live.wire.endWith(frame);
    this.#endSession(live.session, code !== null);
  }

  /** By identity: the end of an old socket does not touch a newer session (D-33). */
  #endSession(session: Session, endedAlready = false): void {
    const live = this.#live.get(session.device_id);
    session.end();
    if (live?.session !== session) return;
    this.#live.delete(session.device_id);
    if (!endedAlready) live.wire.destroy();
    this.#toldAtMs.set(session.device_id, session.toldAtMs);
    this.#given.store.devices.remember(session.device_id, session.memory());
    this.#listener?.closed(session);
  }

  #refused(deviceId: string, code: string): void {
    if (this.#given.store.devices.get(deviceId) === null) return;
    this.#refusals.set(deviceId, { code, at: this.#given.clock.now() });
  }
}
