/**
 * From the bytes of a recording to its text: byte order marks, UTF-16, and labels that a console wrote in
 * its own code page. Never throws; what had to be guessed or replaced is said as a loss.
 */
import type { Loss } from '../../../device-protocol/snapshot.ts';

export interface Decoded {
  readonly text: string;
  readonly losses: readonly Loss[];
}

export function decodeRecording(bytes: Uint8Array): Decoded {
  const marked = markOf(bytes);
  if (marked !== null) {
    const losses: Loss[] = [{ code: 'byte_order_mark', count: 1, detail: marked.encoding }];
    if (marked.encoding === 'utf-8') {
      const body = decodeUtf8(bytes.subarray(marked.length));
      return { text: body.text, losses: [...losses, ...body.losses] };
    }
    losses.push({ code: 'utf16', count: 1, detail: marked.encoding });
    return { text: decode(bytes.subarray(marked.length), marked.encoding), losses };
  }
  const unmarked = unmarkedUtf16(bytes);
  if (unmarked !== null) {
    return {
      text: decode(bytes, unmarked),
      losses: [{ code: 'utf16', count: 1, detail: `${unmarked}, no mark` }],
    };
  }
  return decodeUtf8(bytes);
}

type Utf = 'utf-8' | 'utf-16le' | 'utf-16be';

function markOf(bytes: Uint8Array): { encoding: Utf; length: number } | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', length: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', length: 2 };
  return null;
}

/** Markup is mostly ASCII, so in UTF-16 every other byte of its beginning is zero. */
function unmarkedUtf16(bytes: Uint8Array): Utf | null {
  const pairs = Math.min(bytes.length, 200) >> 1;
  if (pairs < 4) return null;
  let low = 0;
  let high = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    if (bytes[pair * 2] === 0) high += 1;
    if (bytes[pair * 2 + 1] === 0) low += 1;
  }
  if (low > pairs * 0.8 && high < pairs * 0.1) return 'utf-16le';
  if (high > pairs * 0.8 && low < pairs * 0.1) return 'utf-16be';
  return null;
}

function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

function decodeUtf8(bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), losses: [] };
  } catch {
    // Not UTF-8 throughout: the only thing `fatal` throws for.
  }
  const replaced = decode(bytes, 'utf-8');
  const broken = countOf(replaced, /\uFFFD/g);
  const guess = broken > 1 ? guessCodePage(bytes) : null;
  if (guess === null) {
    return { text: replaced, losses: [{ code: 'other_encoding', count: broken, detail: 'not recognised' }] };
  }
  return {
    text: guess.text,
    losses: [{ code: 'other_encoding', count: broken, detail: `read as ${guess.encoding}` }],
  };
}

/**
 * Code pages of consoles, with the script that most of what they write must come out in. A text of one read
 * as another comes out in rare characters of several scripts, which is how a wrong guess shows.
 */
const CODE_PAGES = [
  { encoding: 'euc-kr', script: /\p{Script=Hangul}/gu, share: 0.9 },
  { encoding: 'shift_jis', script: /[\p{Script=Hiragana}\p{Script=Katakana}ー]/gu, share: 0.3 },
  { encoding: 'gb18030', script: /\p{Script=Han}/gu, share: 0.9 },
  { encoding: 'windows-1251', script: /[а-яё]/gu, share: 0.6 },
] as const;

function guessCodePage(bytes: Uint8Array): { encoding: string; text: string } | null {
  for (const { encoding, script, share } of CODE_PAGES) {
    let text: string;
    try {
      text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      continue; // not a sequence of this code page
    }
    const letters = countOf(text, /[^\p{ASCII}\p{P}\p{S}\s]/gu);
    if (letters > 0 && countOf(text, script) >= letters * share) return { encoding, text };
  }
  return null;
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
