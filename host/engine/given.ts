/** What the composition gives the engine: real parts in the product (host/composition.ts), others in tests. */
import type { HostChance, HostClock } from '../devices/clock.ts';
import type { PhonesApi } from '../devices/phone-api.ts';
import type { SecretWords } from '../judge/secrets-asked.ts';
import type { StoreApi } from '../store/store-api.ts';
import type { Blobs } from './blobs.ts';
import type { Judging } from './judging.ts';
import type { Looks } from './looks.ts';
import type { TrackerApi } from './tracker/tracker-api.ts';

export interface EngineGiven {
  readonly store: StoreApi;
  readonly tracker: TrackerApi;
  readonly phones: PhonesApi;
  readonly judging: Judging;
  readonly secrets: SecretWords;
  readonly looks: Looks;
  readonly blobs: Blobs;
  readonly clock: HostClock;
  readonly chance: HostChance;
  /** How long a request waits for its owner. */
  readonly confirmationLifeMs: number;
  /** Where the owner decides on a confirmation; null while there is no console. Never with a credential. */
  readonly viewUrl: (confirmationId: string) => string | null;
  /** Diagnostics for people, one line; never secrets or screen texts. */
  readonly log: (line: string) => void;
}
