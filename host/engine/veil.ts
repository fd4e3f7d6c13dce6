/**
 * Takes out of a screen what an agent may not see, before anything is told of it: texts, titles, areas of a
 * picture, parts of a report. Pure. Not for deciding what may be seen (host/judge/seeing.ts).
 */
import { isTicking } from '../../device-protocol/companion/own-words.ts';
import { plainWords } from '../../device-protocol/companion/plain-words.ts';
import { fold } from '../../device-protocol/fold.ts';
import type { Report } from '../../device-protocol/report.ts';
import type { Bounds, Snapshot, SnapshotNode } from '../../device-protocol/snapshot.ts';
import type { Policy } from '../judge/policy.ts';
import { OUTSIDE_GRANT, seeingOf, visibleTexts } from '../judge/seeing.ts';

/** What an agent is told of a screen it may not see: which app, why, what to do. Nothing else of it. */
export function sayWithheld(packageName: string | null, category: string): string {
  const why = category === OUTSIDE_GRANT ? 'not in your grant' : category.replaceAll('_', ' ');
  return `The content of ${packageName ?? 'unknown app'} (${why}) is withheld from you. Go home or back, or ask the owner.`;
}

/** Texts of one node that say something, in the order they are veiled. */
const TEXTS = ['text', 'description', 'hint', 'state', 'pane', 'error'] as const;

/** The system's own window speaks of apps by their names: an icon in the status bar says whose it is, and what. */
const SYSTEM_UI = 'com.android.systemui';

/** An app as it is called on the phone. */
export interface NamedApp {
  readonly package: string;
  readonly label: string;
}

/** Whether each app may be seen, looked up once. */
function seeingEach(policy: Policy): (owner: string | null) => boolean {
  const known = new Map<string | null, boolean>();
  return (owner) => {
    const may = known.get(owner) ?? seeingOf(owner, null, policy).see;
    known.set(owner, may);
    return may;
  };
}

/**
 * Takes out what this agent may not see before anything is told of the snapshot. Nodes keep their places, so
 * that an index means the same in both; those of withheld apps are left with nothing to tell or touch.
 */
export function veil(snapshot: Snapshot, policy: Policy, apps: readonly NamedApp[] = []): Snapshot {
  const ownerOf = (node: SnapshotNode) => node.package ?? snapshot.windows[node.window]?.package ?? null;
  const may = seeingEach(policy);
  // Only what is there and says something: a word for "code" stands beside the code itself, though the time of
  // the message, or a text that is left out, may stand between.
  const places = snapshot.nodes
    .flatMap((node, at) => TEXTS.filter((name) => (node[name] ?? '') !== '').map((name) => ({ at, name })))
    .filter(({ at, name }) => !isTicking(plainWords(snapshot.nodes[at]?.[name])));
  const seen = visibleTexts(
    places.map(({ at, name }) => {
      const node = snapshot.nodes[at] as SnapshotNode;
      return { text: node[name] ?? '', package: ownerOf(node) };
    }),
    policy,
  );
  const hidden = apps.filter((app) => !may(app.package)).map((app) => fold(app.label));
  const namesHidden = (node: SnapshotNode) =>
    ownerOf(node) === SYSTEM_UI &&
    TEXTS.some((name) => {
      const words = fold(node[name] ?? '');
      return words !== '' && hidden.some((label) => label !== '' && words.includes(label));
    });
  const nodes = snapshot.nodes.map((node) =>
    may(ownerOf(node)) && !namesHidden(node) ? { ...node } : emptied(node),
  );
  places.forEach(({ at, name }, place) => {
    const node = nodes[at] as SnapshotNode;
    if (node[name] != null) node[name] = seen[place] ?? null;
  });
  const { foreground } = snapshot;
  return {
    ...snapshot,
    foreground: { ...foreground, title: veilTitle(foreground.title, foreground.package, policy) },
    windows: snapshot.windows.map((window) => ({
      ...window,
      title: veilTitle(window.title, window.package, policy),
    })),
    nodes,
  };
}

/** A node of which nothing may be told: its place stays, so that an index means the same in both. */
function emptied(node: SnapshotNode): SnapshotNode {
  const empty: SnapshotNode = { ...node, flags: [] };
  for (const name of TEXTS) if (node[name] != null) empty[name] = null;
  return empty;
}

function veilTitle(title: string | null, owner: string | null, policy: Policy): string | null {
  return title === null ? null : (visibleTexts([{ text: title, package: owner }], policy)[0] ?? null);
}

/** The app that was in front when the act was planned: what went from the screen was its own. */
export interface FrontBefore {
  readonly package: string | null;
  readonly activity: string | null;
}

export function veilReport(report: Report, before: FrontBefore | null, policy: Policy): Report {
  const front = report.foreground;
  const owner = front?.package ?? null;
  const seesNow = seeingOf(owner, front?.activity ?? null, policy).see;
  const sawBefore = before === null || seeingOf(before.package, before.activity, policy).see;
  const texts = (list: readonly string[], of: string | null) =>
    visibleTexts(
      list.map((text) => ({ text, package: of })),
      policy,
    ).filter((text) => text !== null);
  const { hit, change } = report;
  return {
    ...report,
    read_back: seesNow && sawBefore ? report.read_back : null,
    foreground:
      front === null ? null : { ...front, title: seesNow ? veilTitle(front.title, owner, policy) : null },
    hit:
      hit === null
        ? null
        : {
            ...hit,
            words: seesNow && sawBefore && hit.words !== null ? (texts([hit.words], owner)[0] ?? null) : null,
          },
    change:
      change === null
        ? null
        : {
            ...change,
            appeared: seesNow ? texts(change.appeared, owner) : [],
            gone: sawBefore ? texts(change.gone, before?.package ?? owner) : [],
          },
  };
}

/** Windows of withheld apps, and every node whose text is masked. */
export function blackenedAreas(snapshot: Snapshot, policy: Policy): Bounds[] {
  const windows = snapshot.windows.filter((window) => !seeingOf(window.package, null, policy).see);
  const veiled = veil(snapshot, policy);
  const nodes = snapshot.nodes.filter((node, index) => {
    const shown = veiled.nodes[index];
    return shown !== undefined && TEXTS.some((name) => (shown[name] ?? null) !== (node[name] ?? null));
  });
  return [...windows, ...nodes].map((one) => one.bounds);
}
