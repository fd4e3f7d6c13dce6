/**
 * Reads the tags of a screen recording that calls itself XML, however broken: one pass, no recursion, no
 * DTD, no entities but the five of XML. Not a validating parser, and nothing but tags is of interest here.
 *
 * A strict parser gives up at the first fault; recordings have faults that cost one attribute, not a screen
 * (a re-encoded character that swallowed the closing quote, a message glued to the end, a cut).
 */

export interface Tag {
  readonly kind: 'open' | 'close' | 'empty';
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Where it ends in the text, UTF-16 code units. */
  readonly end: number;
  /** Faults mended in it. */
  readonly repairs: number;
}

export interface Tags {
  readonly tags: readonly Tag[];
  /** The text ended inside a tag, which is left out: its facts are not complete. */
  readonly cutInTag: boolean;
  /** References that stand for nothing (`&foo;`, `&#0;`): kept as they are, or U+FFFD. */
  readonly badReferences: number;
}

const NAME_START = /[A-Za-z_]/;
const TAG_NAME = /[^\s/>="'<]+/y;
const SPACE = /\s*/y;
const ATTRIBUTE_NAME = /([^\s=/>"'<]+)\s*=\s*/y;

/** Attribute names of all known recordings: only with one of these is a quote taken for swallowed. */
const KNOWN_ATTRIBUTES =
  'index|text|resource-id|class|package|content-desc|checkable|checked|clickable|enabled|focusable|focused|' +
  'scrollable|long-clickable|password|selected|visible-to-user|bounds|drawing-order|hint|display-id|NAF|' +
  'displayed|rotation';
const SWALLOWED = new RegExp(`\\s(${KNOWN_ATTRIBUTES})=$`);

/** What may stand after a closing quote; anything else means that the quote belongs to the value. */
const AFTER_VALUE = /[\s/>?]/;

export function readTags(text: string, from: number, isOver: (tag: Tag) => boolean): Tags {
  const tags: Tag[] = [];
  const references = { bad: 0 };
  let at = from;
  while (at < text.length) {
    const open = text.indexOf('<', at);
    if (open < 0) break;
    const skipped = skipMarkup(text, open);
    if (skipped !== null) {
      at = skipped;
      continue;
    }
    const closing = text[open + 1] === '/';
    const nameAt = open + (closing ? 2 : 1);
    if (!NAME_START.test(text[nameAt] ?? '')) {
      at = open + 1;
      continue;
    }
    const tag = readTag(text, nameAt, closing, references);
    if (tag === null) return { tags, cutInTag: true, badReferences: references.bad };
    tags.push(tag);
    at = tag.end;
    if (isOver(tag)) break;
  }
  return { tags, cutInTag: false, badReferences: references.bad };
}

/** Comments, processing instructions, CDATA and declarations; null where `at` opens a tag. */
function skipMarkup(text: string, at: number): number | null {
  for (const [start, end] of [
    ['<!--', '-->'],
    ['<?', '?>'],
    ['<![CDATA[', ']]>'],
  ] as const) {
    if (!text.startsWith(start, at)) continue;
    const found = text.indexOf(end, at + start.length);
    return found < 0 ? text.length : found + end.length;
  }
  if (text[at + 1] !== '!') return null;
  // A document type: skipped with its internal subset, never read.
  const subset = text.indexOf('[', at);
  const end = text.indexOf('>', at);
  if (subset >= 0 && end >= 0 && subset < end) {
    const close = text.indexOf(']', subset);
    const after = close < 0 ? -1 : text.indexOf('>', close);
    return after < 0 ? text.length : after + 1;
  }
  return end < 0 ? text.length : end + 1;
}

function readTag(text: string, nameAt: number, closing: boolean, references: { bad: number }): Tag | null {
  const name = take(TAG_NAME, text, nameAt)?.[0] ?? '';
  const attributes = new Map<string, string>();
  let repairs = 0;
  let at = nameAt + name.length;
  for (;;) {
    at += take(SPACE, text, at)?.[0].length ?? 0;
    const next = text[at];
    if (next === undefined) return null;
    if (next === '>') {
      return { kind: closing ? 'close' : 'open', name, attributes, end: at + 1, repairs };
    }
    if (next === '/' && text[at + 1] === '>')
      return { kind: 'empty', name, attributes, end: at + 2, repairs };
    if (next === '<') {
      // The tag was never closed and another begins.
      return { kind: closing ? 'close' : 'open', name, attributes, end: at, repairs: repairs + 1 };
    }
    const found = take(ATTRIBUTE_NAME, text, at);
    if (found === null) {
      at += 1;
      repairs += 1;
      continue;
    }
    let attribute = found[1] as string;
    at += found[0].length;
    for (;;) {
      const value = readValue(text, at);
      if (value === null) return null;
      if (value.repaired) repairs += 1;
      at = value.end;
      if (!attributes.has(attribute)) attributes.set(attribute, withoutReferences(value.raw, references));
      if (value.next === null) break;
      attribute = value.next;
    }
  }
}

interface Value {
  readonly raw: string;
  readonly end: number;
  readonly repaired: boolean;
  /** The attribute whose opening quote was taken for this value's closing one. */
  readonly next: string | null;
}

function readValue(text: string, at: number): Value | null {
  const quote = text[at];
  if (quote !== '"' && quote !== "'") {
    const bare = /[^\s/><]*/y;
    const raw = take(bare, text, at)?.[0] ?? '';
    return at + raw.length >= text.length ? null : { raw, end: at + raw.length, repaired: true, next: null };
  }
  let search = at + 1;
  let repaired = false;
  for (;;) {
    const close = text.indexOf(quote, search);
    if (close < 0) return null;
    const raw = text.slice(at + 1, close);
    const swallowed = SWALLOWED.exec(raw.slice(-40));
    if (swallowed !== null) {
      return {
        raw: raw.slice(0, -swallowed[0].length),
        end: close,
        repaired: true,
        next: swallowed[1] as string,
      };
    }
    const after = text[close + 1];
    if (after === undefined || AFTER_VALUE.test(after)) return { raw, end: close + 1, repaired, next: null };
    if (/[A-Za-z]/.test(after) && /^[A-Za-z-]+=["']/.test(text.slice(close + 1, close + 40))) {
      return { raw, end: close + 1, repaired: true, next: null };
    }
    repaired = true;
    search = close + 1;
  }
}

const PREDEFINED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function withoutReferences(raw: string, references: { bad: number }): string {
  if (!raw.includes('&')) return raw;
  const text = raw.replace(/&(#x?[0-9A-Fa-f]+|[A-Za-z][A-Za-z0-9]*);/g, (whole, name: string) => {
    if (name[0] !== '#') {
      const plain = PREDEFINED[name];
      if (plain === undefined) references.bad += 1;
      return plain ?? whole;
    }
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    if (Number.isInteger(code) && code > 0 && code <= 0x10ffff) return fromCode(code);
    references.bad += 1;
    return '\uFFFD';
  });
  return text;
}

/** Java's serialisers write one character beyond the first plane as two references, a surrogate each. */
function fromCode(code: number): string {
  return code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
}

function take(what: RegExp, text: string, at: number): RegExpExecArray | null {
  what.lastIndex = at;
  return what.exec(text);
}
