/**
 * From an agent's arguments to the act itself: which element or point, what must be in front, and what
 * of the screen the judge and the owner get to see. One planner per acting tool; the compiler holds the
 * list against the declarations. Not for judging, storing or sending (act.ts).
 */
import { wantedWords } from '../../device-protocol/companion/says.ts';
import type { Act, Aim } from '../../device-protocol/payload.ts';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import type { Target } from '../../device-protocol/target.ts';
import { TOOLS, type ToolName } from '../../device-protocol/tools/tools.ts';
import type { AppEntry } from '../devices/phone-api.ts';
import { chooseApp } from './app-choice.ts';
import type { Look } from './look.ts';
import { Refusal } from './refusal.ts';

/** What a planner may use. */
export interface PlanContext {
  readonly deviceId: string;
  /** The remembered observation; throws `observation_unknown`. */
  look(observationId: string): Look;
  /** A fresh one, taken now. */
  freshLook(): Promise<Look>;
  /** Apps of this phone that can be opened. */
  apps(): Promise<readonly AppEntry[]>;
}

/** Where an act lands on the screen it was planned from. */
export interface Spot {
  readonly look: Look;
  /** The node that the input acts on; null where a point hits nothing that is known. */
  readonly node: number | null;
  /** The node that was meant: the ref's own, which may lie inside `node`. */
  readonly meant: number | null;
}

export interface Plan {
  readonly act: Act;
  /** Null for acts that aim at nothing on the screen. */
  readonly spot: Spot | null;
  /** What is typed or pasted, for judge and owner; null where nothing is. */
  readonly typed: string | null;
}

/** Press times, milliseconds: Android's long press begins at 500; a drag must be held before it moves. */
const HOLD_MS = 800;
const SWIPE_MS = 300;
const DRAG_MS = 1_200;
/** Scrolls of one call with until_text; the call's time usually ends it before. */
const MOST_SCROLLS = 100;

type Arguments<T extends ToolName> = import('zod').infer<(typeof TOOLS)[T]['input']>;
type ActingTool = { [T in ToolName]: (typeof TOOLS)[T]['tracked'] extends true ? T : never }[ToolName];
type Planner<T extends ToolName> = (args: Arguments<T>, context: PlanContext) => Promise<Plan>;

export const isActing = (tool: ToolName): tool is ActingTool => TOOLS[tool].tracked;

interface AimArguments {
  readonly ref?: string | undefined;
  readonly observation_id?: string | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

/** The element a ref names, in the observation it was given in. */
function refSpot(
  args: { readonly ref: string; readonly observation_id: string },
  context: PlanContext,
): Spot {
  const look = context.look(args.observation_id);
  const meant = look.nodeOfRef(args.ref);
  if (meant === null) {
    throw new Refusal('ref_unknown', {
      field: 'ref',
      ref: args.ref,
      observation_id: args.observation_id,
      nearest: look.nearestRefs(args.ref),
    });
  }
  return { look, node: look.actingNode(meant), meant };
}

async function spotOf(args: AimArguments, context: PlanContext): Promise<{ aim: Aim; spot: Spot }> {
  if (args.ref !== undefined && args.observation_id !== undefined) {
    const spot = refSpot({ ref: args.ref, observation_id: args.observation_id }, context);
    return { aim: { by: 'element', target: targetAt(spot) }, spot };
  }
  if (args.x === undefined || args.y === undefined) throw new Refusal('aim_neither');
  const look = await context.freshLook();
  const { width, height } = look.snapshot.display;
  if (args.x >= width || args.y >= height) {
    throw new Refusal('point_outside', { came: `${args.x},${args.y}`, expected: `${width} x ${height}` });
  }
  const node = look.nodeAtPoint(args.x, args.y);
  const under = node === null ? null : look.targetOf(node);
  return {
    aim: { by: 'point', point: { x: args.x, y: args.y }, under },
    spot: { look, node, meant: node },
  };
}

/** Identity of the spot's element. A ref always has one. */
function targetAt(spot: Spot): Target {
  if (spot.node === null) throw new Error('a ref without a node');
  return spot.look.targetOf(spot.node);
}

/** The element of a ref as `choose` finds it around the ref's node; else the refusal `code`. */
function chosenSpot(
  args: { readonly ref: string; readonly observation_id: string },
  context: PlanContext,
  choose: (look: Look, meant: number) => number | null,
  code: 'ref_not_editable' | 'ref_not_toggle' | 'nothing_to_scroll',
): Spot & { readonly node: number } {
  const spot = refSpot(args, context);
  const meant = spot.meant ?? -1;
  const node = choose(spot.look, meant);
  if (node === null) {
    throw new Refusal(code, { field: 'ref', ref: args.ref, came: spot.look.labelOf(meant) ?? 'unlabelled' });
  }
  return { ...spot, node };
}

const PLANNERS: { readonly [T in ActingTool]: Planner<T> } = {
  tap: async (args, context) => {
    const { aim, spot } = await spotOf(args, context);
    return { act: { kind: 'tap', aim, count: args.count ?? 1 }, spot, typed: null };
  },
  long_press: async (args, context) => {
    const { aim, spot } = await spotOf(args, context);
    return { act: { kind: 'long_press', aim, hold_ms: HOLD_MS }, spot, typed: null };
  },
  swipe: async (args, context) => {
    const { spot } = await spotOf({ x: args.x, y: args.y }, context);
    await spotOf({ x: args.to_x, y: args.to_y }, context);
    const under = spot.node === null ? null : spot.look.targetOf(spot.node);
    return {
      act: {
        kind: 'swipe',
        from: { x: args.x, y: args.y },
        to: { x: args.to_x, y: args.to_y },
        under,
        duration_ms: args.duration_ms ?? SWIPE_MS,
      },
      spot,
      typed: null,
    };
  },
  drag: async (args, context) => {
    const { aim, spot } = await spotOf(args, context);
    const { aim: to } = await spotOf({ x: args.to_x, y: args.to_y }, context);
    return {
      act: { kind: 'drag', from: aim, to, duration_ms: args.duration_ms ?? DRAG_MS },
      spot,
      typed: null,
    };
  },
  scroll: async (args, context) => {
    const { ref, observation_id } = args;
    const spot =
      ref !== undefined && observation_id !== undefined
        ? chosenSpot(
            { ref, observation_id },
            context,
            (look, meant) => look.scrollableOf(meant),
            'nothing_to_scroll',
          )
        : null;
    return {
      act: {
        kind: 'scroll',
        target: spot === null ? null : targetAt(spot),
        direction: args.direction,
        ...(args.until_text === undefined
          ? {}
          : { until: { words: wantedWords(args.until_text), most: MOST_SCROLLS } }),
      },
      spot: spot ?? { look: await context.freshLook(), node: null, meant: null },
      typed: null,
    };
  },
  set_text: async (args, context) => {
    const spot = chosenSpot(args, context, (look, meant) => look.editableOf(meant), 'ref_not_editable');
    const mode = args.mode ?? 'replace';
    return {
      act: {
        kind: 'set_text',
        target: targetAt(spot),
        mode,
        text: mode === 'clear' ? '' : args.text,
        submit: args.submit ?? false,
      },
      spot,
      typed: mode === 'clear' ? null : args.text,
    };
  },
  set_toggle: async (args, context) => {
    const spot = chosenSpot(args, context, (look, meant) => look.checkableOf(meant), 'ref_not_toggle');
    return { act: { kind: 'set_toggle', target: targetAt(spot), on: args.on }, spot, typed: null };
  },
  press_key: async (args, context) => {
    const look = await context.freshLook();
    const node = look.focusedField();
    return {
      act: { kind: 'press_key', key: args.key, focused: node === null ? null : look.targetOf(node) },
      spot: { look, node, meant: node },
      typed: null,
    };
  },
  go: async (args) => ({ act: { kind: 'go', to: args.to }, spot: null, typed: null }),
  app_open: async (args, context) => {
    const app = chooseApp(await context.apps(), args.app, args.user);
    const component = app.components[0] ?? null;
    return {
      act: { kind: 'app_open', package: app.package, component, user: app.user },
      spot: null,
      typed: null,
    };
  },
  link_open: async (args) => ({ act: { kind: 'link_open', url: args.url }, spot: null, typed: args.url }),
  clipboard_write: async (args) => ({
    act: { kind: 'clipboard_write', text: args.text, sensitive: false },
    spot: null,
    typed: args.text,
  }),
};

/** Plans the act of `tool`; throws Refusal for what the agent can mend. */
export function plan(tool: ActingTool, args: Record<string, unknown>, context: PlanContext): Promise<Plan> {
  // The arguments were parsed by this very tool's schema, which is what the planner's type says.
  return (PLANNERS[tool] as Planner<ActingTool>)(args as never, context);
}

/** Whether the app in front was seen; null is unknown. */
export const frontPackage = (snapshot: Snapshot): string | null => snapshot.foreground.package;
