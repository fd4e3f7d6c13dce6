/**
 * Reads JSON that may be cut off: what was complete before the cut is kept, what was not is dropped. For
 * whole documents `JSON.parse` is asked first. Not for JSON of our own.
 */

export interface LenientJson {
  readonly value: unknown;
  /** The text ended, or went wrong, before the value did. */
  readonly cut: boolean;
  readonly end: number;
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

interface Frame {
  readonly into: unknown[] | Map<string, unknown>;
  key: string | null;
}

/** Reads the first value of `text`, from `from` on. No recursion, so depth costs nothing. */
export function readLenientJson(text: string, from: number): LenientJson {
  const stack: Frame[] = [];
  let at = from;
  let root: unknown;
  let hasRoot = false;

  const put = (value: unknown) => {
    const top = stack.at(-1);
    if (top === undefined) {
      root = value;
      hasRoot = true;
    } else if (Array.isArray(top.into)) {
      top.into.push(value);
    } else if (top.key !== null) {
      top.into.set(top.key, value);
      top.key = null;
    }
  };

  while (at < text.length) {
    const next = text[at] as string;
    if (/[\s,:]/.test(next)) {
      at += 1;
    } else if (next === '{' || next === '[') {
      stack.push({ into: next === '[' ? [] : new Map(), key: null });
      at += 1;
    } else if (next === '}' || next === ']') {
      const done = stack.pop();
      if (done === undefined) break;
      put(done.into);
      at += 1;
    } else if (next === '"') {
      const end = endOfString(text, at);
      if (end < 0) break;
      const top = stack.at(-1);
      const string = readString(text.slice(at, end));
      if (top !== undefined && !Array.isArray(top.into) && top.key === null) top.key = string;
      else put(string);
      at = end;
    } else {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0];
      const word = Object.keys(WORDS).find((one) => text.startsWith(one, at));
      if (number !== undefined) put(Number(number));
      else if (word !== undefined) put(WORDS[word]);
      else break;
      at += (number ?? (word as string)).length;
    }
    if (hasRoot) return { value: root, cut: false, end: at };
  }
  // Cut: arrays and outermost objects are kept with what they hold, an object cut inside a list is dropped.
  while (stack.length > 1) {
    const open = stack.pop() as Frame;
    const inList = Array.isArray(stack.at(-1)?.into);
    if (Array.isArray(open.into) || !inList) put(open.into);
  }
  return { value: stack[0]?.into ?? null, cut: true, end: text.length };
}

function endOfString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return -1;
}

function readString(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    // An escape or a raw control character that JSON forbids: the characters stand for themselves.
    return quoted.slice(1, -1);
  }
}

/** One field of an object that came from either reader. */
export function fieldOf(object: unknown, name: string): unknown {
  if (object instanceof Map) return object.get(name);
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return undefined;
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}
