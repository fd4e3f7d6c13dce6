/**
 * The owner's yes and no to what waits, with all that follows: what came of it, both versions where the screen
 * was another, a standing rule, an agent held after two denials, an agent stopped. Not for the command table
 * (tracker) or for who may decide (doors).
 */
import { shownOf } from '../../device-protocol/companion/shown.ts';
import type { Payload } from '../../device-protocol/payload.ts';
import type { AgentRow, CommandRow } from '../store/rows.ts';
import type { OwnerAnswer } from './engine.ts';
import type { Ordered } from './orders.ts';
import { type Display, isOtherScreen } from './outcome-of.ts';
import { decisionAnswer } from './owner.ts';
import type { EngineParts } from './parts.ts';
import { NO_RULE } from './standing-rules.ts';

/** After a yes the owner is told what came of it, if that is known within this time. */
const OUTCOME_WAIT_MS = 3_000;
/** So many denials in a row hold the agent (risk.md, rule 1). */
const MOST_DENIALS = 2;
/** No rule lives longer. */
const RULE_LIFE_MS = 30 * 24 * 3_600_000;
/** Lines of the screen told of each version. */
const MOST_LINES = 6;

export interface Yes {
  readonly confirmationId: string;
  readonly how: string;
  /** What was shown to whoever said yes. */
  readonly digest?: string | undefined;
  readonly rule?: { readonly until: number; readonly times: number } | undefined;
}

type Approved = Ordered<{
  readonly state: string;
  readonly request_id: string;
  readonly rule_id: string | null;
}>;

const not = (error_code: string, message: string) => ({ ok: false, error_code, message }) as const;

export async function approve(parts: EngineParts, yes: Yes): Promise<Approved> {
  const { store, clock, chance, tracker } = parts;
  const row = store.commands.byConfirmation(yes.confirmationId);
  const seen =
    row?.payload === undefined || row.payload === null ? null : (JSON.parse(row.payload) as Payload);
  const display = (row?.display ?? null) as Display | null;
  if (row !== null && yes.digest !== undefined && yes.digest !== row.digest)
    return not('digest_differs', 'What waits now is not what was shown to you. Look again.');
  const wish = yes.rule;
  const offer = display?.rule ?? { none: 'no_element' as const };
  const now = clock.now();
  if (wish !== undefined && row?.state === 'staged') {
    if ('none' in offer)
      return not('rule_impossible', `No rule can be made of this: ${NO_RULE[offer.none]}.`);
    if (wish.until <= now || wish.until > now + RULE_LIFE_MS)
      return not('rule_impossible', 'A rule ends within 30 days, and not in the past.');
  }
  const decided = tracker.approve(yes.confirmationId, 'owner', yes.how);
  if (!decided.ok) return { ...decisionAnswer(decided, ''), rule_id: null } as Approved;
  const { agent, device_id, request_id } = decided.row;
  if ((store.agents.get(agent)?.denials ?? 0) > 0) store.agents.setDenials(agent, 0, now);
  const rule =
    wish === undefined || 'none' in offer
      ? null
      : store.rules.insert({
          rule_id: `r${chance.hex(6)}`,
          agent,
          device_id,
          matches: offer,
          until: wish.until,
          most: wish.times,
          made_at: now,
          made_how: yes.how,
        });
  const followed = await tracker.wait(request_id, OUTCOME_WAIT_MS);
  const ended = followed?.row ?? decided.row;
  const say = await sayOf(parts, ended, display, seen);
  return { ok: true, say, state: ended.state, request_id, rule_id: rule?.rule_id ?? null };
}

/** What came of a yes, in a sentence. Everything from the screen stands in quotes, and is cut. */
async function sayOf(
  parts: EngineParts,
  row: CommandRow,
  display: Display | null,
  seen: Payload | null,
): Promise<string> {
  const because = row.error_code === null ? '' : ` (${row.error_code})`;
  switch (row.state) {
    case 'done':
      return row.report?.acted === false
        ? `Approved, but the phone turned it down${because}; nothing was done.`
        : 'Approved: it ran once, exactly as shown.';
    case 'refused': {
      const changed = isOtherScreen(row);
      const versions = changed ? await bothVersions(parts, row, display, seen) : '';
      return changed
        ? `You said yes, but the screen was no longer what you saw: nothing ran, and your yes is used up.${versions}`
        : `You said yes, but it was refused${because}: nothing ran.`;
    }
    case 'sealed':
    case 'expired':
      return `You said yes, but it was too late${because}: nothing ran.`;
    case 'interrupted':
    case 'unknown':
      return 'Approved; whether it took effect is not known. Look at the phone.';
    default:
      return 'Approved: it runs once, exactly as shown.';
  }
}

const quoted = (text: string | null) =>
  text === null || text === '' ? 'nothing' : `“${text.slice(0, 120)}”`;

/** What stood there when the owner was asked, and what stands there now. */
async function bothVersions(
  parts: EngineParts,
  row: CommandRow,
  display: Display | null,
  seen: Payload | null,
): Promise<string> {
  const looked = await parts.phones
    .of(row.device_id)
    ?.look({ settleMs: 0, screenshot: false })
    .catch(() => null);
  if (looked == null)
    return ` It was ${quoted(display?.window_title ?? null)}; what is there now cannot be seen.`;
  const { snapshot } = looked;
  const window = snapshot.windows.findIndex((one) => one.active);
  const node = snapshot.nodes.findIndex((one) => one.window === window);
  const now = node === -1 ? [] : shownOf(snapshot, node).lines;
  const before = seen?.shown ?? [];
  const gone = before.filter((line) => !now.includes(line)).slice(0, MOST_LINES);
  const come = now.filter((line) => !before.includes(line)).slice(0, MOST_LINES);
  const titles = ` Window then ${quoted(display?.window_title ?? null)}, now ${quoted(snapshot.foreground.title)}.`;
  const lines = (name: string, list: readonly string[]) =>
    list.length === 0 ? '' : ` ${name}: ${list.map(quoted).join(', ')}.`;
  return `${titles}${lines('No longer there', gone)}${lines('New', come)}`;
}

export function deny(parts: EngineParts, confirmationId: string, how: string): OwnerAnswer {
  const { store, clock, tracker } = parts;
  const decided = tracker.deny(confirmationId, 'owner', how);
  if (!decided.ok) return decisionAnswer(decided, '');
  const { agent } = decided.row;
  const now = clock.now();
  const denials = (store.agents.get(agent)?.denials ?? 0) + 1;
  store.agents.setDenials(agent, denials, now);
  if (denials < MOST_DENIALS) return decisionAnswer(decided, 'Denied: it will not run.');
  store.agents.setHeld(agent, { at: now, why: `${denials} denials in a row` }, now);
  return decisionAnswer(
    decided,
    `Denied: it will not run. Agent ${agent} is held after ${denials} denials in a row; \`countersign resume --agent ${agent}\` lets it go on.`,
  );
}

/** The owner's latched stop of one agent: what is open of it is ended or sealed, and nothing new begins. */
export function stopAgent(parts: EngineParts, agent: string, how: string): AgentRow | null {
  const { store, clock, tracker, waits } = parts;
  const now = clock.now();
  store.agents.setStopped(agent, { at: now, how }, now);
  tracker.stopAgent(agent);
  waits.endAll(agent, NOT_ONE);
  return store.agents.get(agent);
}

/** No wait is spared. */
const NOT_ONE = new AbortController().signal;
