/** Who waits for a phone to connect. Not for phones that are there. */
import type { HostClock } from './clock.ts';
import { type Phone, PhoneError } from './phone-api.ts';

export class Expected {
  readonly #clock: HostClock;
  readonly #waiting = new Map<string, Set<(phone: Phone) => void>>();

  constructor(clock: HostClock) {
    this.#clock = clock;
  }

  /** Resolves when the phone came; rejects with `device_offline` after `timeoutMs`, or when `signal` fires. */
  wait(deviceId: string, timeoutMs: number, signal?: AbortSignal): Promise<Phone> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(deviceId) ?? new Set();
      this.#waiting.set(deviceId, waiting);
      const end = (): void => {
        waiting.delete(came);
        if (waiting.size === 0) this.#waiting.delete(deviceId);
        cancel();
        signal?.removeEventListener('abort', gaveUp);
      };
      const came = (phone: Phone): void => {
        end();
        resolve(phone);
      };
      const gaveUp = (): void => {
        end();
        reject(new PhoneError('device_offline', `${deviceId} did not connect`));
      };
      const cancel = this.#clock.at(this.#clock.monotonic() + timeoutMs, gaveUp);
      waiting.add(came);
      if (signal?.aborted === true) gaveUp();
      else signal?.addEventListener('abort', gaveUp);
    });
  }

  came(phone: Phone): void {
    for (const tell of [...(this.#waiting.get(phone.device_id) ?? [])]) tell(phone);
  }
}
