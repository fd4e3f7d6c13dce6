/** Stands in until the companion's own finding, change and tap points are there. */
import type { Change } from '../../../device-protocol/report.ts';
import { has, type Snapshot } from '../../../device-protocol/snapshot.ts';
import type { Target } from '../../../device-protocol/target.ts';

export type Found =
  | { readonly ok: true; readonly node: number; readonly relocated: boolean }
  | { readonly ok: false; readonly code: string };

export type Finding = (snapshot: Snapshot, target: Target) => Found;

const fold = (text: string | null | undefined) => (text ? text.normalize('NFKC').toLowerCase().trim() : null);

export function findTarget(snapshot: Snapshot, target: Target): Found {
  const equal = snapshot.nodes.flatMap((node, index) => {
    if (node.class_name !== target.class_name || node.resource_id !== target.resource_id) return [];
    if (!has(node, 'visible')) return [];
    const words = fold(node.text) ?? fold(node.description);
    return target.words === null || has(node, 'editable') || words === fold(target.words) ? [index] : [];
  });
  const node = equal[target.place.index];
  if (equal.length === 0 || node === undefined) return { ok: false, code: 'target_stale' };
  if (equal.length !== target.place.count) return { ok: false, code: 'target_ambiguous' };
  return { ok: true, node, relocated: false };
}

export function changeBetween(before: Snapshot, after: Snapshot): { changed: boolean; change: Change } {
  const words = (s: Snapshot) => s.nodes.map((n) => n.text ?? n.description ?? '').filter((w) => w !== '');
  const [a, b] = [words(before), words(after)];
  const appeared = b
    .filter((w) => !a.includes(w))
    .slice(0, 12)
    .map((w) => w.slice(0, 300));
  const gone = a
    .filter((w) => !b.includes(w))
    .slice(0, 12)
    .map((w) => w.slice(0, 300));
  const title = (s: Snapshot) => JSON.stringify(s.windows.map((w) => [w.id, w.title]));
  const change: Change = {
    window: title(before) !== title(after),
    content: appeared.length + gone.length > 0,
    text: false,
    focus: false,
    scroll: false,
    appeared,
    gone,
  };
  return { changed: JSON.stringify(before.nodes) !== JSON.stringify(after.nodes), change };
}

export function freeTapPoint(snapshot: Snapshot, node: number): { x: number; y: number } | null {
  const bounds = snapshot.nodes[node]?.bounds;
  if (bounds === undefined) return null;
  return { x: Math.floor((bounds[0] + bounds[2]) / 2), y: Math.floor((bounds[1] + bounds[3]) / 2) };
}

export function shownPrint(_snapshot: Snapshot): string | null {
  return null;
}
