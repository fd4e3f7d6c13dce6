/**
 * What the `say` of an entry means: its words, stars and gaps as a literal to look for and, where needed, an
 * expression for what follows it. Not for finding the literal in a label (automaton.ts).
 *
 * Grammar: words separated by spaces. `*` at an end of a word stands for any letters of the same word; a lone
 * `*` for one whole word; `#` for one number; `…` for none to three words. Languages written without spaces match anywhere.
 */
import { readWords } from './label.ts';

/** Languages whose words are not separated by spaces. */
export const UNSPACED_LANGUAGES: ReadonlySet<string> = new Set([
  'zh',
  'ja',
  'th',
  'lo',
  'km',
  'my',
  'bo',
  'dz',
]);

/** Words that `…` may stand for. */
const LONGEST_GAP = 3;

export type Pattern = {
  /** The longest fixed beginning, folded: what the automaton looks for. */
  literal: string;
  /** Whole words that must, and that may, stand directly before the literal as part of the match. */
  wordsBefore: { least: number; most: number };
  startsWord: boolean;
  /** Of a language without spaces: the match is its own characters and never widened to a word. */
  unspaced: boolean;
  /** What follows the literal, as the source of a sticky expression (`yu`); null when nothing does. */
  rest: string | null;
  endsWord: boolean;
  /** A word ends where the literal does. */
  closed: boolean;
  /** Something must follow the literal. */
  goesOn: boolean;
};

type Piece =
  | { kind: 'words'; text: string; openStart: boolean; openEnd: boolean }
  | { kind: 'any' }
  | { kind: 'number' }
  | { kind: 'gap' };

/** Throws an Error whose message says what is wrong with `say` (the caller adds file and entry). */
export function parseSay(say: string, unspaced: boolean): Pattern {
  const pieces = joinPieces(say.trim().split(/\s+/u).map(parsePiece), unspaced);
  const wordsBefore = { least: 0, most: 0 };
  let first = pieces.shift();
  for (; first !== undefined && first.kind !== 'words'; first = pieces.shift()) {
    if (first.kind === 'number') throw new Error('"#" stands after a word');
    wordsBefore.least += first.kind === 'any' ? 1 : 0;
    wordsBefore.most += first.kind === 'any' ? 1 : LONGEST_GAP;
  }
  if (first === undefined) throw new Error('a phrase needs at least one word of its own');
  const last = pieces.at(-1);
  return {
    literal: first.text,
    wordsBefore,
    startsWord: !first.openStart && !unspaced,
    unspaced,
    rest: pieces.length === 0 ? null : restOf(first.openEnd, pieces, unspaced),
    closed: !unspaced && !first.openEnd,
    goesOn: pieces.some((piece) => piece.kind !== 'gap'),
    endsWord: unspaced ? false : last === undefined ? !first.openEnd : last.kind !== 'words' || !last.openEnd,
  };
}

/** The words of a `say`, without stars and gaps: what it says itself. Throws as parseSay does. */
export function ownWords(say: string): OwnWord[] {
  return say
    .trim()
    .split(/\s+/u)
    .flatMap((token) => {
      const piece = parsePiece(token);
      return piece.kind === 'words' ? [{ ...piece, written: token.replaceAll('*', '') }] : [];
    });
}

/** `text` is folded, `written` is not. */
export type OwnWord = Extract<Piece, { kind: 'words' }> & { written: string };

function parsePiece(token: string): Piece {
  if (token === '*') return { kind: 'any' };
  if (token === '#') return { kind: 'number' };
  if (token === '…' || token === '...') return { kind: 'gap' };
  const openStart = token.startsWith('*');
  const openEnd = token.endsWith('*');
  const core = token.slice(openStart ? 1 : 0, openEnd ? -1 : undefined);
  if (core.includes('*')) throw new Error('"*" stands at the beginning or the end of a word, not inside');
  if (core.includes('…')) throw new Error('"…" stands between words, with a space on both sides');
  const text = readWords(core);
  const bare =
    (openStart && readWords([...core][0] ?? '') === '') ||
    (openEnd && readWords([...core].at(-1) ?? '') === '');
  if (bare && core !== '') throw new Error(`in "${token}" the star does not touch a letter`);
  if (text === '') throw new Error(`"${token}" has no letter`);
  return { kind: 'words', text, openStart, openEnd };
}

/** Neighbouring closed words become one literal. */
function joinPieces(pieces: readonly Piece[], unspaced: boolean): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    if (piece.kind === 'words' && before?.kind === 'words' && !before.openEnd && !piece.openStart) {
      joined[joined.length - 1] = {
        ...before,
        text: readWords(`${before.text} ${piece.text}`),
        openEnd: piece.openEnd,
      };
    } else if (unspaced && piece.kind === 'words' && before?.kind === 'words') {
      joined[joined.length - 1] = { ...before, text: readWords(`${before.text} ${piece.text}`) };
    } else joined.push(piece);
  }
  return joined;
}

/** Eight characters are about three words in these scripts. */
const UNSPACED_SOURCE = { any: '.{1,8}?', gap: '.{0,8}?', number: ' ?\\p{Nd}+' } as const;

function restOf(openBefore: boolean, pieces: readonly Piece[], unspaced: boolean): string {
  if (unspaced) {
    const source = pieces.map((piece) =>
      piece.kind === 'words' ? literally(piece.text) : UNSPACED_SOURCE[piece.kind],
    );
    return source.join('');
  }
  // Clitics ("l'application") are words of their own; "don't" still counts as one word for `*`.
  let source = openBefore ? "[^ ']*" : '';
  pieces.forEach((piece, index) => {
    const isLast = index === pieces.length - 1;
    if (piece.kind === 'any') source += " (?:[^ ']+')?[^ ']+";
    else if (piece.kind === 'number') source += " \\p{Nd}[^ ']*";
    else if (piece.kind === 'gap') source += `(?:[ '][^ ']+){0,${LONGEST_GAP}}${isLast ? "(?=[ ']|$)" : '?'}`;
    else {
      source += `[ ']${piece.openStart ? "[^ ']*" : ''}${literally(piece.text)}`;
      source += piece.openEnd ? (isLast ? '' : "[^ ']*") : isLast ? "(?=[ ']|$)" : '';
    }
  });
  return source;
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
