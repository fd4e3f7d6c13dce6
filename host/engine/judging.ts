/**
 * The judge as the engine asks it: a plan becomes a subject, the policy of agent and phone is chosen, and
 * what may be seen is answered. Not for what words mean (host/judge) or for staging (act.ts).
 */
import type { Report } from '../../device-protocol/report.ts';
import type { Bounds, Snapshot, SnapshotNode } from '../../device-protocol/snapshot.ts';
import type { Verdict } from '../../device-protocol/verdict.ts';
import { judge } from '../judge/judge.ts';
import { policyFor } from '../judge/load-policy.ts';
import type { Policy, PolicyBook } from '../judge/policy.ts';
import { factsOf, readSubject } from '../judge/read-subject.ts';
import { type Seeing, seeingOf, visibleTexts } from '../judge/seeing.ts';
import type { JudgedAct } from '../judge/subject.ts';
import type { Look } from './look.ts';
import type { Plan } from './plan.ts';

export interface Judging {
  /** `front`: the app the agent names where the phone could not say which is in front. */
  judge(made: Plan, look: Look, front: string | null): Verdict;
  /** Whether the content of the app in front may be seen. */
  seeing(snapshot: Snapshot): Seeing;
  /** Areas of a picture that this agent may not see, display pixels. */
  blackened(snapshot: Snapshot): Bounds[];
  /** An outcome's report as the agent may see it: nothing of a withheld app's screen, codes masked. */
  veiledReport(report: Report): Report;
  /** The snapshot with the texts of withheld apps taken out and one-time codes masked. */
  veiled(snapshot: Snapshot): Snapshot;
}

export function judgingBy(book: PolicyBook): Judging {
  // Agents have no profiles of their own yet: everyone gets the default one.
  const policy = policyFor(book);
  return {
    judge: (made, look, front) => judgePlan(made, look, front, policy),
    seeing: (snapshot) => seeingOf(snapshot.foreground.package, snapshot.foreground.activity, policy),
    blackened: (snapshot) => blackenedAreas(snapshot, policy),
    veiledReport: (report) => veilReport(report, policy),
    veiled: (snapshot) => veil(snapshot, policy),
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

/** Texts of one node that say something, in the order they are veiled. */
const TEXTS = ['text', 'description', 'hint', 'state', 'pane', 'error'] as const;

/**
 * Takes out what this agent may not see before anything is told of the snapshot. Nodes keep their places, so
 * that an index means the same in both; those of withheld apps are left with nothing to tell or touch.
 */
function veil(snapshot: Snapshot, policy: Policy): Snapshot {
  const ownerOf = (node: SnapshotNode) => node.package ?? snapshot.windows[node.window]?.package ?? null;
  const seeing = new Map<string | null, boolean>();
  const mayList = (owner: string | null) => {
    const known = seeing.get(owner) ?? seeingOf(owner, null, policy).see;
    seeing.set(owner, known);
    return known;
  };
  const texts = snapshot.nodes.flatMap((node) =>
    TEXTS.map((name) => ({ text: node[name] ?? '', package: ownerOf(node) })),
  );
  const seen = visibleTexts(texts, policy);
  return {
    ...snapshot,
    nodes: snapshot.nodes.map((node, at) => {
      const veiled: SnapshotNode = { ...node };
      TEXTS.forEach((name, place) => {
        if (node[name] != null) veiled[name] = seen[at * TEXTS.length + place] ?? null;
      });
      return mayList(ownerOf(node)) ? veiled : { ...veiled, flags: [] };
    }),
  };
}

function veilReport(report: Report, policy: Policy): Report {
  const front = report.foreground;
  const see = seeingOf(front?.package ?? null, front?.activity ?? null, policy).see;
  const only = (texts: readonly string[]) =>
    see
      ? visibleTexts(
          texts.map((text) => ({ text, package: front?.package ?? null })),
          policy,
        ).filter((text) => text !== null)
      : [];
  return {
    ...report,
    read_back: see ? report.read_back : null,
    foreground: front === null || see ? front : { ...front, title: null },
    hit: report.hit === null || see ? report.hit : { ...report.hit, words: null },
    change:
      report.change === null
        ? null
        : { ...report.change, appeared: only(report.change.appeared), gone: only(report.change.gone) },
  };
}

/** Windows of withheld apps, and every node whose text is masked. */
function blackenedAreas(snapshot: Snapshot, policy: Policy): Bounds[] {
  const windows = snapshot.windows.filter((window) => !seeingOf(window.package, null, policy).see);
  const veiled = veil(snapshot, policy);
  const nodes = snapshot.nodes.filter((node, index) => {
    const shown = veiled.nodes[index];
    return shown !== undefined && (shown.text !== node.text || shown.description !== node.description);
  });
  return [...windows, ...nodes].map((one) => one.bounds);
}
