/**
 * Classes of characters in a folded label, which is all that word boundaries need to know.
 * Not for folding (device-protocol/fold.ts).
 */

/** Between words: space, apostrophe, anything that is not a letter or digit. */
export const SEPARATOR = 0;
/** A letter of a script that puts spaces between words. */
export const LETTER = 1;
/** A letter of a script that does not. */
export const UNSPACED = 2;
export const DIGIT = 3;

const WORD = /[\p{L}\p{M}\ud800-\udfff]/u;
const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー々]/u;

const UNKNOWN = 255;
const classes = new Uint8Array(0x10000).fill(UNKNOWN);

/** The class of one UTF-16 unit of a folded text. Letters outside the BMP count as spaced letters. */
export function classOf(unit: number): number {
  const seen = classes[unit] as number;
  if (seen !== UNKNOWN) return seen;
  const character = String.fromCharCode(unit);
  const found = /\p{Nd}/u.test(character)
    ? DIGIT
    : UNSPACED_SCRIPT.test(character) && WORD.test(character)
      ? UNSPACED
      : WORD.test(character) || (unit >= 0xd800 && unit <= 0xdfff)
        ? LETTER
        : SEPARATOR;
  classes[unit] = found;
  return found;
}

/** Whether a word may begin or end at `index`: an end of the text, or a change of class there. */
export function isBoundary(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true;
  return classOf(text.charCodeAt(index - 1)) !== classOf(text.charCodeAt(index));
}
