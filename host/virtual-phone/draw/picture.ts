/**
 * The phone's screenshot: a PNG of the whole glass, drawn by Skia (@napi-rs/canvas) only when somebody asks.
 * Not for what is on it (paint.ts).
 */
import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Bounds, has, type Snapshot } from '../../../device-protocol/snapshot.ts';
import { displaySize, drawnWindows } from '../android/windows.ts';
import { isRightToLeft } from '../android/words.ts';
import type { Catalogue, World } from '../android/world.ts';
import { fontFamilies } from './fonts.ts';
import { paintWindow } from './paint.ts';

/** Loaded late: most phones of a test run never take a picture, and Skia costs 35 MB. */
const skia = () => import('@napi-rs/canvas');

/** What nobody but the person may see is painted over. */
function blacken(context: SKRSContext2D, areas: readonly Bounds[]): void {
  context.fillStyle = '#000000';
  for (const [left, top, right, bottom] of areas) context.fillRect(left, top, right - left, bottom - top);
}

export async function pictureOf(
  catalogue: Catalogue,
  world: World,
  black: readonly Bounds[] = [],
): Promise<Uint8Array> {
  const { createCanvas, GlobalFonts } = await skia();
  const { width, height } = displaySize(world);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#000000';
  context.fillRect(0, 0, width, height);
  if (!world.screenOn) return canvas.encode('png');
  const families = fontFamilies(GlobalFonts);
  const windows = drawnWindows(catalogue, world).sort((a, b) => a.layer - b.layer);
  for (const window of windows) {
    paintWindow(
      {
        context,
        density: world.display.density,
        families,
        rightToLeft: isRightToLeft(world.language),
        focus: world.focus?.window === window.key ? world.focus.path : null,
      },
      window,
    );
  }
  blacken(context, black);
  return canvas.encode('png');
}

/** A recorded screen has no pixels of its own: its nodes are drawn where they stood. */
export async function pictureOfRecorded(
  snapshot: Snapshot,
  black: readonly Bounds[] = [],
): Promise<Uint8Array> {
  const { createCanvas, GlobalFonts } = await skia();
  const { width, height } = snapshot.display;
  const canvas = createCanvas(Math.max(1, width), Math.max(1, height));
  const context = canvas.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  const families = fontFamilies(GlobalFonts);
  context.textBaseline = 'middle';
  for (const node of snapshot.nodes) {
    const [left, top, right, bottom] = node.bounds;
    if (right <= left || bottom <= top) continue;
    if (has(node, 'clickable') || has(node, 'editable')) {
      context.strokeStyle = '#c4c7c5';
      context.strokeRect(left, top, right - left, bottom - top);
    }
    const words = has(node, 'password') ? null : (node.text ?? node.description);
    if (!words) continue;
    const size = Math.max(10, Math.min(42, (bottom - top) * 0.7));
    context.font = `${Math.round(size)}px ${families}`;
    context.fillStyle = '#1f1f1f';
    context.fillText(words.slice(0, 200), left, (top + bottom) / 2, right - left);
  }
  blacken(context, black);
  return canvas.encode('png');
}
