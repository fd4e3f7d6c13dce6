/** Finds the line on which something stands in a JSON text that parses, for messages to people. Not a parser. */

type Path = readonly PropertyKey[];

/** Line of the value at `path`, counted from 1; of the deepest value on the way where the path leads no further. */
export function lineAt(text: string, path: Path): number {
  return lineOfOffset(text, new Walk(text).find(path));
}

export function lineOfOffset(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

class Walk {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Offset of the value at `path`. */
  find(path: Path): number {
    this.#blanks();
    const here = this.#at;
    const [step, ...rest] = path;
    if (step === undefined) return here;
    const open = this.#text[this.#at];
    if (open !== '{' && open !== '[') return here;
    this.#at++;
    for (let index = 0; ; index++) {
      this.#blanks();
      if (this.#at >= this.#text.length || '}]'.includes(this.#text[this.#at] as string)) return here;
      const key = open === '{' ? this.#key() : index;
      if (key === step) return this.find(rest);
      this.#skip();
      this.#blanks();
      if (this.#text[this.#at] === ',') this.#at++;
    }
  }

  #key(): string {
    const start = this.#at;
    this.#string();
    const key = JSON.parse(this.#text.slice(start, this.#at)) as string;
    this.#blanks();
    this.#at++;
    return key;
  }

  #skip(): void {
    this.#blanks();
    let depth = 0;
    do {
      const sign = this.#text[this.#at] as string;
      if (sign === '"') this.#string();
      else {
        if (sign === '{' || sign === '[') depth++;
        else if (sign === '}' || sign === ']') depth--;
        this.#at++;
      }
      // A number or a name ends where something else begins.
      if (depth === 0 && /[,}\]\s]/u.test(this.#text[this.#at] ?? ',')) return;
    } while (this.#at < this.#text.length);
  }

  #string(): void {
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    }
    this.#at++;
  }

  #blanks(): void {
    while (' \n\r\t'.includes(this.#text[this.#at] ?? 'x')) this.#at++;
  }
}
