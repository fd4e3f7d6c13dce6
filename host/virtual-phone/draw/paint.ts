/**
 * Paints the phone's windows from the same boxes that accessibility tells of. Plain on purpose: a picture
 * that says what is where, not one that looks like any maker's phone.
 */
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Bounds } from '../../../device-protocol/snapshot.ts';
import { type Box, sizeOf } from '../android/layout.ts';
import { linesOf } from '../android/metrics.ts';
import type { PhoneWindow } from '../android/windows.ts';

export interface Brush {
  readonly context: SKRSContext2D;
  readonly density: number;
  readonly families: string;
  readonly rightToLeft: boolean;
  /** Path of the focused view, in the window with the focus. */
  readonly focus: string | null;
}

const INK = '#1f1f1f';
const PALE = '#74777f';
const ACCENT = '#0b57d0';
const TRACK = '#c4c7c5';

export function paintWindow(brush: Brush, window: PhoneWindow): void {
  const { context } = brush;
  if (window.layer === 2) {
    context.fillStyle = 'rgba(0, 0, 0, 0.45)';
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  }
  fillRound(
    brush,
    window.bounds,
    window.kind === 'system' ? '#f5f5f7' : '#ffffff',
    window.layer === 2 ? 16 : 0,
  );
  paintBox(brush, window.root);
}

function paintBox(brush: Brush, box: Box): void {
  const { context } = brush;
  const { view } = box;
  const [left, top, right, bottom] = box.clip;
  if (right <= left || bottom <= top) return;
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
  if (view.fill !== undefined) fillRound(brush, box.bounds, view.fill, view.kind === 'button' ? 20 : 4);
  paintOwn(brush, box);
  for (const child of box.children) paintBox(brush, child);
  context.restore();
}

function paintOwn(brush: Brush, box: Box): void {
  const { view, bounds } = box;
  const ink = view.enabled === false ? PALE : (view.color ?? INK);
  switch (view.kind) {
    case 'text':
      if (view.icon !== undefined) {
        const [left, top, right, bottom] = bounds;
        write(brush, view.icon, [left, top, right, top + (bottom - top) * 0.6], 34, '#ffffff', 'center');
        write(
          brush,
          view.text ?? '',
          [left, top + (bottom - top) * 0.62, right, bottom],
          sizeOf(view),
          '#ffffff',
          'center',
        );
      } else
        write(
          brush,
          view.text ?? '',
          bounds,
          sizeOf(view),
          ink,
          view.place === 'center' ? 'center' : 'start',
        );
      return;
    case 'button':
    case 'tab':
      if (view.fill === undefined && view.kind === 'button') strokeRound(brush, bounds, TRACK, 20);
      write(
        brush,
        view.text ?? '',
        bounds,
        sizeOf(view),
        view.enabled === false ? PALE : (view.color ?? ACCENT),
        'center',
      );
      return;
    case 'icon_button':
    case 'image': {
      const dp = Math.min(bounds[2] - bounds[0], bounds[3] - bounds[1]) / brush.density;
      write(
        brush,
        view.text ?? '',
        bounds,
        Math.min(dp * (view.kind === 'image' ? 0.8 : 0.5), 96),
        view.selected === true ? ACCENT : PALE,
        'center',
      );
      return;
    }
    case 'field':
      paintField(brush, box);
      return;
    case 'switch':
      paintSwitch(brush, bounds, view.checked === true);
      return;
    case 'checkbox':
    case 'radio':
      paintCheck(brush, bounds, view.checked === true, view.kind === 'radio');
      return;
    case 'slider':
      paintSlider(brush, bounds, view.slider ?? { min: 0, max: 1, value: 0 });
      return;
    case 'progress':
      ring(brush, bounds);
      return;
    case 'surface':
      fillRound(brush, bounds, '#22262b', 0);
      return;
    case 'frame':
      // Keys of the keyboard and of the dial pad carry their letter as a description.
      if (view.press !== undefined) {
        fillRound(brush, bounds, '#ffffff', 6);
        if (box.children.length === 0) write(brush, view.description ?? '', bounds, 13, INK, 'center');
      }
      return;
    default:
      return;
  }
}

function paintField(brush: Brush, box: Box): void {
  const { view, bounds } = box;
  const focused = brush.focus === box.path;
  strokeRound(
    brush,
    bounds,
    view.error !== undefined ? '#b3261e' : focused ? ACCENT : TRACK,
    6,
    focused ? 2 : 1,
  );
  const value = view.field?.value ?? '';
  const shown = view.field?.password === true ? '•'.repeat([...value].length) : value;
  const pad = 12 * brush.density;
  const inner: Bounds = [bounds[0] + pad, bounds[1], bounds[2] - pad, bounds[3]];
  write(
    brush,
    shown === '' ? (view.hint ?? '') : shown,
    inner,
    sizeOf(view),
    shown === '' ? PALE : INK,
    'start',
  );
}

/** Lines as the layout broke them, shrunk where a real letter is wider than the layout thought. */
function write(
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

function round(brush: Brush, [left, top, right, bottom]: Bounds, radiusDp: number): void {
  const { context, density } = brush;
  context.beginPath();
  context.roundRect(left, top, right - left, bottom - top, radiusDp * density);
}

function fillRound(brush: Brush, bounds: Bounds, color: string, radiusDp: number): void {
  round(brush, bounds, radiusDp);
  brush.context.fillStyle = color;
  brush.context.fill();
}

function strokeRound(
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

function paintSwitch(brush: Brush, bounds: Bounds, on: boolean): void {
  fillRound(brush, bounds, on ? ACCENT : TRACK, 16);
  const tall = bounds[3] - bounds[1];
  const atEnd = on !== brush.rightToLeft;
  const x = atEnd ? bounds[2] - tall / 2 : bounds[0] + tall / 2;
  dot(brush, x, (bounds[1] + bounds[3]) / 2, tall * 0.36, '#ffffff');
}

function paintCheck(brush: Brush, bounds: Bounds, on: boolean, isRound: boolean): void {
  const half = 10 * brush.density;
  const x = (bounds[0] + bounds[2]) / 2;
  const y = (bounds[1] + bounds[3]) / 2;
  const square: Bounds = [x - half, y - half, x + half, y + half];
  strokeRound(brush, square, on ? ACCENT : PALE, isRound ? 10 : 2, 2);
  if (on) fillRound(brush, [x - half / 2, y - half / 2, x + half / 2, y + half / 2], ACCENT, isRound ? 5 : 1);
}

function paintSlider(
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

function ring(brush: Brush, bounds: Bounds): void {
  const { context, density } = brush;
  context.beginPath();
  context.arc((bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, 18 * density, 0, Math.PI * 1.5);
  context.strokeStyle = ACCENT;
  context.lineWidth = 4 * density;
  context.stroke();
}

function dot(brush: Brush, x: number, y: number, radius: number, color: string): void {
  brush.context.beginPath();
  brush.context.arc(x, y, radius, 0, Math.PI * 2);
  brush.context.fillStyle = color;
  brush.context.fill();
}
