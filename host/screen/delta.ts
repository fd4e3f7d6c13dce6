/**
 * What is new, changed and gone since an earlier look, as text: far less than the whole screen where little
 * changed, and the whole screen where much did. Not for what an act changed (device-protocol/companion/change.ts).
 */
import type { Item } from './item.ts';
import { type Line, linesOf } from './lines.ts';
import type { Seen } from './observe.ts';
import { type TellOptions, type Told, tell } from './tell.ts';
import { estimateTokens } from './tokens.ts';

export interface ToldDelta extends Told {
  /** Null: so much is different that the whole screen is told. */
  readonly delta: { readonly new: number; readonly changed: number; readonly gone: number } | null;
}

/** A delta of more than this share of the whole is not worth reading apart. */
const WHOLE_SHARE = 0.7;

/** `name` is the earlier look's id, as the agent knows it. */
export function tellSince(seen: Seen, before: Seen, name: string, options: TellOptions = {}): ToldDelta {
  const whole = tell(seen, options);
  const now = linesByRef(seen);
  const then = linesByRef(before);
  const fresh = [...now].filter(([ref]) => !then.has(ref));
  const changed = [...now].filter(([ref, line]) => then.has(ref) && !isSame(line, then.get(ref)));
  const gone = [...then].filter(([ref]) => !now.has(ref));
  const delta = { new: fresh.length, changed: changed.length, gone: gone.length };
  const head = whole.text.split('\n', 1)[0] ?? '';
  const notes = seen.notes.filter((note) => note.inSummary).map((note) => `! ${note.say}`);
  const lines = [
    head,
    ...notes,
    `since ${name}: ${delta.new} new, ${delta.changed} changed, ${delta.gone} gone`,
    ...fresh.map(([, line]) => `+ ${line.text}`),
    ...changed.map(([, line]) => `~ ${line.text}`),
    ...goneLines(gone.map(([ref, line]) => ({ ref, line }))),
  ];
  const text = lines.join('\n');
  const tokens = estimateTokens(text);
  const budget = options.budget ?? Number.POSITIVE_INFINITY;
  const isWorth = tokens < whole.tokens * WHOLE_SHARE && tokens <= budget;
  if (before.items.length === 0 || whole.truncated || !isWorth) return { ...whole, delta: null };
  return { ...whole, text, tokens, shown: delta.new + delta.changed, characters_cut: 0, delta };
}

/** Every item with the line it has alone: texts of one row are compared one by one. */
function linesByRef(seen: Seen): Map<string, Line> {
  const refs = new Map<Item, string>();
  seen.items.forEach((item, at) => {
    refs.set(item, seen.refs[at] as string);
  });
  const refOf = (item: Item) => refs.get(item) ?? '';
  const lines = new Map<string, Line>();
  for (const item of seen.items) {
    const [line] = linesOf([item], { full: false, refOf, marksPerhaps: false });
    if (line !== undefined) lines.set(refOf(item), line);
  }
  return lines;
}

/** Which neighbour an element is named after is no change of the element. */
function isSame(line: Line, before: Line | undefined): boolean {
  const said = (one: Line | undefined) => {
    const item = one?.items[0];
    return item === undefined
      ? ''
      : JSON.stringify([item.role, item.states, item.value, item.error, item.parts, item.rows]);
  };
  return said(line) === said(before);
}

/** Elements by ref alone, texts by their words. */
function goneLines(gone: readonly { readonly ref: string; readonly line: Line }[]): string[] {
  const isElement = ({ line }: { line: Line }) => line.items[0]?.element === true;
  const refs = gone.filter(isElement).map(({ ref }) => ref);
  const texts = gone.filter((one) => !isElement(one)).map(({ line }) => `- ${line.text}`);
  return [...(refs.length === 0 ? [] : [`gone ${refs.join(' ')}`]), ...texts];
}
