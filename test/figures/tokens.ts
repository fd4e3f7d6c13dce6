/**
 * `npm run tokens [-- --json]`: what agents are sent, in tokens (o200k) and bytes: the tools array as a real
 * client received it from the real command, for each tier, and every coded error. budget.ts says what may be.
 */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { failure } from '../../device-protocol/envelope.ts';
import { ERRORS, type ErrorCode } from '../../device-protocol/errors.ts';
import { TOOL_NAMES, toolOf } from '../../device-protocol/tools/tools.ts';
import { freshFolder } from '../support/host-process.ts';
import { agentOn } from '../support/mcp.ts';

export interface Size {
  readonly tools: number;
  readonly tokens: number;
  readonly bytes: number;
}

export interface TokenFigures {
  readonly tiers: Record<'core' | 'standard' | 'all' | 'context_4096', Size>;
  readonly per_tool: Readonly<Record<string, number>>;
  readonly errors: { readonly codes: number; readonly max_tokens: number; readonly largest: string };
}

const TIERS = {
  core: ['--tools', 'core'],
  standard: ['--tools', 'standard'],
  all: ['--tools', 'all'],
  context_4096: ['--context', '4096'],
} as const;

const tokensOf = (text: string) => encode(text).length;

/** Ordinary values for what an error's text names; an example call is the tool's own. */
function detailsFor(tool: string, example: unknown): Record<string, unknown> {
  return {
    tool,
    field: 'observation_id',
    expected: 'a whole number from 0 to 100000',
    came: '"three hundred and twelve"',
    example: JSON.stringify(example),
    nearest: ['screen_observe', 'screen_find', 'screen_wait'],
    device_id: 'pixel-8-kitchen',
    request_id: '7f1c0a9be2d44f0db1c2a3f4e5d60718',
    limit: 262_144,
  };
}

/** Tokens of each coded error as an agent gets it, without candidates and a fresh screen. */
export function errorTokens(): Map<ErrorCode, number> {
  const sizes = new Map<ErrorCode, number>();
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    // For the tool with the longest example that an error of arguments could show.
    const all = TOOL_NAMES.map((tool) => {
      const { example, needsKey } = toolOf(tool);
      return tokensOf(JSON.stringify(failure(tool, code, detailsFor(tool, example), needsKey)));
    });
    sizes.set(code, Math.max(...all));
  }
  return sizes;
}

export async function measureTokens(): Promise<TokenFigures> {
  const folder = freshFolder();
  const tiers = {} as Record<keyof typeof TIERS, Size>;
  const perTool: Record<string, number> = {};
  try {
    for (const [tier, args] of Object.entries(TIERS) as [keyof typeof TIERS, readonly string[]][]) {
      const agent = await agentOn(folder.path, 'client 2.4.0', ['--virtual', ...args]);
      const tools = await agent.tools();
      await agent.close();
      const text = JSON.stringify(tools);
      tiers[tier] = { tools: tools.length, tokens: tokensOf(text), bytes: Buffer.byteLength(text) };
      if (tier === 'core') for (const tool of tools) perTool[tool.name] = tokensOf(JSON.stringify(tool));
    }
  } finally {
    folder.remove();
  }
  const errors = [...errorTokens()].sort(([, a], [, b]) => b - a);
  return {
    tiers,
    per_tool: perTool,
    errors: { codes: errors.length, max_tokens: errors[0]?.[1] ?? 0, largest: errors[0]?.[0] ?? '' },
  };
}

if (process.argv[1] === import.meta.filename) {
  const figures = await measureTokens();
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else {
    for (const [tier, { tools, tokens, bytes }] of Object.entries(figures.tiers)) {
      process.stdout.write(`${tier.padEnd(14)} ${tools} tools, ${tokens} tokens, ${bytes} bytes\n`);
    }
    const { codes, max_tokens, largest } = figures.errors;
    process.stdout.write(`${codes} errors, at most ${max_tokens} tokens (${largest})\n`);
  }
  process.exit(0);
}
