/**
 * A world to poke at in tests: looks, finds a node by its words, touches it, lets time pass. Only what the
 * glass shows is used, never an app's insides.
 */
import type { Snapshot, SnapshotNode } from '../../device-protocol/snapshot.ts';
import { has, snapshotSchema } from '../../device-protocol/snapshot.ts';
import { happen, type Input } from '../../host/virtual-phone/android/input.ts';
import { snapshotOf } from '../../host/virtual-phone/android/snapshot-of.ts';
import type { Touch } from '../../host/virtual-phone/android/touch.ts';
import {
  DEFAULT_OPTIONS,
  newWorld,
  passTime,
  type World,
  type WorldOptions,
} from '../../host/virtual-phone/android/world.ts';
import { CATALOGUE } from '../../host/virtual-phone/apps/all.ts';

export class TestWorld {
  world: World;
  readonly touches: Touch[] = [];
  constructor(options: Partial<WorldOptions> = {}) {
    this.world = newWorld(CATALOGUE, { ...DEFAULT_OPTIONS, ...options });
  }

  /** A look, checked against the schema of the wire. */
  look(): Snapshot {
    const { snapshot } = snapshotOf(CATALOGUE, this.world);
    return snapshotSchema.parse(snapshot);
  }

  /** Every word on the glass, in order. */
  words(): string[] {
    return this.look()
      .nodes.flatMap((node) => [node.text, node.description])
      .filter((word): word is string => !!word);
  }

  /** The only node with these words. */
  node(words: string): SnapshotNode {
    const found = this.look().nodes.filter((node) => node.text === words || node.description === words);
    if (found.length !== 1 || found[0] === undefined)
      throw new Error(`"${words}" is there ${found.length} times`);
    return found[0];
  }

  byId(id: string): SnapshotNode[] {
    return this.look().nodes.filter(
      (node) => node.resource_id?.endsWith(`/${id}`) === true || node.resource_id === id,
    );
  }

  /** The view behind the first node with this id, as an input names it. */
  placeOf(id: string): { window: string; path: string } {
    const { snapshot, at } = snapshotOf(CATALOGUE, this.world);
    const place = at[snapshot.nodes.findIndex((node) => node.resource_id?.endsWith(`/${id}`) === true)];
    if (place === null || place === undefined) throw new Error(`no view "${id}"`);
    return place;
  }

  give(input: Input, by: Touch['by'] = 'companion'): boolean {
    const { world, took, touches } = happen(CATALOGUE, this.world, input, by);
    this.world = world;
    this.touches.push(...touches);
    return took;
  }

  tapNode(node: SnapshotNode): boolean {
    const [left, top, right, bottom] = node.bounds;
    return this.give({
      do: 'tap',
      x: Math.floor((left + right) / 2),
      y: Math.floor((top + bottom) / 2),
      holdMs: 60,
    });
  }

  tap(words: string): boolean {
    return this.tapNode(this.node(words));
  }

  /** The set-text action on the only editable node. */
  type(text: string, id?: string): boolean {
    const { snapshot, at } = snapshotOf(CATALOGUE, this.world);
    const index = snapshot.nodes.findIndex(
      (node) => has(node, 'editable') && (id === undefined || node.resource_id?.endsWith(id) === true),
    );
    const place = at[index];
    if (place === null || place === undefined) throw new Error('no field');
    return this.give({ do: 'set_text', at: place, text });
  }

  open(packageName: string): void {
    if (!this.give({ do: 'open_app', package: packageName }))
      throw new Error(`${packageName} is not installed`);
  }

  /** Where the front app was left by its own state. */
  state<S>(packageName: string): S {
    return this.world.apps[packageName] as S;
  }

  /** The long-click action on the first node with this id. */
  hold(id: string): boolean {
    return this.give({ do: 'long_click', at: this.placeOf(id) });
  }

  /** The custom action with this label, on the first node that has it. */
  action(label: string): boolean {
    const { snapshot, at } = snapshotOf(CATALOGUE, this.world);
    const place = at[snapshot.nodes.findIndex((node) => node.actions?.includes(label) === true)];
    if (place === null || place === undefined) throw new Error(`no action "${label}"`);
    return this.give({ do: 'action', at: place, label });
  }

  swipe(from: readonly [number, number], to: readonly [number, number]): boolean {
    return this.give({ do: 'swipe', from, to });
  }

  pass(ms: number): void {
    this.world = passTime(CATALOGUE, this.world, this.world.now + ms);
  }

  get front(): string | null {
    return this.look().foreground.package;
  }
}
