/**
 * What an element is, told by what stays when lists move: class, id, words, the row it stands in, what is
 * above it. Made on the host from a look and on the phone from a fresh tree, by the same rules. Not for
 * deciding which of several equals is meant (find-target.ts).
 *
 * Resource ids alone tell 32 % of recorded clickables apart, id and label 85 %, so rows, ancestors and the
 * place among equals belong to it.
 */
import { has, type NodeFlag, type SnapshotNode } from '../snapshot.ts';
import type { Target } from '../target.ts';
import { isTicking, ownWords } from './own-words.ts';
import { cutAt, PLAIN_MAX, plainWords } from './plain-words.ts';
import { type Tree, takesTouch } from './tree.ts';

/** The parts of a target that must be equal. */
export type Identity = Pick<
  Target,
  'class_name' | 'resource_id' | 'words' | 'inner_words' | 'shape' | 'row_words' | 'ancestors'
> & { readonly kind: Target['window']['kind']; readonly package: string | null; readonly touch: string };

const MOST = { innerWords: 12, inside: 8, rowWords: 24, ancestors: 8, scene: 12 } as const;
/** How far up a row or card is looked for, and what share of the display is too large for one. */
const ROW_LEVELS = 6;
const ROW_SHARE = 0.4;
/** A container with more children than this is a list, whatever it calls itself. */
const LIST_CHILDREN = 64;
/** Flags that make another element of it. Those that come and go by themselves (focusable, scrollable) do not. */
const TOUCH_FLAGS: readonly NodeFlag[] = ['clickable', 'long_clickable', 'checkable', 'editable'];

const TARGET_FLAGS = [...TOUCH_FLAGS, 'scrollable', 'password', 'focusable'] as const;

export function identityOf(tree: Tree, index: number): Identity {
  const node = nodeOf(tree, index);
  const window = tree.snapshot.windows[node.window];
  return {
    kind: window?.kind ?? 'unknown',
    package: window?.package ?? null,
    class_name: node.class_name,
    resource_id: node.resource_id,
    words: wordsAt(tree, index) || null,
    inner_words: innerWords(tree, index, node),
    shape: shapeOf(tree, index, node),
    row_words: rowWords(tree, index),
    touch: TOUCH_FLAGS.filter((flag) => has(node, flag)).join(' '),
    ancestors: ancestorsOf(tree, node),
  };
}

/** One text for one identity, so that equals can be counted. */
export function identityKey(identity: Identity): string {
  return keyOf(identity, (words) => words);
}

/** The same for identities that differ in nothing but clocks. */
export function alikeKey(identity: Identity): string {
  return keyOf(identity, (words) => (isTicking(words) ? CLOCK : words));
}

const CLOCK = '\u0000';

function keyOf(identity: Identity, form: (words: string) => string): string {
  const said = (words: string | null) => (words === null ? null : form(words));
  return JSON.stringify([
    identity.kind,
    identity.package,
    identity.class_name,
    identity.resource_id,
    said(identity.words),
    identity.touch,
    identity.shape,
    identity.inner_words.map(form),
    identity.row_words.map(form),
    identity.ancestors.map((one) => [one.class_name, one.resource_id, said(one.words)]),
  ]);
}

/** All words of an identity in one order, for comparing clocks one by one. */
export function wordsOfIdentity(identity: Identity): string[] {
  const words = [identity.words, ...identity.inner_words, ...identity.row_words];
  return [...words, ...identity.ancestors.map((one) => one.words)].map((one) => one ?? '');
}

export function targetFlags(node: SnapshotNode): Target['flags'] {
  return TARGET_FLAGS.filter((flag) => has(node, flag)) as Target['flags'];
}

/** Whether its children are entries of the same kind that come and go. */
export function isList(tree: Tree, index: number): boolean {
  const node = nodeOf(tree, index);
  if (has(node, 'scrollable') || node.collection !== undefined) return true;
  if ((tree.children[index]?.length ?? 0) > LIST_CHILDREN) return true;
  return /(?:RecyclerView|ListView|GridView|ScrollView|ViewPager2?)$/.test(node.class_name ?? '');
}

/** The one child a scroll view has: what scrolls, not an entry of it. */
function isScrolledContent(tree: Tree, index: number): boolean {
  const { parent } = nodeOf(tree, index);
  if (parent < 0 || (tree.children[parent]?.length ?? 0) !== 1) return false;
  return /ScrollView$/.test(nodeOf(tree, parent).class_name ?? '');
}

function innerWords(tree: Tree, index: number, node: SnapshotNode): string[] {
  // What a list holds at the moment is not what it is.
  if (!takesTouch(node) && isList(tree, index)) return [];
  const takes = (at: number) => takesTouch(nodeOf(tree, at));
  const own = wordsBelow(tree, index, MOST.innerWords, takes);
  // A row without words of its own is known by the buttons in it.
  return own.length > 0 || wordsAt(tree, index) !== ''
    ? own
    : wordsBelow(tree, index, MOST.innerWords, () => false);
}

/** Class and id of each node inside that takes touches, in document order. */
function shapeOf(tree: Tree, index: number, node: SnapshotNode): string {
  if (!takesTouch(node)) return '';
  const shape: string[] = [];
  const stack = [...(tree.children[index] ?? [])].reverse();
  for (let at = stack.pop(); at !== undefined && shape.length < MOST.inside; at = stack.pop()) {
    const one = nodeOf(tree, at);
    if (tree.seen[at] !== null && takesTouch(one)) {
      shape.push(`${plainWords(one.class_name)}#${plainWords(one.resource_id)}`);
    }
    const children = tree.children[at] ?? [];
    for (let child = children.length - 1; child >= 0; child -= 1) stack.push(children[child] as number);
  }
  return cutAt(shape.join(' '), PLAIN_MAX);
}

/**
 * Words beside the element in the nearest container that has any, without those of its peers (other rows,
 * other buttons of the same bar). Nothing beyond a list: what else is in a list is not about this entry.
 */
function rowWords(tree: Tree, index: number): string[] {
  let branch = index;
  for (let level = 0; level < ROW_LEVELS; level += 1) {
    const up = nodeOf(tree, branch).parent;
    if (up < 0 || isList(tree, up) || isScrolledContent(tree, up) || isScreen(tree, up)) return [];
    const own = nodeOf(tree, branch);
    const from = branch;
    const isPeer = (at: number) => {
      const other = nodeOf(tree, at);
      return (
        other.parent === up && other.class_name === own.class_name && other.resource_id === own.resource_id
      );
    };
    const words = wordsBelow(tree, up, MOST.rowWords, (at) => at === from || isPeer(at));
    if (words.length > 0) return words;
    branch = up;
  }
  return [];
}

/** Too large for a row or a card: what stands in it is said by the scene. */
function isScreen(tree: Tree, index: number): boolean {
  const { display } = tree.snapshot;
  const area = tree.seen[index] ?? null;
  if (area === null) return false;
  return (area[2] - area[0]) * (area[3] - area[1]) > display.width * display.height * ROW_SHARE;
}

/** Words of the seen nodes below `index` in document order; `skip` leaves out a node and what is below it. */
function wordsBelow(tree: Tree, index: number, most: number, skip: (at: number) => boolean): string[] {
  const words: string[] = [];
  const stack = [...(tree.children[index] ?? [])].reverse();
  for (let at = stack.pop(); at !== undefined && words.length < most; at = stack.pop()) {
    if (skip(at)) continue;
    const own = tree.seen[at] === null ? '' : wordsAt(tree, at);
    if (own !== '') words.push(own);
    const children = tree.children[at] ?? [];
    for (let child = children.length - 1; child >= 0; child -= 1) stack.push(children[child] as number);
  }
  return words;
}

function ancestorsOf(tree: Tree, node: SnapshotNode): Target['ancestors'] {
  const ancestors: Target['ancestors'] = [];
  for (let at = node.parent; at >= 0 && ancestors.length < MOST.ancestors; ) {
    const one = nodeOf(tree, at);
    ancestors.push({
      class_name: one.class_name,
      resource_id: one.resource_id,
      words: wordsAt(tree, at) || null,
    });
    at = one.parent;
  }
  return ancestors;
}

/** Words outside of lists and of what takes touches, that say which screen or dialog a window shows. */
export function sceneOf(tree: Tree, window: number): string[] {
  const scene: string[] = [];
  const put = (words: string) => {
    if (words !== '' && !isTicking(words) && !scene.includes(words) && scene.length < MOST.scene)
      scene.push(words);
  };
  put(plainWords(tree.snapshot.windows[window]?.title));
  const stack = tree.roots.filter((root) => nodeOf(tree, root).window === window).reverse();
  for (let at = stack.pop(); at !== undefined && scene.length < MOST.scene; at = stack.pop()) {
    const node = nodeOf(tree, at);
    if (tree.seen[at] !== null) put(plainWords(node.pane));
    if (takesTouch(node) || has(node, 'checkable') || isList(tree, at)) continue;
    if (tree.seen[at] !== null) put(wordsAt(tree, at));
    const children = tree.children[at] ?? [];
    for (let child = children.length - 1; child >= 0; child -= 1) stack.push(children[child] as number);
  }
  return scene;
}

/** The node's own words; none where they are, or stand in, something secret. */
export function wordsAt(tree: Tree, index: number): string {
  const node = nodeOf(tree, index);
  // A secret field itself is still called by its description or hint.
  const hides = has(node, 'sensitive') || (node.parent >= 0 && tree.secret[node.parent] === true);
  return hides ? '' : ownWords(node);
}

export function nodeOf(tree: Tree, index: number): SnapshotNode {
  const node = tree.snapshot.nodes[index];
  if (node === undefined) throw new Error(`no node ${index}`);
  return node;
}
