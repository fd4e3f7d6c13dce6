/**
 * Pictures kept for a while under unguessable names, each for the agent it was taken for. In memory only:
 * after a restart they are gone, which the answer says. Not for making them (host/screen/picture.ts).
 */
import type { HostChance, HostClock } from '../devices/clock.ts';

export interface Blob {
  readonly uri: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly expiresAt: number;
}

/** A picture lives a quarter of an hour (contracts.md), and at most this many are kept. */
const LIFE = { ms: 15 * 60_000, count: 64 } as const;
export const BLOB_PREFIX = 'countersign://blob/';

export class Blobs {
  readonly #clock: HostClock;
  readonly #chance: HostChance;
  readonly #kept = new Map<string, Blob & { readonly agent: string }>();

  constructor(clock: HostClock, chance: HostChance) {
    this.#clock = clock;
    this.#chance = chance;
  }

  put(agent: string, contentType: string, bytes: Buffer): Blob {
    this.#forget();
    const uri = `${BLOB_PREFIX}${this.#chance.hex(16)}`;
    const blob = { uri, contentType, bytes, agent, expiresAt: this.#clock.now() + LIFE.ms };
    this.#kept.set(uri, blob);
    return blob;
  }

  /** Null: never was, another agent's, or too old; not told apart. */
  get(agent: string, uri: string): Blob | null {
    this.#forget();
    const blob = this.#kept.get(uri);
    return blob === undefined || blob.agent !== agent ? null : blob;
  }

  /** Pictures taken under another grant: the agent may see something else now. */
  forget(agent: string): void {
    for (const [uri, blob] of this.#kept) if (blob.agent === agent) this.#kept.delete(uri);
  }

  #forget(): void {
    const now = this.#clock.now();
    for (const [uri, blob] of this.#kept) {
      const tooMany = this.#kept.size >= LIFE.count;
      // Oldest first, as they were put: what is not to go ends the search.
      if (blob.expiresAt > now && !tooMany) return;
      this.#kept.delete(uri);
    }
  }
}
