/** What a call that is no tracked request has at hand. Not for what it does (asking.ts, several.ts). */
import type { Envelope } from '../../device-protocol/envelope.ts';
import type { Caller, CallOptions } from './engine.ts';
import type { Grant } from './grants.ts';
import type { EngineParts } from './parts.ts';

export interface AskingCall {
  readonly parts: EngineParts;
  readonly caller: Caller;
  readonly grant: Grant;
  readonly warnings: readonly string[];
  readonly options: CallOptions;
  /** Another call of the same caller, through the whole door again. */
  readonly again: (tool: string, args: unknown) => Promise<Envelope>;
}
