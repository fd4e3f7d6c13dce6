/**
 * What is told of a screen, in reading order: elements one can act on and texts one can read, each word said
 * once. Not yet refs (refs.ts) nor text lines (lines.ts).
 */
import { nodeOf } from '../../device-protocol/companion/identity.ts';
import { touchedBy } from '../../device-protocol/companion/tree.ts';
import { type Bounds, has } from '../../device-protocol/snapshot.ts';
import { nameUnlabelled } from './beside.ts';
import type { Item, LabelFrom } from './item.ts';
import { hasWords, type Reading } from './reading.ts';
import { roleOf } from './roles.ts';
import { distinct, PARTED, readable, says } from './said.ts';
import { rowsOf, statesOf, unseenByScrollable, valueOfNode } from './states.ts';

export { type Item, type LabelFrom, labelOf } from './item.ts';

/** Words of more nodes, or longer ones, are told as lines of their own: the element is a page, not a row. */
const MOST_PIECES = 8;
const LONGEST_LABEL = 300;
/** Of something this large only few words are its name. */
const LARGE_SHARE = 0.5;
const LARGE_PIECES = 3;

export function itemsOf(reading: Reading): Item[] {
  const pieces = piecesByOwner(reading);
  const unseen = unseenByScrollable(reading);
  const items: Item[] = [];
  const named = new Set<number>();
  for (const index of reading.order) {
    if (reading.isElement[index] === true) {
      const label = namedBy(reading, index, pieces.get(index) ?? []);
      for (const node of label.says) named.add(node);
      items.push(elementOf(reading, index, label, unseen.get(index) ?? 0));
    }
  }
  const byNode = new Map(items.map((item) => [item.node, item]));
  const told: Item[] = [];
  for (const index of reading.order) {
    const element = byNode.get(index);
    if (element !== undefined) told.push(element);
    else if (!named.has(index) && !isToggleOfRow(reading, index)) {
      const text = textOf(reading, index);
      if (text !== null) told.push(text);
    }
  }
  return nameUnlabelled(reading, withoutRepeats(reading, told));
}

function isToggleOfRow(reading: Reading, index: number): boolean {
  const row = reading.owner[index] ?? -1;
  return row >= 0 && reading.toggleOfRow.get(row) === index && !hasWords(reading.tree, reading.secret, index);
}

/** The words a node says itself. A field's text is what it holds, a secret is nobody's. */
function ownPieces(reading: Reading, index: number): string[] {
  const node = nodeOf(reading.tree, index);
  const description = readable(node.description);
  const pane = readable(node.pane);
  const hint = readable(node.hint);
  if (reading.secret[index] === true || has(node, 'editable')) {
    const shownHint = has(node, 'showing_hint') ? readable(node.text) : '';
    return [pane, description, hint, shownHint].filter((one) => one !== '');
  }
  const text = readable(node.text);
  return [
    pane,
    says(description, text) ? '' : text,
    says(text, description) && text !== '' ? (description === text ? text : '') : description,
  ].filter((one) => one !== '');
}

/** Told nodes with words, by the element they belong to, in reading order. */
function piecesByOwner(reading: Reading): Map<number, number[]> {
  const pieces = new Map<number, number[]>();
  for (const index of reading.order) {
    const owner = reading.owner[index] ?? -1;
    if (owner < 0 || owner === index || reading.isElement[index] === true) continue;
    if (!hasWords(reading.tree, reading.secret, index)) continue;
    const list = pieces.get(owner);
    if (list === undefined) pieces.set(owner, [index]);
    else list.push(index);
  }
  return pieces;
}

interface Label {
  readonly parts: readonly string[];
  readonly from: LabelFrom | null;
  readonly says: number[];
}

function namedBy(reading: Reading, index: number, below: readonly number[]): Label {
  const own = ownPieces(reading, index);
  const said = own.length === 0 ? [] : [index];
  const fits = piecesThatFit(reading, index, own, below);
  const parts = withoutSigns(distinct([...own, ...fits.flatMap((at) => ownPieces(reading, at))]));
  if (parts.length === 0) return { parts, from: null, says: said };
  return { parts, from: own.length === 0 ? 'below' : 'own', says: [...said, ...fits] };
}

/** "A", "·", "B" is "A · B". */
function withoutSigns(parts: readonly string[]): readonly string[] {
  return parts.length < 3 ? parts : parts.filter((part, at) => at === 0 || part !== '·');
}

function piecesThatFit(
  reading: Reading,
  index: number,
  own: readonly string[],
  below: readonly number[],
): readonly number[] {
  const { display } = reading.tree.snapshot;
  const area = reading.tree.seen[index] ?? null;
  const large = area !== null && sizeOf(area) > display.width * display.height * LARGE_SHARE;
  const ownLength = own.reduce((sum, words) => sum + words.length, 0);
  const length = below.reduce((sum, at) => sum + ownPieces(reading, at).join(PARTED).length, ownLength);
  if (below.length <= (large ? LARGE_PIECES : MOST_PIECES) && length <= LONGEST_LABEL) return below;
  const repeats = (at: number) =>
    ownPieces(reading, at).every((words) => own.some((one) => says(one, words)));
  // Too much for one line: the first words name it, the others follow.
  return below.filter((at, place) => (place === 0 && !large && own.length === 0) || repeats(at));
}

const sizeOf = (area: Bounds) => (area[2] - area[0]) * (area[3] - area[1]);

function elementOf(reading: Reading, index: number, label: Label, unseen: number): Item {
  const { tree } = reading;
  const node = nodeOf(tree, index);
  const toggle = reading.toggleOfRow.get(index);
  const role = toggle === undefined ? roleOf(tree, index) : roleOf(tree, toggle);
  return {
    node: index,
    window: node.window,
    element: true,
    role: role === 'text' || role === 'heading' ? 'focusable' : role,
    acts: touchedBy(tree.snapshot, index) ?? index,
    shares: toggle === undefined ? [] : [toggle],
    area: tree.seen[index] as Bounds,
    parts: label.parts,
    from: label.from,
    says: label.says,
    near: null,
    value: valueOfNode(reading, index, node),
    states: [
      ...statesOf(reading, index, toggle),
      ...(reading.hidden.get(index) === 'perhaps' ? ['covered?'] : []),
    ],
    error: readable(node.error),
    actions: (node.actions ?? []).map(readable).filter((one) => one !== ''),
    covered: false,
    unseen,
    rows: rowsOf(reading, index),
  };
}

function textOf(reading: Reading, index: number): Item | null {
  const { tree } = reading;
  const node = nodeOf(tree, index);
  const parts = distinct(ownPieces(reading, index));
  const value = valueOfNode(reading, index, node);
  const area = tree.seen[index] ?? null;
  if ((parts.length === 0 && value === null) || area === null) return null;
  const role = roleOf(tree, index);
  return {
    node: index,
    window: node.window,
    element: false,
    role: role === 'heading' ? 'heading' : 'text',
    acts: touchedBy(tree.snapshot, index),
    shares: [],
    area,
    parts: parts.length === 0 ? [value ?? ''] : parts,
    from: 'own',
    says: [index],
    near: null,
    value: parts.length === 0 ? null : value,
    states: has(node, 'selected') ? ['selected'] : [],
    error: readable(node.error),
    actions: [],
    covered:
      reading.hidden.get(index) === 'covered' || reading.hidden.get(reading.owner[index] ?? -1) === 'covered',
    unseen: 0,
    rows: null,
  };
}

/**
 * Leaves out texts that another item beside or around them says already: a container that repeats what is in
 * it, or what stands before it.
 */
function withoutRepeats(reading: Reading, items: readonly Item[]): Item[] {
  const { enter, leave, tree } = reading;
  const isIn = (one: Item, other: Item) =>
    (enter[one.node] as number) >= (enter[other.node] as number) &&
    (enter[one.node] as number) <= (leave[other.node] as number);
  const isSaid = (item: Item, by: Item) =>
    item.parts.every((part) => by.parts.some((one) => says(one, part)));
  const isPlain = (item: Item) => !item.element && item.value === null && item.states.length === 0;
  const kept: Item[] = [];
  for (const item of items) {
    const before = kept.at(-1);
    if (before !== undefined) {
      const container = (tree.children[item.node] ?? []).length > 0;
      if (isPlain(item) && (container || isIn(item, before)) && isSaid(item, before)) {
        before.says.push(item.node);
        continue;
      }
      if (isPlain(before) && isIn(item, before) && isSaid(before, item)) {
        item.says.push(...before.says);
        kept.pop();
      }
    }
    kept.push(item);
  }
  return kept;
}
