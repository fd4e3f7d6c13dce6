/**
 * Calls as a confused model makes them: a valid call of a tool with one thing wrong, from a seed. Every one
 * is wrong for certain, so none may do anything. Not for calls that are right and dangerous.
 */
import { z } from 'zod';
import { type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';

export interface MutatedCall {
  readonly tool: ToolName;
  readonly args: unknown;
  readonly wrong: string;
  /** The field an answer must name; null where no single field is wrong. */
  readonly field: string | null;
}

export type Random = () => number;

/** mulberry32: small, seeded, the same everywhere. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: {
    type?: string;
    enum?: unknown[];
    maximum?: number;
    minimum?: number;
    maxLength?: number;
  };
}

function fieldsOf(tool: ToolName): Field[] {
  const schema = z.toJSONSchema(toolOf(tool).input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Field['schema']>;
    required?: string[];
  };
  return Object.entries(schema.properties ?? {}).map(([name, one]) => ({
    name,
    required: schema.required?.includes(name) ?? false,
    schema: one,
  }));
}

const LETTERS = ['zq', 'ñandú', '鍵', 'ключ', '🔑', 'x y', 'constructor', '__proto__', 'toString', 'ⓡⓔⓕ', ''];
const NO_OBJECT = [[], [1], 'text', 7, true, '{"ref":"e1"}x'] as const;

/** A value that no schema of this field takes, and that no reading of spellings can save. */
function wrongValue(random: Random, { schema, required }: Field): unknown {
  // Null for what may be left out is read as left out.
  const never: unknown[] = [{ deep: [{}] }, [[]], ...(required ? [null] : [])];
  if (schema.enum !== undefined) never.push('zzz', 'HOME?', '', 12, true);
  else if (schema.type === 'integer' || schema.type === 'number') {
    never.push('NaN', 'Infinity', 'one', 1.5, 1e99, -1e99, '', true);
    if (schema.maximum !== undefined && schema.maximum < 1e15) never.push(schema.maximum + 1);
    if (schema.minimum !== undefined && schema.minimum > -1e15) never.push(schema.minimum - 1);
  } else if (schema.type === 'boolean') never.push('perhaps', 2, '', 'ja');
  else if (schema.type === 'string') {
    never.push('\ud800', 'a\udfffb');
    if (schema.maxLength !== undefined) never.push('x'.repeat(schema.maxLength + 1));
  } else if (schema.type === 'array') return pick(random, ['a', 7, {}]);
  else if (schema.type === 'object') return pick(random, ['a', 7, []]);
  return pick(random, never);
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** One wrong call of `tool`. */
export function mutate(tool: ToolName, random: Random): MutatedCall {
  const fields = fieldsOf(tool);
  const args: Record<string, unknown> = { ...toolOf(tool).example };
  const kinds = ['extra', 'extra', 'no object', 'wrong value', 'wrong value', 'missing', 'twice'] as const;
  for (;;) {
    const kind = pick(random, kinds);
    const field = fields.length === 0 ? null : pick(random, fields);
    if (kind === 'no object') return { tool, args: pick(random, NO_OBJECT), wrong: kind, field: null };
    if (kind === 'extra') {
      const name = `${pick(random, LETTERS)}${Math.floor(random() * 1e6)}`;
      return { tool, args: { ...args, [name]: pick(random, [1, 'a', null, {}]) }, wrong: kind, field: name };
    }
    if (field === null) continue;
    if (kind === 'wrong value') {
      const value = wrongValue(random, field);
      const { ref, observation_id, ...pointed } = args;
      // One thing wrong: a half aim would be a second.
      const base =
        field.name === 'x' || field.name === 'y'
          ? { ...pointed, x: 1, y: 1 }
          : field.name === 'ref' || field.name === 'observation_id'
            ? { ...args, ref: 'e1', observation_id: 'o1' }
            : args;
      return { tool, args: { ...base, [field.name]: value }, wrong: kind, field: field.name };
    }
    if (kind === 'missing' && field.required) {
      const { [field.name]: _, ...rest } = args;
      return { tool, args: rest, wrong: kind, field: field.name };
    }
    if (kind === 'twice' && camel(field.name) !== field.name) {
      const value = args[field.name] ?? 1;
      return {
        tool,
        args: { ...args, [field.name]: value, [camel(field.name)]: value },
        wrong: kind,
        field: field.name,
      };
    }
  }
}
