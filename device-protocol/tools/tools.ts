/** Every tool, declared once. Not for how a tool is carried out (host/engine). */
import { ACT_TOOLS } from './act.ts';
import { ASK_TOOLS } from './ask.ts';
import type { ToolDeclaration } from './declare.ts';
import { LOOK_TOOLS } from './look.ts';
import { REACH_TOOLS } from './reach.ts';
import { SEVERAL_TOOLS } from './several.ts';
import { TASK_TOOLS } from './task.ts';

/** In the order they are listed to agents. */
export const TOOLS = {
  ...LOOK_TOOLS,
  ...ACT_TOOLS,
  ...ASK_TOOLS,
  ...TASK_TOOLS,
  ...SEVERAL_TOOLS,
  ...REACH_TOOLS,
} as const satisfies Record<string, ToolDeclaration>;

export type ToolName = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];

/** The declaration of `name`, widened to the common shape. */
export function toolOf(name: ToolName): ToolDeclaration {
  return TOOLS[name];
}

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}
