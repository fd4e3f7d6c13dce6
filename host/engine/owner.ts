/**
 * The owner's side of the engine: what waits, yes and no, stop and resume, the log. Reached only through
 * doors that proved to be the owner's. Not for orders about agents, rules and the rest (owner-orders.ts) or for
 * how a request ends (tracker).
 */
import type { Payload } from '../../device-protocol/payload.ts';
import type { AuditRow, CommandRow } from '../store/rows.ts';
import type { LogEntry, OwnerAnswer, PendingView } from './engine.ts';
import type { Display } from './outcome-of.ts';
import type { EngineParts } from './parts.ts';
import { NO_RULE } from './standing-rules.ts';
import type { Decided } from './tracker/tracker-api.ts';

const iso = (ms: number) => new Date(ms).toISOString();

/** What the payload says the screen showed; nothing once the bytes are erased. */
function shownOf(row: CommandRow): readonly string[] {
  return row.payload === null ? [] : (JSON.parse(row.payload) as Payload).shown;
}

export function pendingViews(parts: EngineParts): PendingView[] {
  return parts.store.commands.staged().flatMap((row) => {
    if (row.ending !== null || row.confirmation_id === null || row.expires_at === null) return [];
    const display = row.display as Display | null;
    const rule = display?.rule ?? { none: 'no_element' as const };
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
        reasons: display?.reasons ?? row.verdict.reasons,
        staged_at: iso(row.created_at),
        expires_at: iso(row.expires_at),
        screen: shownOf(row),
        has_picture: parts.store.pictures.get(row.request_id) !== null,
        rule:
          'none' in rule
            ? { possible: false, why_not: NO_RULE[rule.none] }
            : { possible: true, why_not: null },
        task_id: row.task_id,
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

export function decisionAnswer(decided: Decided, say: string): OwnerAnswer {
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
    schema_version: row.schema_version,
    task_id: end?.task_id ?? row.task_id,
    device_id: row.device_id,
    request_id: end?.request_id ?? null,
    arguments: row.arguments,
    verdict: end?.verdict?.level ?? null,
    reasons: end?.verdict?.reasons ?? [],
    approval: end?.approval ?? null,
    strategy: end?.strategy ?? null,
    target: end?.target ?? null,
    state: end?.state ?? null,
    error_code: end?.error_code ?? null,
    duration_ms: end?.duration_ms ?? null,
    bytes_out: end?.bytes_out ?? null,
    tokens_out: end?.tokens_out ?? null,
    retries: end?.retries ?? null,
    replayed: end?.replayed ?? null,
    say: end?.say ?? 'cut before it was answered',
  };
}

/** What an act of the owner came to, for its row in the log. */
export interface Recordable {
  readonly ok: boolean;
  readonly say?: string;
  readonly message?: string;
  readonly error_code?: string;
  readonly state?: string;
  readonly request_id?: string;
}

/** Writes the owner's own act into the same log, before and after. Throws where it cannot be written. */
export async function recorded<T extends Recordable>(
  parts: EngineParts,
  tool: string,
  args: Record<string, unknown>,
  how: string,
  act: (auditNumber: number) => T | Promise<T>,
): Promise<T> {
  const { store, clock, running } = parts;
  const began = clock.monotonic();
  const number = store.audit.open({
    at: clock.now(),
    agent: 'owner',
    door: how,
    tool,
    kind: 'owner',
    schema_version: 1,
    task_id: null,
    device_id: null,
    arguments: args,
    running: running(),
  });
  const result = await act(number);
  store.audit.complete(number, {
    at: clock.now(),
    request_id: result.request_id === '' ? null : (result.request_id ?? null),
    state: result.state ?? null,
    error_code: result.ok ? null : (result.error_code ?? null),
    verdict: null,
    approval: null,
    strategy: null,
    target: null,
    duration_ms: Math.round(clock.monotonic() - began),
    bytes_out: null,
    tokens_out: null,
    retries: null,
    replayed: null,
    say: (result.ok ? result.say : result.message) ?? tool,
    running: running(),
  });
  parts.memory.note(store.audit.head());
  return result;
}
