/**
 * What is made of a plan before it is bound: the payload's text, what the owner is shown, what is kept for good,
 * and the picture that goes with a request that waits. Not for deciding whether it waits (act.ts).
 */
import { findTarget } from '../../device-protocol/companion/find-target.ts';
import type { Payload } from '../../device-protocol/payload.ts';
import type { Bounds } from '../../device-protocol/snapshot.ts';
import type { Target } from '../../device-protocol/target.ts';
import { type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import type { Verdict } from '../../device-protocol/verdict.ts';
import { pictureOf, SMALL_SIDE } from '../screen/picture.ts';
import type { CommandRow } from '../store/rows.ts';
import type { Eyes } from './judging.ts';
import type { Display, Lasting } from './outcome-of.ts';
import type { EngineParts } from './parts.ts';
import type { Prepared } from './prepared.ts';
import { ruleOffer } from './standing-rules.ts';

/** Reaction, quiet and ceiling times of settling, milliseconds (device-protocol/companion/settle.ts). */
const SETTLE = { reaction_ms: 400, quiet_ms: 250, ceiling_ms: 3_000 } as const;

const elementOf = ({ made }: Prepared) =>
  made.spot === null || made.spot.meant === null ? null : made.spot.look.labelOf(made.spot.meant);

/** What the owner's prompt shows of a plan. Everything from the screen is untrusted text. */
export function displayOf(parts: EngineParts, tool: ToolName, prepared: Prepared, eyes: Eyes): Display {
  const { made, look, verdict } = prepared;
  const { foreground } = look.snapshot;
  const app = made.spot === null ? null : foreground.package;
  const element = elementOf(prepared);
  const label = element === null ? null : eyes.veiledText(element, foreground.package);
  const what = label === null ? '' : ` “${label.slice(0, 120)}”`;
  return {
    // The agent gets this sentence too: it holds no more of the screen than the agent may see.
    summary: `${tool}${what}${app === null ? '' : ` in ${app}`} on ${look.deviceId}`,
    app,
    window_title: made.spot === null ? null : foreground.title,
    element,
    typed_text: made.typed,
    reasons: verdict.reasons,
    rule: ruleOffer(parts.judging, tool, prepared),
  };
}

/** What is kept for good: nothing typed, nothing secret, nothing of an app that is withheld from the agent. */
export function lastingOf(prepared: Prepared, eyes: Eyes): Lasting {
  const { made, look } = prepared;
  const { foreground } = look.snapshot;
  const element = elementOf(prepared);
  const shown = (text: string | null) =>
    text === null
      ? null
      : eyes.seesApp(foreground.package, foreground.activity)
        ? eyes.veiledText(text, foreground.package)
        : null;
  return {
    label: shown(element),
    role: made.spot === null || made.spot.meant === null ? null : made.spot.look.roleOf(made.spot.meant),
    app: foreground.package,
    activity: foreground.activity,
    title: shown(foreground.title),
  };
}

export function payloadText(
  parts: EngineParts,
  agent: string,
  tool: ToolName,
  prepared: Prepared,
  verdict: Verdict,
): string {
  const { made, claimed } = prepared;
  const spot = made.spot;
  const staged = verdict.decision === 'ask';
  const shown = staged && spot !== null && spot.node !== null ? spot.look.shownOf(spot.node) : null;
  const payload: Payload = {
    version: 1,
    salt: parts.chance.hex(16),
    agent,
    act: made.act,
    expect: {
      package: spot === null ? null : (spot.look.snapshot.foreground.package ?? claimed),
      window_title: staged && spot !== null ? spot.look.snapshot.foreground.title : null,
      shown_print: shown === null ? null : shown.print,
    },
    shown: shown === null ? [] : [...shown.lines],
    verdict,
    run_limit_ms: Math.max(1_000, toolOf(tool).timeoutMs - 2_000),
    settle: SETTLE,
  };
  return JSON.stringify(payload);
}

/** The element an act lands on, as it can be found again; null for acts without one. */
function targetOf(act: Payload['act']): Target | null {
  switch (act.kind) {
    case 'tap':
    case 'long_press':
      return act.aim.by === 'element' ? act.aim.target : act.aim.under;
    case 'drag':
      return act.from.by === 'element' ? act.from.target : act.from.under;
    case 'swipe':
      return act.under;
    case 'scroll':
    case 'set_text':
    case 'set_toggle':
      return act.target;
    case 'press_key':
      return act.focused;
    case 'go':
    case 'app_open':
    case 'link_open':
    case 'clipboard_write':
      return null;
  }
}

/**
 * Takes the picture the owner decides by: the screen now, the target marked where it is found, codes and what
 * nobody may see blackened. Nothing waits for it; where there can be none (protected windows), there is none.
 */
export async function pictureFor(parts: EngineParts, row: CommandRow, act: Payload['act']): Promise<void> {
  const phone = parts.phones.of(row.device_id);
  if (phone === null) return;
  const looked = await phone.look({ settleMs: 0, screenshot: true });
  if (looked.screenshot === null) return;
  const { snapshot } = looked;
  const target = targetOf(act);
  const found = target === null ? null : findTarget(snapshot, target);
  const mark: Bounds | null =
    found !== null && 'found' in found ? (snapshot.nodes[found.found]?.bounds ?? null) : null;
  const black = parts.judging.blackenedForOwner(snapshot);
  const png = Buffer.from(looked.screenshot, 'base64');
  const picture = await pictureOf(png, snapshot.display, black, SMALL_SIDE, mark);
  parts.store.pictures.put(row.request_id, 'image/png', picture.png);
}
