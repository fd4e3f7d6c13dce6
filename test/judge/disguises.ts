/**
 * Makes disguises of a label, in many independent ways, and names each way. Everything here is written from how
 * a person reads, not from how the judge undoes it.
 */
export type Disguise = { way: string; text: string };

const CYRILLIC: Record<string, string> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  j: 'ј',
  o: 'о',
  p: 'р',
  s: 'ѕ',
  x: 'х',
  y: 'у',
};
const GREEK: Record<string, string> = { a: 'α', o: 'ο', p: 'ρ', v: 'ν', i: 'ι', u: 'υ' };
const ACCENTS = ['\u0301', '\u0308', '\u0323', '\u0327', '\u0336'];
const DIGITS: Record<string, string> = { o: '0', e: '3', a: '4', s: '5', i: '1', l: '1', t: '7' };
const CHEROKEE: Record<string, string> = {
  d: 'Ꭰ',
  r: 'Ꭱ',
  t: 'Ꭲ',
  e: 'Ꭼ',
  s: 'Ꮪ',
  a: 'Ꭺ',
  l: 'Ꮮ',
  p: 'Ꮲ',
  c: 'Ꮯ',
};
const LISU: Record<string, string> = {
  d: 'ꓓ',
  e: 'ꓰ',
  l: 'ꓡ',
  t: 'ꓔ',
  s: 'ꓢ',
  p: 'ꓑ',
  a: 'ꓮ',
  y: 'ꓬ',
  n: 'ꓠ',
};
const STROKES: Record<string, string> = { d: 'đ', l: 'ł', o: 'ø', t: 'ŧ', p: 'ᵽ', a: 'ⱥ', e: 'ɇ', u: 'ʉ' };
const RAISED: Record<string, string> = {
  a: 'ᵃ',
  d: 'ᵈ',
  e: 'ᵉ',
  l: 'ˡ',
  n: 'ⁿ',
  o: 'ᵒ',
  p: 'ᵖ',
  s: 'ˢ',
  t: 'ᵗ',
  y: 'ʸ',
};
const SIGNS: Record<string, string> = { a: '@', s: '$', e: '€' };
const SMALL = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ';

const isAscii = (text: string) => /^[\x20-\x7e]*$/u.test(text);
const between = (text: string, sign: string) => [...text].map((letter) => letter).join(sign);
const words = (text: string, change: (word: string) => string) => text.split(' ').map(change).join(' ');
const mapped = (text: string, letters: Record<string, string>) =>
  [...text].map((letter) => letters[letter.toLowerCase()] ?? letter).join('');
const shifted = (text: string, lower: number, upper: number) =>
  [...text]
    .map((letter) => {
      const code = letter.charCodeAt(0);
      if (letter >= 'a' && letter <= 'z') return String.fromCodePoint(lower + code - 97);
      if (letter >= 'A' && letter <= 'Z') return String.fromCodePoint(upper + code - 65);
      return letter;
    })
    .join('');

/** The second half written backwards behind an override, so that it shows as it should. */
function turnedTail(label: string): string {
  const half = Math.floor(label.length / 2);
  return `${label.slice(0, half)}\u202e${[...label.slice(half)].reverse().join('')}\u202c`;
}

/** All disguises that suit the label's script; a way that changes nothing gives none. */
export function disguisesOf(label: string): Disguise[] {
  const made: Disguise[] = [
    { way: 'zero-width space', text: words(label, (word) => between(word, '\u200b')) },
    {
      way: 'zero-width non-joiner',
      text: words(label, (word) => `${word.slice(0, 1)}\u200c${word.slice(1)}`),
    },
    { way: 'soft hyphen', text: words(label, (word) => between(word, '\u00ad')) },
    { way: 'word joiner', text: words(label, (word) => between(word, '\u2060')) },
    { way: 'bidi marks', text: `\u200f${words(label, (word) => between(word, '\u200e'))}\u202c` },
    { way: 'bidi isolates', text: `\u2067${label}\u2069` },
    { way: 'override', text: `\u202e${[...label].reverse().join('')}\u202c` },
    { way: 'wide blanks', text: label.replaceAll(' ', '\u3000') },
    { way: 'line break', text: label.replaceAll(' ', '\n') },
    { way: 'upper case', text: label.toUpperCase() },
    { way: 'emoji around', text: `🔥🔥 ${label} ✨` },
    { way: 'variation selectors', text: words(label, (word) => between(word, '\ufe0f')) },
    { way: 'control characters', text: words(label, (word) => between(word, '\u0001')) },
    { way: 'quotes', text: `«${label}»` },
    { way: 'trailing signs', text: `${label}!!!…` },
    { way: 'taken apart', text: label.normalize('NFD') },
    { way: 'grapheme joiners', text: words(label, (word) => between(word, '\u034f')) },
    { way: 'fillers', text: words(label, (word) => between(word, '\u3164')) },
    { way: 'tags', text: words(label, (word) => between(word, '\u{e0061}')) },
    { way: 'narrow blanks', text: label.replaceAll(' ', '\u202f') },
    { way: 'override at the end', text: turnedTail(label) },
    { way: 'numbered', text: `1. ${label} →` },
  ];
  if (!isAscii(label)) return made.filter(({ way, text }) => text !== label || way === 'upper case');
  made.push(
    { way: 'spaced', text: words(label, (word) => between(word.toUpperCase(), ' ')).replaceAll('  ', '   ') },
    {
      way: 'spaced wide',
      text: label
        .split(' ')
        .map((word) => between(word, ' '))
        .join('   '),
    },
    { way: 'points', text: words(label, (word) => between(word, '.')) },
    { way: 'hyphens', text: words(label, (word) => between(word, '-')) },
    { way: 'underscores', text: words(label, (word) => between(word, '_')) },
    { way: 'middle dots', text: words(label, (word) => between(word, '·')) },
    { way: 'emoji inside', text: words(label, (word) => `${word.slice(0, 1)}💬${word.slice(1)}`) },
    { way: 'Cyrillic', text: mapped(label, CYRILLIC) },
    { way: 'Greek', text: mapped(label, GREEK) },
    {
      way: 'accents',
      text: [...label]
        .map((letter, at) => (letter === ' ' ? ' ' : letter + ACCENTS[at % ACCENTS.length]))
        .join(''),
    },
    { way: 'digits', text: mapped(label, DIGITS) },
    { way: 'full width', text: shifted(label, 0xff41, 0xff21) },
    { way: 'mathematical bold', text: shifted(label, 0x1d41a, 0x1d400) },
    { way: 'circled', text: shifted(label, 0x24d0, 0x24b6) },
    { way: 'boxed', text: shifted(label.toUpperCase(), 0x1f170, 0x1f170) },
    { way: 'regional letters', text: shifted(label.toUpperCase(), 0x1f1e6, 0x1f1e6) },
    {
      way: 'capitals here and there',
      text: [...label].map((one, at) => (at % 2 ? one.toUpperCase() : one)).join(''),
    },
    {
      way: 'words run together',
      text: words(label, (word) => word.slice(0, 1).toUpperCase() + word.slice(1)).replaceAll(' ', ''),
    },
    { way: 'stars', text: words(label, (word) => between(word, '*')) },
    { way: 'slashes', text: words(label, (word) => between(word, '/')) },
    { way: 'Cherokee', text: mapped(label, CHEROKEE) },
    { way: 'Lisu', text: mapped(label, LISU) },
    { way: 'strokes', text: mapped(label, STROKES) },
    { way: 'raised', text: mapped(label, RAISED) },
    { way: 'signs', text: mapped(label, SIGNS) },
    { way: 'typewriter', text: shifted(label, 0x1d68a, 0x1d670) },
    { way: 'black letter', text: shifted(label, 0x1d586, 0x1d56c) },
    { way: 'in brackets', text: shifted(label.toLowerCase(), 0x249c, 0x249c) },
    {
      way: 'digits and hidden blanks',
      text: words(mapped(label, DIGITS), (word) => between(word, '\u200b')),
    },
    { way: 'Cyrillic and points', text: words(mapped(label, CYRILLIC), (word) => between(word, '.')) },
    {
      way: 'small capitals',
      text: [...label.toLowerCase()]
        .map((letter) => SMALL['abcdefghijklmnopqrstuvwxyz'.indexOf(letter)] ?? letter)
        .join(''),
    },
  );
  return made.filter(({ way, text }) => text !== label || way === 'upper case');
}
