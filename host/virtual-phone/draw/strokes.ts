/** Strokes of the picture: letters in a box, rounded boxes, switches, sliders. Not for what stands where (paint.ts). */
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Bounds } from '../../../device-protocol/snapshot.ts';
import { linesOf } from '../android/metrics.ts';

export interface Brush {
  readonly context: SKRSContext2D;
  readonly density: number;
  readonly families: string;
  readonly rightToLeft: boolean;
  /** Path of the focused view, in the window with the focus. */
  readonly focus: string | null;
}

export const INK = '#1f1f1f';
export const PALE = '#74777f';
export const ACCENT = '#0b57d0';
export const TRACK = '#c4c7c5';

export function within(
  brush: Brush,
  [left, top, right, bottom]: Bounds,
  [, horizontal]: readonly [number, number],
): Bounds {
  const pad = horizontal * brush.density;
  return [left + pad, top, right - pad, bottom];
}

/** Lines as the layout broke them, shrunk where a real letter is wider than the layout thought. */
export function write(
  brush: Brush,
  text: string,
  bounds: Bounds,
  sp: number,
  color: string,
  align: 'start' | 'center',
): void {
  if (text === '') return;
  const { context, density } = brush;
  const [left, top, right, bottom] = bounds;
  const wide = right - left;
  const size = sp * density;
  const lines = linesOf(text, Math.max(1, wide / size));
  context.font = `${Math.round(size)}px ${brush.families}`;
  context.fillStyle = color;
  context.textBaseline = 'middle';
  context.direction = brush.rightToLeft ? 'rtl' : 'ltr';
  context.textAlign = align === 'center' ? 'center' : brush.rightToLeft ? 'right' : 'left';
  const x = align === 'center' ? (left + right) / 2 : brush.rightToLeft ? right : left;
  const step = size * 1.35;
  const first = (top + bottom) / 2 - ((lines.length - 1) * step) / 2;
  for (const [index, line] of lines.entries()) context.fillText(line.trim(), x, first + index * step, wide);
}

export function round(brush: Brush, [left, top, right, bottom]: Bounds, radiusDp: number): void {
  const { context, density } = brush;
  context.beginPath();
  context.roundRect(left, top, right - left, bottom - top, radiusDp * density);
}

export function fillRound(brush: Brush, bounds: Bounds, color: string, radiusDp: number): void {
  round(brush, bounds, radiusDp);
  brush.context.fillStyle = color;
  brush.context.fill();
}

export function strokeRound(
  brush: Brush,
  [left, top, right, bottom]: Bounds,
  color: string,
  radiusDp: number,
  dp = 1,
): void {
  const half = (dp * brush.density) / 2;
  round(brush, [left + half, top + half, right - half, bottom - half], radiusDp);
  brush.context.strokeStyle = color;
  brush.context.lineWidth = dp * brush.density;
  brush.context.stroke();
}

export function paintSwitch(brush: Brush, bounds: Bounds, on: boolean): void {
  fillRound(brush, bounds, on ? ACCENT : TRACK, 16);
  const tall = bounds[3] - bounds[1];
  const atEnd = on !== brush.rightToLeft;
  const x = atEnd ? bounds[2] - tall / 2 : bounds[0] + tall / 2;
  dot(brush, x, (bounds[1] + bounds[3]) / 2, tall * 0.36, '#ffffff');
}

export function paintCheck(brush: Brush, bounds: Bounds, on: boolean, isRound: boolean): void {
  const half = 10 * brush.density;
  const x = (bounds[0] + bounds[2]) / 2;
  const y = (bounds[1] + bounds[3]) / 2;
  const square: Bounds = [x - half, y - half, x + half, y + half];
  strokeRound(brush, square, on ? ACCENT : PALE, isRound ? 10 : 2, 2);
  if (on) fillRound(brush, [x - half / 2, y - half / 2, x + half / 2, y + half / 2], ACCENT, isRound ? 5 : 1);
}

export function paintSlider(
  brush: Brush,
  bounds: Bounds,
  slider: { min: number; max: number; value: number },
): void {
  const y = (bounds[1] + bounds[3]) / 2;
  const thick = 2 * brush.density;
  fillRound(brush, [bounds[0], y - thick, bounds[2], y + thick], TRACK, 2);
  const part = (slider.value - slider.min) / (slider.max - slider.min);
  dot(brush, bounds[0] + part * (bounds[2] - bounds[0]), y, 10 * brush.density, ACCENT);
}

export function ring(brush: Brush, bounds: Bounds): void {
  const { context, density } = brush;
  context.beginPath();
  context.arc((bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, 18 * density, 0, Math.PI * 1.5);
  context.strokeStyle = ACCENT;
  context.lineWidth = 4 * density;
  context.stroke();
}

export function dot(brush: Brush, x: number, y: number, radius: number, color: string): void {
  brush.context.beginPath();
  brush.context.arc(x, y, radius, 0, Math.PI * 2);
  brush.context.fillStyle = color;
  brush.context.fill();
}
