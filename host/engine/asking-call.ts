/** What a call that is no tracked request has at hand. Not for what it does (asking.ts, several.ts). */
import type { z } from 'zod';
import type { Envelope } from '../../device-protocol/envelope.ts';
import type { TOOLS, ToolName } from '../../device-protocol/tools/tools.ts';
import type { Caller, CallOptions } from './engine.ts';
import type { Grant } from './grants.ts';
import type { EngineParts } from './parts.ts';
import type { Settling } from './settling.ts';
import type { DerivedLimits } from './tool-limits.ts';

export interface AskingCall {
  readonly parts: EngineParts;
  readonly caller: Caller;
  readonly grant: Grant;
  readonly warnings: readonly string[];
  readonly options: CallOptions;
  /** What holds for this tool under the grant. */
  readonly limits: DerivedLimits;
  readonly settling: Settling;
  /** Another call of the same caller, through the whole door again. */
  readonly again: (tool: string, args: unknown) => Promise<Envelope>;
}

type Arguments<T extends ToolName> = z.infer<(typeof TOOLS)[T]['input']>;

/** Tools that are no tracked request. */
export type AskingTool = {
  [T in ToolName]: (typeof TOOLS)[T]['tracked'] extends true ? never : T;
}[ToolName];

/** Carries one of them out; the answer is the envelope's result. */
export type Carrier<T extends ToolName> = (
  args: Arguments<T>,
  call: AskingCall,
) => Promise<Record<string, unknown>>;
