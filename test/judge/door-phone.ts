/**
 * A host with its virtual phone and an agent behind the MCP door, for tests that count what reached the phone: its
 * own counters and its apps' state, never what the judge said. Not a test.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Envelope } from '../../device-protocol/envelope.ts';
import { type ControlConnection, reachControl } from '../../host/virtual-phone/control-socket.ts';
import { freshFolder, phoneFolder, type RunningHost, startHostProcess } from '../support/host-process.ts';
import { type Agent, agentOn, refOf } from '../support/mcp.ts';
import { newKey, observe } from '../support/messages-walk.ts';

type Values = Record<string, unknown>;
type Reached = { touches: number; front: string; state: unknown };

export class DoorPhone {
  readonly agent: Agent;
  readonly control: ControlConnection;
  readonly dataDir: string;
  readonly #app: string;
  readonly #close: () => Promise<void>;

  private constructor(
    agent: Agent,
    control: ControlConnection,
    dataDir: string,
    app: string,
    close: () => Promise<void>,
  ) {
    this.agent = agent;
    this.control = control;
    this.dataDir = dataDir;
    this.#app = app;
    this.#close = close;
  }

  /** A phone with the scenario's app in front; `app` is its package. */
  static async with(scenario: string, app: string): Promise<DoorPhone> {
    const data = freshFolder();
    const file = join(fileURLToPath(new URL('scenarios/', import.meta.url)), scenario);
    const host: RunningHost = await startHostProcess(data.path, ['--scenario', file, '--phone-control']);
    const agent = await agentOn(data.path, 'client 2.4.0', ['--tools', 'all']);
    const control = await reachControl(phoneFolder(data.path));
    return new DoorPhone(agent, control, data.path, app, async () => {
      control.close();
      await agent.close();
      await host.stop();
      data.remove();
    });
  }

  end(): Promise<void> {
    return this.#close();
  }

  /** Puts a screen of the scenario in front, without a touch. */
  async show(screen: string): Promise<void> {
    await this.control.bringUp(this.#app);
    await this.control.tell(this.#app, 'steps', [{ goto: screen }]);
  }

  call(tool: string, args: Record<string, unknown>): Promise<Envelope> {
    return this.agent.call(tool, { ...args, idempotency_key: newKey() });
  }

  /** An act on the element whose line of the present screen shows `label`. */
  async on(tool: string, label: string | RegExp, more: Record<string, unknown> = {}): Promise<Envelope> {
    const look = await observe(this.agent);
    return this.call(tool, { ref: refOf(look, label), observation_id: look.observation_id, ...more });
  }

  /** What the scenario's app holds. */
  async values(): Promise<Values> {
    return ((await this.control.state(this.#app)) as { values: Values }).values;
  }

  /** Runs the act and holds that it waits for the owner with this reason, and that nothing reached the phone. */
  async waits(act: () => Promise<Envelope>, reason: string, app = this.#app): Promise<void> {
    const before = await this.#reached(app);
    const answer = await act();
    const during = await this.#reached(app);
    const { request_id } = answer.ok ? (answer.result as { request_id: string }) : { request_id: null };
    // Taken back before anything is held: a failure here must not make every later act wait.
    const withdrawn = request_id === null ? null : await this.agent.call('request_withdraw', { request_id });
    expect(answer, JSON.stringify(answer)).toMatchObject({
      ok: true,
      result: { state: 'pending_confirmation', acted: null, risk: { level: 'high', decision: 'ask' } },
    });
    const { reasons } = (answer as unknown as { result: { risk: { reasons: { class: string }[] } } }).result
      .risk;
    expect(reasons.map((one) => one.class)).toContain(reason);
    expect(during).toEqual(before);
    expect(withdrawn).toMatchObject({ ok: true, result: { state: 'cancelled' } });
    expect(await this.#reached(app)).toEqual(before);
  }

  /** Runs the act and holds that it was refused for good, and that nothing reached the phone. */
  async refuses(act: () => Promise<Envelope>, app = this.#app): Promise<Envelope> {
    const before = await this.#reached(app);
    const answer = await act();
    const state = answer.ok ? (answer.result as { state?: string }).state : 'failed';
    expect(['failed', 'refused'], JSON.stringify(answer)).toContain(state);
    expect(await this.#reached(app)).toEqual(before);
    return answer;
  }

  /** Runs the act and holds that it was done by itself: the control of the tests beside it. */
  async passes(act: () => Promise<Envelope>): Promise<void> {
    const answer = await act();
    expect(answer, JSON.stringify(answer)).toMatchObject({
      ok: true,
      result: { state: 'done', risk: { level: 'low' } },
    });
  }

  async #reached(app: string): Promise<Reached> {
    const touches = (await this.control.touches()).filter((touch) => touch.by === 'companion').length;
    const { stack, overlay, settings, notices, granted } = await this.control.world();
    const front = JSON.stringify({ stack, overlay, settings, notices, granted });
    return { touches, front, state: await this.control.state(app) };
  }
}
