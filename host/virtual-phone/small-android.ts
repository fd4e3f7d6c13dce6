/**
 * The small Android that runs: holds the world's present state, lets its clock drive it, keeps count of what
 * was touched. Everything it does is done by the pure functions in android/.
 */
import type { InstalledApp } from '../../device-protocol/companion/ports.ts';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import { happen, type Input } from './android/input.ts';
import { type Seen, snapshotOf } from './android/snapshot-of.ts';
import type { Touch } from './android/touch.ts';
import { activeWindow, settleFocus, windowsOf } from './android/windows.ts';
import { type Catalogue, nextDue, openApp, passTime, runNamed, type World } from './android/world.ts';
import type { PhoneClock } from './clock.ts';
import type { Gesture, GestureEnd, Glass, GlassInput, TouchLog } from './glass.ts';

export class SmallAndroid implements Glass {
  private installed: Catalogue;
  private readonly clock: PhoneClock;
  private readonly touches: TouchLog;
  private readonly keep: (world: World) => void;
  private present: World;
  private seen: Seen | null = null;
  private lastPersonMs: number | null = null;
  private readonly listeners = new Set<() => void>();
  private disarm: (() => void) | null = null;
  /** The companion's gesture that is under way: a person's finger cancels it, as the input system does. */
  private cancelGesture: (() => void) | null = null;

  constructor(of: {
    catalogue: Catalogue;
    world: World;
    clock: PhoneClock;
    touches: TouchLog;
    /** Called with every new state, before anyone hears of it. */
    keep?: (world: World) => void;
  }) {
    this.installed = of.catalogue;
    this.clock = of.clock;
    this.touches = of.touches;
    this.keep = of.keep ?? (() => {});
    this.present = of.world;
    this.arm();
  }

  get catalogue(): Catalogue {
    return this.installed;
  }

  /** Other apps and another world from now on, as on a phone that was set up anew. */
  replace(catalogue: Catalogue, world: World): void {
    this.cancelGesture?.();
    this.installed = catalogue;
    this.become(world);
  }

  /** The world as of now. */
  get world(): World {
    this.passTime();
    return this.present;
  }

  look(): Snapshot {
    this.seen = snapshotOf(this.catalogue, this.world);
    return this.seen.snapshot;
  }

  follow(node: number): () => number | null {
    const at = this.seen?.at[node] ?? null;
    return () => {
      if (at === null || this.seen === null) return null;
      const index = this.seen.at.findIndex((one) => one?.window === at.window && one.path === at.path);
      return index < 0 ? null : index;
    };
  }

  /** The latest look with the views behind its nodes, for drawing. */
  lookClosely(): Seen {
    return snapshotOf(this.catalogue, this.world);
  }

  give(input: GlassInput, by: Touch['by']): boolean {
    const named = this.named(input);
    return named === null ? false : this.happens(named, by);
  }

  giveLater(input: GlassInput, ms: number): void {
    const named = this.named(input);
    if (named !== null) this.clock.at(this.clock.elapsedMs() + ms, () => this.happens(named, 'companion'));
  }

  private happens(named: Input, by: Touch['by']): boolean {
    const { world, took, touches } = happen(this.catalogue, this.world, named, by);
    for (const touch of touches) this.touches.note(touch);
    this.become(world);
    return took;
  }

  gesture(gesture: Gesture, end: (how: GestureEnd) => void): void {
    const over = (how: GestureEnd) => {
      stop();
      this.cancelGesture = null;
      end(how);
    };
    const stop = this.clock.at(this.clock.elapsedMs() + gesture.takesMs, () => {
      this.give(gesture.input, 'companion');
      over('completed');
    });
    this.cancelGesture = () => over('cancelled');
  }

  /** A person's finger: it goes before ours. */
  personTouches(input: Extract<GlassInput, { do: 'tap' | 'swipe' }>): void {
    this.cancelGesture?.();
    this.lastPersonMs = this.clock.elapsedMs();
    this.give(input, 'person');
  }

  personTouchedMs(): number | null {
    return this.lastPersonMs;
  }

  /** The named view instead of the node's number; null where the node is scaffolding of the window. */
  private named(input: GlassInput): Input | null {
    if (!('node' in input)) return input;
    if (this.seen === null) throw new Error('an input by node needs a look first');
    const at = this.seen.at[input.node];
    if (at === undefined) throw new Error(`the latest look has no node ${input.node}`);
    if (at === null) return null;
    const { node: _number, ...rest } = input;
    return { ...rest, at } as Input;
  }

  /** Runs a move of an app by its name, as something from outside does (a message comes in). */
  tell(name: string, move: string, arg: unknown): void {
    this.become(runNamed(this.catalogue, this.world, name, move, arg));
  }

  /** Puts an app in front without any touch. */
  bringUp(name: string): boolean {
    const { world, opened } = openApp(this.catalogue, this.world, name);
    this.become(world);
    return opened;
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  apps(): InstalledApp[] {
    const { language } = this.world;
    return [...this.catalogue.values()]
      .filter((app) => app.hidden !== true)
      .map((app) => {
        const main = app.mainActivity ?? 'MainActivity';
        return {
          package: app.package,
          label: app.words.in(language).app ?? app.package,
          user: 0,
          components: [main, ...(app.otherEntries ?? [])].map((one) => `${app.package}/.${one}`),
          system: app.system ?? false,
        };
      });
  }

  clipboard(): string | null {
    return this.world.clipboard;
  }

  secure(): boolean {
    return activeWindow(windowsOf(this.catalogue, this.world))?.secure ?? false;
  }

  private passTime(): void {
    const now = this.clock.elapsedMs();
    const due = nextDue(this.present);
    if (due !== null && due <= now) this.become(passTime(this.catalogue, this.present, now));
    else this.present = { ...this.present, now };
  }

  private become(world: World): void {
    const settled = settleFocus(this.catalogue, world);
    const changed = settled !== this.present && !settled.silent;
    this.present = { ...settled, silent: false };
    this.keep(this.present);
    this.arm();
    if (changed) for (const listener of [...this.listeners]) listener();
  }

  private arm(): void {
    this.disarm?.();
    const due = nextDue(this.present);
    this.disarm = due === null ? null : this.clock.at(due, () => this.passTime());
  }

  stop(): void {
    this.disarm?.();
    this.listeners.clear();
  }
}
