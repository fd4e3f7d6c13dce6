/**
 * What an agent is told of a look: exactly this text, within a budget of tokens, with what was left out and
 * where to go on. Not for what is on the screen (observe.ts) nor for single lines (lines.ts).
 */

import { plainWords } from '../../device-protocol/companion/plain-words.ts';
import { overlap } from '../../device-protocol/companion/tree.ts';
import type { Bounds } from '../../device-protocol/snapshot.ts';
import { type Item, labelOf } from './item.ts';
import { type Line, linesOf } from './lines.ts';
import type { Seen } from './observe.ts';
import { PARTED } from './said.ts';
import { estimateTokens } from './tokens.ts';

export const DETAILS = ['summary', 'full', 'text'] as const;
export type Detail = (typeof DETAILS)[number];

/** Estimated tokens of one answer, by detail. */
export const BUDGETS: Record<Detail, number> = { summary: 4_000, full: 8_000, text: 4_000 };

export interface TellOptions {
  readonly detail?: Detail;
  readonly budget?: number;
  /** Number of items already told: goes on there. */
  readonly from?: number;
  /** Only what lies, even partly, in this area of the display. */
  readonly region?: Bounds;
}

export interface Told {
  readonly text: string;
  /** The estimate the budget was held against. */
  readonly tokens: number;
  readonly truncated: boolean;
  readonly cut_by: 'tokens' | null;
  /** Items told, and all there are. */
  readonly shown: number;
  readonly total: number;
  /** Where to go on; null at the end. */
  readonly next: number | null;
  /** Characters cut from long words, each cut marked in the text. */
  readonly characters_cut: number;
}

export function tell(seen: Seen, options: TellOptions = {}): Told {
  const detail = options.detail ?? 'summary';
  const budget = options.budget ?? BUDGETS[detail];
  const from = options.from ?? 0;
  const place = new Map(seen.items.map((item, at) => [item, at]));
  const refOf = (item: Item) => seen.refs[place.get(item) ?? -1] ?? '';
  const wanted = seen.items.filter(
    (item, at) => at >= from && (options.region === undefined || overlap(item.area, options.region) !== null),
  );
  const lines =
    detail === 'text'
      ? wordLines(wanted)
      : linesOf(wanted, {
          full: detail === 'full',
          refOf,
          marksPerhaps: !seen.notes.some((note) => note.code === 'perhaps_covered'),
        });
  const head = headLines(seen, detail, from);
  const out: string[] = [...head];
  let tokens = estimateTokens(head.join('\n'));
  let shown = 0;
  let cut = 0;
  let window: number | null = wanted[0]?.window ?? null;
  let rest: Line | null = null;
  for (const line of lines) {
    const first = line.items[0];
    const title = first !== undefined && first.window !== window ? windowLine(seen, first.window) : null;
    const cost = estimateTokens(line.text) + 1 + (title === null ? 0 : estimateTokens(title) + 1);
    if (tokens + cost > budget && shown > 0) {
      rest = line;
      break;
    }
    if (title !== null) out.push(title);
    window = first?.window ?? window;
    out.push(line.text);
    tokens += cost;
    shown += line.items.length;
    cut += line.cut;
  }
  const next = rest === null ? null : (place.get(rest.items[0] as Item) ?? null);
  if (next !== null)
    out.push(`! cut at ${budget} tokens: ${wanted.length - shown} more items, go on with the cursor`);
  return {
    text: out.join('\n'),
    tokens,
    truncated: next !== null,
    cut_by: next === null ? null : 'tokens',
    shown,
    total: wanted.length,
    next,
    characters_cut: cut,
  };
}

function headLines(seen: Seen, detail: Detail, from: number): string[] {
  const { snapshot } = seen;
  const first = seen.items[0]?.window ?? snapshot.windows.findIndex((window) => window.active);
  const lines = [windowLine(seen, first)];
  if (detail === 'full' && from === 0) {
    const { width, height } = snapshot.display;
    lines.push(
      `= ${width}x${height}${snapshot.foreground.activity === null ? '' : ` ${snapshot.foreground.activity}`}`,
    );
  }
  if (from > 0) return lines;
  for (const note of seen.notes) if (note.inSummary || detail === 'full') lines.push(`! ${note.say}`);
  return lines.filter((line) => line !== '');
}

/** `app com.example · Title`; what is no app says what it is. */
function windowLine(seen: Seen, place: number): string {
  const { snapshot } = seen;
  const window = snapshot.windows[place];
  if (window === undefined) return '';
  const [left, top, right, bottom] = window.bounds;
  const small = (right - left) * (bottom - top) < snapshot.display.width * snapshot.display.height * 0.9;
  const kind =
    window.kind === 'application'
      ? small && snapshot.windows.length > 1
        ? 'dialog'
        : 'app'
      : WINDOW_WORDS[window.kind];
  const title = plainWords(window.title ?? (window.active ? snapshot.foreground.title : null));
  const name = plainWords(window.package ?? '');
  return `${kind} ${[name, title].filter((one) => one !== '').join(PARTED)}`.trim();
}

const WINDOW_WORDS = {
  input_method: 'keyboard',
  system: 'window system',
  accessibility_overlay: 'window overlay',
  split_screen_divider: 'window divider',
  unknown: 'window',
} as const;

/** Only what one can read, item by item. */
function wordLines(items: readonly Item[]): Line[] {
  return items.flatMap((item) => {
    if (item.near !== null || item.from === 'place' || item.from === 'id') return [];
    const value = item.value === null || item.from === 'value' || item.from === 'state' ? '' : item.value;
    const text = [labelOf(item), value].filter((one) => one !== '').join(PARTED);
    return text === '' ? [] : [{ text, items: [item], cut: 0 }];
  });
}
