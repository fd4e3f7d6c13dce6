/**
 * Named arrays of numbers in one file, which are used as they lie there: reading them costs no more than reading
 * the file. Not for what the arrays mean (automaton.ts, rule-table.ts).
 */
import { endianness } from 'node:os';

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Plain facts beside the arrays. */
type Facts = Record<string, unknown>;
export type Packed = { facts: Facts; arrays: Record<string, Numbers> };

const KINDS = { Uint8Array, Uint16Array, Uint32Array, Int32Array } as const;
type Kind = keyof typeof KINDS;
type Place = { name: string; kind: Kind; offset: number; length: number };
type Header = { facts: Facts; order: string; places: Place[] };

/** Every array begins at a multiple of this. */
const ALIGNMENT = 8;
const aligned = (offset: number) => Math.ceil(offset / ALIGNMENT) * ALIGNMENT;

export function pack({ facts, arrays }: Packed): Buffer {
  const places: Place[] = [];
  let end = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const kind = array.constructor.name as Kind;
    places.push({ name, kind, offset: end, length: array.length });
    end = aligned(end + array.byteLength);
  }
  const header = Buffer.from(JSON.stringify({ facts, order: endianness(), places } satisfies Header));
  const start = aligned(4 + header.length);
  const packed = Buffer.alloc(start + end);
  packed.writeUInt32LE(header.length, 0);
  header.copy(packed, 4);
  for (const { name, offset } of places) {
    const { buffer, byteOffset, byteLength } = arrays[name] as Numbers;
    packed.set(new Uint8Array(buffer, byteOffset, byteLength), start + offset);
  }
  return packed;
}

/** The arrays are views of `bytes`. Null when it is cut off, of another machine, or no such file. */
export function unpack(bytes: Buffer): Packed | null {
  if (bytes.length < 4) return null;
  const headerEnd = 4 + bytes.readUInt32LE(0);
  if (headerEnd > bytes.length) return null;
  const header = headerOf(bytes.subarray(4, headerEnd));
  if (header === null || header.order !== endianness()) return null;
  const own = bytes.byteOffset % ALIGNMENT === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  const start = own.byteOffset + aligned(headerEnd);
  const arrays: Packed['arrays'] = {};
  for (const { name, kind, offset, length } of header.places) {
    const size = length * KINDS[kind].BYTES_PER_ELEMENT;
    if (start + offset + size > own.byteOffset + own.length) return null;
    arrays[name] = new KINDS[kind](own.buffer as ArrayBuffer, start + offset, length);
  }
  return { facts: header.facts, arrays };
}

function headerOf(bytes: Buffer): Header | null {
  try {
    return JSON.parse(bytes.toString('utf8')) as Header;
  } catch {
    // Not JSON, so not one of these files: the caller has another way.
    return null;
  }
}
