/**
 * One socket from its opening to a session: carries the handshake (device-protocol/host-dialogue.ts) between
 * wire and store, counts wrong proofs, and gives up on whoever is slow. Not for sessions.
 */
import {
  HostDialogue,
  type HostStep,
  type KnownPhone,
  type Opened,
} from '../../device-protocol/host-dialogue.ts';
import type { HostMessage, LinkRefusalCode } from '../../device-protocol/messages.ts';
import { frameOf } from '../../device-protocol/wire.ts';
import type { StoreApi } from '../store/store-api.ts';
import type { Attempts } from './attempts.ts';
import type { HostChance, HostClock } from './clock.ts';
import type { Wire } from './wire.ts';

/** From the socket's opening to `ready`: a phone that recovers a large ledger dials again instead. */
export const ARRIVAL_MS = 15_000;

export interface ArrivalGiven {
  readonly store: StoreApi;
  readonly clock: HostClock;
  readonly chance: HostChance;
  readonly fingerprint: string;
  readonly attempts: Attempts;
  /** Null: no such phone. */
  readonly known: (deviceId: string) => KnownPhone | null;
  readonly wire: Wire;
  readonly onArrived: (opened: Opened) => void;
  /** Null: it had not even said which phone it claims to be. */
  readonly onRefused: (deviceId: string | null, code: LinkRefusalCode) => void;
}

export class Arrival {
  readonly #given: ArrivalGiven;
  readonly #dialogue: HostDialogue;
  readonly #cancelTimer: () => void;
  #over = false;

  constructor(given: ArrivalGiven) {
    const { store, clock, chance, attempts, wire } = given;
    this.#given = given;
    this.#dialogue = new HostDialogue({
      host_id: store.identity.host_id,
      fingerprint: given.fingerprint,
      nonce: chance.hex(32),
      phone: given.known,
      mayTry: (deviceId) => attempts.mayTry(triedBy(deviceId, wire)),
      monotonic: () => clock.monotonic(),
      now: () => clock.now(),
    });
    this.#cancelTimer = clock.at(clock.monotonic() + ARRIVAL_MS, () =>
      this.#refuse(this.#dialogue.deviceId, 'too_slow', `no session within ${ARRIVAL_MS} ms`),
    );
  }

  frame(text: string): void {
    if (!this.#over) this.#take(this.#dialogue.frame(text));
  }

  /** The socket is gone, or is no longer wanted: nothing more is sent. */
  end(): void {
    this.#over = true;
    this.#cancelTimer();
  }

  #take(step: HostStep): void {
    const { attempts, wire, onArrived, onRefused } = this.#given;
    switch (step.kind) {
      case 'send':
        this.#send(step.message);
        return;
      case 'opened':
        this.end();
        attempts.succeeded(triedBy(step.opened.device_id, wire));
        onArrived(step.opened);
        return;
      case 'refuse':
        if (step.wrong_proof && step.device_id !== null) attempts.failed(triedBy(step.device_id, wire));
        this.#refuse(step.device_id, step.code, step.detail);
        return;
      case 'ended':
        this.end();
        wire.destroy();
        onRefused(this.#dialogue.deviceId, step.code);
        return;
    }
  }

  #refuse(deviceId: string | null, code: LinkRefusalCode, detail: string): void {
    if (this.#over) return;
    this.end();
    const frame = frameOf({ type: 'refused', code, detail });
    if (frame === null) throw new Error('a refusal larger than a frame may be');
    this.#given.wire.endWith(frame);
    this.#given.onRefused(deviceId, code);
  }

  #send(message: HostMessage): void {
    const frame = frameOf(message);
    if (frame === null) throw new Error(`a ${message.type} larger than a frame may be`);
    this.#given.wire.send(frame);
  }
}

/** Who is limited: one phone's name from one address, so that a neighbour cannot lock the real phone out. */
function triedBy(deviceId: string, wire: Wire): string {
  return `${wire.from} ${deviceId}`;
}
