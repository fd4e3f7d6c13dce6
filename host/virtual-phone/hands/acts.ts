/**
 * What each kind of act does with the glass, in node actions where it can and gestures where it must. Not
 * for whether it may (hands.ts, check) nor for the report's shape (run.ts).
 */

import { findTarget } from '../../../device-protocol/companion/find-target.ts';
import { says } from '../../../device-protocol/companion/says.ts';
import { tapPointOf } from '../../../device-protocol/companion/tap-point.ts';
import { touchedBy, treeOf } from '../../../device-protocol/companion/tree.ts';
import type { Act, ActKind, Aim } from '../../../device-protocol/payload.ts';
import { has, type Snapshot } from '../../../device-protocol/snapshot.ts';
import type { Target } from '../../../device-protocol/target.ts';
import type { Learnt, Run } from './run.ts';
import { atEdge, contentOf, largestScrollable, nearestWith, nodeAt } from './senses.ts';

type ActOf<K extends ActKind> = Extract<Act, { kind: K }>;
/** How an act is done; targets were found and are found again here, in the look the run began with. */
type Doing<K extends ActKind> = (act: ActOf<K>, run: Run, high: boolean) => void;

/** A tap is short, a double tap comes within ViewConfiguration's 300 ms, a hold beyond its 400 ms. */
const TAP_MS = 60;
const BETWEEN_TAPS_MS = 100;

interface Spot {
  readonly node: number | null;
  readonly point: { readonly x: number; readonly y: number } | null;
  readonly strategy: 'ref' | 'relocated' | 'coordinates';
}

function spotOf(aim: Aim, run: Run): Spot | null {
  if (aim.by === 'point') {
    const node = aim.under === null ? null : nodeFound(run.before, aim.under);
    return { node, point: aim.point, strategy: 'coordinates' };
  }
  const found = findTarget(run.before, aim.target);
  if (!('found' in found)) return null;
  const taker = touchedBy(run.before, found.found) ?? found.found;
  const point = tapPointOf(run.before, taker);
  return { node: found.found, point: 'x' in point ? point : null, strategy: found.strategy };
}

function nodeFound(snapshot: Snapshot, target: Target): number | null {
  const found = findTarget(snapshot, target);
  return 'found' in found ? found.found : null;
}

/** Scrolls on until the words are seen, nothing moves any more, or the budget is used. */
function scrollUntil(
  until: { readonly words: string; readonly most: number },
  first: number,
  forward: boolean,
  again: () => number | null,
  run: Run,
): void {
  const ending = (why: 'found' | 'end_reached' | 'budget_used', scrolls: number): Learnt => ({
    acted: true,
    at_edge: why === 'end_reached' ? true : null,
    until: { why, scrolls },
  });
  if (says(treeOf(run.before), until.words)) {
    run.nothingDone(ending('found', 0));
    return;
  }
  const step = (node: number, scrolls: number): void =>
    run.give({ do: 'scroll', node, forward }, (took) =>
      run.settle((rest) => {
        const done = scrolls + (took ? 1 : 0);
        const list = again();
        if (says(treeOf(rest.after), until.words)) run.report(rest, ending('found', done));
        else if (!took || list === null) run.report(rest, ending('end_reached', done));
        else if (done >= until.most || run.nearlyOver()) run.report(rest, ending('budget_used', done));
        else step(list, done);
      }),
    );
  step(first, 0);
}

const stale = { acted: false, error_code: 'target_stale' } as const;

export const ACTS: { readonly [K in ActKind]: Doing<K> } = {
  tap(act, run, high) {
    const spot = spotOf(act.aim, run);
    if (spot === null) return run.nothingDone(stale);
    const clickable = spot.node === null ? null : nearestWith(run.before, spot.node, 'clickable');
    // A node action cannot land on a neighbour; a point is only pressed where a point was asked for.
    const byNode = act.count === 1 && clickable !== null && (act.aim.by === 'element' || high);
    if (byNode && clickable !== null) {
      run.aims(spot.strategy, clickable, 'node_action');
      return run.give({ do: 'click', node: clickable }, (took) => run.finish(took));
    }
    if (high) return run.nothingDone({ acted: false, error_code: 'act_turned_down' });
    const { point } = spot;
    if (point === null) return run.nothingDone({ acted: false, error_code: 'target_covered' });
    run.aims(spot.strategy, clickable ?? spot.node, 'gesture');
    const tap = { input: { do: 'tap', x: point.x, y: point.y, holdMs: TAP_MS }, takesMs: TAP_MS } as const;
    run.gesture(tap, () => {
      if (act.count === 1) return run.finish(true);
      run.pause(BETWEEN_TAPS_MS, () => run.gesture(tap, () => run.finish(true)));
    });
  },

  long_press(act, run) {
    const spot = spotOf(act.aim, run);
    if (spot === null) return run.nothingDone(stale);
    const holdable = spot.node === null ? null : nearestWith(run.before, spot.node, 'long_clickable');
    if (holdable !== null && act.aim.by === 'element') {
      run.aims(spot.strategy, holdable, 'node_action');
      return run.give({ do: 'long_click', node: holdable }, (took) => run.finish(took));
    }
    const { point } = spot;
    if (point === null) return run.nothingDone({ acted: false, error_code: 'target_covered' });
    run.aims(spot.strategy, spot.node, 'gesture');
    const holdMs = act.hold_ms;
    run.gesture({ input: { do: 'tap', x: point.x, y: point.y, holdMs }, takesMs: holdMs }, () =>
      run.finish(true),
    );
  },

  swipe(act, run) {
    run.aims('coordinates', act.under === null ? null : nodeFound(run.before, act.under), 'gesture');
    const { from, to, duration_ms } = act;
    const input = { do: 'swipe', from: [from.x, from.y], to: [to.x, to.y] } as const;
    run.gesture({ input, takesMs: duration_ms }, () => run.finish(true));
  },

  drag(act, run) {
    const from = spotOf(act.from, run);
    const to = spotOf(act.to, run);
    if (from === null || to === null) return run.nothingDone(stale);
    if (from.point === null || to.point === null)
      return run.nothingDone({ acted: false, error_code: 'target_covered' });
    run.aims(from.strategy, from.node, 'gesture');
    const input = { do: 'swipe', from: [from.point.x, from.point.y], to: [to.point.x, to.point.y] } as const;
    run.gesture({ input, takesMs: act.duration_ms }, () => run.finish(true));
  },

  scroll(act, run) {
    const found = act.target === null ? null : findTarget(run.before, act.target);
    if (found !== null && !('found' in found)) return run.nothingDone(stale);
    const node =
      found === null ? largestScrollable(run.before) : nearestWith(run.before, found.found, 'scrollable');
    if (node === null) return run.nothingDone({ acted: false, error_code: 'nothing_to_scroll' });
    const again = run.glass.follow(node);
    const forward = act.direction === 'down' || act.direction === 'right';
    run.aims(found?.strategy ?? 'none', node, 'node_action');
    if (act.until !== undefined) return scrollUntil(act.until, node, forward, again, run);
    run.give({ do: 'scroll', node, forward }, (took) =>
      run.settle((rest) => {
        const { after } = rest;
        // Android answers false where it goes no further: that is an end, not a failure.
        const list = again();
        const edge = !took ? true : list === null ? null : atEdge(after, list, forward);
        run.report(rest, { acted: true, at_edge: edge });
      }),
    );
  },

  set_text(act, run) {
    const found = findTarget(run.before, act.target);
    if (!('found' in found)) return run.nothingDone(stale);
    const field = nearestWith(run.before, found.found, 'editable');
    if (field === null) return run.nothingDone({ acted: false, error_code: 'act_turned_down' });
    const held = contentOf(nodeAt(run.before, field));
    // What a password holds is never read, so nothing can be put behind it.
    if (act.mode === 'append' && held === null)
      return run.nothingDone({ acted: false, error_code: 'act_turned_down' });
    const wanted = act.mode === 'append' ? (held ?? '') + act.text : act.mode === 'clear' ? '' : act.text;
    run.aims(found.strategy, field, 'node_action');
    const again = run.glass.follow(field);
    const readBack = (after: Snapshot) => {
      const at = again();
      return at === null ? null : contentOf(nodeAt(after, at));
    };
    run.give({ do: 'set_text', node: field, text: wanted }, (took) =>
      run.settle((rest) => {
        const holds = readBack(rest.after);
        // A field that formats what it takes did take it; one that holds what it held before did not.
        const deaf = holds !== null && holds === held && holds !== wanted;
        const learnt: Learnt = {
          acted: took && !deaf,
          error_code: !took ? 'act_turned_down' : deaf ? 'text_not_taken' : null,
          read_back: holds?.slice(0, 2_000) ?? null,
          read_back_matches: holds === null ? null : holds === wanted,
        };
        const now = again();
        if (!act.submit || !took || deaf || now === null) return run.report(rest, learnt);
        // Only the field that has the focus takes an IME action.
        run.give({ do: 'focus', node: now }, () =>
          run.give({ do: 'ime_action' }, (pressed) =>
            run.finish(pressed, () => ({
              ...learnt,
              ...(pressed ? {} : { acted: null, error_code: 'act_turned_down' }),
            })),
          ),
        );
      }),
    );
  },

  set_toggle(act, run) {
    const found = findTarget(run.before, act.target);
    if (!('found' in found)) return run.nothingDone(stale);
    const toggle =
      nearestWith(run.before, found.found, 'checkable') ?? checkableBelow(run.before, found.found);
    if (toggle === null) return run.nothingDone({ acted: false, error_code: 'act_turned_down' });
    const strategy = found.strategy;
    const state = (snapshot: Snapshot, at: number) => (has(nodeAt(snapshot, at), 'checked') ? 'on' : 'off');
    const wanted = act.on ? 'on' : 'off';
    if (state(run.before, toggle) === wanted) {
      run.aims(strategy, toggle, 'none');
      return run.nothingDone({ acted: true, read_back: wanted, read_back_matches: true });
    }
    const clickable = nearestWith(run.before, toggle, 'clickable');
    if (clickable === null) return run.nothingDone({ acted: false, error_code: 'act_turned_down' });
    run.aims(strategy, clickable, 'node_action');
    const again = run.glass.follow(toggle);
    run.give({ do: 'click', node: clickable }, (took) =>
      run.finish(took, (after) => {
        const at = again();
        const now = at === null ? null : state(after, at);
        return { read_back: now, read_back_matches: now === null ? null : now === wanted };
      }),
    );
  },

  press_key(act, run) {
    if (act.focused !== null && nodeFound(run.before, act.focused) === null) return run.nothingDone(stale);
    run.aims('key', null, 'none');
    run.give({ do: 'key', key: act.key }, (took) => run.finish(took));
  },

  go(act, run) {
    run.aims('global', null, 'none');
    run.give({ do: 'go', to: act.to }, (took) => run.finish(took));
  },

  app_open(act, run) {
    run.aims('intent', null, 'none');
    run.give({ do: 'open_app', package: act.package }, (took) =>
      run.finish(took, (after) =>
        took && after.foreground.package !== act.package ? { error_code: 'app_not_in_front' } : {},
      ),
    );
  },

  link_open(act, run) {
    run.aims('intent', null, 'none');
    run.give({ do: 'link', url: act.url }, (took) => run.finish(took));
  },

  clipboard_write(act, run) {
    run.aims('none', null, 'none');
    run.give({ do: 'clipboard', text: act.text }, (took) => run.finish(took));
  },
};

/** The only checkable node below; null where there is none, or more than one. */
function checkableBelow(snapshot: Snapshot, node: number): number | null {
  const found: number[] = [];
  for (const [index, one] of snapshot.nodes.entries()) {
    if (!has(one, 'checkable')) continue;
    for (let at = one.parent; at >= 0; at = nodeAt(snapshot, at).parent) if (at === node) found.push(index);
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}
