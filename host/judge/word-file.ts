/**
 * The shape of one word file (`policies/words/<language>.json`), checked strictly, with errors that name the
 * file and the entry. Not for what entries match (pattern.ts) and not for reading files (load-policy.ts).
 */
import { z } from 'zod';
import { RISK_CLASSES, type RiskClass } from '../../device-protocol/verdict.ts';
import { lineAt, lineOfOffset } from './json-place.ts';

export const PLACES_IN_LABEL = ['anywhere', 'start', 'end', 'whole'] as const;
export type PlaceInLabel = (typeof PLACES_IN_LABEL)[number];

const say = z.string().min(1).max(80);
/** For the reviewer, who may never have programmed: what a tap on these words does, or why they are harmless. */
const why = z.string().min(3).max(240);
const at = z.enum(PLACES_IN_LABEL);

export const wordFileSchema = z.strictObject({
  /** BCP-47 primary tag, equal to the file's name. */
  language: z.string().regex(/^[a-z]{2,3}$/),
  name: z.string().min(2).max(60),
  entries: z
    .array(z.strictObject({ say, at: at.optional(), class: z.enum(RISK_CLASSES), why }))
    .min(1)
    .max(4_000),
  /** Each removes hits of its own entry (or class) where they overlap the words it matched, and nothing else. */
  exceptions: z
    .array(
      z.strictObject({
        say,
        at: at.optional(),
        of: say.optional(),
        /** One class or several. */
        of_class: z.union([z.enum(RISK_CLASSES), z.array(z.enum(RISK_CLASSES)).min(1)]).optional(),
        why,
      }),
    )
    .max(4_000)
    .default([]),
  /** Ordinary words of this language that mean an act in another one: they count only on a phone of this language. */
  harmless: z
    .array(z.strictObject({ say, at: at.optional(), why }))
    .max(4_000)
    .default([]),
});
export type WordFile = z.infer<typeof wordFileSchema>;

type Place = { file: string; line?: number; path?: readonly PropertyKey[]; say?: string | null };

/** A policy file that cannot be read stops the start (risk.md, Words); the message is for whoever edits it. */
export class PolicyFileError extends Error {
  override name = 'PolicyFileError';
  readonly code = 'policy_unreadable';
  readonly place: Place;
  readonly what: string;

  constructor(place: Place, what: string, options?: ErrorOptions) {
    const { file, line, path = [], say = null } = place;
    const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
    const where = steps.join('').replace(/^\./, '');
    const said = say === null ? '' : ` ("${say}")`;
    super(
      `${file}${line === undefined ? '' : `:${line}`}: ${where}${said}${where + said === '' ? '' : ': '}${what}`,
      options,
    );
    this.place = place;
    this.what = what;
  }

  /** The same with its line, found in the file's text. */
  in(text: string): PolicyFileError {
    const { line, path } = this.place;
    if (line !== undefined || path === undefined) return this;
    return new PolicyFileError({ ...this.place, line: lineAt(text, path) }, this.what, { cause: this.cause });
  }
}

/** Runs `work`; a PolicyFileError that knows its place but not its line gets it from the file's text. */
export function withLines<T>(textOf: (file: string) => string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PolicyFileError ? error.in(textOf(error.place.file)) : error;
  }
}

/**
 * Parses the text of one word file. `file` is the path as people know it (`policies/words/de.json`).
 * Throws PolicyFileError naming the file, the line and the entry.
 */
export function parseWordFile(text: string, file: string, language: string): WordFile {
  const words = parsePolicyJson(text, file, wordFileSchema);
  const fail = (what: string, path: readonly PropertyKey[], say: string | null = null): never => {
    throw new PolicyFileError({ file, line: lineAt(text, path), path, say }, what);
  };
  if (words.language !== language) {
    fail(`is "${words.language}", the file's name says "${language}"`, ['language']);
  }
  const entries = new Set<string>();
  words.entries.forEach((entry, index) => {
    const key = `${entry.say} ${entry.at ?? 'anywhere'} ${entry.class}`;
    if (entries.has(key)) fail('is there twice', ['entries', index], entry.say);
    entries.add(key);
  });
  const said = new Set(words.entries.map((entry) => entry.say));
  const classes = new Set(words.entries.map((entry) => entry.class));
  words.exceptions.forEach((exception, index) => {
    const wrong = (what: string) => fail(what, ['exceptions', index], exception.say);
    if ((exception.of === undefined) === (exception.of_class === undefined)) {
      wrong('needs either "of" or "of_class", and only one of them');
    }
    if (exception.of !== undefined && !said.has(exception.of)) {
      wrong(`is "of" "${exception.of}", which is no entry of this file`);
    }
    const empty = classesOf(exception).find((one) => !classes.has(one));
    if (empty !== undefined) wrong(`is of the class "${empty}", which has no entry here`);
  });
  return words;
}

/** The classes an exception is of: none when it is of one entry. */
export function classesOf(exception: WordFile['exceptions'][number]): readonly RiskClass[] {
  const of = exception.of_class ?? [];
  return typeof of === 'string' ? [of] : of;
}

/** Parses the JSON of any policy file with its schema; PolicyFileError says file, line, place and what was expected. */
export function parsePolicyJson<T>(text: string, file: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    const offset = /at position (\d+)/u.exec(message)?.[1];
    const line = lineOfOffset(text, offset === undefined ? text.length : Number(offset));
    throw new PolicyFileError({ file, line }, `not JSON: ${message}`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path ?? [];
  throw new PolicyFileError(
    { file, line: lineAt(text, path), path, say: saidAt(value, path) },
    issue?.message ?? 'not as expected',
  );
}

/** What the entry at `path` says, so that the reader finds it without counting. */
function saidAt(value: unknown, path: readonly PropertyKey[]): string | null {
  let here: unknown = value;
  let said: string | null = null;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) break;
    here = (here as Record<PropertyKey, unknown>)[step];
    const say = (here as { say?: unknown } | null | undefined)?.say;
    if (typeof say === 'string') said = say;
  }
  return said;
}
