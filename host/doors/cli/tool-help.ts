/** Help for `countersign call`, derived from the declarations. Nothing about a single tool stands here. */
import type { z } from 'zod';
import { COMMON_FIELDS } from '../../../device-protocol/tools/declare.ts';
import { descriptionOf, expectationOf, isRequired } from '../../../device-protocol/tools/fields.ts';
import { descriptionOfTool } from '../../../device-protocol/tools/listing.ts';
import { TOOL_NAMES, type ToolName, toolOf } from '../../../device-protocol/tools/tools.ts';

export const USAGE = `Usage: countersign call TOOL [JSON | -] [options]

Calls one tool, as an agent would, and prints its answer.

Options:
  --key <key>      idempotency_key of the act
  --new-key        make a new key, and print it
  --device <id>    device_id
  --data <dir>     data directory
  --json           print the envelope as the last line
  -h, --help       this text; after a TOOL, its arguments`;

const padded = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, text]) => `  ${name.padEnd(width)}${text}`).join('\n');
};

export function toolsHelp(): string {
  const rows = TOOL_NAMES.map((name) => [name, descriptionOfTool(toolOf(name))] as const);
  return `${USAGE}\n\nTools:\n${padded(rows)}`;
}

export function toolHelp(name: ToolName): string {
  const tool = toolOf(name);
  const rows = Object.entries(tool.input.shape).map(([field, schema]) => {
    const type = schema as z.ZodType;
    const said = descriptionOf(type);
    const need = isRequired(type) ? ' (required)' : '';
    return [field, `${expectationOf(type)}${need}${said === '' ? '' : `. ${said}`}`] as const;
  });
  const effects = {
    reads: 'Reads only.',
    repeatable: 'Acts; may be done twice without harm.',
    once: 'Acts; happens at most once for a key.',
  } as const;
  return [
    `countersign call ${name} [JSON]`,
    '',
    descriptionOfTool(tool),
    effects[tool.effect],
    '',
    rows.length === 0 ? 'No arguments.' : `Arguments:\n${padded(rows)}`,
    '',
    `Example:\n  countersign call ${name} '${JSON.stringify(tool.example)}'`,
    ...(rows.length === 0 ? [] : ['', ...COMMON_FIELDS]),
  ].join('\n');
}
