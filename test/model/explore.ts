/**
 * Visits every state the model can reach and holds the first two promises against each. Not for what may
 * happen in a state (phone-side.ts, host-side.ts).
 */
import {
  COMMAND_EFFECT,
  type CommandEvent,
  type CommandState,
  isFinalCommand,
} from '../../device-protocol/command-table.ts';
import { RECORD_PROVES, type RecordEvent, type RecordState } from '../../device-protocol/record-table.ts';
import { HostSide } from './host-side.ts';
import { type Next, PhoneSide } from './phone-side.ts';
import type { Weakening } from './weakenings.ts';
import { type Accidents, firstWorlds, keyOf, type World } from './world.ts';

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  readonly violations: number;
  /** The shortest way to the first state in which something does not hold. */
  readonly first: { readonly why: string; readonly trace: readonly string[] } | null;
  /** Cells of the two tables that were moved by, as `state event`. */
  readonly recordCells: ReadonlySet<string>;
  readonly commandCells: ReadonlySet<string>;
  /** States in which a row was final. */
  readonly ends: ReadonlySet<CommandState>;
}

export interface Exploring {
  readonly accidents: Accidents;
  readonly weak?: readonly Weakening[];
  /** One violation is enough to know that the model notices. */
  readonly untilFirst?: boolean;
}

/** Why a state must not be, or null. */
export function broken(w: World): string | null {
  if (w.inputs > 1) return 'promise 1: the input was given twice';
  if (isFinalCommand(w.row) && COMMAND_EFFECT[w.row] === 'none' && w.inputs > 0)
    return `promise 2: the host says that it did not run (${w.row}), and it ran`;
  if (w.row === 'done' && !w.doneOnce) return 'promise 2: the host says done, and no record ever said so';
  if (RECORD_PROVES[w.record].ran === 'no' && w.inputs > 0)
    return `the record says that it did not run (${w.record}), and it ran`;
  return null;
}

export function explore({ accidents, weak = [], untilFirst = false }: Exploring): Explored {
  const weakened = new Set(weak);
  const recordCells = new Set<string>();
  const commandCells = new Set<string>();
  const ends = new Set<CommandState>();
  const phone = new PhoneSide(weakened, (state: RecordState, event: RecordEvent) =>
    recordCells.add(`${state} ${event}`),
  );
  const host = new HostSide(weakened, (state: CommandState, event: CommandEvent) =>
    commandCells.add(`${state} ${event}`),
  );
  /** Where each state was first reached from, and by what. */
  const from = new Map<string, { readonly before: string | null; readonly name: string }>();
  let transitions = 0;
  let violations = 0;
  let first: Explored['first'] = null;
  let level: World[] = [];
  const reach = (w: World, before: string | null, name: string): World | null => {
    if (isFinalCommand(w.row)) ends.add(w.row);
    const why = broken(w);
    host.settle(w);
    const key = keyOf(w);
    if (from.has(key)) return null;
    from.set(key, { before, name });
    if (why === null) return w;
    violations += 1;
    first ??= { why, trace: traceTo(key) };
    // What follows from something that must not be is of no interest.
    return null;
  };
  const traceTo = (last: string): string[] => {
    const trace: string[] = [];
    for (let at: string | null = last; at !== null; ) {
      const step = from.get(at);
      if (step === undefined) break;
      trace.unshift(step.name);
      at = step.before;
    }
    return trace;
  };
  for (const w of firstWorlds(accidents)) {
    const reached = reach(w, null, 'the beginning');
    if (reached !== null) level.push(reached);
  }
  while (level.length > 0 && !(untilFirst && violations > 0)) {
    const later: World[] = [];
    for (const w of level) {
      const key = keyOf(w);
      // One function for each state: it is called for everything that may happen in it.
      const next: Next = (name, change) => {
        const to = { ...w };
        change(to);
        transitions += 1;
        const reached = reach(to, key, name);
        if (reached !== null) later.push(reached);
      };
      // Binding is one commit, with a phone that is there: before it nothing else can matter.
      if (w.row !== 'received') phone.next(w, next);
      host.next(w, next);
    }
    level = later;
  }
  return { states: from.size, transitions, violations, first, recordCells, commandCells, ends };
}
