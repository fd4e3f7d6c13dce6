/** Questions of one session that wait for their answer, each with its own deadline. They never run anything. */
import type { CompanionMessage } from '../../device-protocol/messages.ts';
import type { HostClock } from './clock.ts';
import { PhoneError } from './phone-api.ts';

export type Answers = {
  [K in 'snapshot' | 'apps' | 'clipboard']: Extract<CompanionMessage, { type: K }>;
};
type Kind = keyof Answers;

interface Waiting {
  readonly kind: Kind;
  readonly resolve: (answer: Answers[Kind]) => void;
  readonly reject: (error: PhoneError) => void;
}

/** More at once than agents and console together can use; beyond it something is wrong. */
const MOST = 64;

export class Questions {
  readonly #clock: HostClock;
  readonly #deviceId: string;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(clock: HostClock, deviceId: string) {
    this.#clock = clock;
    this.#deviceId = deviceId;
  }

  ask<K extends Kind>(
    kind: K,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): { readonly look: number; readonly answer: Promise<Answers[K]> } {
    this.#last += 1;
    const look = this.#last;
    const answer = new Promise<Answers[K]>((resolve, reject) => {
      const end = (): void => {
        cancel();
        signal?.removeEventListener('abort', aborted);
        this.#waiting.delete(look);
      };
      const aborted = (): void => this.failed(look, 'the caller gave up');
      const cancel = this.#clock.at(this.#clock.monotonic() + timeoutMs, () =>
        this.failed(look, `no answer within ${timeoutMs} ms`),
      );
      this.#waiting.set(look, {
        kind,
        resolve: (given) => {
          end();
          resolve(given as Answers[K]);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      });
      if (signal?.aborted === true) aborted();
      else signal?.addEventListener('abort', aborted);
      if (this.#waiting.size > MOST) this.failed(look, 'too many questions wait already');
    });
    return { look, answer };
  }

  answered(message: Answers[Kind]): void {
    const waiting = this.#waiting.get(message.look);
    // Too late, or never asked: nobody waits for it.
    if (waiting === undefined) return;
    if (waiting.kind === message.type) waiting.resolve(message);
    else this.failed(message.look, 'the phone answered another question');
  }

  failed(look: number, why: string): void {
    this.#waiting.get(look)?.reject(new PhoneError('look_failed', why));
  }

  failOldest(kind: Kind, why: string): void {
    for (const [look, waiting] of this.#waiting)
      if (waiting.kind === kind) {
        this.failed(look, why);
        return;
      }
  }

  close(): void {
    for (const waiting of [...this.#waiting.values()])
      waiting.reject(new PhoneError('device_offline', `${this.#deviceId} is not connected any more`));
  }
}
