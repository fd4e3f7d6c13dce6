/**
 * A host of the simulation: the production store, phones and tracker, over time and chance of the schedule.
 * The store lies in memory; what a kill leaves is what was committed last. Not for when faults happen.
 */

import type { CommandEvent, CommandState } from '../../device-protocol/command-table.ts';
import { Phones } from '../../host/devices/phones.ts';
import type { BindInput } from '../../host/engine/tracker/tracker-api.ts';
import { Tracker } from '../../host/engine/tracker.ts';
import { openDatabase } from '../../host/store/database.ts';
import type { CommandRow } from '../../host/store/rows.ts';
import { openMemoryStore, type Store } from '../../host/store/store.ts';
import type { Connection } from './network.ts';
import { DEVICE, FINGERPRINT, SECRET } from './phone.ts';
import { Killed } from './time.ts';
import type { World } from './world.ts';

/** A migrated, empty database: migrating anew for every schedule would be half of the time. */
let template: Uint8Array | null = null;
function emptyDatabase(): Uint8Array {
  if (template === null) {
    const database = openDatabase({ bytes: null });
    template = database.raw.serialize();
    database.raw.close();
  }
  return template;
}

interface Life {
  alive: boolean;
  readonly store: Store;
  readonly phones: Phones;
  readonly tracker: Tracker;
  readonly startedAtMs: number;
}

type Noted = {
  readonly row: CommandRow;
  readonly from: CommandState;
  readonly event: CommandEvent;
  readonly to: CommandState;
};

export class SimHost {
  readonly name: string;
  life: Life | null = null;
  /** The process ends after so many commits. */
  killAfterCommits: number | null = null;
  /** Something that is asked right before sending refuses (a grant that was taken away). */
  recheckRefusal: string | null = null;
  /** Set back to an earlier day by a backup: keys given since are forgotten. */
  restored = false;
  wallOffsetMs = 0;
  #bytes: Uint8Array = emptyDatabase();
  readonly #world: World;
  #pending: Noted[] = [];
  #id = '';

  constructor(world: World, name: string) {
    this.#world = world;
    this.name = name;
  }

  start(): void {
    if (this.life !== null) return;
    const world = this.#world;
    world.trace(`host ${this.name} starts`);
    const chance = { hex: (count: number) => world.hostChance.hex(count) };
    const startedAtMs = world.time.nowMs;
    let life: Life | null = null;
    const alive = () => this.life === life;
    const clock = {
      now: () => 1_700_000_000_000 + Math.floor(world.time.nowMs + this.wallOffsetMs),
      monotonic: () => world.time.nowMs - startedAtMs,
      at: (atMs: number, wake: () => void) =>
        world.time.at(atMs + startedAtMs, () => {
          if (alive()) this.guard(wake);
        }),
    };
    const onFault = (fault: unknown): void => {
      throw fault;
    };
    let opening = true;
    const store = openMemoryStore(chance, this.#bytes, () => {
      if (!opening) this.#committed(life);
    });
    this.#id = store.identity.host_id;
    this.#watch(store);
    if (store.devices.get(DEVICE) === null) store.devices.register(DEVICE, SECRET, clock.now());
    const phones = new Phones({ store, clock, chance, fingerprint: FINGERPRINT, onFault });
    const tracker = new Tracker({
      store,
      clock,
      chance,
      links: phones,
      recheck: () => this.recheckRefusal,
      onFault,
    });
    life = { alive: true, store, phones, tracker, startedAtMs };
    this.life = life;
    opening = false;
    this.#pending = [];
    this.guard(() => tracker.start());
  }

  kill(): void {
    const { life } = this;
    if (life === null) return;
    this.#world.trace(`HOST ${this.name} KILLED`);
    this.killAfterCommits = null;
    life.alive = false;
    this.life = null;
    this.#bytes = life.store.serialize();
    this.#pending = [];
    // Not store.close(): a killed process closes nothing. Only the memory is given back.
    life.store.raw.close();
    for (const connection of this.#world.net.connections)
      if (connection.open && this.#connections.has(connection)) connection.end('host');
    this.#connections.clear();
    this.#world.time.after(this.#world.dice.whole(50, 3_000), () => this.start());
  }

  backup(): Uint8Array {
    return this.life?.store.serialize() ?? this.#bytes;
  }

  restore(bytes: Uint8Array): void {
    this.#world.trace(`HOST ${this.name} TURNED BACK`);
    this.#world.truth.undone(this.#id);
    this.kill();
    this.#bytes = bytes;
    this.restored = true;
  }

  readonly #connections = new Set<Connection>();

  /** Takes a socket, if anybody is there. */
  answers(connection: Connection): boolean {
    const { life } = this;
    if (life === null) return false;
    this.#connections.add(connection);
    const events = life.phones.accept({
      from: 'simulated',
      send: (text) => life.alive && connection.send('phone', text),
      destroy: () => connection.end('host'),
      endWith: (text) => {
        if (life.alive) connection.send('phone', text);
        connection.end('host');
      },
    });
    connection.attach('host', {
      frame: (text) => {
        if (this.life === life) this.guard(() => events.frame(text));
      },
      gone: () => {
        if (this.life === life) this.guard(() => events.gone());
      },
    });
    return true;
  }

  /** Binds, and answers the row where it was stored. */
  bind(input: BindInput): CommandRow | null {
    let row: CommandRow | null = null;
    this.guard(() => {
      const bound = this.life?.tracker.bind(input);
      if (bound?.ok === true) row = bound.row;
      else if (bound !== undefined) this.#world.trace(`host ${this.name}: not bound (${bound.error_code})`);
    });
    return row;
  }

  run(requestId: string): void {
    const { life } = this;
    if (life === null) return;
    life.tracker.run(requestId).then(
      ({ row }) => {
        if (!life.alive && row.final_at === null) return;
        this.#world.trace(`agent hears ${row.state} of ${requestId.slice(0, 6)}`);
        this.#world.claim(() => this.#world.truth.said(requestId, row.state, 'the agent'));
      },
      (error: unknown) => {
        if (life.alive && !(error instanceof Killed))
          this.#world.claim(() => {
            throw error;
          });
      },
    );
  }

  guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof Killed) return;
      // A store that was given back under a dead process's hands.
      if (
        this.life === null &&
        error instanceof TypeError &&
        /database connection is not open/.test(error.message)
      )
        return;
      throw error;
    }
  }

  /** Notes what moves, so that the truth hears of it when it is committed. */
  #watch(store: Store): void {
    const { commands } = store;
    const move = commands.move.bind(commands);
    commands.move = (requestId, event, patch, at) => {
      const from = commands.get(requestId)?.state;
      const row = move(requestId, event, patch, at);
      if (row !== null && from !== undefined) this.#pending.push({ row, from, event, to: row.state });
      return row;
    };
    // What a transaction that was undone had moved, nobody ever hears of.
    const transaction = store.transaction.bind(store);
    store.transaction = (work) => {
      const before = this.#pending.length;
      try {
        return transaction(work);
      } catch (error) {
        this.#pending.length = Math.min(this.#pending.length, before);
        throw error;
      }
    };
    const insert = commands.insert.bind(commands);
    commands.insert = (given) => {
      const row = insert(given);
      this.#world.seqOf.set(row.request_id, row.seq);
      const { salt } = JSON.parse(row.payload ?? '{}') as { salt: string };
      this.#world.requestOf.set(salt, row.request_id);
      this.#world.truth.bound({ ...row, payload: row.payload ?? '', staged: row.confirmation_id !== null });
      return row;
    };
  }

  #committed(life: Life | null): void {
    if (life !== null && !life.alive) throw new Killed('host');
    const { truth } = this.#world;
    for (const { row, from, event, to } of this.#pending.splice(0)) {
      this.#world.cell('command', from, event);
      if (event === 'approve') truth.approved(row.request_id);
      if (event === 'send') truth.sent(row.request_id);
      truth.said(row.request_id, to, `host ${this.name}`);
      this.#world.trace(`host ${this.name}: ${row.request_id.slice(0, 6)} ${from} → ${to}`);
    }
    if (this.killAfterCommits !== null && --this.killAfterCommits <= 0) {
      this.#world.count('host_kill_at_commit');
      this.kill();
      throw new Killed('host');
    }
  }
}
