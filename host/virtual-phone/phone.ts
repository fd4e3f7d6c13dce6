/**
 * Puts a virtual phone together: glass, faults, hands, journal, engine, link, side channel. Not for its
 * process (main.ts).
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostsWord } from '../../device-protocol/companion/approval.ts';
import { CompanionDialogue } from '../../device-protocol/companion/dialogue.ts';
import { CompanionEngine } from '../../device-protocol/companion/engine.ts';
import type { CompanionPorts } from '../../device-protocol/companion/ports.ts';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import { loadPhonePolicy } from '../judge/phone-policy.ts';
import { packageRoot } from '../package-root.ts';
import { DrivenClock, MachineClock, type PhoneClock } from './clock.ts';
import type { PhoneControl } from './control.ts';
import { DiscreetGlass } from './discreet-glass.ts';
import { JournalFile, journalHash, lockFolder } from './disk.ts';
import { pictureOf, pictureOfRecorded } from './draw/picture.ts';
import { FaultyGlass, faultsSchema } from './faults.ts';
import { type Camera, Hands } from './hands/hands.ts';
import { Link } from './link.ts';
import type { PhoneOptions } from './options.ts';
import { RecordedGlass } from './recorded-glass.ts';
import { readRecordedScreen } from './recording.ts';
import { readScenarioFile } from './scenario/read.ts';
import type { Scenario } from './scenario/schema.ts';
import type { SmallAndroid } from './small-android.ts';
import { stagedAndroid } from './staged-android.ts';
import { currentBoot, defaultStateFolder, TouchFile } from './state-folder.ts';

export interface VirtualPhone {
  readonly folder: string;
  readonly control: PhoneControl;
  /** Dials the host, now and again. */
  start(): void;
  stop(): void;
}

/** What the phone shows beside its own apps: at most one of the two. */
export interface Material {
  readonly recorded: Snapshot | null;
  readonly scenario: Scenario | null;
}

export function buildPhone(
  options: PhoneOptions,
  { recorded, scenario }: Material,
  log: (line: string) => void,
): VirtualPhone {
  const folder = options.state_folder ?? defaultStateFolder(options.device_id);
  const unlock = lockFolder(folder);
  const boot = currentBoot(folder, options.reboot);
  const clock: PhoneClock =
    options.clock === 'driven'
      ? new DrivenClock({ boots: boot.boots })
      : new MachineClock(BigInt(boot.bootedAtNs), boot.boots);
  const touches = new TouchFile(folder);

  const staged = recorded === null ? stagedAndroid({ options, scenario, folder, clock, touches }) : null;
  const android = staged?.android ?? null;
  const recording = recorded === null ? null : new RecordedGlass({ snapshot: recorded, clock, touches });
  const real = android ?? recording ?? fail();
  const faulty = new FaultyGlass(real, clock);
  faulty.arm(faultsSchema.parse({ ...scenario?.faults, ...options.faults }));
  const glass = new DiscreetGlass(faulty);

  const disk = new JournalFile(folder);
  const chance = { hex: (count: number) => randomBytes(count).toString('hex') };
  const body = new Hands({ glass, clock, camera: cameraOf({ glass, faulty, android, recording }) });
  const ports: CompanionPorts = {
    clock,
    disk,
    chance,
    body,
    policy: loadPhonePolicy(join(packageRoot(), 'policies')),
    approval: hostsWord,
    chainHash: journalHash,
  };
  const engine = new CompanionEngine(ports, {
    can_be_turned_back: true,
    ledger_key: null,
    companion: { version: packageVersion(), kind: 'virtual' },
    phone: { model: 'Virtual phone', android: null, sdk: null, serial: null, locale: options.language },
  });
  const pairing = {
    device_id: options.device_id,
    secret: options.secret,
    fingerprint: options.fingerprint,
    host_id: options.host_id,
  };
  const link = new Link({
    url: options.host_url,
    fingerprint: options.fingerprint,
    dialogue: (socket) => new CompanionDialogue(engine, { clock, chance }, pairing, socket),
    chance: Math.random,
    log,
  });

  const needAndroid = (): SmallAndroid => android ?? fail('a recorded screen has no apps');
  const control: PhoneControl = {
    touches: async () => touches.all(),
    state: async (name) => needAndroid().world.apps[name] ?? null,
    world: async () => {
      const { apps: _apps, ...rest } = needAndroid().world;
      return rest;
    },
    now: async () => clock.elapsedMs(),
    advance: async (ms) => clock.advance(ms),
    faults: async (faults) => faulty.arm(faultsSchema.parse(faults)),
    personTap: async (x, y, holdMs = 60) => needAndroid().personTouches({ do: 'tap', x, y, holdMs }),
    personSwipe: async (from, to) => needAndroid().personTouches({ do: 'swipe', from, to }),
    bringUp: async (name) => needAndroid().bringUp(name),
    showScenario: async (path) => {
      const next = readScenarioFile(path);
      (staged ?? fail('a recorded screen has no apps')).show(next);
      faulty.arm(faultsSchema.parse(next.faults));
    },
    showRecording: async (path) => (recording ?? fail()).show(readRecordedScreen(path, log)),
    tell: async (name, move, arg) => needAndroid().tell(name, move, arg),
    rotate: async (rotation) => void needAndroid().give({ do: 'rotate', rotation }, 'person'),
    lock: async () => void needAndroid().give({ do: 'lock' }, 'person'),
    wake: async () => void needAndroid().give({ do: 'wake' }, 'person'),
    diskFull: async (full) => {
      disk.full = full;
    },
    refusedWrites: async () => disk.refused,
    cutLink: async () => link.cut(),
    unplug: async () => link.unplug(),
    plug: async () => link.plug(),
    inSession: async () => link.inSession,
    stopOnPhone: async () => engine.stopOnPhone(),
    resumeOnPhone: async () => engine.resumeOnPhone(),
    accessibility: async (on) => engine.bodyBound(on),
    kill: async () => void process.kill(process.pid, 'SIGKILL'),
  };

  return {
    folder,
    control,
    start() {
      engine.open();
      engine.whenReady(() => link.plug());
    },
    stop() {
      link.unplug();
      engine.close();
      clock.stop();
      android?.stop();
      disk.close();
      unlock();
    },
  };
}

/** A version of its own is not needed: it is the package's. */
function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function fail(why = 'no recorded screen'): never {
  throw new Error(why);
}

/** What a screenshot takes; the faults of pictures stand here. */
function cameraOf(of: {
  glass: DiscreetGlass;
  faulty: FaultyGlass;
  android: SmallAndroid | null;
  recording: RecordedGlass | null;
}): Camera {
  const { glass, faulty, android, recording } = of;
  return {
    take(end) {
      const refused = glass.secure() ? 'protected' : faulty.faults.screenshot;
      if (refused !== null) {
        end({ screenshot: null, screenshot_refused: refused });
        return;
      }
      const black = glass.secretAreas();
      const drawn =
        android !== null
          ? pictureOf(android.catalogue, android.world, black)
          : pictureOfRecorded((recording ?? fail()).shown, black);
      drawn.then(
        (png) => end({ screenshot: Buffer.from(png).toString('base64'), screenshot_refused: null }),
        // Skia or a font is not there on this machine: the look still holds.
        () => end({ screenshot: null, screenshot_refused: 'unsupported' }),
      );
    },
  };
}
