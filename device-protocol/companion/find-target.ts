/**
 * Makes the target of an element and finds it again in a fresh tree: uniquely, or refused. Never the
 * neighbour: where two could be meant, none is. Not for where to press it (tap-point.ts).
 */
import type { Snapshot } from '../snapshot.ts';
import type { Target } from '../target.ts';
import {
  alikeKey,
  type Identity,
  identityKey,
  identityOf,
  nodeOf,
  sceneOf,
  targetFlags,
  wordsAt,
  wordsOfIdentity,
} from './identity.ts';
import { plainWords } from './plain-words.ts';
import { tickedOn } from './ticking.ts';
import { type Tree, treeOf } from './tree.ts';
import { partPrint, windowPrint } from './window-print.ts';

export type Found =
  /** `ref`: nothing in its window moved; `relocated`: found again in a window that did. */
  | { readonly found: number; readonly strategy: 'ref' | 'relocated' }
  | {
      readonly refused: 'target_stale' | 'target_ambiguous';
      /** What it might have been: equals, or what says the same elsewhere in the app. */
      readonly candidates: readonly number[];
    };

/** Candidates told with a refusal. */
const MOST_CANDIDATES = 8;
/** This share of the words that named the screen must still be there. */
const SCENE_SHARE = 0.5;

export function targetOf(snapshot: Snapshot, index: number): Target {
  return targetIn(treeOf(snapshot), index);
}

/** As `targetOf`, for several questions about one snapshot. */
export function targetIn(tree: Tree, index: number): Target {
  const node = nodeOf(tree, index);
  const window = tree.snapshot.windows[node.window];
  const identity = identityOf(tree, index);
  const equals = equalsOf(tree, identity);
  const alike = alikeOf(tree, identity).length;
  return {
    window: {
      kind: window?.kind ?? 'unknown',
      package: window?.package ?? null,
      title: plainWords(window?.title).slice(0, 1_000) || null,
    },
    class_name: identity.class_name,
    resource_id: identity.resource_id,
    words: identity.words,
    inner_words: identity.inner_words,
    shape: identity.shape,
    row_words: identity.row_words,
    flags: targetFlags(node),
    ancestors: identity.ancestors,
    place: {
      index: Math.max(0, equals.indexOf(index)),
      count: Math.max(1, equals.length),
      alike: Math.max(1, alike),
    },
    taken_at_ms: tree.snapshot.taken_at_ms,
    window_print: windowPrint(tree, node.window),
    group_print: groupPrint(tree, equals),
    scene: sceneOf(tree, node.window),
  };
}

export function findTarget(snapshot: Snapshot, target: Target): Found {
  return findIn(treeOf(snapshot), target);
}

/** As `findTarget`, for several questions about one snapshot. */
export function findIn(tree: Tree, target: Target): Found {
  const identity = identityOfTarget(target);
  const exact = equalsOf(tree, identity);
  const equals = exact.length > 0 ? exact : tickedFrom(tree, identity, target);
  const first = equals[0];
  if (first === undefined) return { refused: 'target_stale', candidates: resembling(tree, target) };
  const window = nodeOf(tree, first).window;
  const still = windowPrint(tree, window) === target.window_print;
  if (!still && !isSameScene(tree, window, target)) {
    return { refused: 'target_stale', candidates: equals.slice(0, MOST_CANDIDATES) };
  }
  const { index, count } = target.place;
  const meant = equals[index];
  // Where one of several equals went or came, nobody can say which of them is left.
  if (equals.length !== count || meant === undefined) return ambiguous(equals);
  if (count > 1 && !still && groupPrint(tree, equals) !== target.group_print) return ambiguous(equals);
  return { found: meant, strategy: still ? 'ref' : 'relocated' };
}

function ambiguous(equals: readonly number[]): Found {
  return { refused: 'target_ambiguous', candidates: equals.slice(0, MOST_CANDIDATES) };
}

function identityOfTarget(target: Target): Identity {
  return {
    kind: target.window.kind,
    package: target.window.package,
    class_name: target.class_name,
    resource_id: target.resource_id,
    words: target.words,
    inner_words: target.inner_words,
    shape: target.shape,
    row_words: target.row_words,
    ancestors: target.ancestors,
    touch: ['clickable', 'long_clickable', 'checkable', 'editable']
      .filter((flag) => (target.flags as readonly string[]).includes(flag))
      .join(' '),
  };
}

/** Seen nodes of this identity, in document order. */
function equalsOf(tree: Tree, identity: Identity): number[] {
  const words = identity.words ?? '';
  return matching(tree, identity, identityKey, (index) => wordsAt(tree, index) === words);
}

/** The same where clocks in the words do not count. */
function alikeOf(tree: Tree, identity: Identity): number[] {
  return matching(tree, identity, alikeKey, () => true);
}

/** Cheap facts are compared first: the whole identity only of what may be it. */
function matching(
  tree: Tree,
  identity: Identity,
  keyOf: (identity: Identity) => string,
  may: (index: number) => boolean,
): number[] {
  const key = keyOf(identity);
  const [above] = identity.ancestors;
  const found: number[] = [];
  for (let index = 0; index < tree.snapshot.nodes.length; index += 1) {
    const node = nodeOf(tree, index);
    if (tree.seen[index] === null) continue;
    if (node.class_name !== identity.class_name || node.resource_id !== identity.resource_id) continue;
    const parent = node.parent < 0 ? null : nodeOf(tree, node.parent);
    if (parent?.class_name !== above?.class_name || parent?.resource_id !== above?.resource_id) continue;
    if (may(index) && keyOf(identityOf(tree, index)) === key) found.push(index);
  }
  return found;
}

/** The one element that differs in nothing but clocks, which went on by as much as time has passed. */
function tickedFrom(tree: Tree, identity: Identity, target: Target): number[] {
  if (target.place.alike !== 1) return [];
  const alike = alikeOf(tree, identity);
  const [only] = alike;
  if (only === undefined || alike.length > 1) return [];
  const passedMs = tree.snapshot.taken_at_ms - target.taken_at_ms;
  const before = wordsOfIdentity(identity);
  const now = wordsOfIdentity(identityOf(tree, only));
  const isSame = before.every((words, at) => words === now[at] || tickedOn(words, now[at] ?? '', passedMs));
  return isSame ? [only] : [];
}

/** What says the same in the same app, though it is something else or stands elsewhere. */
function resembling(tree: Tree, target: Target): number[] {
  const words = target.words ?? target.inner_words[0] ?? '';
  if (words === '') return [];
  const found: number[] = [];
  for (let index = 0; index < tree.snapshot.nodes.length && found.length < MOST_CANDIDATES; index += 1) {
    if (tree.seen[index] === null || wordsAt(tree, index) !== words) continue;
    if (tree.snapshot.windows[nodeOf(tree, index).window]?.package === target.window.package)
      found.push(index);
  }
  return found;
}

/** An "OK" of another dialog has the same class, id and words: the screen around it must be the same, too. */
function isSameScene(tree: Tree, window: number, target: Target): boolean {
  if (target.scene.length === 0) return true;
  const now = new Set<string>();
  for (let index = 0; index < tree.snapshot.nodes.length; index += 1) {
    const node = nodeOf(tree, index);
    if (node.window !== window || tree.seen[index] === null) continue;
    now.add(wordsAt(tree, index));
    if (node.pane !== undefined) now.add(plainWords(node.pane));
  }
  now.add(plainWords(tree.snapshot.windows[window]?.title));
  const left = target.scene.filter((words) => now.has(words)).length;
  return left >= target.scene.length * SCENE_SHARE;
}

/** Print of the smallest part that holds all of them; null for one alone, or where no part does. */
function groupPrint(tree: Tree, equals: readonly number[]): string | null {
  const [first, ...others] = equals;
  if (first === undefined || others.length === 0) return null;
  let shared = pathTo(tree, first);
  for (const other of others) {
    const path = new Set(pathTo(tree, other));
    shared = shared.filter((at) => path.has(at));
  }
  const nearest = shared[0];
  return nearest === undefined ? null : partPrint(tree, nearest);
}

/** The node and everything above it, nearest first. */
function pathTo(tree: Tree, index: number): number[] {
  const path: number[] = [];
  for (let at = index; at >= 0; at = nodeOf(tree, at).parent) path.push(at);
  return path;
}
