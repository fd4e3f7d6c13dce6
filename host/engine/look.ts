/**
 * One remembered look: the raw snapshot, what its refs name, and the questions a planner asks of it. Not
 * for keeping looks (looks.ts), finding again on the phone (device-protocol/companion) or writing a look
 * down for an agent (host/screen).
 */
import { targetIn } from '../../device-protocol/companion/find-target.ts';
import { type Shown, shownIn } from '../../device-protocol/companion/shown.ts';
import { nodeAt, type TouchMap, touchMapOf } from '../../device-protocol/companion/tap-point.ts';
import { below, type Tree, touchedBy, treeOf } from '../../device-protocol/companion/tree.ts';
import { fold } from '../../device-protocol/fold.ts';
import { has, type NodeFlag, type Snapshot, type SnapshotNode } from '../../device-protocol/snapshot.ts';
import type { Target } from '../../device-protocol/target.ts';
import { labelOf } from '../screen/items.ts';
import type { NoteCode } from '../screen/notes.ts';
import type { Seen } from '../screen/observe.ts';

/** What a ref stands for in this look. */
export interface Element {
  readonly ref: string;
  /** Something to act on, against something to read. */
  readonly acts: boolean;
  readonly role: string;
  readonly label: string;
  readonly value: string | null;
  readonly node: number;
}

export interface LookOf {
  readonly observationId: string;
  readonly deviceId: string;
  /** Whom it was made for: another may see less, or more. */
  readonly agent: string;
  /** Wall clock, milliseconds since 1970. */
  readonly at: number;
  readonly snapshot: Snapshot;
  /** What is told of it: the same nodes, veiled where an agent may not see. */
  readonly seen: Seen;
  /** An app's window, or the app in front, is withheld from the agent. */
  readonly withheld: boolean;
}

/** Notes that mean: what is not among the words may still be on the screen. */
const NOT_WHOLE: readonly NoteCode[] = [
  'no_window',
  'window_unreadable',
  'nothing_readable',
  'incomplete',
  'unreadable_area',
  'cut_by_limit',
  'text_cut_by_limit',
  'damaged',
  'loading',
];

export class Look {
  readonly observationId: string;
  readonly deviceId: string;
  readonly agent: string;
  readonly at: number;
  readonly snapshot: Snapshot;
  readonly seen: Seen;
  readonly withheld: boolean;
  readonly elements: readonly Element[];
  readonly #byRef: ReadonlyMap<string, Element>;
  #tree: Tree | null = null;
  #touch: TouchMap | null = null;

  constructor(of: LookOf) {
    this.observationId = of.observationId;
    this.deviceId = of.deviceId;
    this.agent = of.agent;
    this.at = of.at;
    this.snapshot = of.snapshot;
    this.seen = of.seen;
    this.withheld = of.withheld;
    this.elements = of.seen.items.map((item, at) => ({
      ref: of.seen.refs[at] ?? '',
      acts: item.element,
      role: item.role,
      label: labelOf(item) || (item.near === null ? '' : labelOf(item.near)),
      value: item.value,
      node: item.node,
    }));
    this.#byRef = new Map(this.elements.map((element) => [element.ref, element]));
  }

  /** Nothing of the screen was cut, hidden, withheld or unreadable: what is not in it is not there. */
  get whole(): boolean {
    return !this.withheld && !this.seen.notes.some((note) => NOT_WHOLE.includes(note.code));
  }

  get tree(): Tree {
    this.#tree ??= treeOf(this.snapshot);
    return this.#tree;
  }

  /** The node a ref names; null where this look has no such ref. */
  nodeOfRef(ref: string): number | null {
    return this.#byRef.get(ref)?.node ?? null;
  }

  /** Refs of this look to offer beside one that is not there. */
  nearestRefs(ref: string): string[] {
    const number = Number.parseInt(ref.replace(/\D/g, ''), 10);
    const distance = (one: Element) => Math.abs(Number.parseInt(one.ref.slice(1), 10) - number);
    const sorted = Number.isNaN(number)
      ? [...this.elements]
      : [...this.elements].sort((a, b) => distance(a) - distance(b));
    return sorted.slice(0, 5).map((one) => `${one.ref} ${one.role} “${one.label.slice(0, 30)}”`);
  }

  /** What takes a touch on `node`: itself or the nearest around it; itself where nothing does. */
  actingNode(node: number): number {
    return this.seen.items.find((item) => item.node === node)?.acts ?? touchedBy(this.snapshot, node) ?? node;
  }

  /** What a finger at the point would really hit; null where nothing is known there. */
  nodeAtPoint(x: number, y: number): number | null {
    this.#touch ??= touchMapOf(this.tree);
    return nodeAt(this.#touch, x, y).node;
  }

  targetOf(node: number): Target {
    return targetIn(this.tree, node);
  }

  /** What the owner is shown of the element's window, and its print. */
  shownOf(node: number): Shown {
    return shownIn(this.tree, node);
  }

  editableOf(node: number): number | null {
    return this.#around(node, (one) => has(one, 'editable'));
  }

  /** The toggle of a row, or the row of a toggle: the one checkable node that belongs to the element. */
  checkableOf(node: number): number | null {
    return this.#around(node, (one) => has(one, 'checkable'));
  }

  /** The element itself or the nearest scrollable around it. */
  scrollableOf(node: number): number | null {
    for (let at = node; at >= 0; at = this.#node(at)?.parent ?? -1) {
      const one = this.#node(at);
      if (one !== undefined && has(one, 'scrollable')) return at;
    }
    return null;
  }

  /** What has the focus of the active window; null where nothing is seen to have it. */
  focusedField(): number | null {
    const focused = this.#indexWith('focused', (node) => has(node, 'editable'));
    return focused ?? this.#indexWith('focused', () => true);
  }

  labelOf(node: number): string | null {
    const element = this.elements.find((one) => one.node === node);
    if (element !== undefined) return element.label;
    const one = this.#node(node);
    return one?.description ?? (one !== undefined && has(one, 'password') ? null : (one?.text ?? null));
  }

  roleOf(node: number): string | null {
    return this.elements.find((one) => one.node === node)?.role ?? null;
  }

  windowPackageOf(node: number): string | null {
    const one = this.#node(node);
    return one === undefined ? null : (this.snapshot.windows[one.window]?.package ?? one.package);
  }

  /**
   * Whether these folded words stand somewhere on what could be read and its agent may see: what is withheld
   * must not be guessed word by word. Passwords are never compared.
   */
  says(folded: string): boolean {
    return this.seen.snapshot.nodes.some(
      (node, index) =>
        this.tree.seen[index] !== null &&
        [has(node, 'password') ? null : node.text, node.description, node.pane, node.state].some(
          (text) => text != null && fold(text).includes(folded),
        ),
    );
  }

  #node(index: number): SnapshotNode | undefined {
    return this.snapshot.nodes[index];
  }

  #indexWith(flag: NodeFlag, also: (node: SnapshotNode) => boolean): number | null {
    const found = this.snapshot.nodes.findIndex((node) => has(node, flag) && also(node));
    return found === -1 ? null : found;
  }

  /** The node itself, else the single one below it, else the nearest above it that fits. */
  #around(node: number, fits: (node: SnapshotNode) => boolean): number | null {
    const own = this.#node(node);
    if (own === undefined) return null;
    if (fits(own)) return node;
    const under = below(this.tree, node).filter((at) => {
      const one = this.#node(at);
      return one !== undefined && fits(one);
    });
    if (under.length === 1) return under[0] ?? null;
    const above = touchedBy(this.snapshot, node);
    const holder = above === null ? undefined : this.#node(above);
    return above !== null && holder !== undefined && fits(holder) ? above : null;
  }
}
