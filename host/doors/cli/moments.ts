/** Times as people type them: how long from now, or a date. Not for showing times. */
import { InvalidArgumentError } from 'commander';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SPAN = /^(\d{1,6})\s*([smhd])$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function spanMs(text: string): number | null {
  const found = SPAN.exec(text.trim());
  if (found === null) return null;
  return Number(found[1]) * UNIT_MS[found[2] as keyof typeof UNIT_MS];
}

function dateMs(text: string): number | null {
  const at = DATE.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

const wrong = (example: string) =>
  new InvalidArgumentError(`Give a span (30m, 2h, 7d) or a date, for example ${example}.`);

/** A moment to come: "2h" is in two hours. Milliseconds since 1970. */
export function until(text: string): number {
  const span = spanMs(text);
  const at = span === null ? dateMs(text) : Date.now() + span;
  if (at === null) throw wrong('2h or 2027-01-31T18:00Z');
  return at;
}

/** A value that may be "no limit": commander takes a bare null for a value that is missing. */
export interface Limit<T> {
  readonly limit: T | null;
}

/** As `until`; "never" is no limit. */
export const untilOrNever = (text: string): Limit<number> => ({
  limit: text === 'never' ? null : until(text),
});

/** A moment that was: "2h" is two hours ago. */
export function ago(text: string): number {
  const span = spanMs(text);
  const at = span === null ? dateMs(text) : Date.now() - span;
  if (at === null) throw wrong('2h or 2027-01-31');
  return at;
}

export function whole(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('Give a whole number above 0.');
  return number;
}

/** A whole number above 0, or "none" for no limit. */
export const wholeOrNone = (text: string): Limit<number> => ({
  limit: text === 'none' ? null : whole(text),
});
