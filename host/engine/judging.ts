/**
 * The judge as the engine asks it, for one agent on one phone: a plan becomes a subject, the policy is chosen by
 * the agent's grant, and what may be seen is answered. Not for what words mean (host/judge), for staging (act.ts)
 * or for taking texts out of a screen (veil.ts).
 */
import type { Report } from '../../device-protocol/report.ts';
import type { Bounds, Snapshot } from '../../device-protocol/snapshot.ts';
import type { Verdict } from '../../device-protocol/verdict.ts';
import type { PhonesApi } from '../devices/phone-api.ts';
import { judge } from '../judge/judge.ts';
import { policyFor } from '../judge/load-policy.ts';
import { maskCodes } from '../judge/one-time-codes.ts';
import type { Policy, PolicyBook } from '../judge/policy.ts';
import { factsOf, readSubject } from '../judge/read-subject.ts';
import { type Seeing, seeingOf, visibleTexts } from '../judge/seeing.ts';
import type { JudgedAct } from '../judge/subject.ts';
import type { StoreApi } from '../store/store-api.ts';
import { type Grant, grantOf, reachesApp, seesApp } from './grants.ts';
import type { Look } from './look.ts';
import type { Plan } from './plan.ts';
import { blackenedAreas, type FrontBefore, type NamedApp, veil, veilReport } from './veil.ts';

/** One agent on one phone: how its acts are judged and what it may see, by its grant as it was just now. */
export interface Eyes {
  /** `front`: the app the agent names where the phone could not say which is in front. */
  judge(made: Plan, look: Look, front: string | null): Verdict;
  /** Whether the content of the app in front may be seen. */
  seeing(snapshot: Snapshot): Seeing;
  /** Whether the content of this app may be seen. */
  seesApp(packageName: string | null, activity?: string | null): boolean;
  /** Areas of a picture that this agent may not see, display pixels. */
  blackened(snapshot: Snapshot): Bounds[];
  /** An outcome's report as the agent may see it: nothing of a withheld app's screen, codes masked. */
  veiledReport(report: Report, before: FrontBefore | null): Report;
  /** The snapshot with the texts of withheld apps taken out and one-time codes masked. */
  veiled(snapshot: Snapshot, apps?: readonly NamedApp[]): Snapshot;
  /** One text of an app's screen; null where the app is withheld. */
  veiledText(text: string, packageName: string | null): string | null;
  /** Reasons without the screen's words where the app is withheld. */
  veiledVerdict(verdict: Verdict, packageName: string | null, activity: string | null): Verdict;
  /** What stands on the clipboard: a code there has no words around it that would say what it is. */
  veiledClipboard(text: string): string;
}

export interface Judging {
  readonly book: PolicyBook;
  as(agent: string, deviceId: string): Eyes;
  /** Whether every act in this app is asked about, or none allowed, whatever its words. */
  isAlwaysHigh(packageName: string, activity: string | null): boolean;
  /** Areas of the picture kept for the owner with a staged act: what nobody may see, and codes. */
  blackenedForOwner(snapshot: Snapshot): Bounds[];
}

export interface JudgingGiven {
  readonly book: PolicyBook;
  readonly store: StoreApi;
  readonly phones: Pick<PhonesApi, 'of'>;
}

/** The policy of a grant; `emulator`: the phone is one, or a virtual one. */
export function policyOfGrant(book: PolicyBook, grant: Grant, emulator: boolean): Policy {
  const isShown = (name: string) =>
    seesApp(grant, name) ||
    book.apps
      .of(name)
      .every(({ name: category, see }) => see !== 'withhold' || grant.see.categories.includes(category));
  return policyFor(book, {
    profile: grant.profile,
    hosts: grant.hosts,
    shown: { has: isShown },
    outside: (name) => !reachesApp(grant, name) && !seesApp(grant, name),
    codes_shown: grant.see.codes,
    emulator,
  });
}

export function judgingBy({ book, store, phones }: JudgingGiven): Judging {
  const owners = policyFor(book, { shown: { has: () => true } });
  const isEmulator = (deviceId: string) => {
    const kind = store.devices.get(deviceId)?.kind ?? null;
    return kind === 'virtual' || kind === 'jvm' || phones.of(deviceId)?.can_be_turned_back === true;
  };
  return {
    book,
    as: (agent, deviceId) => eyesBy(policyOfGrant(book, grantOf(store, agent), isEmulator(deviceId))),
    isAlwaysHigh: (name, activity) => book.apps.of(name, activity).some(({ control }) => control !== 'allow'),
    blackenedForOwner: (snapshot) => blackenedAreas(snapshot, owners),
  };
}

export function eyesBy(policy: Policy): Eyes {
  const seesApp: Eyes['seesApp'] = (name, activity = null) => seeingOf(name, activity, policy).see;
  return {
    judge: (made, look, front) => judgePlan(made, look, front, policy),
    seeing: (snapshot) => seeingOf(snapshot.foreground.package, snapshot.foreground.activity, policy),
    seesApp,
    blackened: (snapshot) => blackenedAreas(snapshot, policy),
    veiledReport: (report, before) => veilReport(report, before, policy),
    veiled: (snapshot, apps) => veil(snapshot, policy, apps),
    veiledText: (text, name) => visibleTexts([{ text, package: name }], policy)[0] ?? null,
    veiledVerdict: (verdict, name, activity) =>
      seesApp(name, activity)
        ? verdict
        : {
            ...verdict,
            reasons: verdict.reasons.map((reason) => ({ ...reason, match: '', where: 'withheld' })),
          },
    veiledClipboard: (text) => (policy.codes_shown ? text : maskCodes(text)),
  };
}

function judgePlan(made: Plan, look: Look, front: string | null, policy: Policy): Verdict {
  const seen = look.snapshot;
  const snapshot =
    front === null || seen.foreground.package !== null
      ? seen
      : { ...seen, foreground: { ...seen.foreground, package: front } };
  const judged = judgedActOf(made, look);
  const verdicts = [made.spot?.node ?? null, ...otherNodes(made)].map((node) =>
    judge(readSubject({ snapshot, act: judged, node, guard: guardOf(snapshot) }), policy),
  );
  return verdicts.reduce(mostCareful);
}

/** A ref inside a row: both the words of the ref's own node and those of what takes the touch count (D-23). */
function otherNodes(made: Plan): number[] {
  const spot = made.spot;
  return spot === null || spot.meant === null || spot.meant === spot.node ? [] : [spot.meant];
}

const RANK = { allow: 0, ask: 1, refuse: 2 } as const;

function mostCareful(a: Verdict, b: Verdict): Verdict {
  const careful = RANK[b.decision] > RANK[a.decision] ? b : a;
  return {
    level: a.level === 'high' || b.level === 'high' ? 'high' : 'low',
    decision: careful.decision,
    reasons: [...a.reasons, ...b.reasons.filter((one) => !a.reasons.some((known) => same(known, one)))].slice(
      0,
      24,
    ),
  };
}

const same = (a: Verdict['reasons'][number], b: Verdict['reasons'][number]) =>
  a.class === b.class && a.match === b.match && a.where === b.where;

/** While the phone asks for its owner's secret, nothing is done (risk.md, rule 3). */
function guardOf(snapshot: Snapshot): 'keyguard' | null {
  return snapshot.locked === true ? 'keyguard' : null;
}

function judgedActOf(made: Plan, look: Look): JudgedAct {
  const { act } = made;
  switch (act.kind) {
    case 'tap':
      return { kind: 'tap', count: act.count, by: act.aim.by };
    case 'long_press':
      return { kind: 'long_press', by: act.aim.by };
    case 'swipe': {
      const across = act.to.x - act.from.x;
      const down = act.to.y - act.from.y;
      const sideways = Math.abs(across) > Math.abs(down);
      return {
        kind: 'swipe',
        direction: sideways ? (across > 0 ? 'right' : 'left') : down > 0 ? 'down' : 'up',
      };
    }
    case 'drag': {
      const onto = act.to.by === 'point' ? look.nodeAtPoint(act.to.point.x, act.to.point.y) : null;
      return { kind: 'drag', onto: onto === null ? null : factsOf(look.snapshot, onto) };
    }
    case 'scroll':
      return { kind: 'scroll' };
    case 'set_text':
      return { kind: 'set_text', text: act.text, mode: act.mode, submit: act.submit };
    case 'set_toggle':
      return { kind: 'set_toggle', on: act.on };
    case 'press_key':
      return { kind: 'press_key', key: act.key };
    case 'go':
      return { kind: 'go', to: act.to };
    case 'app_open':
      return { kind: 'app_open', package: act.package };
    case 'link_open':
      return { kind: 'link_open', url: act.url };
    case 'clipboard_write':
      return { kind: 'clipboard_write' };
  }
}
