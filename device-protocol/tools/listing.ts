/**
 * Tools as they are listed to a client: JSON Schemas, descriptions and annotations, derived from the
 * declarations and nothing else, as small as they may be. Not for sending them (host/doors/mcp).
 */
import { z } from 'zod';
import type { Tier, ToolDeclaration } from './declare.ts';
import { TOOL_NAMES, type ToolName, toolOf } from './tools.ts';

export type JsonSchema = { readonly [key: string]: unknown };

/** MCP's tool annotations, only those that differ from the specification's defaults. */
export interface Annotations {
  readonly readOnlyHint?: true;
  readonly idempotentHint?: true;
}

export interface ListedTool {
  readonly name: ToolName;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema?: JsonSchema & { readonly type: 'object' };
  readonly annotations?: Annotations;
}

export interface ListingOptions {
  readonly tier: Tier;
  /** For a model with a context of 4,096 tokens: few tools, few words. */
  readonly small: boolean;
}

/** Fields that are read but not sent in the smaller lists: an error names them where they are needed. */
const UNLISTED: Readonly<Record<Tier, readonly string[]>> = {
  core: [
    'timeout_ms',
    'foreground_package',
    'include_status_bar',
    'confirmation_id',
    'duration_ms',
    'limit',
    'user',
  ],
  standard: ['timeout_ms'],
  all: [],
};

/** What a model with a tiny context is given. */
const SMALL = [
  'screen_observe',
  'tap',
  'scroll',
  'set_text',
  'go',
  'app_open',
  'request_status',
  'tools_search',
  'tool_use',
] as const satisfies readonly ToolName[];

const SMALL_UNLISTED = [...UNLISTED.core, 'detail', 'since', 'cursor', 'count'];

const TIERS: readonly Tier[] = ['core', 'standard', 'all'];

/** A whole number's lowest and highest, where they are what a reader would think anyway or are very far. */
const PLAIN_LOW = 1;
const FAR_HIGH = 50_000;

/** What a choice is when it is left out: need not be offered. */
const UNSAID = 'none';

/** Bounds that only say what JSON's integers are, or that a refusal states anyway, cost tokens in every list. */
const SPARED = new Set(['maxLength', 'minLength', '$schema']);

function spare(value: unknown, words: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => spare(item, words));
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (SPARED.has(name)) continue;
    if (name === 'minimum' && typeof item === 'number' && item <= PLAIN_LOW) continue;
    if (name === 'maximum' && typeof item === 'number' && item >= FAR_HIGH) continue;
    if (name === 'description' && !words && typeof item === 'string') continue;
    // An open object says by its type that it is open.
    if (name === 'propertyNames' || (name === 'additionalProperties' && item !== false)) continue;
    if (name === 'enum' && Array.isArray(item)) {
      kept[name] = item.filter((choice) => choice !== UNSAID);
      continue;
    }
    // A choice among texts says by itself that it is text.
    if (name === 'type' && 'enum' in value) continue;
    kept[name] = name === 'properties' ? spareEach(item, words) : spare(item, words);
  }
  return kept;
}

function spareEach(properties: unknown, words: boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties as Record<string, unknown>).map(([name, field]) => [name, spare(field, words)]),
  );
}

/** The strict input schema. Without `full`, bounds that every refusal states are left out. */
export function inputSchemaOf(
  tool: ToolDeclaration,
  { unlisted, words, full }: { unlisted: readonly string[]; words: boolean; full: boolean },
): JsonSchema & { readonly type: 'object' } {
  const shape = Object.entries(tool.input.shape).filter(([name]) => !unlisted.includes(name));
  const schema = z.toJSONSchema(z.strictObject(Object.fromEntries(shape) as z.core.$ZodLooseShape), {
    io: 'input',
  });
  const { $schema, ...rest } = schema;
  return (full ? rest : spare(rest, words)) as JsonSchema & { readonly type: 'object' };
}

/**
 * A result's schema, open to growth: types and names, two levels deep. A client checks with the list it
 * remembers, so closed objects, closed choices and bounds would break it when we add a word.
 */
function grown(schema: unknown, levels: number): JsonSchema {
  if (typeof schema !== 'object' || schema === null) return {};
  const { type, anyOf, properties, items } = schema as JsonSchema;
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map((one) => grown(one, levels)) };
  if (type === 'object' && levels > 0 && properties !== undefined) {
    const inner = Object.entries(properties as JsonSchema).map(([name, one]) => [
      name,
      grown(one, levels - 1),
    ]);
    return { type, properties: Object.fromEntries(inner) };
  }
  if (type === 'array' && levels > 0 && items !== undefined && items !== false) {
    return { type, items: grown(items, levels) };
  }
  return type === undefined ? {} : { type };
}

/** The whole envelope as one loose object, success or failure: what both have is required, no more. */
export function outputSchemaOf(tool: ToolDeclaration): JsonSchema & { readonly type: 'object' } {
  const text = { type: 'string' };
  return {
    type: 'object',
    properties: {
      ok: { type: 'boolean' },
      tool: text,
      result: grown(z.toJSONSchema(tool.result, { io: 'output', unrepresentable: 'any' }), 2),
      warnings: { type: 'array', items: text },
      kind: text,
      error_code: text,
      message: text,
      field: text,
      expected: text,
      retryable: { type: 'boolean' },
      recoverable: { type: 'boolean' },
      suggested_action: { type: 'object', properties: { tool: text, args: { type: 'object' }, say: text } },
      retry_after_ms: { type: 'integer' },
      effect: text,
      key: text,
    },
    required: ['ok', 'tool', 'warnings'],
  };
}

/**
 * From the effect alone: reads change nothing, repeatable acts come to the same when they are done twice.
 * For the others the defaults hold (destructive, open world, not to be repeated).
 */
export function annotationsOf(tool: ToolDeclaration): Annotations | undefined {
  if (tool.effect === 'reads') return { readOnlyHint: true };
  return tool.effect === 'repeatable' ? { idempotentHint: true } : undefined;
}

export function descriptionOfTool(tool: ToolDeclaration): string {
  return tool.notFor === '' ? tool.purpose : `${tool.purpose} Not for ${tool.notFor}.`;
}

/** The names a tier sends, in the declarations' order, of those that `allowed` holds. */
export function namesOf(allowed: readonly ToolName[], { tier, small }: ListingOptions): ToolName[] {
  const granted = new Set(allowed);
  const few: ReadonlySet<ToolName> = new Set(SMALL);
  return TOOL_NAMES.filter(
    (name) =>
      granted.has(name) && (small ? few.has(name) : TIERS.indexOf(toolOf(name).tier) <= TIERS.indexOf(tier)),
  );
}

/** The tools array of `tools/list`. */
export function listTools(allowed: readonly ToolName[], options: ListingOptions): ListedTool[] {
  const { tier, small } = options;
  const full = tier === 'all' && !small;
  return namesOf(allowed, options).map((name) => {
    const tool = toolOf(name);
    const annotations = annotationsOf(tool);
    return {
      name,
      description: small ? tool.purpose : descriptionOfTool(tool),
      inputSchema: inputSchemaOf(tool, {
        unlisted: small ? SMALL_UNLISTED : UNLISTED[tier],
        words: !small,
        full,
      }),
      ...(full ? { outputSchema: outputSchemaOf(tool) } : {}),
      ...(annotations === undefined || small ? {} : { annotations }),
    };
  });
}
