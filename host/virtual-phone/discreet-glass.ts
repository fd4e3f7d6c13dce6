/**
 * The glass as the companion may see it: what password fields hold is taken out of every look, before anything is
 * made of it, so that it is in no snapshot, reading back, change or picture. Not for what is secret
 * (device-protocol/companion/secrets.ts).
 */
import type { InstalledApp } from '../../device-protocol/companion/ports.ts';
import { withoutSecrets } from '../../device-protocol/companion/secrets.ts';
import { overlap, treeOf } from '../../device-protocol/companion/tree.ts';
import { type Bounds, has, type Snapshot } from '../../device-protocol/snapshot.ts';
import type { Touch } from './android/touch.ts';
import type { Gesture, GestureEnd, Glass, GlassInput } from './glass.ts';

/** Fields remembered as password fields, so that "show password" shows it to nobody but the person. */
const MOST_FIELDS = 200;

export class DiscreetGlass implements Glass {
  private readonly inner: Glass;
  private fields: ReadonlySet<string> = new Set();

  constructor(inner: Glass) {
    this.inner = inner;
  }

  look(): Snapshot {
    return this.withheld(this.inner.look());
  }

  /** Where on the glass a secret stands right now: black in every picture. */
  secretAreas(): Bounds[] {
    const raw = this.inner.look();
    const told = this.withheld(raw);
    const { secret } = treeOf(told);
    const { width, height } = raw.display;
    return raw.nodes.flatMap((node, index) => {
      const holds = node.text !== null && node.text !== '' && !has(node, 'showing_hint');
      const area = secret[index] === true && holds ? overlap(node.bounds, [0, 0, width, height]) : null;
      return area === null ? [] : [area];
    });
  }

  private withheld(raw: Snapshot): Snapshot {
    const { snapshot, known } = withoutSecrets(raw, this.fields);
    this.fields = known.size > MOST_FIELDS ? new Set([...known].slice(-MOST_FIELDS)) : known;
    return snapshot;
  }

  follow(node: number): () => number | null {
    return this.inner.follow(node);
  }
  give(input: GlassInput, by: Touch['by']): boolean {
    return this.inner.give(input, by);
  }
  giveLater(input: GlassInput, ms: number): void {
    this.inner.giveLater(input, ms);
  }
  gesture(gesture: Gesture, end: (how: GestureEnd) => void): void {
    this.inner.gesture(gesture, end);
  }
  personTouchedMs(): number | null {
    return this.inner.personTouchedMs();
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
}
