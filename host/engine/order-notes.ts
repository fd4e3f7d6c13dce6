/**
 * How an order stands in the log: under which name, with which of its parameters. Orders that only ask stand
 * nowhere. What the owner answered to a question is kept as its length only.
 */
import type { OrderName, OrderParams } from './orders.ts';

/** Orders that change nothing. */
const ASKING: readonly OrderName[] = [
  'agents',
  'grants',
  'rules',
  'questions',
  'tasks',
  'picture',
  'log_search',
  'log_sample',
  'log_links',
  'log_verify',
  // Writes its own row: the cut must be signed in the log itself.
  'log_cut',
];

export function recordedNote<N extends OrderName>(
  name: N,
  params: OrderParams<N>,
): { readonly tool: string; readonly args: Record<string, unknown> } | null {
  if (ASKING.includes(name)) return null;
  const { text, ...args } = params as Record<string, unknown>;
  return {
    tool: name,
    args:
      typeof text === 'string' ? { ...args, text: { redacted: 'string', length: [...text].length } } : args,
  };
}
