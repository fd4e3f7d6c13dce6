/**
 * Faults that tests may arm: what goes wrong between the companion and a real Android, as glass around the
 * glass. Not for faults of the disk (disk.ts) or the link (link.ts), which stand where they strike.
 */
import { z } from 'zod';
import type { InstalledApp } from '../../device-protocol/companion/ports.ts';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import type { Touch } from './android/touch.ts';
import type { PhoneClock } from './clock.ts';
import type { Gesture, GestureEnd, Glass, GlassInput } from './glass.ts';

const times = z.int().min(0).max(1_000_000);

export const faultsSchema = z.strictObject({
  /** The next n click actions are answered yes and do nothing. */
  ignore_clicks: times.default(0),
  /** The next n click actions are answered no, and happen `late_ms` later (protocol.md, rule 10). */
  deny_clicks_but_act: times.default(0),
  late_ms: times.default(1_500),
  /** The next n set-text actions are answered yes and leave the text as it was. */
  keep_text: times.default(0),
  /** The next n set-text actions are answered no. */
  refuse_text: times.default(0),
  /** The next n gestures are cancelled half way. */
  cut_gestures: times.default(0),
  /** The next n gestures are never answered. */
  lose_gestures: times.default(0),
  /** Every input reaches the app only after this many milliseconds. */
  slow_ms: times.default(0),
  /** Of every five looks the first n find no root in the app's window. */
  rootless_of_five: z.int().min(0).max(5).default(0),
  /** For so long (from arming it) only the right-hand strip of the app's tree has bounds (D-01). */
  half_tree_ms: times.default(0),
  screenshot: z.enum(['timed_out', 'empty', 'black']).nullable().default(null),
});
export type Faults = z.infer<typeof faultsSchema>;

export const NO_FAULTS: Faults = faultsSchema.parse({});

export class FaultyGlass implements Glass {
  private readonly inner: Glass;
  private readonly clock: PhoneClock;
  private armed: Faults = NO_FAULTS;
  private armedAtMs = 0;
  private looks = 0;
  /** Which of the real look's nodes ours has; null: all of them. */
  private kept: readonly number[] | null = null;

  constructor(inner: Glass, clock: PhoneClock) {
    this.inner = inner;
    this.clock = clock;
  }

  /** Puts these faults in the place of all earlier ones. */
  arm(faults: Faults): void {
    this.armed = faults;
    this.armedAtMs = this.clock.elapsedMs();
    this.looks = 0;
  }

  get faults(): Faults {
    return this.armed;
  }

  look(): Snapshot {
    let snapshot = this.inner.look();
    const turn = this.looks++ % 5;
    this.kept = null;
    if (turn < this.armed.rootless_of_five) {
      const less = rootless(snapshot);
      snapshot = less.snapshot;
      this.kept = less.kept;
    }
    if (this.clock.elapsedMs() < this.armedAtMs + this.armed.half_tree_ms) snapshot = halfPublished(snapshot);
    return snapshot;
  }

  /** The node's number in the look behind ours. */
  private inside(node: number): number {
    return this.kept?.[node] ?? node;
  }

  follow(node: number): () => number | null {
    const real = this.inner.follow(this.inside(node));
    return () => {
      const now = real();
      if (now === null || this.kept === null) return now;
      const ours = this.kept.indexOf(now);
      return ours < 0 ? null : ours;
    };
  }

  private meant(input: GlassInput): GlassInput {
    return 'node' in input ? { ...input, node: this.inside(input.node) } : input;
  }

  give(given: GlassInput, by: Touch['by']): boolean {
    const { armed } = this;
    const input = this.meant(given);
    if (by === 'person') return this.inner.give(input, by);
    if (input.do === 'click' && this.use('ignore_clicks')) return true;
    if (input.do === 'click' && this.use('deny_clicks_but_act')) {
      this.inner.giveLater(input, armed.late_ms);
      return false;
    }
    if (input.do === 'set_text' && this.use('keep_text')) return true;
    if (input.do === 'set_text' && this.use('refuse_text')) return false;
    if (armed.slow_ms === 0) return this.inner.give(input, by);
    this.inner.giveLater(input, armed.slow_ms);
    return true;
  }

  giveLater(input: GlassInput, ms: number): void {
    this.inner.giveLater(this.meant(input), ms);
  }

  gesture(gesture: Gesture, end: (how: GestureEnd) => void): void {
    if (this.use('lose_gestures')) return;
    if (this.use('cut_gestures')) {
      this.clock.at(this.clock.elapsedMs() + Math.ceil(gesture.takesMs / 2), () => end('cancelled'));
      return;
    }
    this.inner.gesture(gesture, end);
  }

  private use(
    name:
      | 'ignore_clicks'
      | 'deny_clicks_but_act'
      | 'keep_text'
      | 'refuse_text'
      | 'cut_gestures'
      | 'lose_gestures',
  ): boolean {
    if (this.armed[name] === 0) return false;
    this.armed = { ...this.armed, [name]: this.armed[name] - 1 };
    return true;
  }

  onChange(listener: () => void): () => void {
    return this.inner.onChange(listener);
  }
  apps(): InstalledApp[] {
    return this.inner.apps();
  }
  clipboard(): string | null {
    return this.inner.clipboard();
  }
  secure(): boolean {
    return this.inner.secure();
  }
  personTouchedMs(): number | null {
    return this.inner.personTouchedMs();
  }
}

/** The app's window without a root, as getRoot() gives null now and then (D-03). */
function rootless(snapshot: Snapshot): { snapshot: Snapshot; kept: number[] } {
  const lost = snapshot.windows.findIndex((window) => window.active);
  const kept = snapshot.nodes.flatMap((node, index) => (node.window === lost ? [] : [index]));
  const ours = new Map(kept.map((index, place) => [index, place]));
  const windows = snapshot.windows.map((window, index) =>
    index === lost
      ? { ...window, root: null, unreadable: 'no_root' as const }
      : { ...window, root: window.root === null ? null : (ours.get(window.root) ?? null) },
  );
  const nodes = snapshot.nodes
    .filter((node) => node.window !== lost)
    .map((node) => ({ ...node, parent: node.parent < 0 ? -1 : (ours.get(node.parent) ?? -1) }));
  return { snapshot: { ...snapshot, windows, nodes }, kept };
}

/** Compose has published only a strip at the right edge; everything else has no bounds yet (D-01). */
function halfPublished(snapshot: Snapshot): Snapshot {
  const edge = Math.floor(snapshot.display.width * 0.8);
  const nodes = snapshot.nodes.map((node) => {
    const decor = node.parent < 0 || snapshot.windows[node.window]?.kind !== 'application';
    return decor || node.bounds[0] >= edge
      ? node
      : { ...node, bounds: [0, 0, 0, 0] as [number, number, number, number] };
  });
  return { ...snapshot, nodes };
}
