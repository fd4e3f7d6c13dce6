/**
 * Writes the golden vectors of this room: `npx tsx test/screen/make-vectors.ts`. The Kotlin core runs the same
 * files. What must come out was stated by hand (vector-cases.ts) and is held against the code by the test.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { targetOf } from '../../device-protocol/companion/find-target.ts';
import { shownOf } from '../../device-protocol/companion/shown.ts';
import { treeOf } from '../../device-protocol/companion/tree.ts';
import { windowPrint } from '../../device-protocol/companion/window-print.ts';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import { CHANGE, FIND, SETTLE, SETTLE_RULE, SHOWN, TAP, TICKING, WORDS } from './vector-cases.ts';

/** Fields of a node that are left out where they have these values. */
const NODE_DEFAULTS = {
  window: 0,
  class_name: 'android.view.View',
  resource_id: null,
  package: 'com.example',
  text: null,
  description: null,
};

function brief(snapshot: Snapshot | null) {
  if (snapshot === null) return null;
  const nodes = snapshot.nodes.map((node) =>
    Object.fromEntries(
      Object.entries(node).filter(
        ([name, value]) =>
          NODE_DEFAULTS[name as keyof typeof NODE_DEFAULTS] !== value || !(name in NODE_DEFAULTS),
      ),
    ),
  );
  return { ...snapshot, nodes };
}

const say = (what: string) =>
  `${what} A node's fields that are left out have the values of node_defaults; nodes are numbered in order.`;

export function vectors(): Record<string, object> {
  return {
    'find-target': {
      say: say(
        '`target` was made from node `node` of `before`; looked for in `after` it is found, or refused with candidates.',
      ),
      node_defaults: NODE_DEFAULTS,
      cases: FIND.map(({ say: what, before, node, after, expect }) => ({
        say: what,
        before: brief(before),
        node,
        target: targetOf(before, node),
        after: brief(after),
        expect,
      })),
    },
    'tap-point': {
      say: say('Where to press `node`, or what covers it.'),
      node_defaults: NODE_DEFAULTS,
      cases: TAP.map((one) => ({ ...one, screen: brief(one.screen) })),
    },
    change: {
      say: say(
        'What changed between two looks; `stirred` names the nodes. `kinds` are the fields of the change that are true.',
      ),
      node_defaults: NODE_DEFAULTS,
      cases: CHANGE.map((one) => ({ ...one, before: brief(one.before), after: brief(one.after) })),
    },
    settle: {
      say: 'The wait began at 0. Events in order, then the question at `asked_at_ms`.',
      rule: SETTLE_RULE,
      cases: SETTLE,
    },
    shown: {
      say: say(
        'What the owner is shown of the window of `node`; print = SHA-256 of the lines in full, one a line.',
      ),
      node_defaults: NODE_DEFAULTS,
      cases: SHOWN.map((one) => ({
        ...one,
        screen: brief(one.screen),
        print: shownOf(one.screen, one.node).print,
      })),
    },
    'window-print': {
      say: say('Print of window 0 of each screen.'),
      node_defaults: NODE_DEFAULTS,
      cases: [...FIND.map((one) => one.before), ...SHOWN.map((one) => one.screen)].map((screen) => ({
        screen: brief(screen),
        print: windowPrint(treeOf(screen), 0),
      })),
    },
    'plain-words': {
      say: 'Words in the form they are compared in; and which words become others by themselves.',
      words: WORDS,
      ticking: TICKING,
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = fileURLToPath(new URL('../../device-protocol/vectors/', import.meta.url));
  for (const [name, content] of Object.entries(vectors())) {
    writeFileSync(`${folder}${name}.json`, `${JSON.stringify(content, null, 2)}\n`);
  }
}
