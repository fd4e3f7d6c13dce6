/**
 * The companion's body on a virtual phone: looks, checks before an act, carries it out. Not for records,
 * policy or approval (device-protocol/companion).
 */

import { findIn } from '../../../device-protocol/companion/find-target.ts';
import type {
  ActEnd,
  ActRun,
  Clipboard,
  CompanionBody,
  InstalledApp,
  Look,
  LookRequest,
} from '../../../device-protocol/companion/ports.ts';
import { SETTLE_TIMES } from '../../../device-protocol/companion/settle.ts';
import { shownIn } from '../../../device-protocol/companion/shown.ts';
import { nodeAt as hitAt, touchMapOf } from '../../../device-protocol/companion/tap-point.ts';
import { isAncestor, treeOf } from '../../../device-protocol/companion/tree.ts';
import type { Act, Aim, Payload } from '../../../device-protocol/payload.ts';
import type { Refusal } from '../../../device-protocol/refusals.ts';
import { type Foreground, has, type Snapshot } from '../../../device-protocol/snapshot.ts';
import type { Target } from '../../../device-protocol/target.ts';
import type { PhoneClock } from '../clock.ts';
import type { Glass } from '../glass.ts';
import { ACTS } from './acts.ts';
import { Run } from './run.ts';
import { nodeAt } from './senses.ts';
import { awaitRest, marked, type Rest } from './settling.ts';

export type Shot = Pick<Look, 'screenshot' | 'screenshot_refused'>;

export interface Camera {
  /** PNG of the glass in base64, or why there is none. */
  take(end: (shot: Shot) => void): void;
}

export class Hands implements CompanionBody {
  private readonly glass: Glass;
  private readonly clock: PhoneClock;
  private readonly camera: Camera;

  constructor(of: { glass: Glass; clock: PhoneClock; camera: Camera }) {
    this.glass = of.glass;
    this.clock = of.clock;
    this.camera = of.camera;
  }

  foreground(): Foreground {
    return this.glass.look().foreground;
  }

  lastPersonTouchMs(): number | null {
    return this.glass.personTouchedMs();
  }

  check(payload: Payload): Refusal | null {
    const { act, expect } = payload;
    // Home and Back lead out of anything, so they are never held up by what is in front.
    if (act.kind === 'go' && (act.to === 'home' || act.to === 'back')) return null;
    const snapshot = this.glass.look();
    if (snapshot.locked === true) return 'device_locked';
    const { foreground } = snapshot;
    if (expect.package !== null) {
      if (foreground.package === null) return 'foreground_unknown';
      if (foreground.package !== expect.package) return 'foreground_changed';
    }
    if (expect.window_title !== null && foreground.title !== expect.window_title) return 'foreground_changed';
    const tree = treeOf(snapshot);
    let first: number | null = null;
    for (const { target, point } of sightsOf(act)) {
      const found = findIn(tree, target);
      if (!('found' in found)) return found.refused;
      first ??= found.found;
      if (!has(nodeAt(snapshot, found.found), 'enabled')) return 'target_disabled';
      // What was seen under a point must still lie under it, itself or something inside it.
      if (point === null) continue;
      const { node } = hitAt(touchMapOf(tree), point.x, point.y);
      const same =
        node !== null &&
        (node === found.found ||
          isAncestor(snapshot, found.found, node) ||
          isAncestor(snapshot, node, found.found));
      if (!same) return 'target_changed';
    }
    if (expect.shown_print !== null) {
      const from = first ?? snapshot.windows.find((window) => window.active)?.root ?? null;
      if (from === null || shownIn(tree, from).print !== expect.shown_print) return 'target_changed';
    }
    return null;
  }

  perform(run: ActRun, end: (end: ActEnd) => void): void {
    const doing = new Run({ glass: this.glass, clock: this.clock, run, end });
    const high = run.payload.verdict.level === 'high';
    const { kind } = run.act;
    // The table has a row for each kind, typed by that kind; the compiler cannot follow the union through it.
    (ACTS[kind] as (act: Act, run: Run, high: boolean) => void)(run.act, doing, high);
  }

  look(request: LookRequest, end: (look: Look) => void): void {
    const answer = (snapshot: Snapshot, rest: Rest | null) => {
      const looked = {
        snapshot,
        settled: rest?.settled ?? null,
        settle_ms: rest?.tookMs ?? null,
        settle_reason: rest?.reason ?? null,
      };
      if (request.screenshot) this.camera.take((shot) => end({ ...looked, ...shot }));
      else end({ ...looked, screenshot: null, screenshot_refused: null });
    };
    const first = this.glass.look();
    if (request.settle_ms === 0) {
      answer(marked(first), null);
      return;
    }
    const { quiet_ms } = SETTLE_TIMES;
    const rule = { reaction_ms: quiet_ms, quiet_ms, ceiling_ms: request.settle_ms };
    awaitRest(this.glass, this.clock, rule, first, (rest) => answer(rest.after, rest));
  }

  listApps(end: (apps: InstalledApp[]) => void): void {
    end(this.glass.apps());
  }

  readClipboard(end: (clipboard: Clipboard) => void): void {
    const text = this.glass.clipboard();
    end({ text, refused: text === null ? 'empty' : null });
  }
}

interface Sight {
  readonly target: Target;
  readonly point: { readonly x: number; readonly y: number } | null;
}
const seen = (target: Target | null, point: Sight['point'] = null): Sight[] =>
  target === null ? [] : [{ target, point }];
const aimed = (aim: Aim): Sight[] => (aim.by === 'element' ? seen(aim.target) : seen(aim.under, aim.point));

/** Every element an act was aimed at, or that was seen under its point. */
function sightsOf(act: Act): Sight[] {
  switch (act.kind) {
    case 'tap':
    case 'long_press':
      return aimed(act.aim);
    case 'drag':
      return [...aimed(act.from), ...aimed(act.to)];
    case 'swipe':
      return seen(act.under, act.from);
    case 'scroll':
    case 'set_text':
    case 'set_toggle':
      return seen(act.target);
    case 'press_key':
      return seen(act.focused);
    default:
      return [];
  }
}
