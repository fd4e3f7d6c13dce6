/**
 * What a field of a tool's input expects, in words and as a kind: derived from its schema, for errors,
 * help and normalising alike. Not for checking a value (the schema does that).
 */
import { z } from 'zod';

export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'object' | 'other';

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
}

const WRAPPERS = new Set(['optional', 'nullable', 'default', 'readonly', 'nonoptional']);

/** The field without the wrappers that only say that it may be left out. */
export function innerOf(field: z.ZodType): z.ZodType {
  let inner = field;
  for (;;) {
    const { type, innerType } = inner._zod.def as unknown as Definition;
    if (!WRAPPERS.has(type) || innerType === undefined) return inner;
    inner = innerType;
  }
}

const KIND_OF: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  number: 'number',
  int: 'number',
  boolean: 'boolean',
  enum: 'choice',
  array: 'list',
  object: 'object',
  record: 'object',
};

export function kindOf(field: z.ZodType): FieldKind {
  return KIND_OF[(innerOf(field)._zod.def as unknown as Definition).type] ?? 'other';
}

/** The words a `choice` field takes; empty for others. */
export function choicesOf(field: z.ZodType): readonly string[] {
  const inner = innerOf(field);
  return inner instanceof z.ZodEnum ? inner.options.map(String) : [];
}

export function isRequired(field: z.ZodType): boolean {
  return !field.safeParse(undefined).success;
}

/** What a description says of the field; empty where it says nothing. */
export function descriptionOf(field: z.ZodType): string {
  return field.description ?? innerOf(field).description ?? '';
}

const within = (low: number | undefined, high: number | undefined): string => {
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return ` of at least ${low}`;
  return high === undefined ? '' : ` of at most ${high}`;
};

/** A bound that stands there only because JSON has no other integers says nothing to a reader. */
const said = (bound: number | undefined) =>
  bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;

/** What the field takes, as a short phrase: "a whole number from 0 to 25000". */
export function expectationOf(field: z.ZodType): string {
  const schema = z.toJSONSchema(innerOf(field), { io: 'input', unrepresentable: 'any' }) as {
    readonly type?: string;
    readonly enum?: readonly unknown[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly maxItems?: number;
  };
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  switch (schema.type) {
    case 'integer':
      return `a whole number${within(said(schema.minimum), said(schema.maximum))}`;
    case 'number':
      return `a number${within(said(schema.minimum), said(schema.maximum))}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      if (schema.maxLength === undefined) return 'text';
      return (schema.minLength ?? 0) > 0
        ? `text of ${schema.minLength} to ${schema.maxLength} characters`
        : `text of at most ${schema.maxLength} characters`;
    case 'array':
      return schema.maxItems === undefined ? 'a list' : `a list of at most ${schema.maxItems}`;
    case 'object':
      return 'an object';
    default:
      return 'another value';
  }
}
