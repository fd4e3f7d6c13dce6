/**
 * Which characters look like which letters (policies/confusables.json), compiled. Not for reading a label in
 * another way (disguise.ts).
 */
import { z } from 'zod';
import { fold } from '../../device-protocol/fold.ts';

export const confusablesSchema = z.strictObject({
  why: z.string(),
  /** Latin letter → the characters that look like it. */
  letters: z.record(z.string().regex(/^[a-z]$/), z.string()),
  /** Read once as i and once as l. */
  bars: z.strictObject({ why: z.string(), characters: z.string() }),
  /** Count only inside a word. */
  signs: z.strictObject({ why: z.string(), letters: z.record(z.string().regex(/^[a-z]$/), z.string()) }),
  sequences: z.strictObject({
    why: z.string(),
    letters: z.record(z.string().regex(/^[a-z]$/), z.string().regex(/^[a-z]{2}$/)),
  }),
});

export type Confusables = {
  /** Character → Latin letter, by the character as written and as folded. */
  latin: ReadonlyMap<string, string>;
  bars: ReadonlySet<string>;
  signs: ReadonlyMap<string, string>;
  sequences: readonly (readonly [string, string])[];
  /** Latin letter → its look-alike in another script, folded. */
  cyrillic: ReadonlyMap<string, string>;
  greek: ReadonlyMap<string, string>;
};

export function compileConfusables(data: z.infer<typeof confusablesSchema>): Confusables {
  const latin = new Map<string, string>();
  const signs = new Map<string, string>();
  const cyrillic = new Map<string, string>();
  const greek = new Map<string, string>();
  for (const [letter, characters] of Object.entries(data.letters)) {
    for (const character of characters) {
      latin.set(character, letter);
      if (/[А-я]/u.test(character) && !cyrillic.has(letter)) cyrillic.set(letter, fold(character));
      if (/[Α-ω]/u.test(character) && !greek.has(letter)) greek.set(letter, fold(character));
    }
  }
  for (const [letter, characters] of Object.entries(data.signs.letters)) {
    for (const character of characters) signs.set(character, letter);
  }
  return {
    latin,
    bars: new Set(data.bars.characters),
    signs,
    sequences: Object.entries(data.sequences.letters).map(([letter, pair]) => [pair, letter] as const),
    cyrillic,
    greek,
  };
}
