/**
 * What the readers of the single formats hand on: nodes with whatever the file said, in document order.
 * Not yet a snapshot (assemble.ts).
 */
import type { Bounds, NodeFlag, SnapshotNode, UnknownFact } from '../../../device-protocol/snapshot.ts';

export interface RawNode {
  /** Index of the parent, always smaller than the node's own; −1 for a window's root. */
  readonly parent: number;
  readonly className: string | null;
  readonly resourceId: string | null;
  readonly package: string | null;
  readonly text: string | null;
  readonly description: string | null;
  readonly hint: string | null;
  readonly pane: string | null;
  /** Null: nothing readable stood there. */
  readonly bounds: Bounds | null;
  readonly flags: readonly NodeFlag[];
  readonly drawingOrder: number | null;
  /** Android's window id, where the file has it. */
  readonly windowId: number | null;
}

export const FORMATS = ['uiautomator-xml', 'appium-source-xml', 'droidbot-json'] as const;
export type RecordingFormat = (typeof FORMATS)[number];

export interface RawScreen {
  readonly format: RecordingFormat;
  readonly nodes: readonly RawNode[];
  /** Size of the display, where the file says it, in its orientation. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly rotation: number;
  /** Component in front, `package/activity`, where the file says it. */
  readonly activity: { readonly package: string; readonly activity: string } | null;
  readonly unknown: readonly UnknownFact[];
  readonly losses: Losses;
  /** Nodes that a strict reader would not have got: they stand behind the first damage. */
  readonly behindDamage: number;
}

/** Counts of what was lost, by code. */
export class Losses {
  private readonly counts = new Map<LossCode, { count: number; detail?: string }>();

  add(code: LossCode, count = 1, detail?: string): void {
    if (count < 1) return;
    const before = this.counts.get(code);
    const said = before?.detail ?? detail;
    this.counts.set(code, {
      count: (before?.count ?? 0) + count,
      ...(said === undefined ? {} : { detail: said.slice(0, 300) }),
    });
  }

  all(): { code: LossCode; count: number; detail?: string }[] {
    return [...this.counts].map(([code, loss]) => ({ code, ...loss }));
  }
}
export type LossCode = import('../../../device-protocol/snapshot.ts').Loss['code'];

/** Classes that are text fields: what a format without an `editable` fact lets one know. */
export function looksEditable(className: string | null): boolean {
  return className !== null && /(EditText|AutoComplete(TextView)?|SearchAutoComplete)$/.test(className);
}

/** Empty texts are no texts; a lone surrogate, which has no UTF-8 form, becomes U+FFFD. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}

export function nameOf(value: unknown): SnapshotNode['class_name'] {
  return textOf(value)?.slice(0, 300) ?? null;
}

const INT32_MAX = 2_147_483_647;

/** Four numbers as bounds; null where one of them is not a whole number Android could have meant. */
export function boundsOf(numbers: readonly unknown[]): Bounds | null {
  if (numbers.length !== 4) return null;
  for (const one of numbers) {
    if (typeof one !== 'number' || !Number.isInteger(one) || Math.abs(one) > INT32_MAX + 1) return null;
    if (one > INT32_MAX) return null;
  }
  return numbers as unknown as Bounds;
}
