/**
 * The identity of one element, made by the host from a snapshot and looked for by the companion in a
 * fresh tree at the moment of acting. Nothing here is a position to tap: bounds are never an identity.
 * How it is made and compared: companion/identity.ts, companion/find-target.ts.
 *
 * All words are in the form of companion/plain-words.ts: nothing invisible in them, letters as they are.
 */
import { z } from 'zod';
import { WINDOW_KINDS } from './snapshot.ts';

const words = z.string().max(2_000).nullable();

export const targetAncestorSchema = z.strictObject({
  class_name: z.string().max(300).nullable(),
  resource_id: z.string().max(300).nullable(),
  /** The ancestor's own words. */
  words,
});

export const targetSchema = z.strictObject({
  window: z.strictObject({
    kind: z.enum(WINDOW_KINDS),
    package: z.string().max(300).nullable(),
    title: z.string().max(1_000).nullable(),
  }),
  class_name: z.string().max(300).nullable(),
  resource_id: z.string().max(300).nullable(),
  /** Own text and description; null when the element has none or its text is a value that may change. */
  words,
  /** Words below it up to the next element that takes touches, else all words below it, in document order. */
  inner_words: z.array(z.string().max(2_000)).max(12),
  /** Classes and ids of what takes touches inside of it: two rows of the same words may still be different ones. */
  shape: z.string().max(2_000),
  /** Words of the row or card it stands in: what tells five "Delete" buttons apart. */
  row_words: z.array(z.string().max(2_000)).max(24),
  flags: z.array(
    z.enum(['clickable', 'long_clickable', 'checkable', 'editable', 'scrollable', 'password', 'focusable']),
  ),
  /** Nearest first. */
  ancestors: z.array(targetAncestorSchema).max(8),
  /**
   * How many elements had the same identity when it was made, and which of them (from 0) this one was; and how
   * many there were if clocks in their words do not count.
   */
  place: z.strictObject({ index: z.int().min(0), count: z.int().min(1), alike: z.int().min(1) }),
  /** When the look was taken it was made from, the phone's elapsedRealtime: tells a clock that went on. */
  taken_at_ms: z.number().min(0),
  /** Digest over all texts and structure of its window when it was made: equal means a still screen. */
  window_print: z.string().max(64),
  /** The same over the smallest part of the window that holds all elements of this identity; null for a single one. */
  group_print: z.string().max(64).nullable(),
  /** Words outside of lists and buttons that say which screen or dialog this is, the window's title first. */
  scene: z.array(z.string().max(2_000)).max(12),
});
export type Target = z.infer<typeof targetSchema>;
