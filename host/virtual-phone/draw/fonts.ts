/**
 * The picture's letters: open fonts that come as packages (SIL OFL 1.1, Kosugi Apache-2.0), so that a
 * picture is the same on a machine without any font. Not for emoji of typed texts: they show as boxes.
 */
import { createRequire } from 'node:module';
import type { GlobalFonts } from '@napi-rs/canvas';

const FILES = [
  'noto-sans/files/noto-sans-latin-400-normal.woff2',
  'noto-sans/files/noto-sans-latin-ext-400-normal.woff2',
  'noto-sans/files/noto-sans-vietnamese-400-normal.woff2',
  'noto-sans/files/noto-sans-greek-400-normal.woff2',
  'noto-sans/files/noto-sans-cyrillic-400-normal.woff2',
  'noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff2',
  'noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff2',
  'noto-sans-symbols-2/files/noto-sans-symbols-2-symbols-400-normal.woff2',
  'noto-sans-symbols-2/files/noto-sans-symbols-2-math-400-normal.woff2',
  'noto-sans-symbols-2/files/noto-sans-symbols-2-braille-400-normal.woff2',
  'kosugi/files/kosugi-japanese-400-normal.woff2',
];

/** Registers the fonts once per process; the answer is the list of families for a canvas font. */
let families: string | null = null;
export function fontFamilies(fonts: typeof GlobalFonts): string {
  if (families !== null) return families;
  const { resolve } = createRequire(import.meta.url);
  const names = FILES.map((file, index) => {
    const name = `Countersign${index}`;
    if (fonts.registerFromPath(resolve(`@fontsource/${file}`), name) === null)
      throw new Error(`the font ${file} could not be read`);
    return name;
  });
  families = names.join(', ');
  return families;
}
