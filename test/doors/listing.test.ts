/** What clients are listed: derived, strict, stable, small, and true. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { listTools } from '../../device-protocol/tools/listing.ts';
import { TOOL_NAMES, toolOf } from '../../device-protocol/tools/tools.ts';

const core = listTools(TOOL_NAMES, { tier: 'core', small: false });
const standard = listTools(TOOL_NAMES, { tier: 'standard', small: false });
const all = listTools(TOOL_NAMES, { tier: 'all', small: false });
const small = listTools(TOOL_NAMES, { tier: 'core', small: true });
const tokens = (list: unknown) => encode(JSON.stringify(list)).length;

describe('the list of tools', () => {
  it('holds in each tier what the tiers below hold, in the declarations’ order', () => {
    const names = (list: readonly { name: string }[]) => list.map((tool) => tool.name);
    expect(names(all)).toEqual(TOOL_NAMES);
    expect(names(standard)).toEqual(TOOL_NAMES.filter((name) => toolOf(name).tier !== 'all'));
    expect(names(core)).toEqual(TOOL_NAMES.filter((name) => toolOf(name).tier === 'core'));
  });

  it('lists only what a grant allows, whatever the tier', () => {
    const few = listTools(['request_status', 'screen_observe'], { tier: 'all', small: false });
    expect(few.map((tool) => tool.name)).toEqual(['screen_observe', 'request_status']);
    expect(listTools([], { tier: 'core', small: true })).toEqual([]);
  });

  it('has strict input schemas with the declared fields', () => {
    for (const list of [core, standard, all, small]) {
      for (const tool of list) {
        expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
        const declared = Object.keys(toolOf(tool.name).input.shape);
        const listed = Object.keys(tool.inputSchema.properties as object);
        expect(declared).toEqual(expect.arrayContaining(listed));
      }
    }
    for (const tool of all) {
      expect(Object.keys(tool.inputSchema.properties as object)).toEqual(
        Object.keys(toolOf(tool.name).input.shape),
      );
    }
  });

  it('never leaves out a field that must be given', () => {
    for (const list of [core, standard, small]) {
      for (const tool of list) {
        const shape = toolOf(tool.name).input.shape as Record<
          string,
          { safeParse(value: unknown): { success: boolean } }
        >;
        const must = Object.keys(shape).filter((name) => !shape[name]?.safeParse(undefined).success);
        expect(tool.inputSchema.required ?? []).toEqual(must);
      }
    }
  });

  it('has output schemas in `all` only: the whole envelope, open, nothing of the result required', () => {
    for (const list of [core, standard, small]) {
      expect(list.some((tool) => tool.outputSchema !== undefined)).toBe(false);
    }
    for (const tool of all) {
      expect(tool.outputSchema).toMatchObject({ type: 'object', required: ['ok', 'tool', 'warnings'] });
      const text = JSON.stringify(tool.outputSchema);
      expect(text).not.toMatch(/"additionalProperties"|"enum"|"oneOf"|"\$ref"/);
      expect(text.match(/"required"/g)).toHaveLength(1);
    }
  });

  it('tells the truth in annotations, and only where it differs from the default', () => {
    for (const tool of core) {
      const { effect } = toolOf(tool.name);
      expect(tool.annotations).toEqual(
        { reads: { readOnlyHint: true }, repeatable: { idempotentHint: true }, once: undefined }[effect],
      );
    }
  });

  it('costs at most 1,700 tokens in core, and 900 for a context of 4,096', () => {
    expect(tokens(core)).toBeLessThanOrEqual(1_700);
    expect(tokens(small)).toBeLessThanOrEqual(900);
    expect(small.length).toBeGreaterThanOrEqual(6);
  });
});
