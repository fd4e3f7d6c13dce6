/**
 * How wide a text is about to be, without any font: em widths by kind of letter, measured roughly on
 * Roboto and Noto. Layout needs sizes that are the same on every machine; the picture fits letters into them.
 */
const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303f\uff00-\uff60]/u;
const NOTHING = /\p{Mn}|\p{Me}|\p{Cf}/u;

function emOf(letter: string): number {
  if (letter === ' ' || letter === '\u00a0') return 0.26;
  if (NOTHING.test(letter)) return 0;
  if (WIDE.test(letter)) return 1;
  if (/\p{Extended_Pictographic}/u.test(letter)) return 1.2;
  if (/\p{Lu}/u.test(letter)) return 0.66;
  if (/\p{Nd}/u.test(letter)) return 0.56;
  if (/[iljtf.,:;'|!]/.test(letter)) return 0.28;
  if (/[mw@%]/.test(letter)) return 0.82;
  return 0.53;
}

/** Width of `text` in ems. */
export function emsOf(text: string): number {
  let ems = 0;
  for (const letter of text) ems += emOf(letter);
  return ems;
}

/** `text` broken into lines no wider than `maxEms`; breaks at spaces, and inside a word only if it must. */
export function linesOf(text: string, maxEms: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    let ems = 0;
    for (const piece of paragraph.match(/\s*\S+|\s+$/g) ?? ['']) {
      const wide = emsOf(piece);
      if (ems + wide <= maxEms) {
        line += piece;
        ems += wide;
        continue;
      }
      if (line !== '') lines.push(line);
      line = '';
      ems = 0;
      for (const letter of piece.trimStart()) {
        const width = emOf(letter);
        if (ems + width > maxEms && line !== '') {
          lines.push(line);
          line = '';
          ems = 0;
        }
        line += letter;
        ems += width;
      }
    }
    lines.push(line);
  }
  return lines;
}
