/**
 * From a snapshot to what is known of a screen: items with refs, and notes. What an agent is then told of it
 * is made by tell.ts. Pure; one look costs one pass over the nodes.
 */
import { withoutSecrets } from '../../device-protocol/companion/secrets.ts';
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

/** Password fields remembered, so that "show password" does not show it to an agent. */
const MOST_SECRET_FIELDS = 200;

export function observe(
  snapshot: Snapshot,
  memory: RefMemory = FIRST_LOOK,
  options: ObserveOptions = {},
): { readonly seen: Seen; readonly memory: RefMemory } {
  // A phone has done this already; a recording, or a phone that did not, is not trusted with it.
  const withheld = withoutSecrets(snapshot, new Set(memory.secret_fields));
  const reading = readingOf(withheld.snapshot, options);
  const items = itemsOf(reading);
  const given = giveRefs(reading, items, memory, options.takeRef);
  const notes = notesOf(reading, items);
  return {
    seen: { snapshot: withheld.snapshot, reading, items, refs: given.refs, notes },
    memory: { ...given.memory, secret_fields: [...withheld.known].slice(-MOST_SECRET_FIELDS) },
  };
}
