/**
 * What differs between the screen before an act and after it. Blind to what changes without the act: clocks,
 * progress, the system's bars, our own windows; null where it could not be seen. Not for when to look
 * (settle.ts).
 */
import type { Change } from '../report.ts';
import { has, type Snapshot, type SnapshotNode } from '../snapshot.ts';
import { isList, nodeOf, wordsAt } from './identity.ts';
import { isTicking, ownWords } from './own-words.ts';
import { cutAt, plainWords } from './plain-words.ts';
import { countingWindows } from './quiet-windows.ts';
import { tickedOn } from './ticking.ts';
import { type Tree, takesTouch, treeOf } from './tree.ts';

export interface Changed {
  /** Null: nothing was seen to differ, and not everything could be seen. */
  readonly changed: boolean | null;
  readonly change: Change | null;
}

/** Texts told of what appeared and went, and how long each may be. */
const MOST_TEXTS = 12;
const TEXT_MAX = 300;
/** A move of less is a jitter of the layout, pixels. */
const LEAST_MOVE = 8;

export function changeBetween(before: Snapshot | null, after: Snapshot | null): Changed {
  if (before === null || after === null) return { changed: null, change: null };
  const from = facesOf(treeOf(before));
  const to = facesOf(treeOf(after));
  const passedMs = after.taken_at_ms - before.taken_at_ms;
  const { appeared, gone, content } = compareFaces(from, to, passedMs);
  const change: Change = {
    window: windowsOf(before) !== windowsOf(after),
    content,
    text: holdsOther(from, to),
    focus: from.focus !== to.focus,
    scroll: hasScrolled(from, to),
    appeared: textsOf(appeared),
    gone: textsOf(gone),
  };
  const any = change.window || change.content || change.text || change.focus || change.scroll;
  return { changed: any ? true : canSee(before) && canSee(after) ? false : null, change };
}

/** Which windows there are, which is in front, and whether the screen is on and unlocked. */
function windowsOf(snapshot: Snapshot): string {
  const windows = [...countingWindows(snapshot)].map((place) => {
    const window = snapshot.windows[place];
    return JSON.stringify([window?.kind, window?.package, plainWords(window?.title), window?.active]);
  });
  const { package: front, activity } = snapshot.foreground;
  return JSON.stringify([windows.sort(), front, activity, snapshot.locked, snapshot.screen_on]);
}

/** Whether all that counts could be read: without that, "nothing changed" would be a guess. */
function canSee(snapshot: Snapshot): boolean {
  const counting = countingWindows(snapshot);
  if (counting.size === 0) return false;
  for (const place of counting) if (snapshot.windows[place]?.root === null) return false;
  return !snapshot.losses.some((loss) => loss.code === 'nodes_cut' || loss.code === 'windows_cut');
}

/** What a node shows, apart from where: equal faces cannot be told apart by eye. */
interface Face {
  readonly key: string;
  readonly words: string;
  /** Same place in the structure: class and id of the node. */
  readonly place: string;
  readonly top: number;
  readonly left: number;
  readonly inList: boolean;
}

interface Faces {
  readonly all: readonly Face[];
  /** What fields hold, in document order. */
  readonly held: readonly { readonly place: string; readonly value: string | null }[];
  readonly focus: string | null;
}

const STATES = ['checked', 'selected', 'expanded', 'enabled'] as const;

function facesOf(tree: Tree): Faces {
  const counting = countingWindows(tree.snapshot);
  const { secret } = tree;
  const all: Face[] = [];
  const held: { place: string; value: string | null }[] = [];
  const inList: boolean[] = [];
  let focus: string | null = null;
  tree.snapshot.nodes.forEach((node, index) => {
    const up = node.parent;
    inList[index] = up >= 0 && (inList[up] === true || isList(tree, up));
    const area = tree.seen[index] ?? null;
    if (area === null || !counting.has(node.window)) return;
    const keyboard = tree.snapshot.windows[node.window]?.kind === 'input_method';
    // Keys change with every letter; what they wrote is seen in the field.
    if (keyboard) return;
    const place = JSON.stringify([node.class_name, node.resource_id]);
    const words = secret[index] === true ? plainWords(node.description) : wordsOf(node);
    if (has(node, 'editable')) held.push({ place, value: heldIn(node, secret[index] === true) });
    if (has(node, 'focused') && has(node, 'focusable'))
      focus = JSON.stringify([place, wordsAt(tree, index), siblingsBefore(tree, index)]);
    if (words === '' && !takesTouch(node) && !has(node, 'checkable')) return;
    const states = STATES.filter((state) => has(node, state)).join(' ');
    all.push({
      key: JSON.stringify([place, words, states, takesTouch(node)]),
      words,
      place,
      top: area[1],
      left: area[0],
      inList: inList[index] === true,
    });
  });
  return { all, held, focus };
}

/** All words of a node but what a field holds, which is compared by itself. */
function wordsOf(node: SnapshotNode): string {
  const parts = [ownWords(node), plainWords(node.state), plainWords(node.error), plainWords(node.pane)];
  // The bare number of a slider or a progress bar is progress; a switch's "ON" is its state.
  if (has(node, 'checkable')) parts.push(plainWords(node.text));
  return parts.filter((part, place) => part !== '' && parts.indexOf(part) === place).join(' \u00B7 ');
}

function heldIn(node: SnapshotNode, secret: boolean): string | null {
  if (secret) return null;
  return has(node, 'showing_hint') ? '' : plainWords(node.text, 10_000);
}

/** The same fields hold something else. Fields that came or went are content. */
function holdsOther(from: Faces, to: Faces): boolean {
  if (from.held.length !== to.held.length) return false;
  return from.held.every(({ place }, at) => place === to.held[at]?.place)
    ? from.held.some(({ value }, at) => value !== to.held[at]?.value)
    : false;
}

/** Which of its parent's children it is: tells fields without any words apart. */
function siblingsBefore(tree: Tree, index: number): number {
  const { parent } = nodeOf(tree, index);
  return parent < 0 ? 0 : (tree.children[parent] ?? []).indexOf(index);
}

/** What is there on one side only, without clocks that merely went on. */
function compareFaces(from: Faces, to: Faces, passedMs: number) {
  const gone = missingIn(from.all, to.all);
  const appeared = missingIn(to.all, from.all);
  const went = new Set<Face>();
  const clocks = new Set(appeared.filter((face) => isTicking(face.words)));
  const left = gone.filter((face) => {
    if (!isTicking(face.words)) return true;
    for (const other of clocks) {
      if (other.place !== face.place || !tickedOn(face.words, other.words, passedMs)) continue;
      clocks.delete(other);
      went.add(other);
      return false;
    }
    return true;
  });
  const news = appeared.filter((face) => !went.has(face));
  return { gone: left, appeared: news, content: left.length > 0 || news.length > 0 };
}

/** The faces of `one` that `other` has not, each as often as it is missing. */
function missingIn(one: readonly Face[], other: readonly Face[]): Face[] {
  const counts = new Map<string, number>();
  for (const face of other) counts.set(face.key, (counts.get(face.key) ?? 0) + 1);
  return one.filter((face) => {
    const left = counts.get(face.key) ?? 0;
    if (left > 0) counts.set(face.key, left - 1);
    return left === 0;
  });
}

/** Most of what a list shows before and after stands somewhere else, all by the same way. */
function hasScrolled(from: Faces, to: Faces): boolean {
  const unique = (faces: Faces) => {
    const found = new Map<string, Face | null>();
    for (const face of faces.all) {
      if (!face.inList || face.words === '') continue;
      const key = `${face.place} ${face.words}`;
      found.set(key, found.has(key) ? null : face);
    }
    return found;
  };
  const before = unique(from);
  const moves = new Map<string, number>();
  let shared = 0;
  for (const [key, face] of unique(to)) {
    const old = before.get(key);
    if (face === null || old === null || old === undefined) continue;
    shared += 1;
    const [right, down] = [face.left - old.left, face.top - old.top];
    if (Math.abs(right) < LEAST_MOVE && Math.abs(down) < LEAST_MOVE) continue;
    const way = `${right} ${down}`;
    moves.set(way, (moves.get(way) ?? 0) + 1);
  }
  return Math.max(0, ...moves.values()) * 2 > shared;
}

function textsOf(faces: readonly Face[]): string[] {
  const texts = new Set<string>();
  for (const { words } of faces) {
    if (texts.size >= MOST_TEXTS) break;
    if (words !== '') texts.add(cutAt(words, TEXT_MAX));
  }
  return [...texts];
}

/**
 * Names of what differs, for telling which node never rests: id words, else its words, else its class.
 * Empty where nothing that counts differs.
 */
export function stirredBetween(before: Snapshot, after: Snapshot): string[] {
  const from = facesOf(treeOf(before));
  const to = facesOf(treeOf(after));
  const { gone, appeared } = compareFaces(from, to, after.taken_at_ms - before.taken_at_ms);
  const names = new Set<string>();
  if (windowsOf(before) !== windowsOf(after)) names.add('windows');
  if (holdsOther(from, to)) names.add('field');
  for (const face of [...gone, ...appeared]) names.add(nameOf(face));
  if (names.size === 0 && hasScrolled(from, to)) names.add('scroll');
  return [...names].slice(0, 50);
}

function nameOf(face: Face): string {
  const [className, id] = JSON.parse(face.place) as [string | null, string | null];
  const last = (name: string, by: string) => name.slice(name.lastIndexOf(by) + 1);
  if (id !== null) return last(id, '/');
  return className === null ? cutAt(face.words, 60) : last(className, '.');
}
