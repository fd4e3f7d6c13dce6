/**
 * The accessibility snapshot of the small Android: the windows' facts as one flat list, and which view each
 * node is. Not for input (input.ts).
 */
import type { Bounds, NodeFlag, Snapshot, SnapshotWindow } from '../../../device-protocol/snapshot.ts';
import { addBox, addNode, type Facts } from './facts.ts';
import type { At } from './input.ts';
import { activeWindow, displaySize, type PhoneWindow, windowsOf } from './windows.ts';
import type { Catalogue, World } from './world.ts';

export interface Seen {
  readonly snapshot: Snapshot;
  /** The view of each node; null for scaffolding that no app wrote. */
  readonly at: readonly (At | null)[];
  readonly windows: readonly PhoneWindow[];
}

export function snapshotOf(catalogue: Catalogue, world: World): Seen {
  const windows = windowsOf(catalogue, world);
  const active = activeWindow(windows);
  const facts: Facts = { nodes: [], boxes: [] };
  const at: (At | null)[] = [];
  const shown: SnapshotWindow[] = windows.map((window, index) => {
    const root = facts.nodes.length;
    addWindow(facts, window, index, world);
    while (at.length < facts.nodes.length) {
      const box = facts.boxes[at.length];
      at.push(box === null || box === undefined ? null : { window: window.key, path: box.path });
    }
    return {
      id: idOf(window.key),
      kind: window.kind,
      package: window.package,
      title: window.title,
      bounds: window.bounds,
      layer: window.layer,
      active: window === active,
      focused: window === active,
      root,
      unreadable: null,
    };
  });
  const size = displaySize(world);
  const snapshot: Snapshot = {
    taken_at_ms: world.now,
    display: { ...size, rotation: world.rotation },
    locale: world.language,
    screen_on: world.screenOn,
    locked: world.locked,
    secure_lock: world.pin !== null,
    foreground: {
      package: active?.package ?? null,
      activity: active?.activity == null ? null : `${active.package}.${active.activity}`,
      title: active?.title ?? null,
      user: 0,
    },
    windows: shown,
    nodes: facts.nodes,
    unknown_facts: [],
    losses: [],
  };
  return { snapshot, at, windows };
}

/** The decor every window has around what the app itself puts there. */
function addWindow(facts: Facts, window: PhoneWindow, index: number, world: World): void {
  const focus = world.focus?.window === window.key ? world.focus.path : null;
  const place = { window: index, package: window.package, toolkit: window.toolkit, focus };
  const flags: NodeFlag[] = ['enabled', 'visible'];
  const around = (parent: number, bounds: Bounds, more: object = {}) =>
    addNode(facts, place, parent, null, { bounds, flags: [...flags], ...more });
  const root = around(-1, window.bounds);
  if (window.kind !== 'application') {
    addBox(facts, place, root, window.root);
    return;
  }
  const content = around(root, window.root.bounds, { resource_id: 'android:id/content' });
  if (window.toolkit !== 'compose') {
    addBox(facts, place, content, window.root);
    return;
  }
  const host = around(content, window.root.bounds, {
    class_name: 'androidx.compose.ui.platform.ComposeView',
  });
  addBox(facts, place, host, window.root);
}

/** A number for a window that stays the same as long as the window does. */
function idOf(key: string): number {
  let id = 17;
  for (const letter of key) id = (id * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return id;
}
