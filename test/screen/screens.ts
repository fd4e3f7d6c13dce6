/** Small screens written by hand for the tests of this room. Not real recordings (test/support/shared.ts). */
import type {
  Bounds,
  NodeFlag,
  Snapshot,
  SnapshotNode,
  SnapshotWindow,
} from '../../device-protocol/snapshot.ts';

/** A view: what it is called on Android, what it says, what is in it. Enabled and visible unless `not` says so. */
export interface View extends Partial<Omit<SnapshotNode, 'parent' | 'window' | 'bounds' | 'flags'>> {
  readonly at: Bounds;
  readonly is?: readonly NodeFlag[];
  readonly not?: readonly NodeFlag[];
  readonly kids?: readonly View[];
}

export const DISPLAY = { width: 1_080, height: 2_400, rotation: 0 } as const;

/** Windows, the first of them active unless one says so itself. */
export function screenOf(
  windows: readonly (Partial<Omit<SnapshotWindow, 'root'>> & { readonly root: View | null })[],
  facts: Partial<Snapshot> = {},
): Snapshot {
  const nodes: SnapshotNode[] = [];
  const active = windows.findIndex((window) => window.active === true);
  const shown = windows.map((window, place): SnapshotWindow => {
    const root = window.root === null ? null : nodes.length;
    if (window.root !== null) addView(nodes, window.root, -1, place, window.package ?? 'com.example');
    return {
      id: place + 1,
      kind: 'application',
      package: 'com.example',
      title: null,
      bounds: window.root?.at ?? [0, 0, DISPLAY.width, DISPLAY.height],
      layer: windows.length - place,
      active: active < 0 ? place === 0 : place === active,
      focused: active < 0 ? place === 0 : place === active,
      unreadable: window.root === null ? 'no_root' : null,
      ...window,
      ...{ root },
    };
  });
  const front = shown.find((window) => window.active);
  return {
    taken_at_ms: 0,
    display: DISPLAY,
    locale: 'en',
    screen_on: true,
    locked: false,
    secure_lock: false,
    foreground: { package: front?.package ?? null, activity: null, title: front?.title ?? null, user: 0 },
    windows: shown,
    nodes,
    unknown_facts: [],
    losses: [],
    ...facts,
  };
}

/** One application window. */
export function screen(root: View, facts: Partial<Snapshot> = {}): Snapshot {
  return screenOf([{ root }], facts);
}

function addView(nodes: SnapshotNode[], view: View, parent: number, window: number, owner: string): void {
  const { at, is = [], not = [], kids = [], ...facts } = view;
  const flags = (['enabled', 'visible', ...is] as NodeFlag[]).filter((flag) => !not.includes(flag));
  nodes.push({
    parent,
    window,
    class_name: 'android.view.View',
    resource_id: null,
    package: owner,
    text: null,
    description: null,
    ...facts,
    bounds: at,
    flags,
  });
  const index = nodes.length - 1;
  for (const kid of kids) addView(nodes, kid, index, window, owner);
}

export const text = (words: string, at: Bounds, more: Partial<View> = {}): View => ({
  class_name: 'android.widget.TextView',
  text: words,
  at,
  ...more,
});

export const button = (words: string, at: Bounds, more: Partial<View> = {}): View => ({
  class_name: 'android.widget.Button',
  text: words,
  at,
  is: ['clickable', 'focusable'],
  ...more,
});

/** A full-screen column around views. */
export const column = (kids: readonly View[], more: Partial<View> = {}): View => ({
  class_name: 'android.widget.FrameLayout',
  at: [0, 0, DISPLAY.width, DISPLAY.height],
  kids,
  ...more,
});

export const ROW_HEIGHT = 160;

/** A list of rows below a toolbar of 200 pixels; rows that do not fit are left out, as Android does. */
export function listScreen(rows: readonly View[], title = 'Inbox', facts: Partial<Snapshot> = {}): Snapshot {
  const placed = rows.flatMap((row, place) => {
    const top = 200 + place * ROW_HEIGHT;
    return top + ROW_HEIGHT <= DISPLAY.height ? [movedTo(row, top)] : [];
  });
  return screen(
    column([
      text(title, [40, 60, 600, 140], { resource_id: 'com.example:id/title' }),
      {
        class_name: 'androidx.recyclerview.widget.RecyclerView',
        resource_id: 'com.example:id/list',
        at: [0, 200, DISPLAY.width, DISPLAY.height],
        is: ['scrollable', 'focusable'],
        kids: placed,
      },
    ]),
    facts,
  );
}

/** A row with its words and, if wanted, a button of its own; written for top 0. */
export function row(words: readonly string[], action: string | null = null): View {
  const height = Math.floor(ROW_HEIGHT / Math.max(1, words.length));
  return {
    class_name: 'android.view.ViewGroup',
    resource_id: 'com.example:id/row',
    at: [0, 0, DISPLAY.width, ROW_HEIGHT],
    is: ['clickable', 'focusable'],
    kids: [
      ...words.map((one, place) => text(one, [40, place * height, 800, (place + 1) * height])),
      ...(action === null
        ? []
        : [button(action, [860, 20, 1_060, 140], { resource_id: 'com.example:id/action' })]),
    ],
  };
}

export function movedTo(view: View, top: number): View {
  const [left, from, right, to] = view.at;
  return {
    ...view,
    at: [left, from + top, right, to + top],
    ...(view.kids === undefined ? {} : { kids: view.kids.map((kid) => movedTo(kid, top)) }),
  };
}

/** Index of the only node that fits; fails where there is none or more than one. */
export function indexOf(snapshot: Snapshot, fits: (node: SnapshotNode, index: number) => boolean): number {
  const found = snapshot.nodes.flatMap((node, index) => (fits(node, index) ? [index] : []));
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${found.length} nodes fit`);
  return only;
}

export const withText =
  (words: string) =>
  (node: SnapshotNode): boolean =>
    node.text === words;

/** The node around the only one with these words. */
export function aroundText(snapshot: Snapshot, words: string): number {
  return snapshot.nodes[indexOf(snapshot, withText(words))]?.parent ?? -1;
}
