/**
 * Glass and hands of a virtual phone with a clock that only the test moves: no process, no link. Acts are
 * aimed as the host aims them, from a look; what is touched is counted.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targetOf } from '../../device-protocol/companion/find-target.ts';
import type { ActEnd, Look } from '../../device-protocol/companion/ports.ts';
import { touchedBy } from '../../device-protocol/companion/tree.ts';
import type { Act, Payload } from '../../device-protocol/payload.ts';
import type { Report } from '../../device-protocol/report.ts';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import type { Target } from '../../device-protocol/target.ts';
import { DEFAULT_OPTIONS, newWorld, type WorldOptions } from '../../host/virtual-phone/android/world.ts';
import { APPS, catalogueOf } from '../../host/virtual-phone/apps/all.ts';
import { DrivenClock } from '../../host/virtual-phone/clock.ts';
import { type Faults, FaultyGlass, faultsSchema } from '../../host/virtual-phone/faults.ts';
import { Hands } from '../../host/virtual-phone/hands/hands.ts';
import { readScenarioFile } from '../../host/virtual-phone/scenario/read.ts';
import { type ScenarioState, scenarioApp } from '../../host/virtual-phone/scenario/scenario-app.ts';
import type { Scenario } from '../../host/virtual-phone/scenario/schema.ts';
import { SmallAndroid } from '../../host/virtual-phone/small-android.ts';
import { TouchList } from '../../host/virtual-phone/state-folder.ts';

const FOLDER = fileURLToPath(new URL('./scenarios/', import.meta.url));
const SETTLE = { reaction_ms: 500, quiet_ms: 400, ceiling_ms: 3_000 };

export class PhoneRig {
  readonly clock = new DrivenClock();
  readonly touches = new TouchList();
  readonly android: SmallAndroid;
  readonly glass: FaultyGlass;
  readonly hands: Hands;
  private readonly scenario: Scenario | null;

  private constructor(scenario: Scenario | null, options: Partial<WorldOptions>) {
    this.scenario = scenario;
    const catalogue = catalogueOf(scenario === null ? APPS : [...APPS, scenarioApp(scenario)]);
    const { language, width, height, pin } = scenario?.phone ?? {};
    const given = Object.fromEntries(
      Object.entries({ language, width, height, pin }).filter(([, value]) => value !== undefined),
    );
    const world = newWorld(catalogue, { ...DEFAULT_OPTIONS, ...given, ...options });
    this.android = new SmallAndroid({ catalogue, world, clock: this.clock, touches: this.touches });
    this.glass = new FaultyGlass(this.android, this.clock);
    this.glass.arm(faultsSchema.parse(scenario?.faults ?? {}));
    this.hands = new Hands({
      glass: this.glass,
      clock: this.clock,
      camera: { take: (end) => end({ screenshot: null, screenshot_refused: 'unsupported' }) },
    });
    if (scenario?.phone.front === true) this.android.bringUp(scenario.app);
  }

  static of(options: Partial<WorldOptions> = {}): PhoneRig {
    return new PhoneRig(null, options);
  }

  /** The scenario of that name beside this file. */
  static scenario(name: string): PhoneRig {
    return new PhoneRig(readScenarioFile(join(FOLDER, `${name}.yaml`)), {});
  }

  /** Values the scenario's app holds. */
  get values(): ScenarioState['values'] {
    return (this.android.world.apps[this.scenario?.app ?? ''] as ScenarioState).values;
  }

  arm(faults: Partial<Faults>): void {
    this.glass.arm(faultsSchema.parse(faults));
  }

  /** A look as the host asks for it; time passes until it is answered. */
  look(settleMs = 0): Look {
    let answer: Look | null = null;
    this.hands.look({ settle_ms: settleMs, screenshot: false }, (look) => {
      answer = look;
    });
    return this.until(() => answer);
  }

  screen(): Snapshot {
    return this.look().snapshot;
  }

  words(): string[] {
    return this.screen()
      .nodes.flatMap((node) => [node.text, node.description])
      .filter((one) => one !== null && one !== '') as string[];
  }

  /** Index of the only node with these words, or of its `nth` (from 0). */
  indexOf(words: string, nth: number | null = null, snapshot = this.screen()): number {
    const all = snapshot.nodes.flatMap((node, index) =>
      node.text === words || node.description === words ? [index] : [],
    );
    const index = nth === null && all.length !== 1 ? undefined : all[nth ?? 0];
    if (index === undefined) throw new Error(`"${words}" is there ${all.length} times`);
    return index;
  }

  /** The target the host makes of it: what takes the touch at that label. */
  target(words: string, nth: number | null = null): Target {
    const snapshot = this.screen();
    const index = this.indexOf(words, nth, snapshot);
    return targetOf(snapshot, touchedBy(snapshot, index) ?? index);
  }

  targetById(id: string): Target {
    const snapshot = this.screen();
    const index = snapshot.nodes.findIndex((node) => node.resource_id?.endsWith(id) === true);
    if (index < 0) throw new Error(`no node "${id}"`);
    return targetOf(snapshot, index);
  }

  payload(act: Act, more: Partial<Payload> = {}): Payload {
    return {
      version: 1,
      salt: '0'.repeat(32),
      agent: 'local',
      act,
      expect: { package: null, window_title: null, shown_print: null },
      shown: [],
      verdict: { level: 'low', decision: 'allow', reasons: [] },
      run_limit_ms: 20_000,
      settle: SETTLE,
      ...more,
    };
  }

  /** As the engine does: the check first, then the act, then time until it ends. A refusal is its code. */
  act(act: Act, more: Partial<Payload> = {}): Report | string {
    const payload = this.payload(act, more);
    const refused = this.hands.check(payload);
    if (refused !== null) return refused;
    const end = this.perform(payload);
    return end.kind === 'report' ? end.report : end.kind;
  }

  perform(payload: Payload, stillMine = () => true): ActEnd {
    let answer: ActEnd | null = null;
    this.hands.perform({ act: payload.act, payload, stillMine }, (end) => {
      answer = end;
    });
    return this.until(() => answer);
  }

  tap(words: string, nth: number | null = null): Report | string {
    return this.act({ kind: 'tap', aim: { by: 'element', target: this.target(words, nth) }, count: 1 });
  }

  setText(id: string, text: string, more: Partial<Extract<Act, { kind: 'set_text' }>> = {}): Report | string {
    return this.act({
      kind: 'set_text',
      target: this.targetById(id),
      mode: 'replace',
      text,
      submit: false,
      ...more,
    });
  }

  /** Lets time pass in small steps until there is an answer. */
  private until<T>(answer: () => T | null): T {
    for (let step = 0; step < 10_000; step++) {
      const now = answer();
      if (now !== null) return now;
      this.clock.advance(10);
    }
    throw new Error('no answer within 100 s of the phone’s time');
  }
}
