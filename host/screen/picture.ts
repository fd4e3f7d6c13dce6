/**
 * Pictures of the screen as an agent may have them: what is withheld blackened, and a small copy to look at
 * at once. Not for drawing screens (virtual phone) or deciding what is withheld (judge).
 */
import type { Bounds } from '../../device-protocol/snapshot.ts';

export interface Picture {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Longer side of the small copy, pixels: text stays readable and a model's image budget is kept. */
export const SMALL_SIDE = 1_024;

/** Width of the line around a marked element, pixels of the picture. */
const MARK = 4;

/**
 * The picture with `black` areas (display pixels) covered, scaled down so that no side is longer than `longest`;
 * `mark` is framed in two colours, so that the frame is seen on any ground.
 */
export async function pictureOf(
  png: Uint8Array,
  display: { width: number; height: number },
  black: readonly Bounds[],
  longest: number,
  mark: Bounds | null = null,
): Promise<Picture> {
  // Loaded late: most hosts never take a picture, and Skia costs 35 MB.
  const { createCanvas, loadImage } = await import('@napi-rs/canvas');
  const image = await loadImage(Buffer.from(png));
  const scale = Math.min(1, longest / Math.max(image.width, image.height));
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, width, height);
  context.fillStyle = '#000000';
  const across = width / Math.max(1, display.width);
  const down = height / Math.max(1, display.height);
  for (const [left, top, right, bottom] of black) {
    // A pixel more on each side: scaling smears the edge of what is covered.
    context.fillRect(
      left * across - 1,
      top * down - 1,
      (right - left) * across + 2,
      (bottom - top) * down + 2,
    );
  }
  if (mark !== null) {
    const [left, top, right, bottom] = mark;
    for (const [color, line] of [
      ['#ffffff', MARK * 2],
      ['#d50000', MARK],
    ] as const) {
      context.strokeStyle = color;
      context.lineWidth = line;
      context.strokeRect(left * across, top * down, (right - left) * across, (bottom - top) * down);
    }
  }
  return { png: canvas.toBuffer('image/png'), width, height };
}
