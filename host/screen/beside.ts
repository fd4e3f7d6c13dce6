/**
 * Names for elements without words of their own: the text beside them, readable words of their id, the
 * element they stand in or around. Words are taken over where one element alone has a claim to them, else
 * the other item is pointed at, so that nothing is said twice. Not for elements that have a label.
 */
import { nodeOf } from '../../device-protocol/companion/identity.ts';
import type { Bounds } from '../../device-protocol/snapshot.ts';
import { idWords } from './id-words.ts';
import type { Item } from './items.ts';
import type { Reading } from './reading.ts';
import { sharesAlong } from './reading-order.ts';
import type { Role } from './roles.ts';

/** Roles that say nothing without a name, and take the text beside them for it. */
const TAKES_TEXT: ReadonlySet<Role> = new Set([
  'switch',
  'checkbox',
  'radio',
  'toggle',
  'field',
  'password',
  'slider',
  'dropdown',
]);
/** How many containers up a text beside is looked for, and how many items to each side. */
const LEVELS = 4;
const REACH = 12;
/** A label above or below is at most this share of the display's height away. */
const NEAR_SHARE = 0.08;

export function nameUnlabelled(reading: Reading, items: readonly Item[]): Item[] {
  const taken = new Set<Item>();
  const place = new Map(items.map((item, at) => [item, at]));
  const left = () => items.filter((item) => item.element && item.from === null);
  for (const item of left()) {
    if (!TAKES_TEXT.has(item.role)) continue;
    const text = besideOf(
      reading,
      items,
      place.get(item) ?? 0,
      (other) => !other.element && !taken.has(other),
    );
    if (text === null) continue;
    taken.add(text);
    item.label = text.label;
    item.from = 'beside';
    item.says.push(...text.says);
  }
  for (const item of left()) {
    const words = idWords(nodeOf(reading.tree, item.node).resource_id);
    if (words === '') continue;
    item.label = words;
    item.from = 'id';
  }
  for (const item of left()) {
    if (item.value === null) continue;
    item.label = item.value;
    item.from = item.role === 'slider' ? 'state' : 'value';
  }
  for (const item of left()) {
    const inner = innerOf(reading, items, place.get(item) ?? 0, taken);
    const outer = inner ?? outerOf(reading, items, place.get(item) ?? 0);
    const beside = outer ?? besideOf(reading, items, place.get(item) ?? 0, (other) => !taken.has(other));
    if (beside === null) {
      item.from = 'place';
      continue;
    }
    item.near = beside;
    item.label = beside.label;
    item.from = inner !== null ? 'around' : outer !== null ? 'inside' : 'beside';
  }
  return items.filter((item) => !taken.has(item));
}

const isNamed = (item: Item) => item.label !== '' && item.near === null;

/** The first named element inside, else the first text. */
function innerOf(
  reading: Reading,
  items: readonly Item[],
  at: number,
  taken: ReadonlySet<Item>,
): Item | null {
  const item = items[at] as Item;
  const last = reading.leave[item.node] as number;
  let text: Item | null = null;
  for (let next = at + 1; next < items.length && next <= at + REACH; next += 1) {
    const other = items[next] as Item;
    const enter = reading.enter[other.node] as number;
    if (enter < (reading.enter[item.node] as number) || enter > last) break;
    if (!isNamed(other) || taken.has(other)) continue;
    // An element has its ref in the text anyway; a text would need one of its own.
    if (other.element) return other;
    text ??= other;
  }
  return text;
}

/** The nearest named element it stands in, lists apart. */
function outerOf(reading: Reading, items: readonly Item[], at: number): Item | null {
  const item = items[at] as Item;
  let up = nodeOf(reading.tree, item.node).parent;
  while (up >= 0 && reading.owner[up] !== up) up = nodeOf(reading.tree, up).parent;
  if (up < 0) return null;
  for (let before = at - 1; before >= 0; before -= 1) {
    const other = items[before] as Item;
    if (other.node === up) return isNamed(other) ? other : null;
  }
  return null;
}

/** The nearest fitting item in the smallest container that has one. */
function besideOf(
  reading: Reading,
  items: readonly Item[],
  at: number,
  fits: (other: Item) => boolean,
): Item | null {
  const item = items[at] as Item;
  let up = item.node;
  for (let level = 0; level < LEVELS; level += 1) {
    up = nodeOf(reading.tree, up).parent;
    if (up < 0) return null;
    const found = nearestIn(reading, items, at, up, fits);
    if (found !== null) return found;
  }
  return null;
}

function nearestIn(
  reading: Reading,
  items: readonly Item[],
  at: number,
  container: number,
  fits: (other: Item) => boolean,
): Item | null {
  const item = items[at] as Item;
  const first = reading.enter[container] as number;
  const last = reading.leave[container] as number;
  const near = reading.tree.snapshot.display.height * NEAR_SHARE;
  let best: Item | null = null;
  let bestGap = Number.POSITIVE_INFINITY;
  for (let next = Math.max(0, at - REACH); next <= at + REACH && next < items.length; next += 1) {
    const other = items[next] as Item;
    const enter = reading.enter[other.node] as number;
    if (other === item || !isNamed(other) || !fits(other) || enter < first || enter > last) continue;
    if (other.role === 'list' || other.role === 'scroll') continue;
    const gap = gapBetween(item.area, other.area, near);
    if (gap !== null && gap < bestGap) {
      best = other;
      bestGap = gap;
    }
  }
  return best;
}

/** Pixels between two areas of one row, or of one column where they are near; null where they are apart. */
function gapBetween(a: Bounds, b: Bounds, near: number): number | null {
  if (sharesAlong(a, b, 1)) return Math.max(0, b[0] - a[2], a[0] - b[2]);
  if (!sharesAlong(a, b, 0)) return null;
  const gap = Math.max(0, b[1] - a[3], a[1] - b[3]);
  return gap <= near ? gap * 2 : null;
}
