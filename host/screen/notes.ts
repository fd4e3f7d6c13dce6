/**
 * What an agent must know about a look besides its content: what could not be seen, what was cut, what stands
 * in the way; each with what to do instead. Not for what the content says.
 */
import { builtOf } from '../../device-protocol/companion/half-built.ts';
import { nodeOf } from '../../device-protocol/companion/identity.ts';
import { type Bounds, has } from '../../device-protocol/snapshot.ts';
import type { Item } from './item.ts';
import type { Reading } from './reading.ts';

export const NOTE_CODES = [
  'no_window',
  'screen_off',
  'locked',
  'window_unreadable',
  'nothing_readable',
  'incomplete',
  'nearly_empty',
  'unreadable_area',
  'perhaps_covered',
  'cut_by_limit',
  'text_cut_by_limit',
  'damaged',
  'visibility_unknown',
  'foreground_unknown',
  'keyboard_open',
  'more_off_screen',
  'loading',
] as const;
export type NoteCode = (typeof NOTE_CODES)[number];

export interface Note {
  readonly code: NoteCode;
  /** What is so, and what to do. */
  readonly say: string;
  /** The number in it, where there is one. */
  readonly count?: number;
  /** Whether it stands in the text of a summary; the others are only listed. */
  readonly inSummary: boolean;
}

/** An app that shows this few nodes, and nothing to act on, is still starting (D-13). */
const NEARLY_EMPTY_NODES = 5;
/** So many elements that may be covered are marked one by one. */
const MOST_MARKED = 6;
/** So much of the window without words or actions is worth a picture (D-02). */
const UNREADABLE_SHARE = 0.5;

export function notesOf(reading: Reading, items: readonly Item[]): Note[] {
  const { snapshot } = reading.tree;
  const notes: Note[] = [];
  const note = (code: NoteCode, say: string, more: { count?: number; inSummary?: boolean } = {}) => {
    notes.push({
      code,
      say,
      inSummary: more.inSummary ?? true,
      ...(more.count === undefined ? {} : { count: more.count }),
    });
  };
  if (snapshot.screen_on === false) note('screen_off', 'The screen is off. Ask the owner to wake the phone.');
  if (snapshot.locked === true) {
    const how = snapshot.secure_lock === true ? 'locked with a secret' : 'locked';
    note('locked', `The phone is ${how}: this is the lock screen, not an app. Only the owner can unlock it.`);
  }
  windowNotes(reading, note);
  builtNotes(reading, items, note);
  lossNotes(reading, note);
  return notes;
}

type Say = (code: NoteCode, say: string, more?: { count?: number; inSummary?: boolean }) => void;

function windowNotes(reading: Reading, note: Say): void {
  const { snapshot } = reading.tree;
  const told = snapshot.windows.filter((_, place) => reading.telling[place] !== 'left_out');
  if (told.length === 0) {
    note(
      'no_window',
      'No window can be seen right now. Observe again in a second; if it stays, take a screenshot.',
    );
  }
  for (const window of told) {
    if (window.unreadable === null) continue;
    const name = window.title ?? window.package ?? 'A window';
    note('window_unreadable', UNREADABLE[window.unreadable].replace('{window}', name.slice(0, 80)));
  }
  const keyboards = snapshot.windows.flatMap((_, place) =>
    reading.telling[place] === 'folded' ? [place] : [],
  );
  if (keyboards.length > 0) {
    const keys = reading.touch.takers.reduce(
      (sum, takers, place) => sum + (keyboards.includes(place) ? takers.length : 0),
      0,
    );
    note('keyboard_open', `keyboard open, ${keys} keys not listed`, { count: keys });
  }
  if (snapshot.foreground.package === null) {
    note('foreground_unknown', 'Which app is in front is not known.', { inSummary: true });
  }
}

const UNREADABLE = {
  no_root: '{window}: temporarily unreadable. Observe again.',
  protected: '{window}: protected, its content cannot be read. Ask the owner.',
  withheld: '{window}: its content is withheld from you.',
  timeout: '{window}: did not answer in time. Observe again.',
} as const;

function builtNotes(reading: Reading, items: readonly Item[], note: Say): void {
  const { tree } = reading;
  const { snapshot } = tree;
  const built = builtOf(tree);
  if (built.half_built) {
    note(
      'incomplete',
      `Incomplete: ${built.unplaced} of ${built.unplaced + built.placed} parts have no place yet. Observe again.`,
      { count: built.unplaced },
    );
  }
  const readableItems = items.filter((item) => item.from !== 'place' && item.from !== 'id');
  const app = snapshot.windows.findIndex((window) => window.active);
  const nodes = snapshot.nodes.filter((node) => node.window === app).length;
  if (snapshot.nodes.length > 0 && readableItems.length === 0) {
    note(
      'nothing_readable',
      'Nothing on this screen has words: its content is hidden, drawn or still loading. Take a screenshot.',
    );
  } else if (nodes <= NEARLY_EMPTY_NODES && isBareApp(reading, items, app)) {
    note('nearly_empty', `Only ${nodes} nodes: the app may still be loading. Observe again.`, {
      count: nodes,
    });
  } else {
    const share = unreadableShare(reading, items, app);
    if (share >= UNREADABLE_SHARE) {
      const percent = Math.round(share * 100);
      note(
        'unreadable_area',
        `${percent}% of the screen has no readable content. Take a screenshot to see it.`,
        { count: percent },
      );
    }
  }
  const perhaps = [...reading.hidden.values()].filter((why) => why === 'perhaps').length;
  if (perhaps > MOST_MARKED) {
    note(
      'perhaps_covered',
      `${perhaps} elements may lie under another one. If a tap changes nothing, take a screenshot.`,
      {
        count: perhaps,
      },
    );
  }
  if (snapshot.nodes.some((node, index) => isSpinner(reading, index, node.class_name))) {
    note('loading', 'Something is loading.', { inSummary: false });
  }
}

/** An app's window with nothing in it that one could act on. */
function isBareApp(reading: Reading, items: readonly Item[], app: number): boolean {
  if (reading.tree.snapshot.windows[app]?.kind !== 'application') return false;
  return !items.some((item) => item.window === app && item.element);
}

function isSpinner(reading: Reading, index: number, className: string | null): boolean {
  if (reading.tree.seen[index] === null || !/ProgressBar$/.test(className ?? '')) return false;
  const node = nodeOf(reading.tree, index);
  return node.range === undefined && (node.text ?? '') === '' && !has(node, 'scrollable');
}

function lossNotes(reading: Reading, note: Say): void {
  const { snapshot } = reading.tree;
  const of = (...codes: string[]) =>
    snapshot.losses.filter((loss) => codes.includes(loss.code)).reduce((sum, loss) => sum + loss.count, 0);
  const nodes = of('nodes_cut', 'depth_cut', 'windows_cut');
  if (nodes > 0) {
    const limits = snapshot.losses
      .filter((loss) => ['nodes_cut', 'depth_cut', 'windows_cut'].includes(loss.code))
      .map((loss) => `${loss.code.replace('_cut', '')}${loss.detail === undefined ? '' : ` ${loss.detail}`}`);
    note(
      'cut_by_limit',
      `Cut: ${nodes} nodes are missing (limit: ${limits.join(', ')}). Scroll or go deeper to see them.`,
      { count: nodes },
    );
  }
  const texts = of('text_cut');
  if (texts > 0)
    note('text_cut_by_limit', `${texts} very long texts were cut.`, { count: texts, inSummary: false });
  const damage = of('document_cut', 'repaired_markup', 'no_root_element', 'bad_value');
  if (damage > 0) note('damaged', 'The recording is damaged; parts may be missing.', { count: damage });
  const visible = snapshot.nodes.some((node) => has(node, 'visible'));
  if (
    snapshot.nodes.length > 0 &&
    !visible &&
    snapshot.nodes.some((_, index) => reading.tree.seen[index] !== null)
  ) {
    note(
      'visibility_unknown',
      'The screen says of none of its parts that it is visible; this may be behind something.',
    );
  }
}

/** Cells the window is divided into, across and down. */
const ACROSS = 24;
const DOWN = 40;

/**
 * Share of the active window that something without words or actions fills, and nothing readable lies on. An
 * empty background does not count: only childless nodes, which draw something nobody can read.
 */
function unreadableShare(reading: Reading, items: readonly Item[], app: number): number {
  const { tree } = reading;
  const window = tree.snapshot.windows[app];
  if (window === undefined) return 0;
  const [left, top, right, bottom] = window.bounds;
  const [wide, high] = [(right - left) / ACROSS, (bottom - top) / DOWN];
  if (!(wide > 0 && high > 0)) return 0;
  const cells = new Uint8Array(ACROSS * DOWN);
  const fill = (area: Bounds, value: number) => {
    const fromX = Math.max(0, Math.round((area[0] - left) / wide));
    const toX = Math.min(ACROSS, Math.round((area[2] - left) / wide));
    const fromY = Math.max(0, Math.round((area[1] - top) / high));
    const toY = Math.min(DOWN, Math.round((area[3] - top) / high));
    for (let y = fromY; y < toY; y += 1) cells.fill(value, y * ACROSS + fromX, y * ACROSS + toX);
  };
  tree.snapshot.nodes.forEach((node, index) => {
    const area = tree.seen[index] ?? null;
    if (area === null || node.window !== app || (tree.children[index] ?? []).length > 0) return;
    const large = (area[2] - area[0]) * (area[3] - area[1]) * 25 > (right - left) * (bottom - top);
    if (!large || !isBackground(reading, index, area)) fill(area, 1);
  });
  for (const item of items) {
    if (item.window !== app || item.role === 'list' || item.role === 'scroll' || item.from === 'place')
      continue;
    fill(item.area, 2);
  }
  return cells.filter((cell) => cell === 1).length / cells.length;
}

/** Something with content is painted over all of it: what it draws, if anything, is not what one looks at. */
function isBackground(reading: Reading, index: number, area: Bounds): boolean {
  const { tree } = reading;
  for (let at = index; at >= 0; at = nodeOf(tree, at).parent) {
    const { parent } = nodeOf(tree, at);
    for (const sibling of parent < 0 ? [] : (tree.children[parent] ?? [])) {
      const other = tree.seen[sibling] ?? null;
      if (other === null || (tree.rank[sibling] ?? 0) <= (tree.rank[at] ?? 0)) continue;
      if ((tree.children[sibling] ?? []).length === 0) continue;
      if (other[0] <= area[0] && other[1] <= area[1] && other[2] >= area[2] && other[3] >= area[3])
        return true;
    }
  }
  return false;
}
