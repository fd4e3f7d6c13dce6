/**
 * Gives every told item its ref: the one it had before if it is still the same element, else a new number.
 * A number is never given to another element. Pure: what is remembered comes in and goes out as a value.
 */
import { identityKey, identityOf, nodeOf, sceneOf } from '../../device-protocol/companion/identity.ts';
import { windowPrint } from '../../device-protocol/companion/window-print.ts';
import type { Item } from './item.ts';
import type { Reading } from './reading.ts';

/** One screen as it was last seen: which identities had which refs. */
export interface RememberedScreen {
  readonly window: string;
  readonly scene: readonly string[];
  readonly print: string;
  /** Refs by identity, in document order. */
  readonly refs: Readonly<Record<string, readonly number[]>>;
}

/** What is remembered of a phone from look to look; may be kept as JSON. A phone that was never looked at has `FIRST_LOOK`. */
export interface RefMemory {
  readonly next_ref: number;
  /** Newest first. */
  readonly screens: readonly RememberedScreen[];
  /** Fields that were password fields once (device-protocol/companion/secrets.ts). */
  readonly secret_fields: readonly string[];
}

export const FIRST_LOOK: RefMemory = { next_ref: 1, screens: [], secret_fields: [] };

/** Screens remembered: enough for a dialog, a menu and a page to come and go. */
const MOST_SCREENS = 8;
/** This share of the words that named the screen must be there again. */
const SCENE_SHARE = 0.5;

export interface GivenRefs {
  /** By item, in the order they came in. */
  readonly refs: readonly string[];
  readonly memory: RefMemory;
}

/** `take` answers the next number that was never given on this phone; default: from the memory. */
export function giveRefs(
  reading: Reading,
  items: readonly Item[],
  memory: RefMemory,
  take?: () => number,
): GivenRefs {
  let next = memory.next_ref;
  const taken = () => {
    const number = take === undefined ? next : take();
    next = Math.max(next, number) + 1;
    return number;
  };
  const numbers = new Map<Item, number>();
  const screens: RememberedScreen[] = [];
  for (const window of new Set(items.map((item) => item.window))) {
    const own = items.filter((item) => item.window === window);
    const screen = screenOf(reading, window);
    const before = memory.screens.find(
      (one) => one.window === screen.window && isSame(one, screen, reading, window),
    );
    const refs: Record<string, number[]> = Object.create(null);
    const groups = new Map<string, Item[]>();
    for (const item of inDocument(own, reading)) {
      const key = identityKey(identityOf(reading.tree, item.node));
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
    // New numbers are given in reading order, elements before texts, so that those that are shown stay small.
    const fresh = new Set<Item>();
    for (const [key, group] of groups) {
      const old = before?.refs[key] ?? [];
      const same = old.length === group.length && (group.length === 1 || before?.print === screen.print);
      group.forEach((item, place) => {
        const number = same ? old[place] : undefined;
        if (number === undefined) fresh.add(item);
        else numbers.set(item, number);
      });
    }
    for (const isElement of [true, false]) {
      for (const item of own) if (fresh.has(item) && item.element === isElement) numbers.set(item, taken());
    }
    for (const [key, group] of groups) refs[key] = group.map((item) => numbers.get(item) as number);
    screens.push({ ...screen, refs });
  }
  const kept = memory.screens.filter((one) => !screens.some((screen) => isReplaced(one, screen)));
  return {
    refs: items.map((item) => `e${numbers.get(item)}`),
    memory: { ...memory, next_ref: next, screens: [...screens, ...kept].slice(0, MOST_SCREENS) },
  };
}

function inDocument(items: readonly Item[], reading: Reading): Item[] {
  return items.toSorted((a, b) => (reading.enter[a.node] as number) - (reading.enter[b.node] as number));
}

function screenOf(reading: Reading, place: number): Omit<RememberedScreen, 'refs'> {
  const { snapshot } = reading.tree;
  const window = snapshot.windows[place];
  // Where windows were really seen, another id is another window: an "OK" of another dialog is not this one.
  const id = snapshot.unknown_facts.includes('windows') ? null : (window?.id ?? null);
  return {
    window: JSON.stringify([window?.kind, window?.package, id]),
    scene: sceneOf(reading.tree, place),
    print: windowPrint(reading.tree, place),
  };
}

function isSame(
  before: RememberedScreen,
  now: Omit<RememberedScreen, 'refs'>,
  reading: Reading,
  window: number,
): boolean {
  if (before.print === now.print || before.scene.length === 0) return true;
  const words = new Set(now.scene);
  if (before.scene.filter((one) => words.has(one)).length >= before.scene.length * SCENE_SHARE) return true;
  return reading.tree.roots.every((root) => nodeOf(reading.tree, root).window !== window);
}

function isReplaced(old: RememberedScreen, now: RememberedScreen): boolean {
  return (
    old.window === now.window && (old.print === now.print || old.scene.join('\n') === now.scene.join('\n'))
  );
}
