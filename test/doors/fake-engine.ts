/**
 * An engine without a phone, for tests of the doors alone: it normalises as the real one does, keeps what
 * it was asked, and answers from a short script. Not for anything about phones.
 */
import { failure, success } from '../../device-protocol/envelope.ts';
import { isToolName, TOOL_NAMES, toolOf } from '../../device-protocol/tools/tools.ts';
import type { Caller, Engine, Owner, OwnerAnswer, PendingView } from '../../host/engine/engine.ts';
import { nearestTools, normaliseArguments } from '../../host/engine/normalise.ts';

export const PENDING: PendingView = {
  confirmation_id: 'c-1',
  request_id: 'r-1',
  digest: 'd'.repeat(64),
  agent: 'local',
  device_id: 'virtual',
  tool: 'tap',
  summary: 'Tap “Send”',
  app: 'Messages',
  window_title: 'Anna',
  element: 'Send',
  typed_text: 'Hello\u202eolleH',
  reasons: [{ class: 'send', language: 'en', match: 'Send', where: 'label' }],
  staged_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-01T00:05:00.000Z',
  screen: ['Anna', 'Hello'],
  has_picture: false,
  rule: { possible: true, why_not: null },
  task_id: null,
};

export interface FakeEngine extends Engine {
  readonly calls: { readonly caller: Caller; readonly tool: string; readonly args: unknown }[];
  readonly decisions: string[];
  /** Waits that were ended by their signal. */
  endedWaits: number;
}

export function fakeEngine(): FakeEngine {
  const decisions: string[] = [];
  const answer = async (what: string): Promise<OwnerAnswer> => {
    decisions.push(what);
    return what.includes('c-1') || !what.includes(':')
      ? { ok: true, say: what, state: 'done', request_id: 'r-1' }
      : { ok: false, error_code: 'request_unknown', message: 'There is no such confirmation.' };
  };
  const owner: Owner = {
    devices: () => [
      {
        device_id: 'virtual',
        model: 'Small',
        kind: 'virtual',
        health: 'ready',
        facts: [],
        last_seen_at: null,
      },
    ],
    pending: () => [PENDING],
    approve: (id, how) => answer(`approve:${id}:${how}`),
    deny: (id, how) => answer(`deny:${id}:${how}`),
    stop: () => answer('stop'),
    resume: () => answer('resume'),
    log: () => [],
    verifyLog: () => ({
      ok: true,
      rows: 0,
      first_bad: null,
      say: 'whole',
      findings: [],
      witnesses: [],
    }),
    order: async (name, params) => {
      if (name === 'log_search' || name === 'questions') return { ok: true, say: 'none', items: [] } as never;
      decisions.push(`${name}:${JSON.stringify(params)}`);
      return { ok: false, error_code: 'order_unknown', message: 'This engine takes no orders.' } as never;
    },
  };
  const engine: FakeEngine = {
    calls: [],
    decisions,
    endedWaits: 0,
    owner,
    blob: (_caller, uri) =>
      uri.startsWith('countersign://blob/') ? { contentType: 'image/png', base64: btoa(uri) } : null,
    callerOf: (token, door) => (token === 'cs_known' ? { agent: 'known', door, credential: 'c' } : null),
    tools: () => TOOL_NAMES,
    call: async (caller, tool, raw, options = {}) => {
      engine.calls.push({ caller, tool, args: raw });
      if (!isToolName(tool))
        return failure(tool.slice(0, 64), 'tool_unknown', { tool, nearest: nearestTools(tool) });
      const normal = normaliseArguments(tool, raw);
      if (!normal.ok) return normal;
      const { args, warnings } = normal;
      if (tool === 'request_status') {
        const wait = Number(args.wait_ms ?? 0);
        const state = await new Promise<string>((resolve) => {
          const timer = setTimeout(() => resolve('in_progress'), wait);
          const tick = setInterval(() => options.onProgress?.('still waiting'), 20);
          const end = (how: string) => {
            clearTimeout(timer);
            clearInterval(tick);
            resolve(how);
          };
          if (wait === 0) end('in_progress');
          options.signal?.addEventListener('abort', () => {
            engine.endedWaits += 1;
            end('wait_ended');
          });
        });
        return success(
          tool,
          { request_id: String(args.request_id), state, waits_ended: engine.endedWaits },
          warnings,
        );
      }
      if (tool === 'screen_screenshot') {
        const at = 'countersign://blob/';
        const size = { bytes: 9, width: 1, height: 1, expires_at: '', observed_at: '' };
        return success(
          tool,
          { blob: `${at}whole`, preview: `${at}small`, content_type: 'image/png', ...size },
          warnings,
        );
      }
      if (tool === 'go')
        return success(tool, { state: 'pending_confirmation', confirmation_id: 'c-1' }, warnings);
      if (tool === 'app_open') return failure(tool, 'app_unknown', { came: args.app, nearest: 'none' }, true);
      return success(tool, { echo: args, effect: toolOf(tool).effect }, warnings);
    },
  };
  return engine;
}
