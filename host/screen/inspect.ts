/**
 * What `countersign inspect FILE` shows of a recorded screen: its elements, its notes, and the very text an
 * agent would get. Not the command itself (host/doors/cli).
 */
import type { Bounds, Loss, Snapshot } from '../../device-protocol/snapshot.ts';
import { type Item, type LabelFrom, labelOf } from './item.ts';
import { observe, type Seen } from './observe.ts';
import type { RecordingFormat } from './recorded/raw-node.ts';
import { readRecording, type Unreadable } from './recorded/read-recording.ts';
import { type Detail, tell } from './tell.ts';
import { estimateTokens } from './tokens.ts';

export interface InspectedElement {
  readonly ref: string;
  readonly role: string;
  /** Null: it has no name but its place. */
  readonly label: string | null;
  readonly label_from: LabelFrom | null;
  /** The element it is named after, where it has no words of its own. */
  readonly near: string | null;
  readonly value: string | null;
  readonly states: readonly string[];
  readonly error: string | null;
  /** As the file says them, and the part of the display they are seen on. */
  readonly bounds: Bounds;
  readonly seen: Bounds;
  /** Indices into the file's nodes, in document order: what this element stands for. */
  readonly nodes: readonly number[];
  /** The node an act on it goes to; null for a text that nothing around takes a touch for. */
  readonly acts_on: number | null;
  readonly resource_id: string | null;
}

export interface Inspected {
  readonly format: RecordingFormat;
  readonly elements: readonly InspectedElement[];
  /** What can only be read. */
  readonly texts: readonly InspectedElement[];
  readonly notes: readonly { readonly code: string; readonly say: string; readonly count?: number }[];
  readonly losses: readonly Loss[];
  /** Exactly what an agent would get. */
  readonly text: string;
  readonly truncated: boolean;
  readonly tokens_estimate: number;
}

/** What somebody may not see of a screen: the whole of it, with the sentence that says so, or parts. */
export interface Veil {
  withheld(snapshot: Snapshot): string | null;
  veiled(snapshot: Snapshot): Snapshot;
}

/** Without `veil` everything is shown. */
export function inspect(
  bytes: Uint8Array,
  name: string,
  detail: Detail = 'summary',
  veil: Veil | null = null,
): Inspected | Unreadable {
  const read = readRecording(bytes, name);
  if ('error_code' in read) return read;
  const withheld = veil?.withheld(read.snapshot) ?? null;
  if (withheld !== null) {
    const text = `app ${read.snapshot.foreground.package ?? 'unknown app'}\n! ${withheld}`;
    return {
      format: read.format,
      elements: [],
      texts: [],
      notes: [{ code: 'withheld', say: withheld }],
      losses: read.snapshot.losses,
      text,
      truncated: false,
      tokens_estimate: estimateTokens(text),
    };
  }
  const { seen } = observe(veil?.veiled(read.snapshot) ?? read.snapshot);
  const told = tell(seen, { detail });
  const all = seen.items.map((item, at) => ({ item, shown: inspected(seen, item, seen.refs[at] as string) }));
  return {
    format: read.format,
    elements: all.filter(({ item }) => item.element).map(({ shown }) => shown),
    texts: all.filter(({ item }) => !item.element).map(({ shown }) => shown),
    notes: seen.notes.map(({ inSummary: _, ...note }) => note),
    losses: read.snapshot.losses,
    text: told.text,
    truncated: told.truncated,
    tokens_estimate: told.tokens,
  };
}

/** The recorded screen, and the nodes of an element by its ref: the one an act goes to, then the one that is meant. */
export function nodesOfRef(
  bytes: Uint8Array,
  name: string,
  ref: string,
): { snapshot: Snapshot; nodes: number[] } | null {
  const read = readRecording(bytes, name);
  if ('error_code' in read) return null;
  const { seen } = observe(read.snapshot);
  const item = seen.items[seen.refs.indexOf(ref)];
  if (item === undefined) return null;
  return { snapshot: seen.snapshot, nodes: [...new Set([item.acts ?? item.node, item.node])] };
}

function inspected(seen: Seen, item: Item, ref: string): InspectedElement {
  return {
    ref,
    role: item.role,
    label: labelOf(item.near ?? item) || null,
    label_from: item.from,
    near: item.near === null ? null : (seen.refs[seen.items.indexOf(item.near)] ?? null),
    value: item.value,
    states: item.states,
    error: item.error || null,
    bounds: seen.snapshot.nodes[item.node]?.bounds ?? item.area,
    seen: item.area,
    nodes: [item.node, ...item.shares],
    acts_on: item.acts,
    resource_id: seen.snapshot.nodes[item.node]?.resource_id ?? null,
  };
}
