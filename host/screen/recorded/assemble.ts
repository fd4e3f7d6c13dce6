/**
 * Makes a snapshot of the nodes a recording held: windows by their roots, limits with what they cut, and
 * which facts nobody can know. A recording knows no windows, so their kinds are told by what is in them.
 */
import { LIMITS } from '../../../device-protocol/limits.ts';
import type {
  Bounds,
  Snapshot,
  SnapshotNode,
  SnapshotWindow,
  WindowKind,
} from '../../../device-protocol/snapshot.ts';
import type { RawNode, RawScreen } from './raw-node.ts';

const NO_BOUNDS: Bounds = [0, 0, 0, 0];

export function assemble(raw: RawScreen): Snapshot {
  const kept = withinLimits(raw);
  const roots = kept.flatMap((node, index) => (node.parent < 0 ? [index] : []));
  const windowOf = windowsByRoot(kept, roots);
  const nodes = kept.map((node, index) => snapshotNode(node, windowOf[index] ?? 0, raw));
  const size = raw.size ?? { width: 0, height: 0 };
  // What a recording calls its size may leave bars out; windows reach under them.
  const display = {
    width: Math.max(size.width, farthest(kept, roots, 2)),
    height: Math.max(size.height, farthest(kept, roots, 3)),
    rotation: raw.rotation,
  };
  const windows = windowsOf(kept, roots, display);
  const front = windows.find((window) => window.active) ?? null;
  const frontPackage = raw.activity?.package ?? front?.package ?? null;
  return {
    taken_at_ms: 0,
    display,
    locale: null,
    screen_on: null,
    locked: null,
    secure_lock: null,
    foreground: {
      package: frontPackage,
      activity: raw.activity?.activity ?? null,
      title: null,
      user: null,
    },
    windows,
    nodes,
    unknown_facts: [...new Set(raw.unknown)],
    losses: raw.losses.all(),
  };
}

/** Nodes within the limits of a snapshot; a node that goes takes what is below it along. */
function withinLimits(raw: RawScreen): readonly RawNode[] {
  const depth: number[] = [];
  const place: number[] = [];
  const kept: RawNode[] = [];
  let roots = 0;
  for (const [index, node] of raw.nodes.entries()) {
    const level = node.parent < 0 ? 0 : (depth[node.parent] ?? 0) + 1;
    depth[index] = level;
    place[index] = -1;
    if (node.parent < 0) roots += 1;
    const parent = node.parent < 0 ? -1 : (place[node.parent] ?? -1);
    if (node.parent >= 0 && parent < 0) {
      raw.losses.add(level > LIMITS.snapshotDepth ? 'depth_cut' : 'nodes_cut');
    } else if (level > LIMITS.snapshotDepth) {
      raw.losses.add('depth_cut', 1, `deeper than ${LIMITS.snapshotDepth}`);
    } else if (node.parent < 0 && roots > LIMITS.windows) {
      raw.losses.add('windows_cut', 1, `more than ${LIMITS.windows}`);
    } else if (kept.length >= LIMITS.snapshotNodes) {
      raw.losses.add('nodes_cut', 1, `more than ${LIMITS.snapshotNodes}`);
    } else {
      place[index] = kept.length;
      kept.push({ ...node, parent });
    }
  }
  return kept;
}

function windowsByRoot(nodes: readonly RawNode[], roots: readonly number[]): number[] {
  const windowOf: number[] = [];
  nodes.forEach((node, index) => {
    windowOf[index] = node.parent < 0 ? roots.indexOf(index) : (windowOf[node.parent] ?? 0);
  });
  return windowOf;
}

function snapshotNode(node: RawNode, window: number, raw: RawScreen): SnapshotNode {
  const texts = { text: node.text, description: node.description, hint: node.hint, pane: node.pane };
  let cut = 0;
  for (const [name, value] of Object.entries(texts)) {
    if (value === null || value.length <= LIMITS.nodeText) continue;
    const end = LIMITS.nodeText - (/[\uD800-\uDBFF]/.test(value[LIMITS.nodeText - 1] ?? '') ? 1 : 0);
    texts[name as keyof typeof texts] = value.slice(0, end);
    raw.losses.add('text_cut', 1, `longer than ${LIMITS.nodeText}`);
    if (name === 'text') cut = value.length - end;
  }
  // Only visible nodes are in a file that does not speak of visibility (uiautomator leaves the others out).
  const flags = raw.unknown.includes('visible') ? [...node.flags, 'visible' as const] : [...node.flags];
  return {
    parent: node.parent,
    window,
    class_name: node.className,
    resource_id: node.resourceId,
    package: node.package,
    text: texts.text,
    description: texts.description,
    ...(texts.hint === null ? {} : { hint: texts.hint }),
    ...(texts.pane === null ? {} : { pane: texts.pane }),
    bounds: node.bounds ?? NO_BOUNDS,
    flags,
    ...(node.drawingOrder === null ? {} : { drawing_order: node.drawingOrder }),
    ...(cut === 0 ? {} : { text_cut: cut }),
  };
}

const FAR = 100_000;
const LAYER: Record<WindowKind, number> = {
  unknown: 0,
  application: 0,
  split_screen_divider: 1,
  input_method: 2,
  system: 3,
  accessibility_overlay: 4,
};

function farthest(nodes: readonly RawNode[], roots: readonly number[], edge: 2 | 3): number {
  const edges = roots.map((root) => nodes[root]?.bounds?.[edge] ?? 0).filter((at) => at > 0 && at < FAR);
  return Math.max(0, ...edges);
}

function windowsOf(
  nodes: readonly RawNode[],
  roots: readonly number[],
  display: { width: number; height: number },
): SnapshotWindow[] {
  const kinds = roots.map((_, place) => kindOf(nodes, roots, place, display));
  const area = (place: number) => {
    const [left, top, right, bottom] = nodes[roots[place] as number]?.bounds ?? NO_BOUNDS;
    return Math.max(0, right - left) * Math.max(0, bottom - top);
  };
  const places = roots.map((_, place) => place);
  const largest = (of: readonly number[]) => of.toSorted((a, b) => area(b) - area(a))[0];
  const front = largest(places.filter((place) => kinds[place] === 'application')) ?? largest(places) ?? -1;
  return roots.map((root, place) => ({
    id: nodes[root]?.windowId ?? place,
    kind: kinds[place] as WindowKind,
    package: nodes[root]?.package ?? null,
    title: null,
    bounds: nodes[root]?.bounds ?? NO_BOUNDS,
    // Recordings list windows in any order; Android stacks them by kind.
    layer: LAYER[kinds[place] as WindowKind] * LIMITS.windows + roots.length - 1 - place,
    active: place === front,
    focused: place === front,
    root,
    unreadable: null,
  }));
}

/**
 * A keyboard never comes alone and never reaches to the top. It is known by the input area that Android's own
 * InputMethodService puts into every one (an id that MIUI's search bar has, too), or by its package.
 */
function kindOf(
  nodes: readonly RawNode[],
  roots: readonly number[],
  place: number,
  display: { width: number; height: number },
): WindowKind {
  const root = roots[place] as number;
  const name = nodes[root]?.package ?? '';
  const [left, top, right] = nodes[root]?.bounds ?? NO_BOUNDS;
  if (roots.length > 1 && top > 0 && right - left >= display.width) {
    if (/inputmethod|keyboard|\.ime(\.|$)/i.test(name)) return 'input_method';
    const end = roots[place + 1] ?? nodes.length;
    for (let index = root; index < end; index += 1) {
      if (nodes[index]?.resourceId === 'android:id/inputArea') return 'input_method';
    }
  }
  return name === 'com.android.systemui' ? 'system' : 'application';
}
