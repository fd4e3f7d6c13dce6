/**
 * Which windows count when two looks are compared: those an act can change. Not the bars of the system,
 * whose clock and icons change by themselves, and not our own.
 */
import type { Snapshot, SnapshotWindow } from '../snapshot.ts';

/** The companion's application id; builds with a machine's own key append to it. */
export const COMPANION_PACKAGE = 'dev.countersign.companion';
/** A system window thinner than this share of the display is a bar; the opened shade is not. */
const BAR_SHARE = 0.12;

export function isOurs(window: SnapshotWindow): boolean {
  const name = window.package ?? '';
  return name === COMPANION_PACKAGE || name.startsWith(`${COMPANION_PACKAGE}.`);
}

/** A strip of the system along an edge: status bar, navigation bar, corners. */
export function isBar(snapshot: Snapshot, window: SnapshotWindow): boolean {
  if (window.kind !== 'system') return false;
  const { width, height } = snapshot.display;
  const [left, top, right, bottom] = window.bounds;
  return bottom - top <= height * BAR_SHARE || right - left <= width * BAR_SHARE;
}

/** Indices of the windows whose content an act can change. */
export function countingWindows(snapshot: Snapshot): Set<number> {
  const counting = new Set<number>();
  snapshot.windows.forEach((window, place) => {
    if (isOurs(window) || isBar(snapshot, window) || window.kind === 'split_screen_divider') return;
    counting.add(place);
  });
  return counting;
}
