/**
 * What a phone keeps between two lives of its process: how often it booted, its apps' states, what was
 * touched. Not the journal (disk.ts). Outside the host's data directory, as a real phone's would be.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import type { Touch } from './android/touch.ts';
import type { World } from './android/world.ts';
import type { TouchLog } from './glass.ts';

/** The platform's place for it, one folder a device. */
export function defaultStateFolder(deviceId: string): string {
  return join(envPaths('countersign-virtual-phone', { suffix: '' }).data, deviceId);
}

const bootSchema = z.strictObject({
  boots: z.int().min(1),
  /** process.hrtime when this phone was booted, nanoseconds; only means anything while the machine runs. */
  bootedAtNs: z.string().regex(/^-?\d+$/),
  /** When the machine itself was started, seconds since 1970. */
  machineStartedAt: z.number(),
});
export type Boot = z.infer<typeof bootSchema>;

/** Two estimates of one machine's start differ by the clock's corrections, hardly by more than this. */
const SAME_START_S = 90;

/**
 * The boot this process lives in: the one on file, or the next where the machine was restarted since, or
 * where `reboot` asks for it. A phone that never was gets its first.
 */
export function currentBoot(folder: string, reboot: boolean): Boot {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'boot.json');
  const now = process.hrtime.bigint();
  const machineStartedAt = Date.now() / 1000 - uptime();
  const last = existsSync(path) ? bootSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
  const sameMachineRun =
    last !== null &&
    Math.abs(last.machineStartedAt - machineStartedAt) < SAME_START_S &&
    now >= BigInt(last.bootedAtNs);
  if (last !== null && sameMachineRun && !reboot) return last;
  const boot: Boot = { boots: (last?.boots ?? 0) + 1, bootedAtNs: String(now), machineStartedAt };
  writeWhole(path, JSON.stringify(boot));
  return boot;
}

function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Kept worlds of another make are not read: an app's state has no promise of its own. */
const WORLD_VERSION = 1;

/** The apps' states as they were left; null where there are none, or those of another scenario. */
export function readWorld(folder: string, scenario: string | null): World | null {
  const path = join(folder, 'world.json');
  if (!existsSync(path)) return null;
  const kept = JSON.parse(readFileSync(path, 'utf8')) as {
    version: number;
    scenario: string | null;
    world: World;
  };
  return kept.version === WORLD_VERSION && kept.scenario === scenario ? kept.world : null;
}

export function writeWorld(folder: string, scenario: string | null, world: World): void {
  writeWhole(join(folder, 'world.json'), JSON.stringify({ version: WORLD_VERSION, scenario, world }));
}

/** Counts touches in a file, so that a killed phone still tells what was touched before. */
export class TouchFile implements TouchLog {
  private readonly path: string;
  private readonly known: Touch[];
  constructor(folder: string) {
    this.path = join(folder, 'touches.jsonl');
    const text = existsSync(this.path) ? readFileSync(this.path, 'utf8') : '';
    const lines = text.split('\n');
    // What follows the last line break was torn by a kill; its touch was never answered for.
    lines.pop();
    this.known = lines.map((line) => JSON.parse(line) as Touch);
  }
  note(touch: Touch): void {
    this.known.push(touch);
    appendFileSync(this.path, `${JSON.stringify(touch)}\n`, { mode: 0o600 });
  }
  all(): readonly Touch[] {
    return this.known;
  }
}

/** Counts touches in memory. */
export class TouchList implements TouchLog {
  private readonly known: Touch[] = [];
  note(touch: Touch): void {
    this.known.push(touch);
  }
  all(): readonly Touch[] {
    return this.known;
  }
}
