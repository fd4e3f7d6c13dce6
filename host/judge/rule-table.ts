/**
 * All rules (entries, exceptions, harmless words) of all languages in columns of numbers, so that thirty thousand
 * of them load in a few milliseconds; a rule becomes an object when it is first met. Not for matching (words.ts).
 */
import { RISK_CLASSES, type RiskClass } from '../../device-protocol/verdict.ts';
import { isBoundary } from './characters.ts';
import type { Pattern } from './pattern.ts';
import { Texts, type TextsData, textsData } from './texts.ts';
import { PLACES_IN_LABEL, type PlaceInLabel } from './word-file.ts';

const KINDS = ['entry', 'exception', 'harmless'] as const;
export type RuleKind = (typeof KINDS)[number];

export type Rule = {
  pattern: Pick<Pattern, 'wordsBefore' | 'startsWord' | 'endsWord' | 'unspaced'> & { rest: RegExp | null };
  at: PlaceInLabel;
  language: string;
  kind: RuleKind;
  say: string;
  /** Of an entry: what it means. Of an exception: the classes whose hits it removes. */
  classes: readonly RiskClass[];
  /** Of an exception: the `say` whose hits it removes. */
  of: string | null;
  /** An entry that stands word for word in the lender's file too (words.ts). */
  isLent: boolean;
};

const COLUMNS = ['flags', 'classes', 'language', 'say', 'of', 'rest'] as const;
type Columns = Record<(typeof COLUMNS)[number], Uint32Array>;

/** What is kept of a table. */
export type RuleTableData = { columns: Columns; texts: TextsData };

/** Number of the text "" in the table: nothing. */
const NOTHING = 0;
/** Bits of `flags`. */
const STARTS_WORD = 1;
const ENDS_WORD = 2;
const KIND_AT = 2;
const PLACE_AT = 4;
const UNSPACED = 64;
const CLOSED = 128;
const LEAST_AT = 8;
const MOST_AT = 12;
const GOES_ON = 1 << 16;
const LENT = 1 << 17;

export class RuleTable {
  readonly #columns: Columns;
  readonly #texts: Texts;
  readonly #rules: Rule[] = [];

  constructor({ columns, texts }: RuleTableData) {
    this.#columns = columns;
    this.#texts = new Texts(texts);
  }

  get length(): number {
    return this.#columns.flags.length;
  }

  /** Size of what is kept, the objects of rules met so far aside. */
  get bytes(): number {
    const columns = COLUMNS.reduce((sum, name) => sum + this.#columns[name].byteLength, 0);
    return columns + this.#texts.bytes;
  }

  /** Whether the rule may hold at all where its literal ended at `end`: most end there inside a longer word. */
  mayEnd(index: number, text: string, end: number): boolean {
    const flags = this.#columns.flags[index] as number;
    if ((flags & GOES_ON) !== 0 && end === text.length) return false;
    return (flags & CLOSED) === 0 || isBoundary(text, end);
  }

  rule(index: number): Rule {
    const known = this.#rules[index];
    if (known !== undefined) return known;
    const { flags: allFlags, classes, language, say, of, rest } = this.#columns;
    const flags = allFlags[index] as number;
    const textOf = (column: Uint32Array) => this.#texts.at(column[index] as number);
    const rule: Rule = {
      pattern: {
        wordsBefore: { least: (flags >> LEAST_AT) & 15, most: (flags >> MOST_AT) & 15 },
        startsWord: (flags & STARTS_WORD) !== 0,
        endsWord: (flags & ENDS_WORD) !== 0,
        unspaced: (flags & UNSPACED) !== 0,
        rest: rest[index] === NOTHING ? null : new RegExp(textOf(rest), 'yu'),
      },
      at: PLACES_IN_LABEL[(flags >> PLACE_AT) & 3] as PlaceInLabel,
      kind: KINDS[(flags >> KIND_AT) & 3] as RuleKind,
      language: textOf(language),
      say: textOf(say),
      classes: RISK_CLASSES.filter((_, bit) => ((classes[index] as number) >>> bit) & 1),
      of: of[index] === NOTHING ? null : textOf(of),
      isLent: (flags & LENT) !== 0,
    };
    this.#rules[index] = rule;
    return rule;
  }
}

/** A rule as it is added. */
export type NewRule = Omit<Rule, 'pattern'> & { pattern: Pattern };

/** Collects rules for a table; they are numbered from 0 in the order they come. */
export class RuleTableBuilder {
  readonly #rows: Record<(typeof COLUMNS)[number], number[]> = {
    flags: [],
    classes: [],
    language: [],
    say: [],
    of: [],
    rest: [],
  };
  readonly #numberOf = new Map<string, number>([['', NOTHING]]);

  get length(): number {
    return this.#rows.flags.length;
  }

  add({ pattern, at, language, kind, say, classes, of, isLent }: NewRule): void {
    const { wordsBefore, startsWord, endsWord, unspaced, rest, closed, goesOn } = pattern;
    const { least, most } = wordsBefore;
    if (most > 15) throw new Error('more than fifteen words before its own first word');
    this.#rows.flags.push(
      (startsWord ? STARTS_WORD : 0) |
        (endsWord ? ENDS_WORD : 0) |
        (unspaced ? UNSPACED : 0) |
        (closed ? CLOSED : 0) |
        (goesOn ? GOES_ON : 0) |
        (isLent ? LENT : 0) |
        (KINDS.indexOf(kind) << KIND_AT) |
        (PLACES_IN_LABEL.indexOf(at) << PLACE_AT) |
        (least << LEAST_AT) |
        (most << MOST_AT),
    );
    this.#rows.classes.push(classes.reduce((bits, one) => bits | (1 << RISK_CLASSES.indexOf(one)), 0));
    this.#rows.language.push(this.#text(language));
    this.#rows.say.push(this.#text(say));
    this.#rows.of.push(this.#text(of ?? ''));
    this.#rows.rest.push(this.#text(rest ?? ''));
  }

  data(): RuleTableData {
    const columns = Object.fromEntries(COLUMNS.map((name) => [name, Uint32Array.from(this.#rows[name])]));
    return { columns: columns as Columns, texts: textsData(this.#numberOf.keys()) };
  }

  #text(text: string): number {
    const known = this.#numberOf.get(text);
    if (known !== undefined) return known;
    const number = this.#numberOf.size;
    this.#numberOf.set(text, number);
    return number;
  }
}
