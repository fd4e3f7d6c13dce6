/**
 * The owner's side of the engine: what waits, yes and no, stop and resume, the log. Reached only through
 * doors that proved to be the owner's. Not for how a request ends (tracker).
 */
import type { HostClock } from '../devices/clock.ts';
import type { AuditRow } from '../store/rows.ts';
import { deviceViews } from './device-choice.ts';
import type { LogEntry, Owner, OwnerAnswer, PendingView } from './engine.ts';
import type { Display } from './outcome-of.ts';
import type { EngineParts } from './parts.ts';
import type { Decided } from './tracker/tracker-api.ts';

const iso = (ms: number) => new Date(ms).toISOString();

function pendingViews(parts: EngineParts): PendingView[] {
  return parts.store.commands.staged().flatMap((row) => {
    if (row.ending !== null || row.confirmation_id === null || row.expires_at === null) return [];
    const display = row.display as Display | null;
    return [
      {
        confirmation_id: row.confirmation_id,
        request_id: row.request_id,
        digest: row.digest,
        agent: row.agent,
        device_id: row.device_id,
        tool: row.tool,
        summary: display?.summary ?? row.tool,
        app: display?.app ?? null,
        window_title: display?.window_title ?? null,
        element: display?.element ?? null,
        typed_text: display?.typed_text ?? null,
        reasons: row.verdict.reasons,
        staged_at: iso(row.created_at),
        expires_at: iso(row.expires_at),
      },
    ];
  });
}

const WHY_NOT = {
  request_unknown: 'There is no such confirmation. `countersign pending` lists what waits.',
  already_decided: 'It was decided already; nothing was changed.',
  approval_expired: 'It expired before you answered; it will not run.',
  stopped: 'Everything is stopped; approving does nothing until you lift the stop.',
  host_turned_back:
    'This computer’s memory of the phone is older than the phone’s own (restored from a backup?). Look first.',
} as const satisfies Record<Extract<Decided, { ok: false }>['error_code'], string>;

function answer(decided: Decided, say: string): OwnerAnswer {
  if (decided.ok) return { ok: true, say, state: decided.row.state, request_id: decided.row.request_id };
  const how = decided.row === null ? '' : ` (it is ${decided.row.state})`;
  return { ok: false, error_code: decided.error_code, message: `${WHY_NOT[decided.error_code]}${how}` };
}

export function logEntry(row: AuditRow): LogEntry {
  const end = row.completion;
  return {
    number: row.number,
    at: iso(row.at),
    agent: row.agent,
    door: row.door,
    tool: row.tool,
    kind: row.kind,
    device_id: row.device_id,
    request_id: end?.request_id ?? null,
    arguments: row.arguments,
    verdict: end?.verdict?.level ?? null,
    state: end?.state ?? null,
    error_code: end?.error_code ?? null,
    duration_ms: end?.duration_ms ?? null,
    say: end?.say ?? 'cut before it was answered',
  };
}

/** Writes the owner's own act into the same log, before and after. Throws where it cannot be written. */
function recorded(
  parts: EngineParts,
  clock: HostClock,
  tool: string,
  args: Record<string, unknown>,
  act: () => OwnerAnswer,
): OwnerAnswer {
  const began = clock.monotonic();
  const number = parts.store.audit.open({
    at: clock.now(),
    agent: 'owner',
    door: typeof args.how === 'string' ? args.how : 'unknown',
    tool,
    kind: 'owner',
    schema_version: 1,
    task_id: null,
    device_id: null,
    arguments: args,
  });
  const result = act();
  parts.store.audit.complete(number, {
    at: clock.now(),
    request_id: result.ok && result.request_id !== '' ? result.request_id : null,
    state: result.ok ? result.state : null,
    error_code: result.ok ? null : result.error_code,
    verdict: null,
    approval: null,
    strategy: null,
    target: null,
    duration_ms: Math.round(clock.monotonic() - began),
    bytes_out: null,
    tokens_out: null,
    retries: null,
    replayed: null,
    say: result.ok ? result.say : result.message,
  });
  return result;
}

export function createOwner(parts: EngineParts): Owner {
  const { tracker, store, clock } = parts;
  return {
    devices: () => deviceViews(parts),
    pending: () => pendingViews(parts),
    approve: async (confirmationId, how) =>
      recorded(parts, clock, 'approve', { confirmation_id: confirmationId, how }, () =>
        answer(tracker.approve(confirmationId, 'owner', how), 'Approved: it runs once, exactly as shown.'),
      ),
    deny: async (confirmationId, how) =>
      recorded(parts, clock, 'deny', { confirmation_id: confirmationId, how }, () =>
        answer(tracker.deny(confirmationId, 'owner', how), 'Denied: it will not run.'),
      ),
    stop: async (how) =>
      recorded(parts, clock, 'stop', { how }, () => {
        tracker.stopAll(how);
        return {
          ok: true,
          say: 'Stopped: nothing more is done until you resume.',
          state: 'stopped',
          request_id: '',
        };
      }),
    resume: async (how) =>
      recorded(parts, clock, 'resume', { how }, () => {
        tracker.resumeAll(how);
        return { ok: true, say: 'Lifted: agents may act again.', state: 'running', request_id: '' };
      }),
    log: (filter) => store.audit.list(filter).map(logEntry),
    verifyLog: () => store.audit.verify(),
  };
}
