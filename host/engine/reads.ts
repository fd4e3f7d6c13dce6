/**
 * Carries the tools that only look or ask: one function each; the compiler holds the list against the
 * declarations. Nothing here acts, stores a request or takes a key.
 */
import { type Envelope, success } from '../../device-protocol/envelope.ts';
import type { TOOLS, ToolName } from '../../device-protocol/tools/tools.ts';
import type { CommandRow } from '../store/rows.ts';
import { chooseDevice, deviceViews } from './device-choice.ts';
import type { Caller, CallOptions } from './engine.ts';
import { type Grant, mayActOn, mayUseDevice } from './grants.ts';
import { outcomeOf } from './outcome-of.ts';
import type { EngineParts } from './parts.ts';
import { Refusal } from './refusal.ts';

export interface ReadCall {
  readonly parts: EngineParts;
  readonly caller: Caller;
  readonly grant: Grant;
  readonly warnings: readonly string[];
  readonly options: CallOptions;
}

type Arguments<T extends ToolName> = import('zod').infer<(typeof TOOLS)[T]['input']>;
type ReadingTool = { [T in ToolName]: (typeof TOOLS)[T]['effect'] extends 'reads' ? T : never }[ToolName];
type Reader<T extends ToolName> = (args: Arguments<T>, call: ReadCall) => Promise<Record<string, unknown>>;

/** How long a look waits for the screen to rest before it is taken as it is, milliseconds. */
const LOOK_SETTLE_MS = 1_500;

const READERS: { readonly [T in ReadingTool]: Reader<T> } = {
  device_list: async (_args, { parts, grant }) => {
    const items = deviceViews(parts)
      .filter((view) => mayUseDevice(grant, view.device_id))
      .map((view) => ({
        device_id: view.device_id,
        model: view.model,
        kind: view.kind,
        health: view.health,
        facts: view.facts,
        may_act: mayActOn(grant, view.kind as 'virtual' | 'jvm' | 'android' | null),
        last_seen_at: view.last_seen_at,
      }));
    return { items, count: items.length, has_more: false, next_cursor: null, next_action: null };
  },

  screen_observe: async (args, { parts, grant, caller, options }) => {
    const deviceId = chooseDevice(parts, grant, args.device_id);
    if (args.cursor !== undefined) return parts.looks.goOn(deviceId, args.cursor, caller.agent);
    const look = await parts.looks.fresh(deviceId, options.signal, LOOK_SETTLE_MS);
    return parts.looks.tell(look, caller.agent, {
      detail: args.detail ?? 'summary',
      ...(args.since === undefined ? {} : { since: args.since }),
      statusBar: args.include_status_bar ?? false,
    });
  },

  request_status: async (args, { parts, caller, options }) => {
    const asked = args.request_id ?? args.confirmation_id;
    if (asked === undefined) {
      throw new Refusal('argument_missing', {
        field: 'request_id',
        expected: 'request_id or confirmation_id',
        example: '{"request_id":"…"}',
      });
    }
    const mine = (row: CommandRow | null) => (row !== null && row.agent === caller.agent ? row : null);
    // Whether an id is another agent's or nobody's is not told apart.
    const found =
      args.request_id === undefined
        ? mine(parts.store.commands.byConfirmation(asked))
        : mine(parts.store.commands.get(asked));
    if (found === null) throw new Refusal('request_unknown', { came: asked });
    const wait = args.wait_ms ?? 0;
    const row =
      wait === 0 ? found : ((await parts.tracker.wait(found.request_id, wait, options.signal))?.row ?? found);
    return outcomeOf(row, {
      replayed: false,
      observedAt: row.report === null ? null : row.final_at,
      viewUrl: row.confirmation_id === null ? null : parts.viewUrl(row.confirmation_id),
    });
  },
};

export async function carryRead(
  tool: ReadingTool,
  args: Record<string, unknown>,
  call: ReadCall,
): Promise<Envelope> {
  // The arguments were parsed by this very tool's schema, which is what the reader's type says.
  const result = await (READERS[tool] as Reader<ReadingTool>)(args as never, call);
  return success(tool, result, call.warnings);
}
