/** Many short texts as bytes, each made a string when it is first asked for. Not for words or matching. */
export type TextsData = { bytes: Uint8Array; ends: Uint32Array };

export class Texts {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;

  constructor({ bytes, ends }: TextsData) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#ends = ends;
  }

  get bytes(): number {
    return this.#bytes.length + this.#ends.byteLength;
  }

  at(number: number): string {
    const start = number === 0 ? 0 : (this.#ends[number - 1] as number);
    return this.#bytes.toString('utf8', start, this.#ends[number]);
  }
}

export function textsData(texts: Iterable<string>): TextsData {
  const parts = Array.from(texts, (text) => Buffer.from(text, 'utf8'));
  let end = 0;
  const ends = Uint32Array.from(parts, (part) => {
    end += part.length;
    return end;
  });
  return { bytes: new Uint8Array(Buffer.concat(parts)), ends };
}
