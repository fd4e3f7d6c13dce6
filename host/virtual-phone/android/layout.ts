/**
 * Gives every view its place on the glass: a small box layout (columns, rows, frames, lists) with real
 * pixel bounds, scrolled and clipped as Android does it. Pure; scroll places come in by key.
 */
import type { Bounds } from '../../../device-protocol/snapshot.ts';
import { emsOf, linesOf } from './metrics.ts';
import type { AnyView, Kind } from './view.ts';

export interface Box {
  readonly view: AnyView;
  /** Where it stands in its window's tree, stable while siblings come and go if they carry keys. */
  readonly path: string;
  /** Whole extent, also where it is scrolled away. */
  readonly bounds: Bounds;
  /** What the scrolling ancestors leave to be seen. */
  readonly clip: Bounds;
  readonly children: readonly Box[];
  /** Row number, for the rows of a list. */
  readonly item?: number;
  /** For what scrolls: where it stands and how far it could go, pixels. */
  readonly scrolled?: { readonly at: number; readonly most: number };
}

export interface Frame {
  readonly density: number;
  readonly rightToLeft: boolean;
  /** Pixels scrolled, by path. */
  readonly scroll: Readonly<Record<string, number>>;
}

interface Size {
  readonly w: number;
  readonly h: number;
}

const TEXT_KINDS: ReadonlySet<Kind> = new Set(['text', 'button', 'tab', 'field']);
const FILLS_WIDTH: ReadonlySet<Kind> = new Set([
  'column',
  'row',
  'frame',
  'card',
  'scroll',
  'list',
  'web',
  'field',
  'slider',
]);
const SCROLLS: ReadonlySet<Kind> = new Set(['scroll', 'list', 'web']);
const SQUARE: Partial<Record<Kind, number>> = {
  icon_button: 48,
  image: 24,
  checkbox: 48,
  radio: 48,
  progress: 48,
};
const DEFAULT_PAD: Partial<Record<Kind, readonly [number, number]>> = {
  button: [10, 16],
  tab: [14, 16],
  field: [14, 12],
};
const MIN_HEIGHT: Partial<Record<Kind, number>> = { button: 48, field: 56, tab: 48, slider: 48 };

/** Inner margin, dp: above and below, left and right. */
export function padOf(view: AnyView): readonly [number, number] {
  if (typeof view.pad === 'number') return [view.pad, view.pad];
  return view.pad ?? DEFAULT_PAD[view.kind] ?? [0, 0];
}

/** Text size of a view, sp. */
export function sizeOf(view: AnyView): number {
  return view.size ?? (view.kind === 'button' || view.kind === 'tab' ? 14 : 16);
}

function growOf(view: AnyView): number {
  return view.grow ?? (SCROLLS.has(view.kind) || view.h === 'fill' ? 1 : 0);
}

/** Natural size in dp within `width` dp. */
function measure(view: AnyView, width: number): Size {
  const [vertical, horizontal] = padOf(view);
  const outer = typeof view.w === 'number' ? Math.min(view.w, width) : width;
  const inner = Math.max(0, outer - 2 * horizontal);
  const natural = contentSize(view, inner);
  const fills = view.w === 'fill' || (view.w === undefined && FILLS_WIDTH.has(view.kind));
  const w = typeof view.w === 'number' || fills ? outer : Math.min(outer, natural.w + 2 * horizontal);
  const h = typeof view.h === 'number' ? view.h : natural.h + 2 * vertical;
  return { w, h: Math.max(h, typeof view.h === 'number' ? 0 : (MIN_HEIGHT[view.kind] ?? 0)) };
}

/** Natural height in dp of `view` when it is `width` dp wide. */
export function naturalHeight(view: AnyView, width: number): number {
  return measure(view, width).h;
}

function contentSize(view: AnyView, inner: number): Size {
  const square = SQUARE[view.kind];
  if (square !== undefined) return { w: square, h: square };
  if (view.kind === 'switch') return { w: 52, h: 32 };
  if (view.kind === 'slider' || view.kind === 'surface' || view.kind === 'space') return { w: inner, h: 0 };
  if (TEXT_KINDS.has(view.kind)) {
    const size = sizeOf(view);
    const shown = view.text === '' || view.text === undefined ? (view.hint ?? '') : view.text;
    const lines = linesOf(shown, inner / size);
    const longest = Math.max(...lines.map(emsOf));
    return {
      w: Math.ceil(longest * size) + 2,
      h: Math.ceil(Math.max(lines.length, view.field?.lines ?? 1) * size * 1.35),
    };
  }
  if (view.rows !== undefined) return { w: inner, h: view.rows.count * view.rows.rowHeight };
  const gap = view.gap ?? 0;
  if (view.kind === 'row') {
    const widths = rowWidths(view, inner);
    let h = 0;
    for (const [index, child] of view.children.entries())
      h = Math.max(h, measure(child, widths[index] ?? 0).h);
    return { w: widths.reduce((sum, w) => sum + w, 0) + gap * Math.max(0, widths.length - 1), h };
  }
  const sizes = view.children.map((child) => measure(child, inner));
  const w = Math.max(0, ...sizes.map((size) => size.w));
  if (view.kind === 'frame') return { w, h: Math.max(0, ...sizes.map((size) => size.h)) };
  return { w, h: sizes.reduce((sum, size) => sum + size.h, 0) + gap * Math.max(0, sizes.length - 1) };
}

/** Widths of a row's children: what does not grow takes its own, the rest is shared. */
function rowWidths(view: AnyView, inner: number): number[] {
  const free = inner - (view.gap ?? 0) * Math.max(0, view.children.length - 1);
  let left = free;
  let shares = 0;
  const fixed = view.children.map((child) => {
    const grow = child.grow ?? (child.w === undefined && FILLS_WIDTH.has(child.kind) ? 1 : 0);
    if (grow > 0) {
      shares += grow;
      return null;
    }
    const w = Math.min(Math.max(left, 0), measure(child, free).w);
    left -= w;
    return w;
  });
  return view.children.map(
    (child, index) => fixed[index] ?? (Math.max(0, left) * (child.grow ?? 1)) / shares,
  );
}

function cut(a: Bounds, b: Bounds): Bounds {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

function keyOf(view: AnyView, index: number): string {
  return view.key ?? (view.id === undefined ? `${view.kind}${index}` : `${view.id}${index}`);
}

/** Lays `view` out within `area` (pixels). */
export function layOut(view: AnyView, area: Bounds, frame: Frame): Box {
  const box = place(view, area, area, view.key ?? 'root', frame);
  return frame.rightToLeft ? mirrored(box, area) : box;
}

function place(view: AnyView, bounds: Bounds, clip: Bounds, path: string, frame: Frame, item?: number): Box {
  if (view.at !== undefined && bounds !== view.at) return place(view, view.at, view.at, path, frame, item);
  const seen = cut(bounds, clip);
  const [vertical, horizontal] = padOf(view).map((dp) => Math.round(dp * frame.density)) as [number, number];
  const inner: Bounds = [
    bounds[0] + horizontal,
    bounds[1] + vertical,
    bounds[2] - horizontal,
    bounds[3] - vertical,
  ];
  const rest = item === undefined ? {} : { item };
  if (view.rows !== undefined)
    return { ...placeRows(view, view.rows, bounds, inner, seen, path, frame), ...rest };
  if (view.kind === 'scroll' || view.kind === 'web') {
    const wanted = contentSize(view, (inner[2] - inner[0]) / frame.density).h * frame.density;
    const most = Math.max(0, Math.round(wanted) - (inner[3] - inner[1]));
    const at = Math.min(frame.scroll[path] ?? (view.fromEnd === true ? most : 0), most);
    const tall: Bounds = [
      inner[0],
      inner[1] - at,
      inner[2],
      Math.max(inner[3], inner[1] + Math.round(wanted)) - at,
    ];
    const children = placeChildren(view, tall, seen, path, frame);
    return { view, path, bounds, clip: seen, children, scrolled: { at, most }, ...rest };
  }
  return { view, path, bounds, clip: seen, children: placeChildren(view, inner, seen, path, frame), ...rest };
}

function placeRows(
  view: AnyView,
  rows: NonNullable<AnyView['rows']>,
  bounds: Bounds,
  inner: Bounds,
  seen: Bounds,
  path: string,
  frame: Frame,
): Box {
  const height = Math.round(rows.rowHeight * frame.density);
  const most = Math.max(0, height * rows.count - (inner[3] - inner[1]));
  const at = Math.min(frame.scroll[path] ?? 0, most);
  const children: Box[] = [];
  const first = Math.floor(at / height);
  for (let index = first; index < rows.count; index++) {
    const top = inner[1] + index * height - at;
    if (top >= inner[3]) break;
    const row = rows.row(index);
    const place_: Bounds = [inner[0], top, inner[2], top + height];
    children.push(place(row, place_, seen, `${path}/${row.key ?? `row${index}`}`, frame, index));
  }
  return { view, path, bounds, clip: seen, children, scrolled: { at, most } };
}

function placeChildren(view: AnyView, inner: Bounds, clip: Bounds, path: string, frame: Frame): Box[] {
  const { density } = frame;
  const wide = (inner[2] - inner[0]) / density;
  const tall = (inner[3] - inner[1]) / density;
  const gap = view.gap ?? 0;
  const px = (dp: number) => Math.round(dp * density);
  const at = (child: AnyView, index: number, x: number, y: number, w: number, h: number) =>
    place(
      child,
      [inner[0] + px(x), inner[1] + px(y), inner[0] + px(x + w), inner[1] + px(y + h)],
      clip,
      `${path}/${keyOf(child, index)}`,
      frame,
    );
  if (view.kind === 'row') {
    const widths = rowWidths(view, wide);
    let x = 0;
    return view.children.map((child, index) => {
      const w = widths[index] ?? 0;
      const natural = measure(child, w).h;
      const h = child.h === 'fill' || SCROLLS.has(child.kind) ? tall : Math.min(natural, Math.max(tall, 0));
      const box = at(child, index, x, (tall - h) / 2, w, h);
      x += w + gap;
      return box;
    });
  }
  const across = (child: AnyView, w: number) =>
    child.place === 'end' ? wide - w : child.place === 'center' ? (wide - w) / 2 : 0;
  if (view.kind === 'frame') {
    return view.children.map((child, index) => {
      const size = measure(child, wide);
      const h = growOf(child) > 0 ? tall : Math.min(size.h, tall);
      return at(child, index, across(child, size.w), child.bottom === true ? tall - h : 0, size.w, h);
    });
  }
  const sizes = view.children.map((child) => measure(child, wide));
  const used = sizes.reduce((sum, size, index) => {
    const child = view.children[index];
    return sum + (child !== undefined && growOf(child) > 0 ? 0 : size.h);
  }, 0);
  const shares = view.children.reduce((sum, child) => sum + growOf(child), 0);
  const left = Math.max(0, tall - used - gap * Math.max(0, sizes.length - 1));
  const bounded = view.kind !== 'scroll' && view.kind !== 'web';
  let y = 0;
  return view.children.map((child, index) => {
    const size = sizes[index] ?? { w: 0, h: 0 };
    const grow = growOf(child);
    const h = grow > 0 && bounded ? (left * grow) / shares : size.h;
    const box = at(child, index, across(child, size.w), y, size.w, h);
    y += h + gap;
    return box;
  });
}

/** Right-to-left interfaces are the mirror image of the others. */
function mirrored(box: Box, area: Bounds): Box {
  if (box.view.at !== undefined) return box;
  const flip = (b: Bounds): Bounds => [area[0] + area[2] - b[2], b[1], area[0] + area[2] - b[0], b[3]];
  return {
    ...box,
    bounds: flip(box.bounds),
    clip: flip(box.clip),
    children: box.children.map((child) => mirrored(child, area)),
  };
}
