/**
 * Sockets of the simulation: ordered like TCP, but a schedule may drop, double and delay frames, fall
 * silent both ways, and deliver old frames again later. Not for what frames mean.
 */
import type { Random } from './random.ts';
import type { TimeLine } from './time.ts';

export interface End {
  frame(text: string): void;
  gone(): void;
}

export interface Weather {
  /** Probabilities for each frame. */
  drop: number;
  double: number;
  /** Most a frame may take, milliseconds. */
  slowMs: number;
}

export const typeOf = (text: string): string => /"type":"([a-z_]+)"/.exec(text.slice(0, 60))?.[1] ?? '?';

export class Connection {
  readonly number: number;
  readonly #time: TimeLine;
  readonly #chance: Random;
  readonly #net: Network;
  #ends: { phone: End | null; host: End | null } = { phone: null, host: null };
  #open = true;
  #lastMs = { phone: 0, host: 0 };
  /** Nothing arrives before this time, and nobody is told. */
  silentUntilMs = 0;

  constructor(number: number, time: TimeLine, chance: Random, net: Network) {
    this.number = number;
    this.#time = time;
    this.#chance = chance;
    this.#net = net;
  }

  get open(): boolean {
    return this.#open;
  }

  attach(side: 'phone' | 'host', end: End): void {
    this.#ends[side] = end;
  }

  /** False where the socket is known to be gone at this end. */
  send(to: 'phone' | 'host', text: string): boolean {
    if (!this.#open) return false;
    const { weather } = this.#net;
    const type = typeOf(text);
    this.#net.sent(to, type, text);
    if (this.#time.nowMs < this.silentUntilMs) return this.#net.lost(type);
    // Its own chance for every frame, so that one fault less does not change all others.
    const chance = this.#chance;
    if (chance.chance(weather.drop)) return this.#net.lost(type);
    this.#deliver(to, text, chance.unit() * weather.slowMs);
    if (chance.chance(weather.double)) {
      this.#net.count('double');
      this.#deliver(to, text, chance.unit() * weather.slowMs * 3);
    }
    return true;
  }

  /** The socket ends. Each side learns it a little later, unless it fell silent: then never. */
  end(by: 'phone' | 'host' | 'network'): void {
    if (!this.#open) return;
    this.#open = false;
    for (const side of ['phone', 'host'] as const) {
      const end = this.#ends[side];
      this.#ends[side] = null;
      if (side === by || end === null) continue;
      if (this.#time.nowMs < this.silentUntilMs) {
        // Half open: that side finds out by its own watch, or not at all.
        this.#ends[side] = end;
        continue;
      }
      this.#time.after(this.#chance.unit() * 50, () => end.gone());
    }
  }

  #deliver(to: 'phone' | 'host', text: string, delayMs: number): void {
    const atMs = Math.max(this.#lastMs[to], this.#time.nowMs + 1 + delayMs);
    this.#lastMs[to] = atMs;
    this.#time.at(atMs, () => {
      if (this.#time.nowMs < this.silentUntilMs) this.#net.lost(typeOf(text));
      else this.#ends[to]?.frame(text);
    });
  }
}

export class Network {
  weather: Weather = { drop: 0, double: 0, slowMs: 5 };
  readonly connections: Connection[] = [];
  /** Frames to the phone that may come again at any later time. */
  readonly old: string[] = [];
  readonly #time: TimeLine;
  readonly #seed: (stream: number) => Random;
  readonly count: (fault: string) => void;
  readonly #trace: (line: string) => void;

  constructor(
    time: TimeLine,
    seed: (stream: number) => Random,
    count: (fault: string) => void,
    trace: (line: string) => void,
  ) {
    this.#time = time;
    this.#seed = seed;
    this.count = count;
    this.#trace = trace;
  }

  connect(): Connection {
    const number = this.connections.length;
    const connection = new Connection(number, this.#time, this.#seed(1_000 + number), this);
    this.connections.push(connection);
    return connection;
  }

  sent(to: 'phone' | 'host', type: string, text: string): void {
    if (to === 'phone' && (type === 'submit' || type === 'seal' || type === 'status')) this.old.push(text);
    this.#trace(`${to === 'phone' ? '→ phone' : '← phone'} ${type}`);
  }

  lost(type: string): true {
    this.count('drop');
    this.#trace(`   (${type} is lost)`);
    return true;
  }
}
