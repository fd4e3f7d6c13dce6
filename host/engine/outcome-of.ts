/**
 * A command's row as the agent is told of it: state, effect, envelope. Pure. Not for what happens on the
 * phone (report.ts) or on a move (tracker).
 */
import { COMMAND_EFFECT, type CommandState } from '../../device-protocol/command-table.ts';
import { type Envelope, failure, success } from '../../device-protocol/envelope.ts';
import { type ErrorCode, isErrorCode } from '../../device-protocol/errors.ts';
import type { Outcome, OutcomeState } from '../../device-protocol/outcome.ts';
import type { Verdict } from '../../device-protocol/verdict.ts';
import type { CommandRow } from '../store/rows.ts';
import type { Judging } from './judging.ts';
import type { RuleOffer } from './standing-rules.ts';

/** What the engine stores beside a row for good: never anything typed, secret or withheld from its agent. */
export interface Lasting {
  readonly label: string | null;
  readonly role: string | null;
  /** The app in front when it was planned; undefined in rows of the first version. */
  readonly app?: string | null;
  readonly activity?: string | null;
  readonly title?: string | null;
}

/** What the engine stores beside a row while it is open: what the owner is shown. */
export interface Display {
  readonly summary: string;
  readonly app: string | null;
  readonly window_title: string | null;
  readonly element: string | null;
  readonly typed_text: string | null;
  /** As they were judged; the row's own verdict may hold less (what is withheld from the agent). */
  readonly reasons: Verdict['reasons'];
  /** The standing rule that a yes could be made into, or why none. */
  readonly rule: RuleOffer;
}

const OUTCOME_STATE = {
  received: 'in_progress',
  staged: 'pending_confirmation',
  ready: 'in_progress',
  sent: 'in_progress',
  doubtful: 'in_progress',
  done: 'done',
  refused: 'refused',
  sealed: 'sealed',
  interrupted: 'interrupted',
  denied: 'denied',
  expired: 'expired',
  cancelled: 'cancelled',
  unknown: 'unknown',
} as const satisfies Record<CommandState, OutcomeState>;

/** The command's state in the words agents are told. */
export const outcomeState = (state: CommandState): OutcomeState => OUTCOME_STATE[state];

const iso = (ms: number) => new Date(ms).toISOString();

/** How long an agent had better wait before it asks about a pending confirmation. */
const ASK_AGAIN_SECONDS = 10;

/** The row as its agent may see it now (risk.md, "What may be seen"). */
export function veiledRow(parts: { readonly judging: Judging }, row: CommandRow): CommandRow {
  const eyes = parts.judging.as(row.agent, row.device_id);
  const lasting = row.lasting as Lasting | null;
  const app = lasting?.app ?? null;
  const activity = lasting?.activity ?? null;
  const front = lasting?.app === undefined ? null : { package: app, activity };
  const sees = eyes.seesApp(app, activity);
  const shown = (text: string | null | undefined) =>
    sees && text != null ? eyes.veiledText(text, app) : null;
  return {
    ...row,
    report: row.report === null ? null : eyes.veiledReport(row.report, front),
    verdict: eyes.veiledVerdict(row.verdict, app, activity),
    lasting:
      lasting === null ? null : { ...lasting, label: shown(lasting.label), title: shown(lasting.title) },
  };
}

export interface Told {
  readonly replayed: boolean;
  /** The fresh screen, when it was asked for and could be had. */
  readonly observation?: Record<string, unknown> | null;
  /** When that screen, or the report, was seen; null when nothing was. */
  readonly observedAt: number | null;
  readonly viewUrl: string | null;
}

export function outcomeOf(row: CommandRow, told: Told): Outcome {
  const report = row.report;
  const lasting = row.lasting as Lasting | null;
  const display = row.display as Display | null;
  const state = OUTCOME_STATE[row.state];
  const aimed = lasting !== null && (lasting.label !== null || lasting.role !== null);
  return {
    request_id: row.request_id,
    device_id: row.device_id,
    state,
    replayed: told.replayed,
    acted:
      report?.acted ??
      (COMMAND_EFFECT[row.state] === 'none' && state !== 'in_progress' && state !== 'pending_confirmation'
        ? false
        : null),
    error_code: errorCodeOf(row),
    strategy: report?.strategy ?? null,
    target:
      aimed || report?.hit != null
        ? {
            label: lasting?.label ?? report?.hit?.words ?? null,
            role: lasting?.role ?? null,
            bounds: report?.hit?.bounds ?? null,
          }
        : null,
    changed: report?.changed ?? null,
    change: report?.change ?? null,
    foreground_app: report?.foreground
      ? { package: report.foreground.package, title: report.foreground.title }
      : null,
    settled: report?.settled ?? null,
    settle_ms: report?.settle_ms ?? null,
    settle_reason: report?.settle_reason ?? null,
    read_back:
      report !== null && (report.read_back !== null || report.read_back_matches !== null)
        ? { value: report.read_back, matches: report.read_back_matches }
        : null,
    ...(report?.at_edge == null ? {} : { at_edge: report.at_edge }),
    ...(report?.until === undefined ? {} : { until: { met: report.until.why === 'found', ...report.until } }),
    risk: row.verdict,
    approval:
      row.decided_by !== null && row.decided_at !== null
        ? { by: row.decided_by, at: iso(row.decided_at), how: row.decided_how ?? 'unknown' }
        : null,
    observed_at: told.observedAt === null ? null : iso(told.observedAt),
    ...(isOtherScreen(row)
      ? { was: { window_title: lasting?.title ?? null, label: lasting?.label ?? null } }
      : {}),
    ...(told.observation === undefined ? {} : { observation: told.observation }),
    next_action: nextAction(row, state),
    ...(state === 'pending_confirmation' && row.confirmation_id !== null && row.expires_at !== null
      ? {
          confirmation_id: row.confirmation_id,
          summary: display?.summary ?? row.tool,
          expires_at: iso(row.expires_at),
          view_url: told.viewUrl,
        }
      : {}),
  };
}

/** Refused on the phone because what it was made for is not there any more. */
export function isOtherScreen(row: CommandRow): boolean {
  const why = row.refusal ?? row.error_code ?? '';
  return row.state === 'refused' && (why.startsWith('target_') || why === 'foreground_changed');
}

function nextAction(row: CommandRow, state: OutcomeState): Outcome['next_action'] {
  if (state === 'pending_confirmation') {
    return {
      tool: 'request_status',
      args: { confirmation_id: row.confirmation_id, wait_ms: 20_000 },
      after_seconds: ASK_AGAIN_SECONDS,
    };
  }
  if (state === 'in_progress') {
    return {
      tool: 'request_status',
      args: { request_id: row.request_id, wait_ms: 10_000 },
      after_seconds: 1,
    };
  }
  if (state === 'unknown' || state === 'interrupted') {
    return { tool: 'screen_observe', args: { device_id: row.device_id } };
  }
  return null;
}

/** The row's own code of the table; null where it simply acted, or is not over. */
function errorCodeOf(row: CommandRow): ErrorCode | null {
  const known = (code: string | null | undefined, otherwise: ErrorCode): ErrorCode =>
    typeof code === 'string' && isErrorCode(code) ? code : otherwise;
  switch (row.state) {
    case 'done':
      if (row.report === null || row.report.acted === false)
        return known(row.report?.error_code, 'act_turned_down');
      return row.report.error_code === null ? null : known(row.report.error_code, 'internal');
    case 'refused':
      return known(row.error_code ?? row.refusal, 'act_refused');
    case 'sealed':
      return 'sealed';
    case 'interrupted':
      return 'interrupted';
    case 'unknown':
      return 'outcome_lost';
    case 'denied':
      return 'denied';
    case 'expired':
      return known(row.error_code, row.confirmation_id !== null ? 'approval_expired' : 'start_expired');
    case 'cancelled':
      return known(row.error_code, 'withdrawn');
    case 'received':
    case 'staged':
    case 'ready':
    case 'sent':
    case 'doubtful':
      return null;
  }
}

/**
 * The answer to the act itself (contracts.md, "State to envelope"): done is success, waiting for the owner
 * is success, everything else is a failure with the outcome attached.
 */
export function actEnvelope(row: CommandRow, outcome: Outcome, warnings: readonly string[]): Envelope {
  const tool = row.tool;
  if (outcome.state === 'pending_confirmation') return success(tool, outcome, warnings);
  if (outcome.state === 'done' && outcome.acted !== false) {
    const more =
      outcome.acted === null
        ? [
            'The app took the act late or without an answer: whether it acted is not known. Look at `changed`.',
          ]
        : [];
    return success(tool, outcome, [...warnings, ...more]);
  }
  const code: ErrorCode =
    outcome.state === 'in_progress' ? 'outcome_unknown' : (errorCodeOf(row) ?? 'internal');
  const refusedReason = row.verdict.reasons[0];
  return failure(
    tool,
    code,
    {
      request_id: row.request_id,
      device_id: row.device_id,
      came:
        row.refusal ??
        (refusedReason === undefined ? 'policy' : `${refusedReason.class} (${refusedReason.match})`),
      effect:
        outcome.state === 'in_progress'
          ? 'unknown'
          : COMMAND_EFFECT[row.state] === 'happened'
            ? 'none'
            : COMMAND_EFFECT[row.state],
      args:
        outcome.next_action?.args ?? (code.startsWith('target_') ? { device_id: row.device_id } : undefined),
      result: outcome,
      warnings,
    },
    true,
  );
}
