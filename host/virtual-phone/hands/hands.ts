/**
 * The companion's body on a virtual phone: looks, checks before an act, carries it out. Not for records,
 * policy or approval (device-protocol/companion).
 */

import type {
  ActEnd,
  ActRun,
  Clipboard,
  CompanionBody,
  InstalledApp,
  Look,
  LookRequest,
} from '../../../device-protocol/companion/ports.ts';
import type { Act, Payload } from '../../../device-protocol/payload.ts';
import { type Foreground, has } from '../../../device-protocol/snapshot.ts';
import type { Target } from '../../../device-protocol/target.ts';
import type { PhoneClock } from '../clock.ts';
import type { Glass } from '../glass.ts';
import { ACTS } from './acts.ts';
import { type Finding, findTarget, shownPrint } from './finding.ts';
import { Run } from './run.ts';
import { nodeAt } from './senses.ts';
import { awaitRest, type Rest } from './settling.ts';

/** A look that waits for rest uses this quiet; the act's own comes in its payload. */
const LOOK_QUIET_MS = 400;

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

  check(payload: Payload): string | null {
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
    if (expect.shown_print !== null && shownPrint(snapshot) !== expect.shown_print) return 'target_changed';
    for (const target of targetsOf(act)) {
      const found = findTarget(snapshot, target);
      if (!found.ok) return found.code;
      if (!has(nodeAt(snapshot, found.node), 'enabled')) return 'target_disabled';
    }
    return null;
  }

  perform(run: ActRun, end: (end: ActEnd) => void): void {
    const doing = new Run({ glass: this.glass, clock: this.clock, run, end });
    const high = run.payload.verdict.level === 'high';
    const { kind } = run.act;
    // The table has a row for each kind, typed by that kind; the compiler cannot follow the union through it.
    (ACTS[kind] as (act: Act, run: Run, finding: Finding, high: boolean) => void)(
      run.act,
      doing,
      findTarget,
      high,
    );
  }

  look(request: LookRequest, end: (look: Look) => void): void {
    const answer = (rest: Rest | null) => {
      const snapshot = this.glass.look();
      const seen = {
        snapshot,
        settled: rest?.settled ?? null,
        settle_ms: rest?.tookMs ?? null,
        settle_reason: rest?.reason ?? null,
      };
      if (request.screenshot) this.camera.take((shot) => end({ ...seen, ...shot }));
      else end({ ...seen, screenshot: null, screenshot_refused: null });
    };
    if (request.settle_ms === 0) {
      answer(null);
      return;
    }
    const rule = { reaction_ms: LOOK_QUIET_MS, quiet_ms: LOOK_QUIET_MS, ceiling_ms: request.settle_ms };
    awaitRest(this.glass, this.clock, rule, answer);
  }

  listApps(end: (apps: InstalledApp[]) => void): void {
    end(this.glass.apps());
  }

  readClipboard(end: (clipboard: Clipboard) => void): void {
    const text = this.glass.clipboard();
    end({ text, refused: text === null ? 'empty' : null });
  }
}

/** Every element an act was aimed at or was seen under its point. */
function targetsOf(act: Act): Target[] {
  switch (act.kind) {
    case 'tap':
    case 'long_press':
      return aimed(act.aim);
    case 'drag':
      return [...aimed(act.from), ...aimed(act.to)];
    case 'swipe':
      return act.under === null ? [] : [act.under];
    case 'scroll':
      return act.target === null ? [] : [act.target];
    case 'set_text':
    case 'set_toggle':
      return [act.target];
    case 'press_key':
      return act.focused === null ? [] : [act.focused];
    default:
      return [];
  }
}

function aimed(aim: Extract<Act, { kind: 'tap' }>['aim']): Target[] {
  if (aim.by === 'element') return [aim.target];
  return aim.under === null ? [] : [aim.under];
}
