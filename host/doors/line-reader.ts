/**
 * Cuts a stream of bytes into lines with a limit, without ever holding more than the limit: a line that is
 * too long is dropped up to its end and reported, and the next one is read as usual. Not for what a line says.
 */

const NEWLINE = 0x0a;

export class LineReader {
  private readonly limit: number;
  private readonly onLine: (line: Buffer) => void;
  private readonly onTooLong: (bytes: number) => void;
  private parts: Buffer[] = [];
  private held = 0;
  private dropped = 0;

  /** `limit` in bytes, without the newline. */
  constructor(limit: number, onLine: (line: Buffer) => void, onTooLong: (bytes: number) => void) {
    this.limit = limit;
    this.onLine = onLine;
    this.onTooLong = onTooLong;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.keep(chunk.subarray(from, at));
      from = at + 1;
      this.end();
    }
    this.keep(chunk.subarray(from));
  }

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    if (this.dropped > 0 || this.held + part.length > this.limit) {
      this.dropped += this.held + part.length;
      this.parts = [];
      this.held = 0;
      return;
    }
    this.parts.push(part);
    this.held += part.length;
  }

  private end(): void {
    const line = Buffer.concat(this.parts, this.held);
    const { dropped } = this;
    this.parts = [];
    this.held = 0;
    this.dropped = 0;
    if (dropped > 0) this.onTooLong(dropped);
    else this.onLine(line);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The line's text, or null where it is not UTF-8: a replaced letter would be typed as one nobody wrote. */
export function textOf(line: Buffer): string | null {
  try {
    return utf8.decode(line);
  } catch {
    return null;
  }
}
