/** A host with a scenario's phone, an agent on it by a real MCP client, and the phone's own counter. */
import { fileURLToPath } from 'node:url';
import type { Envelope } from '../../device-protocol/envelope.ts';
import { type ControlConnection, reachControl } from '../../host/virtual-phone/control-socket.ts';
import {
  countersign,
  freshFolder,
  phoneFolder,
  type RunningHost,
  startHostProcess,
} from '../support/host-process.ts';
import { type Agent, agentOn, refOf } from '../support/mcp.ts';

const file = (name: string) =>
  fileURLToPath(new URL(`../virtual-phone/scenarios/${name}.yaml`, import.meta.url));

export type Result = Record<string, unknown>;

export class ReportRig {
  readonly agent: Agent;
  readonly phone: ControlConnection;
  readonly #host: RunningHost;
  readonly #folder: ReturnType<typeof freshFolder>;
  readonly #app: string;
  #keys = 0;

  private constructor(
    host: RunningHost,
    agent: Agent,
    phone: ControlConnection,
    folder: ReturnType<typeof freshFolder>,
    app: string,
  ) {
    this.#host = host;
    this.agent = agent;
    this.phone = phone;
    this.#folder = folder;
    this.#app = app;
  }

  /** The scenario's app in front, as a person would have put it there. */
  static async of(scenario: string, app: string): Promise<ReportRig> {
    const folder = freshFolder('countersign-report-');
    const host = await startHostProcess(folder.path, [
      '--scenario',
      file(scenario),
      '--phone-control',
      '--no-mcp-http',
      '--console-port',
      '0',
    ]);
    const [agent, phone] = await Promise.all([agentOn(folder.path), reachControl(phoneFolder(folder.path))]);
    const rig = new ReportRig(host, agent, phone, folder, app);
    await phone.bringUp(app);
    return rig;
  }

  get dataDir(): string {
    return this.#folder.path;
  }

  async ended(): Promise<void> {
    this.phone.close();
    await this.agent.close();
    await this.#host.stop();
    this.#folder.remove();
  }

  async ok(tool: string, args: Record<string, unknown> = {}): Promise<Result> {
    const envelope = await this.agent.call(tool, args);
    if (!envelope.ok) throw new Error(`${tool}: ${envelope.error_code}: ${envelope.message}`);
    return envelope.result;
  }

  look = () => this.ok('screen_observe');

  /** An act with a key of its own; the envelope as it came. */
  act(tool: string, args: Record<string, unknown>): Promise<Envelope> {
    this.#keys += 1;
    return this.agent.call(tool, { idempotency_key: `report-${this.#keys}`, ...args });
  }

  /** Taps what `label` names in `seen`, a look of now where none is given. */
  async tap(label: string | RegExp, seen?: Result): Promise<Envelope> {
    const look = seen ?? (await this.look());
    return this.act('tap', { ref: refOf(look, label), observation_id: look.observation_id });
  }

  /** The values the scenario's app holds. */
  async values(): Promise<Record<string, unknown>> {
    const state = (await this.phone.state(this.#app)) as { values: Record<string, unknown> };
    return state.values;
  }

  /** A command of the owner, its object. */
  async owner(...args: string[]): Promise<Record<string, unknown>> {
    return (await countersign([...args, '--json', '--data', this.#folder.path])).json as Record<
      string,
      unknown
    >;
  }
}

/** What an act came to, whether it was answered as done or as a failure. */
export const outcomeOf = (envelope: Envelope): Result => (envelope.result ?? {}) as Result;
