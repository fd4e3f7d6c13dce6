/**
 * Estimates how many tokens a text costs a model, without a tokenizer: from the kinds of characters in it.
 * Meant to be a little too high rather than too low. Measured against o200k_base by eval-screens.ts; not for
 * billing.
 */

/** Characters per token, by what they are; from the recorded screens (`eval:screens` prints the error). */
const PER_TOKEN = {
  latin: 4.2,
  digits: 2.6,
  cyrillic: 3.1,
  han: 1.25,
  kana: 1.5,
  hangul: 1.6,
  arabic: 2.6,
  other: 1.6,
} as const;

/** Estimated tokens of a text. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  let kind: keyof typeof PER_TOKEN | null = null;
  const end = () => {
    if (kind !== null && run > 0) tokens += Math.max(1, run / PER_TOKEN[kind]);
    run = 0;
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const next = kindOf(code);
    if (next === null) {
      end();
      kind = null;
      // A space belongs to the word behind it; a line's end and a sign are tokens of their own.
      if (code !== 0x20) tokens += 1;
      continue;
    }
    if (next !== kind) {
      end();
      kind = next;
    }
    run += 1;
  }
  end();
  return Math.ceil(tokens);
}

function kindOf(code: number): keyof typeof PER_TOKEN | null {
  if (code < 0x80) {
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) return 'latin';
    return code >= 0x30 && code <= 0x39 ? 'digits' : null;
  }
  if (code < 0x250) return 'latin';
  if (code >= 0x400 && code < 0x530) return 'cyrillic';
  if (code >= 0x590 && code < 0x900) return 'arabic';
  if (code >= 0x3040 && code < 0x3100) return 'kana';
  if (code >= 0x3400 && code < 0xa000) return 'han';
  if (code >= 0xac00 && code < 0xd7a4) return 'hangul';
  return 'other';
}
