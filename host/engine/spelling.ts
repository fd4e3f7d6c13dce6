/**
 * Which known name a written name is, or is near to: folding of spellings, distance, shared words. Pure.
 * Not for what is then done with it (normalise.ts).
 */
import { TOOL_NAMES, type ToolName } from '../../device-protocol/tools/tools.ts';

/** Longest part of a written name that is looked at, UTF-16 code units: work and answers stay small. */
const NAME_SEEN = 64;

/** A written name as it may be shown in an answer: short, and well-formed Unicode. */
export function shownName(name: string): string {
  const cut = name.length > NAME_SEEN ? `${name.slice(0, NAME_SEEN)}…` : name;
  return cut.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Spellings that are one name: `observationId`, `observation-id` and `observation_id` fold alike. */
export function folded(name: string): string {
  return name.replace(/[_\-\s]/g, '').toLowerCase();
}

/** The words of a name in any of the spellings, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, NAME_SEEN)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
}

/** Least number of single letters to add, drop or change (Levenshtein), between short names. */
export function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      line.push(
        Math.min((above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + same),
      );
    }
    above = line;
  }
  return above[to.length] ?? from.length;
}

/** 0 for the same name, about 1 for nothing in common; a shared word brings two names closer. */
export function remoteness(name: string, known: string): number {
  const a = folded(name.slice(0, NAME_SEEN));
  const b = folded(known);
  const letters = distance(a, b) / Math.max(a.length, b.length, 1);
  const knownWords = new Set(wordsOf(known));
  const shared = wordsOf(name).filter((word) => knownWords.has(word)).length;
  return letters * (shared > 0 ? 0.5 : 1);
}

/** The known name nearest to `name`; null only where none is known. */
export function nearest(name: string, known: readonly string[]): string | null {
  let best: { readonly name: string; readonly far: number } | null = null;
  for (const candidate of known) {
    const far = remoteness(name, candidate);
    if (best === null || far < best.far) best = { name: candidate, far };
  }
  return best?.name ?? null;
}

/** Words by which other tool sets call what we call otherwise. */
const CALLED: Readonly<Record<string, ToolName>> = {
  click: 'tap',
  touch: 'tap',
  hold: 'long_press',
  type: 'set_text',
  input: 'set_text',
  write: 'set_text',
  fill: 'set_text',
  check: 'set_toggle',
  fling: 'swipe',
  back: 'go',
  home: 'go',
  recents: 'go',
  navigate: 'go',
  launch: 'app_open',
  start: 'app_open',
  url: 'link_open',
  look: 'screen_observe',
  snapshot: 'screen_observe',
  dump: 'screen_observe',
  hierarchy: 'screen_observe',
  ui: 'screen_observe',
  elements: 'screen_observe',
  search: 'screen_find',
  capture: 'screen_screenshot',
  picture: 'screen_screenshot',
  sleep: 'screen_wait',
  phones: 'device_list',
  devices: 'device_list',
  packages: 'app_list',
  result: 'request_status',
  poll: 'request_status',
  confirmation: 'request_status',
  cancel: 'request_withdraw',
  undo: 'request_withdraw',
};

/** The same for fields. */
const FIELD_CALLED: Readonly<Record<string, string>> = {
  element: 'ref',
  node: 'ref',
  id: 'ref',
  index: 'ref',
  target: 'ref',
  value: 'text',
  content: 'text',
  message: 'text',
  destination: 'to',
  where: 'to',
  serial: 'device_id',
  phone: 'device_id',
};

/** The field that `name` may have meant; null only for a tool without fields. */
export function nearestField(name: string, known: readonly string[]): string | null {
  const called = wordsOf(name)
    .map((word) => FIELD_CALLED[word])
    .find((field) => field !== undefined && known.includes(field));
  const near = nearest(name, known);
  return called === undefined || (near !== null && remoteness(name, near) <= NEAR) ? near : called;
}

/** Names further than this have nothing to do with each other. */
const NEAR = 0.45;
const NAMES_SHOWN = 3;

/** The tools that `name` may have meant, nearest first; all of them where none is near. */
export function nearestTools(name: string, among: readonly ToolName[] = TOOL_NAMES): ToolName[] {
  const called = new Set(wordsOf(name).flatMap((word) => CALLED[word] ?? []));
  const near = among
    .map((tool) => ({ tool, far: called.has(tool) ? 0.1 : remoteness(name, tool) }))
    .filter(({ far }) => far <= NEAR)
    .sort((a, b) => a.far - b.far)
    .map(({ tool }) => tool);
  return near.length > 0 ? near.slice(0, NAMES_SHOWN) : [...among];
}
