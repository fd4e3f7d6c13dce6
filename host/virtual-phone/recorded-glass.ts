/**
 * A recorded screen as glass: shows one snapshot until another is put in its place; what touches it is
 * counted and changes nothing.
 * Not for reading recordings (host/screen/recorded).
 */
import type { InstalledApp } from '../../device-protocol/companion/ports.ts';
import type { Bounds, Snapshot, SnapshotNode } from '../../device-protocol/snapshot.ts';
import { contains, type Touch } from './android/touch.ts';
import type { PhoneClock } from './clock.ts';
import type { Gesture, GestureEnd, Glass, GlassInput, TouchLog } from './glass.ts';

export class RecordedGlass implements Glass {
  private recorded: Snapshot;
  private readonly clock: PhoneClock;
  private readonly touches: TouchLog;

  constructor(of: { snapshot: Snapshot; clock: PhoneClock; touches: TouchLog }) {
    this.recorded = of.snapshot;
    this.clock = of.clock;
    this.touches = of.touches;
  }

  get shown(): Snapshot {
    return this.recorded;
  }

  show(snapshot: Snapshot): void {
    this.recorded = snapshot;
  }

  look(): Snapshot {
    return { ...this.recorded, taken_at_ms: this.clock.elapsedMs() };
  }

  follow(node: number): () => number | null {
    return () => node;
  }

  give(input: GlassInput, by: Touch['by']): boolean {
    const node = 'node' in input ? this.recorded.nodes[input.node] : this.under(input);
    const how = HOW[input.do];
    if (how !== null) this.touches.note(this.touch(how, by, node ?? null));
    return true;
  }

  private under(input: GlassInput): SnapshotNode | undefined {
    const point =
      input.do === 'tap' ? ([input.x, input.y] as const) : input.do === 'swipe' ? input.from : null;
    if (point === null) return undefined;
    return this.recorded.nodes.findLast((node) => contains(node.bounds, point[0], point[1]));
  }

  private touch(how: Touch['how'], by: Touch['by'], node: SnapshotNode | null): Touch {
    const bounds: Bounds | null = node?.bounds ?? null;
    return {
      at: this.clock.elapsedMs(),
      by,
      how,
      package: node?.package ?? this.recorded.foreground.package ?? '',
      window: node === null ? '' : String(node.window),
      id: node?.resource_id ?? null,
      label: node?.text ?? node?.description ?? null,
      bounds,
    };
  }

  giveLater(input: GlassInput, ms: number): void {
    this.clock.at(this.clock.elapsedMs() + ms, () => this.give(input, 'companion'));
  }

  gesture(gesture: Gesture, end: (how: GestureEnd) => void): void {
    this.clock.at(this.clock.elapsedMs() + gesture.takesMs, () => {
      this.give(gesture.input, 'companion');
      end('completed');
    });
  }

  personTouchedMs(): number | null {
    return null;
  }

  onChange(): () => void {
    return () => {};
  }
  apps(): InstalledApp[] {
    return [];
  }
  clipboard(): string | null {
    return null;
  }
  secure(): boolean {
    return false;
  }
}

/** How each input is counted; null: it touches nothing on the glass. */
const HOW: Record<GlassInput['do'], Touch['how'] | null> = {
  click: 'click',
  long_click: 'long_click',
  focus: null,
  set_text: 'set_text',
  scroll: 'scroll',
  action: 'action',
  ime_action: 'ime_action',
  tap: 'tap',
  swipe: 'swipe',
  key: 'key',
  go: null,
  open_app: null,
  link: null,
  clipboard: null,
  rotate: null,
  lock: null,
  wake: null,
};
