/** One thing told of a screen: an element to act on, or a text to read. Not how it is found (items.ts). */
import type { Bounds } from '../../device-protocol/snapshot.ts';
import type { Role } from './roles.ts';
import { PARTED } from './said.ts';

/** Where a label comes from; `place` is none. */
export type LabelFrom = 'own' | 'below' | 'beside' | 'state' | 'value' | 'id' | 'inside' | 'around' | 'place';

export interface Item {
  readonly node: number;
  readonly window: number;
  /** Something to act on, against something to read. */
  readonly element: boolean;
  readonly role: Role;
  /** The node an act on this item goes to; null where none takes it. */
  readonly acts: number | null;
  /** Other nodes this item stands for: the toggle of a row. */
  readonly shares: readonly number[];
  readonly area: Bounds;
  /** The parts of the label, of different nodes; empty where it has none of its own. */
  parts: readonly string[];
  from: LabelFrom | null;
  /** Nodes whose words the label says. */
  readonly says: number[];
  /** The item this one is named after, where the words are said there. */
  near: Item | null;
  /** What it holds: text of a field, place of a slider. Null: nothing, or it is secret. */
  readonly value: string | null;
  readonly states: readonly string[];
  readonly error: string;
  readonly actions: readonly string[];
  /** Lies under something else: shown, but no target. */
  readonly covered: boolean;
  /** Labelled nodes inside that are not in view. */
  readonly unseen: number;
  /** Rows seen and all rows of a list, where Android counts them. */
  readonly rows: { readonly first: number; readonly last: number; readonly count: number } | null;
}

export const labelOf = (item: Item): string => item.parts.join(PARTED);
