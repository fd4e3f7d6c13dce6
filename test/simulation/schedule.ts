/** Plays one plan in one world and holds the promises against it. Not for choosing plans or for many of them. */
import { isFinalCommand } from '../../device-protocol/command-table.ts';
import { payloadText } from '../support/companion-rig.ts';
import type { SimHost } from './host.ts';
import type { PhoneImage } from './phone.ts';
import type { Plan, Step } from './plan.ts';
import { Violation } from './truth.ts';
import { type Counts, World } from './world.ts';

/** After the faults have ended, everything must be final within this time (promise 5). */
const HEAL_MS = 150_000;
/** How often it is looked whether all is final, and for how long it must then stay so. */
const LOOK_MS = 2_000;
const AFTERMATH_MS = 15_000;
const CONFIRMATION_LIFE_MS = 10_000;

export interface Played {
  readonly violation: string | null;
  readonly steps: number;
  readonly virtualMs: number;
  readonly counts: Counts;
  readonly trace: readonly string[];
}

export async function play(plan: Plan, tracing = false): Promise<Played> {
  const world = new World(
    plan.seed,
    plan.hosts,
    {
      can_be_turned_back: plan.canBeTurnedBack,
      companion: { version: '0.0.0', kind: 'virtual' },
      phone: { model: 'simulated', android: null, sdk: null, serial: null, locale: null },
      ledger_key: null,
      ledgerRecords: plan.ledgerRecords,
      compactAfterBytes: plan.compactAfterBytes,
    },
    tracing,
  );
  world.phone.mayTearIntoZeros = !plan.steps.some(({ step }) => step.kind === 'host_turned_back');
  const player = new Player(world, plan);
  for (const { atMs, step } of plan.steps) world.time.at(atMs, () => player.step(step));
  world.time.at(plan.faultsEndMs + 1, () => player.heal());
  for (const host of world.hosts) host.start();
  world.phone.start();
  // Some steps come after the faults: an agent that asks again, an owner's late word.
  const lastMs = Math.max(plan.faultsEndMs, ...plan.steps.map(({ atMs }) => atMs));
  await world.run(lastMs + 2);
  const until = lastMs + HEAL_MS;
  while (world.violation === null && world.time.nowMs < until && !player.isAllFinal())
    await world.run(Math.min(until, world.time.nowMs + LOOK_MS));
  // What was on its way when the last request became final must still find it so.
  await world.run(world.time.nowMs + AFTERMATH_MS);
  if (world.violation === null) world.claim(() => player.checkAllFinal());
  const { violation, counts, lines } = world;
  const virtualMs = world.time.nowMs;
  world.end();
  return {
    violation:
      violation === null
        ? null
        : violation instanceof Violation
          ? violation.message
          : String(violation.stack),
    steps: world.time.steps,
    virtualMs,
    counts,
    trace: lines,
  };
}

class Player {
  readonly #world: World;
  readonly #plan: Plan;
  /** request_id by the agent's key, and on which host. */
  readonly #requests = new Map<number, { readonly host: SimHost; readonly id: string }>();
  readonly #acts = new Map<number, Extract<Step, { kind: 'act' }>>();
  #calls = 0;
  #image: PhoneImage | null = null;
  #backup: Uint8Array | null = null;

  constructor(world: World, plan: Plan) {
    this.#world = world;
    this.#plan = plan;
  }

  step(step: Step): void {
    const { phone, hosts, truth } = this.#world;
    const host = phone.dials;
    if (step.kind !== 'act' && step.kind !== 'again') this.#world.count(step.kind);
    switch (step.kind) {
      case 'act':
        this.#acts.set(step.key, step);
        this.#act(step, host);
        return;
      case 'again': {
        const act = this.#acts.get(step.key);
        if (act !== undefined) this.#act(act, host);
        return;
      }
      case 'withdraw':
      case 'approve':
      case 'approve_twice':
      case 'deny':
        this.#decide(step.kind, step.key);
        return;
      case 'stop_host':
        host.guard(() => host.life?.tracker.stopAll('a test'));
        return;
      case 'resume_host':
        host.guard(() => host.life?.tracker.resumeAll('a test'));
        return;
      case 'stop_phone':
        phone.guard(() => {
          phone.process?.engine.stopOnPhone();
          const view = phone.process?.engine.view();
          if (view?.ready !== true || view.stopped_by !== 'owner_on_phone') return;
          truth.stopHolds = true;
          truth.stops += 1;
        });
        return;
      case 'resume_phone':
        // Before: once it is lifted, an act may start in the same breath.
        if (phone.process !== null) truth.stopHolds = false;
        phone.guard(() => phone.process?.engine.resumeOnPhone());
        return;
      case 'other_host_dials': {
        const other = hosts.find((one) => one !== host);
        if (other !== undefined) phone.visit(other);
        return;
      }
      case 'change_holder':
        this.#changeHolder();
        return;
      case 'phone_kill':
        if (phone.process !== null) phone.kill(false);
        return;
      case 'phone_power_cut':
        if (phone.process !== null) phone.kill(true);
        return;
      case 'wipe':
        phone.wipe();
        return;
      case 'damage':
        this.#damage();
        return;
      case 'phone_snapshot':
        this.#image = phone.image();
        return;
      case 'phone_turned_back':
        if (this.#image !== null) phone.restore(this.#image);
        return;
      case 'phone_kill_armed':
        phone.armed = { operations: step.operations, when: step.when, power: step.power };
        return;
      case 'disk_full':
        phone.disk.capacity = (phone.disk.bytes()?.length ?? 0) + step.roomBytes;
        this.#world.time.after(step.forMs, () => {
          phone.disk.capacity = Number.POSITIVE_INFINITY;
        });
        return;
      case 'disk_fails':
        phone.failing = { operation: step.operation, code: 'disk_failed' };
        return;
      case 'host_kill':
        host.kill();
        return;
      case 'host_kill_armed':
        host.killAfterCommits = step.commits;
        return;
      case 'host_backup':
        this.#backup = host.backup();
        return;
      case 'host_turned_back':
        if (this.#backup !== null) host.restore(this.#backup);
        return;
      case 'link_cut':
        phone.hangUp();
        return;
      case 'link_silent': {
        const connection = phone.process?.connection;
        if (connection != null) connection.silentUntilMs = this.#world.time.nowMs + step.forMs;
        return;
      }
      case 'weather':
        this.#world.net.weather = { drop: step.drop, double: step.double, slowMs: step.slowMs };
        return;
      case 'old_frame': {
        const { old } = this.#world.net;
        if (old.length > 0) phone.haunt(this.#world.dice.pick(old));
        return;
      }
      case 'tampered_frame': {
        const submits = this.#world.net.old.filter((text) => text.includes('"type":"submit"'));
        const text = submits.at(-1);
        if (text !== undefined)
          phone.haunt(text.replace('\\"agent\\":\\"tester\\"', '\\"agent\\":\\"mallory\\"'));
        return;
      }
      case 'accept_turned_back':
        host.guard(() => host.life?.tracker.acceptTurnedBack('phone-1'));
        return;
      case 'finger':
        phone.touch(step.cancels);
        return;
      case 'phone_clock_jump':
        phone.jump(step.ms);
        return;
      case 'host_clock_jump':
        host.wallOffsetMs += step.ms;
        phone.mayBeSuspected = true;
        return;
      case 'policy':
        phone.policyRefusal = 'package_refused';
        this.#world.time.after(step.forMs, () => {
          phone.policyRefusal = null;
        });
        return;
      case 'target':
        phone.targetRefusal = 'target_changed';
        this.#world.time.after(step.forMs, () => {
          phone.targetRefusal = null;
        });
        return;
      case 'grant':
        host.recheckRefusal = 'act_refused';
        this.#world.time.after(step.forMs, () => {
          host.recheckRefusal = null;
        });
        return;
      case 'service_unbound':
        phone.guard(() => phone.process?.engine.bodyBound(false));
        this.#world.time.after(step.forMs, () => phone.guard(() => phone.process?.engine.bodyBound(true)));
        return;
    }
  }

  /** The faults are over: disk, network, people and programs are well again. */
  heal(): void {
    const { phone, hosts, net, time, truth } = this.#world;
    this.#world.trace('EVERYTHING HEALS');
    net.weather = { drop: 0, double: 0, slowMs: 5 };
    for (const connection of net.connections)
      connection.silentUntilMs = Math.min(connection.silentUntilMs, time.nowMs);
    phone.disk.capacity = Number.POSITIVE_INFINITY;
    phone.failing = null;
    phone.armed = null;
    phone.policyRefusal = null;
    phone.targetRefusal = null;
    truth.stopHolds = false;
    phone.guard(() => phone.process?.engine.bodyBound(true));
    phone.guard(() => phone.process?.engine.resumeOnPhone());
    for (const host of hosts) {
      host.killAfterCommits = null;
      host.recheckRefusal = null;
      host.guard(() => host.life?.tracker.resumeAll('a test'));
    }
    // A second host settles what is its own when the owner gives it the phone.
    if (hosts.length > 1)
      for (const afterMs of [50_000, 100_000]) time.after(afterMs, () => this.#changeHolder());
  }

  isAllFinal(): boolean {
    return (
      this.#world.phone.process !== null &&
      this.#world.hosts.every((host) => host.life !== null && host.life.store.commands.open().length === 0)
    );
  }

  checkAllFinal(): void {
    for (const host of this.#world.hosts) {
      if (host.life === null) throw new Violation(`host ${host.name} is not there at the end`);
      for (const row of host.life.store.commands.open())
        throw new Violation(`promise 5: ${row.request_id} of host ${host.name} is still ${row.state}`);
      for (const row of host.life.store.commands.recent({ last: 100 }))
        if (!isFinalCommand(row.state)) throw new Violation(`promise 5: ${row.request_id} is ${row.state}`);
    }
    if (this.#world.phone.process === null) throw new Violation('the phone is not there at the end');
  }

  #act(step: Extract<Step, { kind: 'act' }>, host: SimHost): void {
    const world = this.#world;
    // Its own for every call: which request a payload belongs to is read from it.
    this.#calls += 1;
    const salt =
      (this.#plan.seed % 2 ** 32).toString(16).padStart(24, '0') + this.#calls.toString(16).padStart(8, '0');
    world.handlings.set(salt, { durationMs: step.durationMs, ending: step.ending, more: step.more });
    const staged = step.to === 'staged';
    const verdict = staged
      ? ({ level: 'high', decision: 'ask', reasons: [] } as const)
      : ({ level: 'low', decision: 'allow', reasons: [] } as const);
    const payload = payloadText(
      { salt, run_limit_ms: step.runLimitMs, verdict: { ...verdict, reasons: [] } },
      salt,
    );
    const row = host.bind({
      device_id: 'phone-1',
      agent: 'agent',
      tool: 'go',
      idempotency_key: `key ${step.key}`,
      args_hash: step.key.toString(16).padStart(64, '0'),
      payload,
      verdict: { ...verdict, reasons: [] },
      timeout_ms: step.timeoutMs,
      decision:
        step.to === 'staged'
          ? { to: 'staged', confirmation_life_ms: CONFIRMATION_LIFE_MS }
          : step.to === 'refused'
            ? { to: 'refused', error_code: 'app_denied' }
            : { to: 'ready', at_once: step.to === 'at_once' },
      display: null,
      lasting: null,
    });
    if (row === null) return;
    world.trace(`agent asks for key ${step.key}: ${row.request_id.slice(0, 6)}, ${row.state}`);
    this.#requests.set(step.key, { host, id: row.request_id });
    if (staged || step.to === 'refused') return;
    const { life } = host;
    const run = () => {
      // The agent's code that asked is part of the host's process, and dies with it.
      if (host.life === life) host.run(row.request_id);
    };
    if (step.runAfterMs > 0 && step.to === 'ready') world.time.after(step.runAfterMs, () => host.guard(run));
    else host.guard(run);
  }

  #decide(kind: 'withdraw' | 'approve' | 'approve_twice' | 'deny', key: number): void {
    const request = this.#requests.get(key);
    const tracker = request?.host.life?.tracker;
    const row = request?.host.life?.store.commands.get(request.id);
    if (request === undefined || tracker === undefined || row == null) return;
    request.host.guard(() => {
      if (kind === 'withdraw') tracker.withdraw(request.id);
      else if (row.confirmation_id !== null) {
        if (kind === 'deny') tracker.deny(row.confirmation_id, 'owner', 'a test');
        else tracker.approve(row.confirmation_id, 'owner', 'a test');
        if (kind === 'approve_twice') tracker.approve(row.confirmation_id, 'owner', 'a test');
      }
    });
  }

  #changeHolder(): void {
    const { phone, hosts } = this.#world;
    const other = hosts.find((one) => one !== phone.dials);
    const id = other?.life?.store.identity.host_id;
    if (other === undefined || id === undefined || phone.process === null) return;
    phone.dials = other;
    phone.guard(() => phone.process?.engine.changeHolder(id));
    phone.hangUp();
  }

  /** One bit of the journal flips while nobody looks. */
  #damage(): void {
    const { phone, dice, truth } = this.#world;
    phone.kill(false);
    phone.mayLoseLedger = true;
    const bytes = phone.disk.bytes();
    if (bytes === null) return;
    const at = dice.whole(0, bytes.length - 1);
    bytes[at] = (bytes[at] as number) ^ (1 << dice.whole(0, 7));
    phone.disk.put(bytes);
    truth.stopHolds = false;
  }
}
