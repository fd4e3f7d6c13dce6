/**
 * The tests' side channel to a virtual phone: what was touched, what the apps hold, its clock, faults, a
 * person's finger. Never reachable by an agent: nothing of it goes over the link.
 */
import type { Touch } from './android/touch.ts';
import type { World } from './android/world.ts';
import type { Faults } from './faults.ts';

/** Every call answers when its effect is there. All over the socket or the object itself, the same. */
export interface PhoneControl {
  /** Everything that was touched since the state folder is there, oldest first. */
  touches(): Promise<readonly Touch[]>;
  /** An app's own state, as the app wrote it; null where there is no such app. */
  state(packageName: string): Promise<unknown>;
  /** The world without its apps' states: windows in front, notices, clipboard, rotation, lock, … */
  world(): Promise<Omit<World, 'apps'>>;
  /** elapsedRealtime. */
  now(): Promise<number>;
  /** Lets time pass at once. */
  advance(ms: number): Promise<void>;
  /** Arms these faults in the place of all earlier ones; `{}` disarms. */
  faults(faults: Partial<Faults>): Promise<void>;
  /** A person's finger on the glass. */
  personTap(x: number, y: number, holdMs?: number): Promise<void>;
  personSwipe(from: readonly [number, number], to: readonly [number, number]): Promise<void>;
  /** Puts an app in front, as a person would, without a touch being counted. */
  bringUp(packageName: string): Promise<boolean>;
  /** Runs a move of an app by its name: a message comes in, a page finishes loading. */
  tell(packageName: string, move: string, arg?: unknown): Promise<void>;
  /** Another scenario's app and its faults in the place of the ones before; everything else on the phone as new. */
  showScenario(path: string): Promise<void>;
  /** Another recorded screen in the place of the one shown; only a phone that was started with one has any. */
  showRecording(path: string): Promise<void>;
  rotate(rotation: 0 | 1 | 2 | 3): Promise<void>;
  lock(): Promise<void>;
  wake(): Promise<void>;
  /** The journal's disk is full, or has room again. */
  diskFull(full: boolean): Promise<void>;
  /** How many writes the full disk refused. */
  refusedWrites(): Promise<number>;
  /** Cuts the present connection; the phone dials again by itself. */
  cutLink(): Promise<void>;
  /** No connection until `plug`. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
  inSession(): Promise<boolean>;
  /** The owner's switch on the phone itself. */
  stopOnPhone(): Promise<void>;
  resumeOnPhone(): Promise<void>;
  /** The accessibility service is bound, or was unbound while its switch stays on. */
  accessibility(on: boolean): Promise<void>;
  /** SIGKILL to the phone's own process. */
  kill(): Promise<void>;
}

export const CONTROL_CALLS = [
  'touches',
  'state',
  'world',
  'now',
  'advance',
  'faults',
  'personTap',
  'personSwipe',
  'bringUp',
  'tell',
  'showScenario',
  'showRecording',
  'rotate',
  'lock',
  'wake',
  'diskFull',
  'refusedWrites',
  'cutLink',
  'unplug',
  'plug',
  'inSession',
  'stopOnPhone',
  'resumeOnPhone',
  'accessibility',
  'kill',
] as const satisfies readonly (keyof PhoneControl)[];
export type ControlCall = (typeof CONTROL_CALLS)[number];
