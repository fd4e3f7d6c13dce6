/**
 * Measures one recorded screen against what an agent would get: which nodes it could reach, which have a
 * name, which words are lost. Everything is taken from the one default summary. Not the command (eval-screens.ts).
 */
import { has, type NodeFlag } from '../../device-protocol/snapshot.ts';
import { type Item, labelOf } from './item.ts';
import { WORDS_MAX } from './lines.ts';
import { observe, type Seen } from './observe.ts';
import type { Recording } from './recorded/read-recording.ts';
import { readable } from './said.ts';
import { tell } from './tell.ts';

export interface Measured {
  /** Nodes a strict reader gets; what stands behind the first damage is `recovered`. */
  readonly nodes: number;
  readonly recovered: number;
  readonly damaged: boolean;
  readonly elements: number;
  /** Visible, enabled nodes with an area that one can act on, without those nobody can press. */
  readonly actionable: number;
  /** Of those, the ones with no free point to press: outside of `actionable`. */
  readonly covered: number;
  readonly reachable: number;
  readonly named: number;
  readonly labels: number;
  readonly lost: readonly string[];
  readonly cut: readonly string[];
  readonly twice: readonly string[];
  readonly unreached: readonly number[];
  readonly unnamed: readonly number[];
  readonly text: string;
  readonly estimate: number;
  /** Snapshot to text, the shortest of three runs. */
  readonly ms: number;
}

const ACTIONABLE: readonly NodeFlag[] = [
  'clickable',
  'long_clickable',
  'checkable',
  'editable',
  'scrollable',
];
const DAMAGE = [
  'document_cut',
  'repaired_markup',
  'no_root_element',
  'bad_value',
  'other_encoding',
  'bad_bounds',
];

/** The shortest of so many runs: what else the machine does only ever makes it longer. */
const TIMED_RUNS = 3;

function timed({ snapshot }: Recording, now: () => number): number {
  const start = now();
  tell(observe(snapshot).seen);
  return now() - start;
}

/** `now` answers milliseconds. */
export function measure(recording: Recording, now: () => number): Measured {
  const { snapshot, behindDamage } = recording;
  const { seen } = observe(snapshot);
  const told = tell(seen);
  const ms = Math.min(...Array.from({ length: TIMED_RUNS }, () => timed(recording, now)));

  const shown = refsIn(told.text);
  const byNode = new Map<number, { item: Item; ref: string }>();
  seen.items.forEach((item, at) => {
    if (!item.element) return;
    for (const node of [item.node, ...item.shares]) byNode.set(node, { item, ref: seen.refs[at] as string });
  });
  const nodes = actionableNodes(seen);
  const reached = (node: number) => shown.has(byNode.get(node)?.ref ?? '');
  const named = (node: number) => {
    const item = byNode.get(node)?.item;
    return item !== undefined && reached(node) && isNamed(seen, item, shown);
  };
  const words = wordsOf(seen);
  return {
    nodes: snapshot.nodes.length - behindDamage,
    recovered: behindDamage,
    damaged: snapshot.losses.some((loss) => DAMAGE.includes(loss.code)),
    elements: seen.items.filter((item) => item.element).length,
    actionable: nodes.length,
    covered: [...seen.reading.hidden.keys()].filter((node) => isUnpressable(seen, node)).length,
    reachable: nodes.filter(reached).length,
    named: nodes.filter(named).length,
    ...labelsIn(seen, told.text, words),
    unreached: nodes.filter((node) => !reached(node)),
    unnamed: nodes.filter((node) => reached(node) && !named(node)),
    text: told.text,
    estimate: told.tokens,
    ms,
  };
}

function refsIn(text: string): Set<string> {
  return new Set(text.split('\n').flatMap((line) => /^e\d+(?=[ :]|$)/.exec(line)?.[0] ?? []));
}

/** Keyboard and bars are folded or left out on purpose; nothing in them is counted. */
function actionableNodes(seen: Seen): number[] {
  const { reading, snapshot } = seen;
  return snapshot.nodes.flatMap((node, index) => {
    if (reading.tree.seen[index] === null || reading.telling[node.window] !== 'told') return [];
    if (!has(node, 'enabled') || isUnpressable(seen, index)) return [];
    return ACTIONABLE.some((flag) => has(node, flag)) ? [index] : [];
  });
}

function isUnpressable(seen: Seen, index: number): boolean {
  return (seen.reading.hidden.get(index) ?? 'perhaps') !== 'perhaps';
}

function isNamed(seen: Seen, item: Item, shown: ReadonlySet<string>): boolean {
  if (item.near === null) return item.from !== null && item.from !== 'place' && labelOf(item) !== '';
  return shown.has(seen.refs[seen.items.indexOf(item.near)] ?? '') && isNamed(seen, item.near, shown);
}

/** Visible words outside of bars and keyboard, with the nodes that say them. */
function wordsOf(seen: Seen): Map<string, number[]> {
  const { reading, snapshot } = seen;
  const words = new Map<string, number[]>();
  snapshot.nodes.forEach((node, index) => {
    if (reading.tree.seen[index] === null || reading.telling[node.window] !== 'told') return;
    if (reading.secret[index] === true) return;
    for (const label of new Set([readable(node.text), readable(node.description)])) {
      if (label !== '') words.set(label, [...(words.get(label) ?? []), index]);
    }
  });
  return words;
}

function labelsIn(seen: Seen, text: string, words: ReadonlyMap<string, readonly number[]>) {
  const whole = tell(seen, { budget: Number.POSITIVE_INFINITY }).text;
  const lost: string[] = [];
  const cut: string[] = [];
  const twice: string[] = [];
  for (const [label, nodes] of words) {
    if (!isSaid(text, label)) (isSaid(whole, label) ? cut : lost).push(label);
    if (isTwice(seen, whole, label, nodes, words)) twice.push(label);
  }
  return { labels: words.size, lost, cut, twice };
}

/** A long label that was cut and marked counts as shown. */
function isSaid(text: string, label: string): boolean {
  const plain = label.replaceAll('”', '"');
  if (text.includes(label) || text.includes(plain)) return true;
  return label.length > WORDS_MAX - 10 && text.includes(label.slice(0, WORDS_MAX - 10));
}

/** Said by one node alone, in no other words of the screen, and still more than once in the text. */
function isTwice(
  seen: Seen,
  text: string,
  label: string,
  nodes: readonly number[],
  words: ReadonlyMap<string, readonly number[]>,
): boolean {
  if (nodes.length > 1 || label.length < 4) return false;
  const first = text.indexOf(label);
  if (first < 0 || text.indexOf(label, first + label.length) < 0) return false;
  for (const other of words.keys()) if (other !== label && other.includes(label)) return false;
  // An id may be spelled like a word: only words of the screen are counted.
  const saying = seen.items.filter(
    (item) => item.near === null && item.from !== 'id' && labelOf(item).includes(label),
  );
  return saying.length > 1;
}
