/**
 * What a companion sees of the screen at one moment: the raw facts of all windows as a flat list of
 * nodes. Labels, roles, refs and risk are made of it on the host, never here.
 */
import { z } from 'zod';
import { LIMITS } from './limits.ts';

const coordinate = z.int().min(-2_147_483_648).max(2_147_483_647);

/** Left, top, right, bottom in display pixels, as Android gave them (may be empty, swapped or far away). */
export const boundsSchema = z.tuple([coordinate, coordinate, coordinate, coordinate]);
export type Bounds = z.infer<typeof boundsSchema>;

/** Facts that a node either has or has not. A source that cannot know one names it in `unknown_facts`. */
export const NODE_FLAGS = [
  'clickable',
  'long_clickable',
  'checkable',
  'checked',
  'enabled',
  'focusable',
  'focused',
  'scrollable',
  'selected',
  'password',
  'editable',
  'visible',
  'heading',
  'showing_hint',
  'expandable',
  'expanded',
  'dismissable',
  'sensitive',
] as const;
export type NodeFlag = (typeof NODE_FLAGS)[number];

/** Things a whole source may be unable to say (a `uiautomator` file, for instance, knows no hint). */
export const UNKNOWN_FACTS = [...NODE_FLAGS, 'hint', 'actions', 'windows', 'foreground', 'locked'] as const;
export type UnknownFact = (typeof UNKNOWN_FACTS)[number];

const nodeText = z.string().max(LIMITS.nodeText).nullable();

export const snapshotNodeSchema = z.strictObject({
  /** Index of the parent in `nodes` (always smaller than the node's own), −1 for a window's root. */
  parent: z.int().min(-1),
  /** Index into `windows`. */
  window: z.int().min(0),
  class_name: z.string().max(300).nullable(),
  resource_id: z.string().max(300).nullable(),
  package: z.string().max(300).nullable(),
  text: nodeText,
  description: nodeText,
  hint: nodeText.optional(),
  /** Android's state description ("On", "Half full"). */
  state: nodeText.optional(),
  error: nodeText.optional(),
  /** Title of a pane that opened inside the window (drawer, sheet, tab). */
  pane: nodeText.optional(),
  bounds: boundsSchema,
  flags: z.array(z.enum(NODE_FLAGS)).max(NODE_FLAGS.length),
  /** Labels of custom actions, and of standard ones without a flag ("dismiss", "show_on_screen"). */
  actions: z.array(z.string().max(200)).max(32).optional(),
  /** Size of the collection this node is, −1 where Android does not know. */
  collection: z.strictObject({ rows: z.int().min(-1), columns: z.int().min(-1) }).optional(),
  /** Place in the collection above. */
  item: z.strictObject({ row: z.int().min(-1), column: z.int().min(-1) }).optional(),
  range: z.strictObject({ min: z.number(), max: z.number(), current: z.number() }).optional(),
  /** Android's drawing order among the siblings: a greater one is painted over a smaller one. */
  drawing_order: z.int().min(0).optional(),
  /** Characters of `text` that were cut, where a text was longer than the limit. */
  text_cut: z.int().min(1).optional(),
});
export type SnapshotNode = z.infer<typeof snapshotNodeSchema>;

/** Android's window types. A dialog is an `application` window smaller than the screen. */
export const WINDOW_KINDS = [
  'application',
  'input_method',
  'system',
  'accessibility_overlay',
  'split_screen_divider',
  'unknown',
] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

export const snapshotWindowSchema = z.strictObject({
  id: z.int(),
  kind: z.enum(WINDOW_KINDS),
  package: z.string().max(300).nullable(),
  title: z.string().max(1_000).nullable(),
  bounds: boundsSchema,
  /** Higher is nearer to the person's eye. */
  layer: z.int(),
  active: z.boolean(),
  focused: z.boolean(),
  /** Index of the root in `nodes`; null when the tree could not be read, and `unreadable` says why. */
  root: z.int().min(0).nullable(),
  unreadable: z.enum(['no_root', 'protected', 'withheld', 'timeout']).nullable(),
});
export type SnapshotWindow = z.infer<typeof snapshotWindowSchema>;

/** Something that was lost on the way, with its number: a limit that cut, or damage in a recording. */
export const lossSchema = z.strictObject({
  code: z.enum([
    'nodes_cut',
    'depth_cut',
    'text_cut',
    'windows_cut',
    'byte_order_mark',
    'utf16',
    'other_encoding',
    'text_before_document',
    'text_after_document',
    'document_cut',
    'repaired_markup',
    'no_root_element',
    'bad_bounds',
    'bad_value',
    'tree_hidden',
    'still_loading',
  ]),
  count: z.int().min(1),
  detail: z.string().max(300).optional(),
});
export type Loss = z.infer<typeof lossSchema>;

export const foregroundSchema = z.strictObject({
  /** Null means unknown, and is never filled with an older value. */
  package: z.string().max(300).nullable(),
  activity: z.string().max(300).nullable(),
  title: z.string().max(1_000).nullable(),
  /** Android user (0 is the owner, work profiles are 10 and up); null when unknown. */
  user: z.int().min(0).nullable(),
});
export type Foreground = z.infer<typeof foregroundSchema>;

export const snapshotSchema = z.strictObject({
  /** The phone's elapsedRealtime, milliseconds. */
  taken_at_ms: z.number().min(0),
  display: z.strictObject({
    width: z.int().min(0),
    height: z.int().min(0),
    /** Quarter turns anticlockwise from the natural orientation, as Android counts. */
    rotation: z.int().min(0).max(3),
  }),
  /** Language of the interface, BCP-47; null when unknown. */
  locale: z.string().max(35).nullable(),
  screen_on: z.boolean().nullable(),
  locked: z.boolean().nullable(),
  /** The lock asks for a secret. */
  secure_lock: z.boolean().nullable(),
  foreground: foregroundSchema,
  windows: z.array(snapshotWindowSchema).max(LIMITS.windows),
  /** In document order, every parent before its children, windows one after another. */
  nodes: z.array(snapshotNodeSchema).max(LIMITS.snapshotNodes),
  unknown_facts: z.array(z.enum(UNKNOWN_FACTS)),
  losses: z.array(lossSchema).max(40),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

/** Whether `node` carries `flag`. Ask `unknown_facts` first where "no" and "not known" differ. */
export function has(node: SnapshotNode, flag: NodeFlag): boolean {
  return node.flags.includes(flag);
}
