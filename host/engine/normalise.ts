/**
 * Brings the arguments of a call into the one form that everything behind it reads, the same on every
 * door, and says what it changed; or refuses with the field, what was expected and a valid call. Pure.
 * Not for grants, keys or anything that is looked up.
 */
import type { z } from 'zod';
import { type Failure, type FailureDetails, failure } from '../../device-protocol/envelope.ts';
import type { ErrorCode } from '../../device-protocol/errors.ts';
import type { ToolDeclaration } from '../../device-protocol/tools/declare.ts';
import { choicesOf, expectationOf, isRequired, kindOf } from '../../device-protocol/tools/fields.ts';
import { type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import { isRecord, kindOfValue, rawFault } from './raw-arguments.ts';
import { folded, nearestField, shownName } from './spelling.ts';

export { nearestTools } from './spelling.ts';

export interface Normalised {
  readonly ok: true;
  readonly args: Record<string, unknown>;
  readonly warnings: readonly string[];
}

/** Longest value that an answer repeats, UTF-16 code units. */
const SHOWN_VALUE = 40;

/** A number as a person writes it; no exponents, no hexadecimal, nothing that rounds. */
const NUMBER = /^-?\d{1,15}(\.\d{1,9})?$/;

class Refused extends Error {
  readonly code: ErrorCode;
  readonly details: FailureDetails;
  constructor(code: ErrorCode, details: FailureDetails) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** What came, said so that nothing secret or long is repeated. */
function came(tool: ToolDeclaration, name: string, value: unknown): string {
  const secret = tool.redact[name] === 'secret';
  return typeof value === 'string' && !secret && value.length <= SHOWN_VALUE
    ? JSON.stringify(value)
    : kindOfValue(value);
}

/** A name that nobody reads, the nearest that is read, and all that are. */
function unknownName(spelling: string, known: readonly string[]): FailureDetails {
  const near = nearestField(spelling, known);
  return {
    field: shownName(spelling),
    expected: near === null ? 'no arguments' : `one of ${known.join(', ')}`,
    nearest: near === null ? 'no arguments at all' : `"${near}"`,
  };
}

/** The written names brought to the tool's own; refuses what nobody reads and what came twice. */
function named(tool: ToolDeclaration, raw: Record<string, unknown>, warnings: string[]) {
  const known = Object.keys(tool.input.shape);
  const byFold = new Map(known.map((name) => [folded(name), name]));
  const written = new Map<string, string>();
  const args: Record<string, unknown> = {};
  for (const spelling of Object.keys(raw)) {
    const name = known.includes(spelling) ? spelling : byFold.get(folded(spelling));
    if (name === undefined) throw new Refused('argument_unknown', unknownName(spelling, known));
    const before = written.get(name);
    if (before !== undefined) {
      throw new Refused('argument_twice', {
        field: name,
        expected: `only "${name}"`,
        came: `${shownName(before)}, ${shownName(spelling)}`,
      });
    }
    written.set(name, spelling);
    if (spelling !== name) warnings.push(`"${shownName(spelling)}" was read as "${name}".`);
    args[name] = raw[spelling];
  }
  return args;
}

/** One value brought to what its field takes, where that is beyond doubt. */
function taken(name: string, field: z.ZodType, value: unknown, warnings: string[]): unknown {
  if (value === null && !isRequired(field)) {
    warnings.push(`"${name}": null was taken as left out.`);
    return undefined;
  }
  if (typeof value !== 'string') return value;
  const kind = kindOf(field);
  const text = value.trim();
  if (kind === 'number' && NUMBER.test(text)) {
    warnings.push(`"${name}": the text "${text}" was read as a number.`);
    return Number(text);
  }
  if (kind === 'boolean' && /^(true|false)$/i.test(text)) {
    warnings.push(`"${name}": the text "${text}" was read as ${text.toLowerCase()}.`);
    return text.toLowerCase() === 'true';
  }
  if (kind === 'choice') {
    const choices = choicesOf(field);
    const choice = choices.includes(value)
      ? value
      : choices.find((one) => value.length <= SHOWN_VALUE && folded(one) === folded(value));
    if (choice !== undefined && choice !== value) {
      warnings.push(`"${name}": "${shownName(value)}" was read as "${choice}".`);
      return choice;
    }
  }
  return value;
}

const REF_FROM = 'the observation_id that the ref came from';

/** Where an act lands: a ref with its observation, or a point; never half of one, never both. */
function checkAim(tool: ToolDeclaration, args: Record<string, unknown>): void {
  const shape = tool.input.shape;
  if (!('ref' in shape)) return;
  const has = (name: string) => args[name] !== undefined;
  const element = has('ref') || has('observation_id');
  const point = has('x') || has('y');
  if ('x' in shape) {
    const expected = 'either ref with observation_id, or x and y';
    if (element && point)
      throw new Refused('aim_both', { field: has('ref') ? 'ref' : 'observation_id', expected });
    if (!element && !point) throw new Refused('aim_neither', { field: 'ref', expected });
  }
  if (has('ref') && !has('observation_id')) {
    throw new Refused('aim_half', { field: 'observation_id', expected: REF_FROM });
  }
  if (has('observation_id') && !has('ref')) {
    throw new Refused('aim_half', { field: 'ref', expected: 'a ref of that observation' });
  }
  if (has('x') !== has('y')) {
    const [here, other] = has('x') ? ['y', 'x'] : ['x', 'y'];
    throw new Refused('aim_half', { field: here, expected: `${other} came, so ${here} must come too` });
  }
}

/** The tool's own strict schema; its first complaint becomes ours. */
function checked(tool: ToolDeclaration, args: Record<string, unknown>): Record<string, unknown> {
  const parsed = tool.input.safeParse(args);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0] ?? 'arguments');
  const field = tool.input.shape[name] as z.ZodType | undefined;
  const expected = field === undefined ? 'other arguments' : expectationOf(field);
  const where = issue === undefined || issue.path.length === 0 ? name : shownName(issue.path.join('.'));
  if (args[name] === undefined) throw new Refused('argument_missing', { field: name, expected });
  throw new Refused('argument_wrong', { field: where, expected, came: came(tool, name, args[name]) });
}

/** The one normalising of every door. `raw` is whatever the caller sent; nothing of it is trusted. */
export function normaliseArguments(name: ToolName, raw: unknown): Normalised | Failure {
  const tool = toolOf(name);
  const acting = tool.effect !== 'reads';
  const warnings: string[] = [];
  try {
    const given = raw === undefined || raw === null ? {} : raw;
    if (!isRecord(given)) {
      throw new Refused('arguments_not_object', { expected: 'one JSON object', came: kindOfValue(given) });
    }
    const fault = rawFault(given);
    if (fault !== null) {
      const known = Object.keys(tool.input.shape);
      throw fault.code === 'argument_unknown'
        ? new Refused(fault.code, unknownName(String(fault.details.field), known))
        : new Refused(fault.code, fault.details);
    }
    const args = named(tool, given, warnings);
    for (const [key, value] of Object.entries(args)) {
      const kept = taken(key, tool.input.shape[key] as z.ZodType, value, warnings);
      if (kept === undefined) delete args[key];
      else args[key] = kept;
    }
    checkAim(tool, args);
    if (tool.needsKey && args.idempotency_key === undefined) {
      throw new Refused('key_missing', { field: 'idempotency_key', expected: 'a fresh text for each act' });
    }
    return { ok: true, args: checked(tool, args), warnings };
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    return failure(
      name,
      thrown.code,
      { ...thrown.details, example: JSON.stringify(tool.example), warnings },
      acting,
    );
  }
}
