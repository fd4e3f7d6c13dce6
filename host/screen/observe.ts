/**
 * From a snapshot to what is known of a screen: items with refs, and notes. What an agent is then told of it
 * is made by tell.ts. Pure; one look costs one pass over the nodes.
 */
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import { type Item, itemsOf } from './items.ts';
import { type Note, notesOf } from './notes.ts';
import { type Reading, type ReadingOptions, readingOf } from './reading.ts';
import { FIRST_LOOK, giveRefs, type RefMemory } from './refs.ts';

export interface Seen {
  readonly snapshot: Snapshot;
  readonly reading: Reading;
  readonly items: readonly Item[];
  /** By place in `items`. */
  readonly refs: readonly string[];
  readonly notes: readonly Note[];
}

export interface ObserveOptions extends ReadingOptions {
  /** The next number that was never given on this phone; default: counted in the memory. */
  readonly takeRef?: () => number;
}

export function observe(
  snapshot: Snapshot,
  memory: RefMemory = FIRST_LOOK,
  options: ObserveOptions = {},
): { readonly seen: Seen; readonly memory: RefMemory } {
  const reading = readingOf(snapshot, options);
  const items = itemsOf(reading);
  const given = giveRefs(reading, items, memory, options.takeRef);
  const notes = notesOf(reading, items);
  return { seen: { snapshot, reading, items, refs: given.refs, notes }, memory: given.memory };
}
