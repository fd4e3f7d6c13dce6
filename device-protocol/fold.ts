/**
 * Folding: brings two spellings of the same words to one form, so that words can be compared (a search on
 * the screen, a target found again, the judge). Not for showing: a folded text is no longer correct spelling.
 *
 * NFKC, full case folding (the Turkish dotless and dotted i become one), marks removed where writers leave
 * them out (accents in Latin, Greek and Cyrillic, Hebrew points, Arabic harakat), letter variants of one
 * letter unified (Arabic alef, yeh, kaf, heh; stroked Latin letters), invisible and bidi controls removed.
 * Marks that spell vowels (Devanagari, Thai, …) stay.
 */

/** Letters without a decomposition that writers and keyboards use for one another. */
const SAME_LETTER: Readonly<Record<string, string>> = {
  ı: 'i',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ŋ: 'ng',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ے: 'ي',
  ك: 'ک',
  ة: 'ه',
  ۃ: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  // Malayalam chillu letters: one code point, or the letter with a virama (Unicode 5.1 changed it).
  ൺ: 'ണ്',
  ൻ: 'ന്',
  ർ: 'ര്',
  ൽ: 'ല്',
  ൾ: 'ള്',
  ൿ: 'ക്',
};

/** Marks that are dropped, as ranges: general combining marks, Hebrew points, Arabic harakat, Indic nukta. */
const DROPPED_MARKS = [
  '\\u0300-\\u036f',
  '\\u0483-\\u0489',
  '\\u0591-\\u05bd',
  '\\u05bf',
  '\\u05c1-\\u05c2',
  '\\u05c4-\\u05c5',
  '\\u05c7',
  '\\u0610-\\u061a',
  '\\u0640',
  '\\u064b-\\u065f',
  '\\u0670',
  '\\u06d6-\\u06ed',
  '\\u093c',
  '\\u09bc',
  '\\u0a3c',
  '\\u0abc',
  '\\u0b3c',
  '\\u0cbc',
  '\\u1ab0-\\u1aff',
  '\\u1dc0-\\u1dff',
  '\\u20d0-\\u20ff',
  '\\ufe20-\\ufe2f',
];
const DROPPED_MARK = new RegExp(`[${DROPPED_MARKS.join('')}]`, 'gu');
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}]/u;
const BLANK = /[\p{White_Space}\u2800]/u;
const CONTROL = /\p{Cc}/u;
const APOSTROPHE = /['’‘ʼʻʽʹ`´′＇ꞌ׳՚]/u;

const known = new Map<number, string>();

/** The folded form of one code point: nothing for invisible ones, a space for blanks, `'` for apostrophes. */
export function foldCodePoint(codePoint: number): string {
  const seen = known.get(codePoint);
  if (seen !== undefined) return seen;
  const folded = foldUnseen(String.fromCodePoint(codePoint));
  known.set(codePoint, folded);
  return folded;
}

function foldUnseen(character: string): string {
  if (BLANK.test(character)) return ' ';
  if (INVISIBLE.test(character) || CONTROL.test(character)) return '';
  if (APOSTROPHE.test(character)) return "'";
  // Catalan writes a double l with a dot between (l·l), which many leave out.
  if (character === '·') return '';
  // Upper, then lower is full case folding but for a handful of letters (ß → SS → ss).
  const folded = character.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFD');
  let result = '';
  for (const part of folded.replace(DROPPED_MARK, '')) result += SAME_LETTER[part] ?? part;
  return result.normalize('NFC');
}

/** Folds a text and keeps its punctuation, symbols and blanks (each blank becomes one space). */
export function fold(text: string): string {
  let result = '';
  for (const character of text.normalize('NFKC')) {
    result += foldCodePoint(character.codePointAt(0) as number);
  }
  return result;
}

/** Folds a text for comparing words: blanks collapsed, none at the ends. Idempotent. */
export function normalise(text: string): string {
  return fold(text).replace(/ {2,}/g, ' ').trim();
}
