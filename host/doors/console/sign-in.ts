/**
 * Who may use the console: a single-use code, good for a minute, opens a session of a cookie and a tab's own
 * secret, and only both together prove the owner (a cookie travels to every port of this computer). Not for
 * requests (guard.ts) or for agents' tokens, which open nothing here.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

export const CODE_LIFE_MS = 60_000;
export const SESSION_LIFE_MS = 12 * 3_600_000;
/** Codes printed and not used yet; a further one ends the oldest. */
const CODES_MOST = 8;
/** Tabs signed in at once; a further one ends the oldest. */
const SESSIONS_MOST = 32;

const storedSession = z.strictObject({ cookie: z.string(), tab: z.string(), until: z.number() });
export const storedSessionsSchema = z.array(storedSession);
/** Hashes only: the file of the store opens no console. */
export type StoredSessions = z.infer<typeof storedSessionsSchema>;

export interface SignInParts {
  /** Milliseconds since 1970: sessions outlive the process. */
  readonly now: () => number;
  /** `count` random bytes, base64url. */
  readonly random: (count: number) => string;
  readonly load: () => StoredSessions;
  readonly save: (sessions: StoredSessions) => void;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
const same = (a: string, b: string) => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

export class SignIn {
  readonly #parts: SignInParts;
  readonly #codes = new Map<string, number>();

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** A new code; whoever shows it within a minute, once, is the owner. */
  code(): string {
    const code = this.#parts.random(32);
    this.#codes.set(hashOf(code), this.#parts.now() + CODE_LIFE_MS);
    const oldest = this.#codes.keys().next().value;
    if (this.#codes.size > CODES_MOST && oldest !== undefined) this.#codes.delete(oldest);
    return code;
  }

  /** Spends a code. Null where it is not known, spent or too old. */
  redeem(code: string): { readonly cookie: string; readonly tab: string } | null {
    const hash = hashOf(code);
    const until = this.#codes.get(hash);
    this.#codes.delete(hash);
    const now = this.#parts.now();
    if (until === undefined || until < now) return null;
    const cookie = this.#parts.random(32);
    const tab = this.#parts.random(32);
    const session = { cookie: hashOf(cookie), tab: hashOf(tab), until: now + SESSION_LIFE_MS };
    this.#parts.save([...this.#live(), session].slice(-SESSIONS_MOST));
    return { cookie, tab };
  }

  #live(): StoredSessions {
    const now = this.#parts.now();
    return this.#parts.load().filter(({ until }) => until > now);
  }

  #find(cookie: string, tab: string): StoredSessions[number] | null {
    const [cookieHash, tabHash] = [hashOf(cookie), hashOf(tab)];
    // Every session is compared, so that time tells nothing of which.
    const found = this.#live().filter((one) => {
      const [a, b] = [same(one.cookie, cookieHash), same(one.tab, tabHash)];
      return a && b;
    });
    return found[0] ?? null;
  }

  /** Whether cookie and tab secret belong to one session that still lives. */
  proves(cookie: string | null, tab: string | null): boolean {
    return cookie !== null && tab !== null && this.#find(cookie, tab) !== null;
  }

  end(cookie: string, tab: string): void {
    const found = this.#find(cookie, tab);
    this.#parts.save(this.#live().filter((one) => one.cookie !== found?.cookie));
  }

  /** Signs every tab out. */
  endAll(): void {
    this.#codes.clear();
    this.#parts.save([]);
  }
}
