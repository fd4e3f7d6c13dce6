/**
 * Carries the tools that are no tracked request: looking, listing, asking about requests, taking them back. One
 * function each; the compiler holds the list against the declarations. Nothing here starts an act.
 */
import { type Envelope, success } from '../../device-protocol/envelope.ts';
import { fold } from '../../device-protocol/fold.ts';
import type { CommandRow } from '../store/rows.ts';
import type { AskingCall, AskingTool, Carrier } from './asking-call.ts';
import { TASK_CARRIERS } from './asking-task.ts';
import { chooseDevice, deviceViews, phoneOf } from './device-choice.ts';
import { holderOf } from './device-hold.ts';
import { findTools, listSkills, readSkill } from './directory.ts';
import { mayActOn, mayUseDevice, reachesApp, seesApp } from './grants.ts';
import { isOtherScreen, outcomeOf, veiledRow } from './outcome-of.ts';
import { Refusal } from './refusal.ts';
import { screenshotFor } from './screenshots.ts';
import { carryBatch, carryPreview } from './several.ts';
import { waitFor } from './waiting.ts';

/** How long a look waits for the screen to rest before it is taken as it is, milliseconds. */
const LOOK_SETTLE_MS = 1_500;
/** Apps of one page, where the caller names no limit. */
const APPS_A_PAGE = 30;

const whole = (items: readonly unknown[]) => ({
  items,
  count: items.length,
  has_more: false,
  next_cursor: null,
  next_action: null,
});

/** Whoever drives the phone now, and until when at least; nothing where nobody does. */
function heldBy(parts: AskingCall['parts'], deviceId: string): Record<string, unknown> {
  const holder = holderOf(parts.store, deviceId, parts.clock.now());
  return holder === null ? {} : { held_by: holder.agent, held_until: new Date(holder.until).toISOString() };
}

/** The caller's own request. Whether an id is another agent's or nobody's is not told apart. */
function ownRequest(
  call: AskingCall,
  ids: { readonly request_id?: string | undefined; readonly confirmation_id?: string | undefined },
): CommandRow {
  const asked = ids.request_id ?? ids.confirmation_id;
  if (asked === undefined) {
    throw new Refusal('argument_missing', {
      field: 'request_id',
      expected: 'request_id or confirmation_id',
      example: '{"request_id":"…"}',
    });
  }
  const { commands } = call.parts.store;
  const row = ids.request_id === undefined ? commands.byConfirmation(asked) : commands.get(asked);
  if (row === null || row.agent !== call.caller.agent) throw new Refusal('request_unknown', { came: asked });
  return row;
}

async function told(call: AskingCall, row: CommandRow): Promise<Record<string, unknown>> {
  const { parts, caller, options, limits } = call;
  // Both versions: what it was stands in the outcome, what it is now is looked at.
  const now = isOtherScreen(row)
    ? await parts.looks.fresh(row.device_id, caller.agent, { signal: options.signal }).catch(() => null)
    : undefined;
  return outcomeOf(veiledRow(parts, row), {
    replayed: false,
    observedAt: row.report === null ? null : row.final_at,
    viewUrl: row.confirmation_id === null ? null : parts.viewUrl(row.confirmation_id),
    ...(now === undefined
      ? {}
      : {
          observation:
            now === null ? null : parts.looks.tell(now, { detail: 'summary', budget: limits.tokens }),
        }),
  });
}

const CARRIERS: { readonly [T in AskingTool]: Carrier<T> } = {
  device_list: async (_args, { parts, grant }) =>
    whole(
      deviceViews(parts)
        .filter((view) => mayUseDevice(grant, view.device_id))
        .map((view) => ({ ...view, may_act: mayActOn(grant, view.kind), ...heldBy(parts, view.device_id) })),
    ),

  screen_observe: async (args, { parts, grant, caller, options, limits }) => {
    const deviceId = chooseDevice(parts, grant, args.device_id);
    if (args.cursor !== undefined) return parts.looks.goOn(deviceId, caller.agent, args.cursor);
    const look = await parts.looks.fresh(deviceId, caller.agent, {
      signal: options.signal,
      settleMs: LOOK_SETTLE_MS,
      statusBar: args.include_status_bar ?? false,
    });
    return parts.looks.tell(look, {
      detail: args.detail ?? 'summary',
      since: args.since,
      budget: limits.tokens,
    });
  },

  screen_find: async (args, { parts, grant, caller, options }) => {
    const deviceId = chooseDevice(parts, grant, args.device_id);
    const look = await parts.looks.fresh(deviceId, caller.agent, {
      signal: options.signal,
      settleMs: LOOK_SETTLE_MS,
    });
    return parts.looks.find(look, args.text);
  },

  screen_wait: async (args, { parts, grant, caller, options, limits }) => {
    const deviceId = chooseDevice(parts, grant, args.device_id);
    if (args.for !== 'settled' && args.value === undefined) {
      throw new Refusal('argument_missing', {
        field: 'value',
        expected: args.for === 'app' ? 'a package' : 'the words to wait for',
        example: '{"for":"text","value":"Sent"}',
      });
    }
    const ended = await waitFor(
      parts,
      deviceId,
      caller.agent,
      args.for,
      args.value ?? '',
      Math.min(args.wait_ms ?? 10_000, limits.timeout_ms),
      options.signal,
    );
    return {
      met: ended.met,
      reason: ended.reason,
      waited_ms: ended.waitedMs,
      observation: parts.looks.tell(ended.look, { detail: 'summary', budget: limits.tokens }),
    };
  },

  screen_screenshot: async (args, { parts, grant, caller, options }) => {
    const deviceId = chooseDevice(parts, grant, args.device_id);
    return screenshotFor(parts, deviceId, caller.agent, options.signal);
  },

  app_list: async (args, { parts, grant, options }) => {
    const deviceId = chooseDevice(parts, grant, args.device_id);
    const all = await phoneOf(parts, deviceId).listApps({ signal: options.signal });
    const apps = all.filter((app) => reachesApp(grant, app.package) || seesApp(grant, app.package));
    const wanted = fold(args.text ?? '');
    const found = apps
      .filter((app) => fold(app.label).includes(wanted) || app.package.includes(args.text ?? ''))
      .sort((a, b) => (a.package < b.package ? -1 : a.package > b.package ? 1 : a.user - b.user));
    // The cursor is the last entry shown: it stays right when apps come and go between two pages.
    const key = (app: (typeof found)[number]) => `${app.package}|${app.user}`;
    const after = args.cursor === undefined ? null : Buffer.from(args.cursor, 'base64url').toString();
    const rest = after === null ? found : found.filter((app) => key(app) > after);
    const page = rest.slice(0, args.limit ?? APPS_A_PAGE);
    const last = page.at(-1);
    const more = rest.length > page.length && last !== undefined;
    const cursor = more ? Buffer.from(key(last)).toString('base64url') : null;
    return {
      items: page.map((app) => ({
        package: app.package,
        label: app.label,
        user: app.user,
        system: app.system,
      })),
      count: page.length,
      total: found.length,
      has_more: more,
      next_cursor: cursor,
      next_action: more ? { tool: 'app_list', args: { ...args, cursor } } : null,
    };
  },

  clipboard_read: async (args, { parts, grant, caller, options }) => {
    const deviceId = chooseDevice(parts, grant, args.device_id);
    const phone = phoneOf(parts, deviceId);
    const eyes = parts.judging.as(caller.agent, deviceId);
    // What was just copied may come from the app in front.
    const { snapshot } = await phone.look({ settleMs: 0, screenshot: false, signal: options.signal });
    const withheld = !eyes.seeing(snapshot).see;
    const read = withheld
      ? ({ text: null, refused: 'withheld' } as const)
      : await phone.readClipboard({ signal: options.signal });
    return {
      text: read.text === null ? null : eyes.veiledClipboard(read.text),
      refused: read.refused,
      observed_at: new Date(parts.clock.now()).toISOString(),
    };
  },

  request_status: async (args, call) => {
    const { parts, options } = call;
    const found = ownRequest(call, args);
    const wait = args.wait_ms ?? 0;
    if (wait === 0) return told(call, found);
    const followed = await parts.tracker.wait(found.request_id, wait, options.signal);
    return told(call, followed?.row ?? found);
  },

  ...TASK_CARRIERS,

  batch: async (args, call) => carryBatch(args.calls, args.idempotency_key, call),

  tools_search: async (args, { grant }) => findTools(args.query, args.limit, grant),

  tool_use: async () => {
    throw new Error('tool_use is opened before it is carried out');
  },

  skill_list: async () => listSkills(),

  skill_read: async (args) => readSkill(args.skill),

  action_preview: async (args, call) => carryPreview(args.tool, args.arguments, call),

  request_withdraw: async (args, call) => {
    const { parts, options } = call;
    const found = ownRequest(call, args);
    parts.tracker.withdraw(found.request_id);
    // What may be on its way is sealed: the phone's answer says whether it was in time.
    const followed = await parts.tracker.wait(found.request_id, WITHDRAW_WAIT_MS, options.signal);
    return told(call, followed?.row ?? found);
  },
};

/** How long a withdrawal waits for the phone to say whether it came in time, milliseconds. */
const WITHDRAW_WAIT_MS = 5_000;

export async function carryAsking(
  tool: AskingTool,
  args: Record<string, unknown>,
  call: AskingCall,
): Promise<Envelope> {
  // The arguments were parsed by this very tool's schema, which is what the carrier's type says.
  const result = await (CARRIERS[tool] as Carrier<AskingTool>)(args as never, call);
  return success(tool, result, call.warnings);
}
