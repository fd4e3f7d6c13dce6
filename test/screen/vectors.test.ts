import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { changeBetween, stirredBetween } from '../../device-protocol/companion/change.ts';
import { type Found, findTarget, targetOf } from '../../device-protocol/companion/find-target.ts';
import { plainWords } from '../../device-protocol/companion/plain-words.ts';
import {
  beginSettling,
  looked,
  type Rest,
  restOf,
  type SettleRule,
  stir,
  windowGone,
} from '../../device-protocol/companion/settle.ts';
import { shownOf } from '../../device-protocol/companion/shown.ts';
import { type TapPoint, tapPointOf } from '../../device-protocol/companion/tap-point.ts';
import { tickedOn } from '../../device-protocol/companion/ticking.ts';
import { treeOf } from '../../device-protocol/companion/tree.ts';
import { windowPrint } from '../../device-protocol/companion/window-print.ts';
import { type Snapshot, snapshotSchema } from '../../device-protocol/snapshot.ts';
import { targetSchema } from '../../device-protocol/target.ts';
import { vectors } from './make-vectors.ts';

const folder = fileURLToPath(new URL('../../device-protocol/vectors/', import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: whatever stands in the file is held against the code below.
type Case = any;
const file = (name: string): Case => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8'));

/** A screen of a vector file as a snapshot: defaults filled in, checked against the schema. */
function whole(screen: Case, defaults: object): Snapshot {
  return snapshotSchema.parse({
    ...screen,
    nodes: screen.nodes.map((node: object) => ({ ...defaults, ...node })),
  });
}

describe('golden vectors of finding, pressing, change, settling and showing', () => {
  test('are what make-vectors.ts writes', () => {
    for (const [name, content] of Object.entries(vectors())) {
      expect(file(name), name).toEqual(JSON.parse(JSON.stringify(content)));
    }
  });

  describe('find-target', () => {
    const { cases, node_defaults } = file('find-target');
    test.each(cases as { say: string }[])('$say', (one: Case) => {
      const before = whole(one.before, node_defaults);
      expect(targetOf(before, one.node)).toEqual(targetSchema.parse(one.target));
      expect(findTarget(whole(one.after, node_defaults), one.target)).toEqual(one.expect as Found);
    });
  });

  describe('tap-point', () => {
    const { cases, node_defaults } = file('tap-point');
    test.each(cases as { say: string }[])('$say', (one: Case) => {
      expect(tapPointOf(whole(one.screen, node_defaults), one.node)).toEqual(one.expect as TapPoint);
    });
  });

  describe('change', () => {
    const { cases, node_defaults } = file('change');
    test.each(cases as { say: string }[])('$say', (one: Case) => {
      const before = one.before === null ? null : whole(one.before, node_defaults);
      const after = one.after === null ? null : whole(one.after, node_defaults);
      const answer = changeBetween(before, after);
      const kinds = (['window', 'content', 'text', 'focus', 'scroll'] as const).filter(
        (kind) => answer.change?.[kind],
      );
      expect({ changed: answer.changed, kinds }).toEqual({ changed: one.changed, kinds: one.kinds });
      expect({ appeared: answer.change?.appeared ?? [], gone: answer.change?.gone ?? [] }).toEqual({
        appeared: one.appeared,
        gone: one.gone,
      });
      if (before !== null && after !== null) expect(stirredBetween(before, after)).toEqual(one.stirred);
    });
  });

  describe('settle', () => {
    const { cases, rule } = file('settle');
    test.each(cases as { say: string }[])('$say', (one: Case) => {
      let state = beginSettling(rule as SettleRule, 0);
      for (const event of one.events) {
        if (event.half_built !== undefined) state = looked(state, { half_built: event.half_built });
        if (event.gone === true) state = windowGone(state);
        if (event.stirred !== undefined) state = stir(state, event.at_ms, event.stirred);
      }
      expect(restOf(state, one.asked_at_ms)).toEqual(one.expect as Rest);
    });
  });

  test('shown', () => {
    const { cases, node_defaults } = file('shown');
    for (const one of cases) {
      expect(shownOf(whole(one.screen, node_defaults), one.node)).toEqual({
        lines: one.lines,
        print: one.print,
      });
    }
  });

  test('window-print', () => {
    const { cases, node_defaults } = file('window-print');
    for (const one of cases) expect(windowPrint(treeOf(whole(one.screen, node_defaults)), 0)).toBe(one.print);
  });

  test('plain words and ticking', () => {
    const { words, ticking } = file('plain-words');
    for (const one of words) expect(plainWords(one.words)).toBe(one.plain);
    for (const one of ticking)
      expect([one, tickedOn(one.before, one.after, one.passed_ms)]).toEqual([one, one.ticked]);
  });
});
