/**
 * Paints the phone's windows from the same boxes that accessibility tells of. Plain on purpose: a picture
 * that says what is where, not one that looks like any maker's phone.
 */
import { type Box, padOf, sizeOf } from '../android/layout.ts';
import type { PhoneWindow } from '../android/windows.ts';
import {
  ACCENT,
  type Brush,
  fillRound,
  INK,
  PALE,
  paintCheck,
  paintSlider,
  paintSwitch,
  ring,
  strokeRound,
  TRACK,
  within,
  write,
} from './strokes.ts';

/** Arrows that point back point the other way where one reads from the right. */
const MIRRORED: Readonly<Record<string, string>> = { '←': '→', '‹': '›' };

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
  const inner = within(brush, bounds, padOf(view));
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
        write(brush, view.text ?? '', inner, sizeOf(view), ink, view.place === 'center' ? 'center' : 'start');
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
        (brush.rightToLeft ? MIRRORED[view.text ?? ''] : undefined) ?? view.text ?? '',
        bounds,
        Math.min(dp * (view.kind === 'image' ? 0.8 : 0.5), 96),
        view.selected === true ? ACCENT : (view.color ?? PALE),
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
  const inner = within(brush, bounds, padOf(view));
  write(
    brush,
    shown === '' ? (view.hint ?? '') : shown,
    inner,
    sizeOf(view),
    shown === '' ? PALE : INK,
    'start',
  );
}
