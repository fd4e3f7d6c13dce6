/**
 * The text lines an agent reads, one item a line. Not for which lines fit a budget (tell.ts).
 *
 *     e12 Wi-Fi                        something to tap
 *     e13 switch on: Bluetooth         role and states come before the colon, the label after it
 *     e14 field “abc”: Search          “…” is what it holds
 *     e15 button by e16                no words of its own: named after the item beside it (by), that it
 *                                      stands in (in), or that stands in it (around)
 *     e17 list 3-9 of 200 +12 off screen
 *     Any other line is text of the screen; `# ` before a heading, `! ` before a note.
 *
 * Words of the screen cannot pass for anything else: where they begin like one of our own lines or heads, a
 * sign before them says that they are only words.
 */

import { cutAt } from '../../device-protocol/companion/plain-words.ts';
import { type Item, labelOf } from './item.ts';
import { ROLES, type Role } from './roles.ts';
import { isOnlySigns, PARTED } from './said.ts';

/** Longer words are cut, with a count of what is missing. 0.8 % of recorded labels are longer. */
export const WORDS_MAX = 200;
/** Texts side by side are put on one line up to this length. */
const LINE_MAX = 120;

export interface Line {
  readonly text: string;
  /** The items it tells. */
  readonly items: readonly Item[];
  /** Characters cut from their words. */
  readonly cut: number;
}

export interface LineOptions {
  /** Every item with its ref, bounds and further actions. */
  readonly full: boolean;
  readonly refOf: (item: Item) => string;
  /** Mark elements that may be covered one by one; where there are many, a note says so once. */
  readonly marksPerhaps: boolean;
}

/** State of an element of which nobody knows whether something lies over it. */
export const PERHAPS = 'covered?';

const OWN_HEADS: ReadonlySet<string> = new Set([
  ...ROLES,
  ...[
    'on',
    'off',
    'selected',
    'disabled',
    'focused',
    'expanded',
    'collapsed',
    'by',
    'around',
    'in',
    'at',
    'error',
  ],
  'covered',
  'covered?',
]);
/** Beginnings of our own lines. */
const OWN_LINE = /^(?:e\d|[!#=+~]|- |app |window |dialog |keyboard |covered|since |gone )/;

export function linesOf(items: readonly Item[], options: LineOptions): Line[] {
  const named = new Set(items.flatMap((item) => (item.near === null ? [] : [item.near])));
  const lines: Line[] = [];
  let run: Item[] = [];
  const endRun = () => {
    if (run.length > 0) lines.push(textLine(run));
    run = [];
  };
  for (const item of items) {
    const plain =
      !item.element && !item.covered && item.role === 'text' && item.states.length === 0 && !options.full;
    if (!plain || named.has(item) || item.value !== null) {
      endRun();
      lines.push(itemLine(item, options, named.has(item)));
      continue;
    }
    if (run.length > 0 && !continues(run, item)) endRun();
    run.push(item);
  }
  endRun();
  return lines;
}

/** Side by side and short enough to be read as one line. */
function continues(run: readonly Item[], item: Item): boolean {
  const last = run.at(-1) as Item;
  if (last.window !== item.window) return false;
  const length = run.reduce((sum, one) => sum + labelOf(one).length + PARTED.length, 0);
  const bullet = run.length === 1 && isOnlySigns(labelOf(last));
  if (length + labelOf(item).length > LINE_MAX && !bullet) return false;
  const shared = Math.min(last.area[3], item.area[3]) - Math.max(last.area[1], item.area[1]);
  return shared * 2 >= Math.min(last.area[3] - last.area[1], item.area[3] - item.area[1]);
}

function textLine(run: readonly Item[]): Line {
  const words = run.map((item) => shortened(item.parts));
  // A sign between two texts parts them as our own does.
  const said = words.filter(({ text }, at) => at === 0 || at === words.length - 1 || text !== '·');
  const text = said.map((one) => one.text).join(PARTED);
  return {
    text: OWN_LINE.test(text) ? `- ${text}` : text,
    items: run,
    cut: words.reduce((sum, one) => sum + one.cut, 0),
  };
}

function itemLine(item: Item, options: LineOptions, isNamed: boolean): Line {
  const { full, refOf } = options;
  const head: string[] = [];
  const withRef = item.element || isNamed || full;
  if (item.covered) head.push('covered');
  if (item.role !== 'button' && (item.element || (withRef && item.role === 'text'))) head.push(item.role);
  head.push(...item.states.filter((state) => state !== PERHAPS || options.marksPerhaps));
  const held =
    item.value === null || item.from === 'value' || item.from === 'state' ? null : shortened([item.value]);
  if (held !== null) head.push(quoted(held.text));
  const error = shortened([item.error]);
  if (error.text !== '') head.push(`error ${quoted(error.text)}`);
  if (item.rows !== null) head.push(`${item.rows.first}-${item.rows.last} of ${item.rows.count}`);
  if (item.unseen > 0) head.push(`+${item.unseen} off screen`);
  if (full && item.actions.length > 0) head.push(`{${item.actions.join(', ')}}`);
  if (full) head.push(`at ${item.area.join(',')}`);
  const label = shortened(item.near === null ? item.parts : []);
  if (item.near !== null) head.push(`${NEAR[item.from as keyof typeof NEAR] ?? 'by'} ${refOf(item.near)}`);
  else if (item.from === 'place') head.push(`unlabelled at ${middleOf(item)}`);
  const said = item.from === 'value' || item.from === 'state' ? quoted(label.text) : label.text;
  const text = joinLine(withRef ? refOf(item) : '', item.role, head, said);
  return { text, items: [item], cut: label.cut + (held?.cut ?? 0) + error.cut };
}

const NEAR = { beside: 'by', inside: 'in', around: 'around' } as const;

function joinLine(ref: string, role: Role, head: readonly string[], label: string): string {
  if (ref === '') {
    const mark = role === 'heading' ? '# ' : '';
    const heads = head.length === 0 ? '' : `${head.join(' ')}: `;
    const text = `${mark}${heads}${label}`;
    return mark === '' && heads === '' && OWN_LINE.test(text) ? `- ${text}` : text;
  }
  if (head.length > 0)
    return label === '' ? `${ref} ${head.join(' ')}` : `${ref} ${head.join(' ')}: ${label}`;
  const first = label.split(/[\s:]/, 1)[0] ?? '';
  const looksLikeHead = OWN_HEADS.has(first) || label === '';
  return looksLikeHead ? `${ref}: ${label}` : `${ref} ${label}`;
}

/** Each part is cut for itself, so that a long one does not take the others along. */
function shortened(parts: readonly string[]): { text: string; cut: number } {
  let cut = 0;
  const short = parts.map((words) => {
    if (words.length <= WORDS_MAX) return words;
    const kept = cutAt(words, WORDS_MAX);
    cut += words.length - kept.length;
    return `${kept}… (+${words.length - kept.length} characters)`;
  });
  return { text: short.join(PARTED), cut };
}

function quoted(words: string): string {
  return `“${words.replaceAll('”', '"')}”`;
}

function middleOf(item: Item): string {
  const [left, top, right, bottom] = item.area;
  return `${Math.floor((left + right) / 2)},${Math.floor((top + bottom) / 2)}`;
}
