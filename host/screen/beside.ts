/**
 * Names for elements without words of their own: the text beside them, readable words of their id, the
 * element they stand in or around. Words are taken over where one element alone has a claim to them, else
 * the other item is pointed at, so that nothing is said twice. Not for elements that have a label.
 */
import { nodeOf } from '../../device-protocol/companion/identity.ts';
import type { Bounds } from '../../device-protocol/snapshot.ts';
import { idWords } from './id-words.ts';
import { type Item, labelOf } from './item.ts';
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
/** Toggles are named by what stands in their row; a field's label may stand above it. */
const ONLY_IN_ROW: ReadonlySet<Role> = new Set(['switch', 'checkbox', 'radio', 'toggle']);
/** How many containers up that hold anything else a name is looked for, and how many items to each side. */
const LEVELS = 3;
const REACH = 12;
/** A label above or below is at most this share of the display's height away. */
const NEAR_SHARE = 0.08;

export function nameUnlabelled(reading: Reading, items: readonly Item[]): Item[] {
  const place = new Map(items.map((item, at) => [item, at]));
  const left = () => items.filter((item) => item.element && item.from === null);
  const taken = new Set<Item>();
  for (const item of left()) {
    const wrapper = labelOfWrapper(reading, items, place.get(item) ?? 0);
    if (wrapper !== null && !taken.has(wrapper)) takeOver(item, wrapper, taken);
  }
  takeTexts(
    reading,
    items,
    place,
    left().filter((item) => TAKES_TEXT.has(item.role)),
    taken,
  );
  for (const item of left()) {
    const words = idWords(nodeOf(reading.tree, item.node).resource_id);
    if (words === '') continue;
    item.parts = [words];
    item.from = 'id';
  }
  for (const item of left()) {
    if (item.value === null) continue;
    item.parts = [item.value];
    item.from = item.role === 'slider' ? 'state' : 'value';
  }
  for (const item of left()) {
    const at = place.get(item) ?? 0;
    const inner = innerOf(reading, items, at, taken);
    const outer = inner ?? outerOf(reading, items, at);
    const beside = outer ?? besideOf(reading, items, at, (other) => !taken.has(other))?.found ?? null;
    if (beside === null) {
      item.from = 'place';
      continue;
    }
    item.near = beside;
    item.from = inner !== null ? 'around' : outer !== null ? 'inside' : 'beside';
  }
  return items.filter((item) => !taken.has(item));
}

function takeOver(item: Item, text: Item, taken: Set<Item>): void {
  taken.add(text);
  item.parts = text.parts;
  item.from = 'beside';
  item.says.push(...text.says);
}

/** Each takes the text nearest to it; where two want the same, the nearer one gets it. */
function takeTexts(
  reading: Reading,
  items: readonly Item[],
  place: ReadonlyMap<Item, number>,
  wanting: readonly Item[],
  taken: Set<Item>,
): void {
  let open = wanting;
  while (open.length > 0) {
    const wishes = open.flatMap((item) => {
      const found = besideOf(
        reading,
        items,
        place.get(item) ?? 0,
        (other) => isPlainText(other) && !taken.has(other),
      );
      return found === null ? [] : [{ ...found, item }];
    });
    const served = new Set<Item>();
    for (const { item, found } of wishes.toSorted((a, b) => a.gap - b.gap)) {
      if (taken.has(found)) continue;
      takeOver(item, found, taken);
      served.add(item);
    }
    if (served.size === 0) return;
    open = open.filter((item) => !served.has(item));
  }
}

function isPlainText(item: Item): boolean {
  return !item.element && item.role === 'text' && item.value === null;
}

/** What wraps it and nothing else that takes touches, and has words: its label in all but form. */
function labelOfWrapper(reading: Reading, items: readonly Item[], at: number): Item | null {
  const item = items[at] as Item;
  for (let before = at - 1; before >= 0 && before >= at - 3; before -= 1) {
    const other = items[before] as Item;
    if (other.element || reading.hidden.get(other.node) !== 'behind_inner') continue;
    const enter = reading.enter[item.node] as number;
    if (enter < (reading.enter[other.node] as number) || enter > (reading.leave[other.node] as number))
      continue;
    const next = items[at + 1];
    const alone =
      next === undefined ||
      (reading.enter[next.node] as number) > (reading.leave[other.node] as number) ||
      !next.element;
    return alone ? other : null;
  }
  return null;
}

const isNamed = (item: Item) => item.parts.length > 0 && item.near === null && labelOf(item) !== '';

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

interface Beside {
  readonly found: Item;
  readonly gap: number;
}

/** The nearest fitting item in the smallest container that has one. */
function besideOf(
  reading: Reading,
  items: readonly Item[],
  at: number,
  fits: (other: Item) => boolean,
): Beside | null {
  const item = items[at] as Item;
  let up = item.node;
  let before = 0;
  for (let level = 0; level < LEVELS; ) {
    up = nodeOf(reading.tree, up).parent;
    if (up < 0) return null;
    const { best, others } = nearestIn(reading, items, at, up, fits);
    if (best !== null) return best;
    // A container that holds no more than the one below it is no step away.
    if (others > before) level += 1;
    before = others;
  }
  return null;
}

/** The nearest fitting item in the container, and how many others it holds at all. */
function nearestIn(
  reading: Reading,
  items: readonly Item[],
  at: number,
  container: number,
  fits: (other: Item) => boolean,
): { readonly best: Beside | null; readonly others: number } {
  const item = items[at] as Item;
  const first = reading.enter[container] as number;
  const last = reading.leave[container] as number;
  const near = reading.tree.snapshot.display.height * NEAR_SHARE;
  let best: Beside | null = null;
  let others = 0;
  for (let next = Math.max(0, at - REACH); next <= at + REACH && next < items.length; next += 1) {
    const other = items[next] as Item;
    const enter = reading.enter[other.node] as number;
    if (other === item || enter < first || enter > last || isInside(reading, other, item)) continue;
    others += 1;
    if (!isNamed(other) || !fits(other) || other.role === 'list' || other.role === 'scroll') continue;
    const gap = gapBetween(item, other, near);
    if (gap !== null && (best === null || gap < best.gap)) best = { found: other, gap };
  }
  return { best, others };
}

function isInside(reading: Reading, item: Item, container: Item): boolean {
  const enter = reading.enter[item.node] as number;
  return (
    enter > (reading.enter[container.node] as number) && enter <= (reading.leave[container.node] as number)
  );
}

/** Pixels between two items of one row, or of one column where they are near; null where they are apart. */
function gapBetween(item: Item, other: Item, near: number): number | null {
  const [a, b]: [Bounds, Bounds] = [item.area, other.area];
  if (sharesAlong(a, b, 1)) return Math.max(0, b[0] - a[2], a[0] - b[2]);
  if (ONLY_IN_ROW.has(item.role) || !sharesAlong(a, b, 0)) return null;
  const gap = Math.max(0, b[1] - a[3], a[1] - b[3]);
  // A label stands above its field far more often than below it.
  return gap <= near ? gap * (b[1] >= a[3] ? 4 : 2) : null;
}
