/**
 * Finds items of a look by words, with the same folding as everywhere: small or capital, accents or none,
 * full width or half. Not for finding an element again on the phone (device-protocol/companion/find-target.ts).
 */
import { normalise } from '../../device-protocol/fold.ts';
import { type Item, labelOf } from './item.ts';
import type { Seen } from './observe.ts';

export interface FoundItem {
  readonly ref: string;
  readonly item: Item;
  /** How well it fits: all of its words, a beginning, somewhere inside, each word somewhere. */
  readonly fit: 'whole' | 'start' | 'inside' | 'words';
}

export interface Finding {
  readonly found: readonly FoundItem[];
  /** Where nothing was found: labels that come near, best first. */
  readonly near: readonly { readonly ref: string; readonly label: string }[];
}

const MOST_NEAR = 5;
const ORDER: Record<FoundItem['fit'], number> = { whole: 0, start: 1, inside: 2, words: 3 };

/** Best fits first, elements before texts, then in reading order. */
export function findWords(seen: Seen, words: string): Finding {
  const wanted = normalise(words);
  if (wanted === '') return { found: [], near: [] };
  const found = seen.items.flatMap((item, at): (FoundItem & { at: number })[] => {
    const fit = fitOf(item, wanted);
    return fit === null ? [] : [{ ref: seen.refs[at] as string, item, fit, at }];
  });
  found.sort(
    (a, b) => ORDER[a.fit] - ORDER[b.fit] || Number(b.item.element) - Number(a.item.element) || a.at - b.at,
  );
  return {
    found: found.map(({ at: _, ...one }) => one),
    near: found.length > 0 ? [] : nearest(seen, wanted),
  };
}

/** Everything an item says itself: its label, what it holds, its error. */
function saidBy(item: Item): string[] {
  return [...item.parts, item.value ?? '', item.error].map(normalise).filter((one) => one !== '');
}

function fitOf(item: Item, wanted: string): FoundItem['fit'] | null {
  const said = saidBy(item);
  if (said.includes(wanted)) return 'whole';
  const whole = said.join(' ');
  if (said.some((one) => one.startsWith(wanted))) return 'start';
  if (whole.includes(wanted)) return 'inside';
  const words = wanted.split(' ');
  return words.length > 1 && words.every((word) => whole.includes(word)) ? 'words' : null;
}

/** Labels that share most pairs of letters with what was asked for. */
function nearest(seen: Seen, wanted: string): Finding['near'] {
  const pairs = pairsOf(wanted);
  const scored = seen.items.flatMap((item, at) => {
    const label = labelOf(item);
    const own = pairsOf(normalise(label));
    let shared = 0;
    for (const pair of pairs) if (own.has(pair)) shared += 1;
    const score = (2 * shared) / (pairs.size + own.size);
    return score > 0.3 ? [{ ref: seen.refs[at] as string, label: label.slice(0, 80), score }] : [];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_NEAR)
    .map(({ ref, label }) => ({ ref, label }));
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}
