/**
 * One run against real processes: agents act, host and phone are killed, the link is cut; afterwards what was
 * told is held against what the phone itself counted. Not for how many (faults.ts).
 */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Envelope } from '../../device-protocol/envelope.ts';
import { hostTls } from '../../host/devices/certificate.ts';
import { systemChance } from '../../host/devices/system-clock.ts';
import { connectEngine, HostError } from '../../host/doors/owner-socket/client.ts';
import { openDataDirectory } from '../../host/store/data-directory.ts';
import { openStore } from '../../host/store/store.ts';
import { type ControlConnection, reachControl } from '../../host/virtual-phone/control-socket.ts';
import { type Random, randomFrom } from '../mcp/mutated-calls.ts';
import { freshFolder, phoneFolder } from '../support/host-process.ts';
import { LinkProxy } from './link-proxy.ts';
import { hostProcess, type Mortal, phoneProcess } from './processes.ts';

const DEVICE = 'virtual';
const SECRET = '5'.repeat(64);
/** A screen of buttons, one for each act: what was pressed twice shows in the phone's own counter. */
const COLUMNS = 20;
const ROWS = 30;
export const BUTTONS = COLUMNS * ROWS;
const CELL = { width: 50, height: 60, top: 300 };
/** How long a request may take to become final once everything is back. */
const SETTLE_MS = 90_000;

/** How long an agent keeps asking for a phone that is away. */
const ASKS_MS = 6_000;

const labelOf = (act: number) => `Item ${act}`;
const pointOf = (act: number) => ({
  x: (act % COLUMNS) * CELL.width + CELL.width / 2,
  y: CELL.top + Math.floor(act / COLUMNS) * CELL.height + CELL.height / 2,
});

function scenario(): string {
  const buttons = Array.from({ length: BUTTONS }, (_, act) => {
    const { x, y } = pointOf(act);
    const at = [x - CELL.width / 2, y - CELL.height / 2, x + CELL.width / 2 - 2, y + CELL.height / 2 - 2];
    return `      - { button: ${labelOf(act)}, at: [${at.join(', ')}], tap: { set: { last: ${act} } } }`;
  });
  return `scenario: a screen of buttons, one for each act
app: org.example.buttons
phone: { front: true }
values: { last: 0 }
screens:
  main:
    title: Buttons
    show:
${buttons.join('\n')}
`;
}

interface Act {
  readonly number: number;
  readonly key: string;
  /** Answers in the order they came. */
  readonly told: Envelope[];
  open: boolean;
}

export interface Tally {
  kills: number;
  kills_in_flight: number;
  cuts: number;
  actions: number;
  violations: string[];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class FaultWorld {
  readonly tally: Tally = { kills: 0, kills_in_flight: 0, cuts: 0, actions: 0, violations: [] };
  readonly #data = freshFolder('countersign-faults-');
  readonly #random: Random;
  readonly #proxy = new LinkProxy();
  readonly #acts: Act[] = [];
  #host!: Mortal;
  #phone!: Mortal;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  get actsLeft(): number {
    return BUTTONS - this.#acts.length;
  }

  async open(): Promise<void> {
    const dataDir = openDataDirectory(this.#data.path);
    const store = openStore(dataDir, systemChance);
    const { fingerprint } = hostTls(store, systemChance);
    store.devices.register(DEVICE, SECRET, Date.now());
    const { host_id } = store.identity;
    store.close();
    const port = await freePort();
    await this.#proxy.open(() => port);
    const file = join(this.#data.path, 'buttons.yaml');
    writeFileSync(file, scenario());
    this.#host = hostProcess(dataDir, port);
    this.#phone = phoneProcess({
      device_id: DEVICE,
      secret: SECRET,
      host_url: `wss://127.0.0.1:${this.#proxy.port}/phone`,
      fingerprint,
      host_id,
      state_folder: phoneFolder(this.#data.path),
      scenario: file,
      control: true,
    });
    for (const one of [this.#host, this.#phone]) {
      one.onKilled = () => {
        this.tally.kills += 1;
        if (this.#acts.some((act) => act.open)) this.tally.kills_in_flight += 1;
      };
      await one.start();
    }
    await this.#connected();
  }

  /** Waits until the host has its phone. */
  async #connected(): Promise<void> {
    for (const until = Date.now() + SETTLE_MS; Date.now() < until; await pause(50)) {
      const envelope = await this.#call('device_list', {});
      const [device] = (envelope.ok ? (envelope.result.items as { health: string }[]) : []) ?? [];
      if (device?.health === 'ready') return;
    }
    throw new Error(`the phone never came back: ${[...this.#host.said, ...this.#phone.said].join('\n')}`);
  }

  async #call(tool: string, args: object): Promise<Envelope> {
    for (;;) {
      try {
        const engine = await connectEngine(this.#data.path);
        try {
          return await engine.call({ agent: 'local', door: 'cli' }, tool, args);
        } finally {
          engine.close();
        }
      } catch (error) {
        // Nobody listens there just now: the agent tries again, with the same key.
        if (!(error instanceof HostError)) throw error;
        await pause(30);
      }
    }
  }

  async #act(): Promise<void> {
    const number = this.#acts.length;
    const act: Act = { number, key: `act-${number}`, told: [], open: true };
    this.#acts.push(act);
    this.tally.actions += 1;
    for (const until = Date.now() + ASKS_MS; ; await pause(40)) {
      const envelope = await this.#call('tap', { ...pointOf(number), idempotency_key: act.key });
      act.told.push(envelope);
      // A phone that is away just now takes no key: the same call again.
      if (envelope.ok || envelope.error_code !== 'device_offline' || Date.now() > until) break;
    }
    act.open = false;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  /** Acts are made, and something is killed in the midst of them. */
  async round(): Promise<void> {
    const acts = Array.from({ length: this.#random() < 0.3 ? 2 : 1 }, () => this.#act());
    const victim = this.#pick([this.#host, this.#phone]);
    if (this.#random() < 0.2) this.#proxy.delayMs = this.#pick([5, 60, 250]);
    if (this.#random() < 0.06) this.#proxy.swallows = true;
    await pause(this.#random() * this.#pick([15, 60, 250]));
    if (this.#random() < 0.2) this.#proxy.cut();
    await victim.end('SIGKILL');
    await pause(this.#random() * 40);
    this.#proxy.heal();
    await this.#revive();
    await Promise.race([Promise.all(acts), pause(8_000)]);
    if (this.#random() < 0.5) await this.#fate();
  }

  /** Starts one process so that it kills itself at a named point, in the midst of an act or on the way to one. */
  async #fate(): Promise<void> {
    const victim = this.#pick([this.#host, this.#phone]);
    const points =
      victim === this.#host ? ['send', 'message', 'statement'] : ['send', 'message', 'fsync', 'write'];
    const passes = 1 + Math.floor(this.#random() * 24);
    await victim.end('SIGTERM');
    await victim.start(`${this.#pick(points)} ${this.#pick(['before', 'after'])} ${passes}`);
    const other = victim === this.#host ? this.#phone : this.#host;
    for (let tries = 0; tries < 3 && victim.alive && this.actsLeft > 4; tries += 1) {
      const act = this.#act();
      // The other one may still have such a fate before it, of an earlier round.
      await Promise.race([act, this.#oneDead()]);
      if (!other.alive) await other.start();
    }
    await this.#revive();
  }

  async #oneDead(): Promise<void> {
    while (this.#host.alive && this.#phone.alive) await pause(5);
  }

  async #revive(): Promise<void> {
    for (const one of [this.#host, this.#phone]) while (!one.alive) await one.start();
  }

  /** Everything is back: asks what became of each act, and holds it against the phone's own counter. */
  async judge(): Promise<void> {
    this.#proxy.heal();
    await this.#revive();
    await this.#connected();
    for (const act of this.#acts) await this.#settled(act);
    const phone: ControlConnection = await reachControl(phoneFolder(this.#data.path));
    const touches = (await phone.touches()).filter(({ how }) => how === 'tap' || how === 'click');
    phone.close();
    if (process.env.DEBUG_TOUCHES) console.error(JSON.stringify(touches.slice(0, 9).map((t) => t.label)));
    const count = (act: Act) => touches.filter(({ label }) => label === labelOf(act.number)).length;
    for (const act of this.#acts) this.#check(act, count(act));
    this.tally.cuts = this.#proxy.cuts;
  }

  /** The agent asks with the same key until the answer is final. */
  async #settled(act: Act): Promise<void> {
    for (const until = Date.now() + SETTLE_MS; Date.now() < until; await pause(100)) {
      const envelope = await this.#call('tap', { ...pointOf(act.number), idempotency_key: act.key });
      act.told.push(envelope);
      const state = (envelope.result as { state?: string } | undefined)?.state;
      if (state !== undefined && state !== 'in_progress') return;
      // A refusal before it was stored takes no key: the same call is tried again.
    }
    this.tally.violations.push(`${act.key}: not final: ${JSON.stringify(act.told.at(-1)).slice(0, 300)}`);
  }

  #check(act: Act, touches: number): void {
    const wrong = (what: string) =>
      this.tally.violations.push(
        `${act.key}, ${touches} touches: ${what}: ${act.told.map(told).join(' → ')}`,
      );
    if (touches > 1) wrong('ran more than once');
    const finals = new Set<string>();
    for (const envelope of act.told) {
      const result = envelope.result as { state?: string; acted?: boolean | null } | undefined;
      const state = result?.state;
      if (state === 'done' && result?.acted === true && touches !== 1) wrong('told done, and was not');
      if (!envelope.ok && envelope.effect === 'none' && state !== undefined && touches !== 0)
        wrong('told that it did not run, and it did');
      if (state !== undefined && state !== 'in_progress') finals.add(state);
    }
    if (finals.size > 1) wrong(`told two ends (${[...finals].join(', ')})`);
  }

  async close(): Promise<void> {
    for (const one of [this.#phone, this.#host]) {
      one.onKilled = () => {};
      await one.end('SIGKILL');
    }
    this.#proxy.close();
    this.#data.remove();
  }
}

function told(envelope: Envelope): string {
  const state = (envelope.result as { state?: string } | undefined)?.state ?? '–';
  return envelope.ok ? state : `${state}/${envelope.error_code}/${envelope.effect}`;
}
