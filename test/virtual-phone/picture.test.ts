/** The screenshot against the tree: what accessibility says is there is there to be seen. */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { type Bounds, has } from '../../device-protocol/snapshot.ts';
import { CATALOGUE } from '../../host/virtual-phone/apps/all.ts';
import { pictureOf, pictureOfRecorded } from '../../host/virtual-phone/draw/picture.ts';
import { TestWorld } from './world.ts';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha of each. */
  readonly data: DataView;
}

async function pixelsOf(png: Uint8Array): Promise<Pixels> {
  const image = await loadImage(Buffer.from(png));
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { buffer } = context.getImageData(0, 0, width, height).data;
  return { width, height, data: new DataView(buffer) };
}

const draw = async (phone: TestWorld) => pixelsOf(await pictureOf(CATALOGUE, phone.world));

/** How many different colours the area has. */
function colours(png: Pixels, [left, top, right, bottom]: Bounds): number {
  const seen = new Set<number>();
  for (let y = Math.max(0, top); y < Math.min(png.height, bottom); y++) {
    for (let x = Math.max(0, left); x < Math.min(png.width, right); x++) {
      seen.add(png.data.getUint32((y * png.width + x) * 4));
    }
  }
  return seen.size;
}

describe.each(['en', 'ar', 'ja', 'hi'] as const)('in %s', (language) => {
  it.each(['com.android.launcher3', 'com.android.messaging', 'com.android.settings', 'com.android.browser'])(
    'every visible text of %s is drawn where the tree says it stands',
    async (name) => {
      const phone = new TestWorld({ language });
      phone.open(name);
      const png = await draw(phone);
      const texts = phone.look().nodes.filter((node) => node.text && has(node, 'visible'));
      expect(texts.length).toBeGreaterThan(2);
      for (const { bounds, text } of texts) expect(colours(png, bounds), text ?? '').toBeGreaterThan(2);
    },
  );
});

describe('a picture', () => {
  it('has the size of the display, also when it is turned', async () => {
    const phone = new TestWorld();
    phone.give({ do: 'rotate', rotation: 1 });
    const png = await draw(phone);
    expect([png.width, png.height]).toEqual([2400, 1080]);
  });

  it('is the same for the same world, and another for another', async () => {
    const phone = new TestWorld();
    phone.open('com.android.messaging');
    const [first, second] = [
      await pictureOf(CATALOGUE, phone.world),
      await pictureOf(CATALOGUE, phone.world),
    ];
    expect(Buffer.compare(first, second)).toBe(0);
    phone.tap('Kiosk A');
    expect(Buffer.compare(first, await pictureOf(CATALOGUE, phone.world))).not.toBe(0);
  });

  it('shows the app darkened behind a dialog', async () => {
    const phone = new TestWorld();
    phone.open('com.android.messaging');
    phone.tap('Kiosk A');
    phone.tap('Delete');
    const png = await draw(phone);
    const at = (x: number, y: number) => png.data.getUint8((y * png.width + x) * 4);
    expect(at(5, 1_800)).toBeLessThan(160);
    const dialog = phone.look().windows.find((window) => window.kind === 'application') ?? expect.fail();
    expect(at(540, dialog.bounds[1] + 6)).toBe(255);
  });

  it('is black while the screen is off', async () => {
    const phone = new TestWorld();
    phone.give({ do: 'lock' });
    expect(colours(await draw(phone), [0, 0, 1080, 2400])).toBe(1);
  });

  it('never shows a password', async () => {
    const phone = new TestWorld();
    phone.open('org.example.bank.android');
    phone.type('1111', 'pin');
    const ones = await pictureOf(CATALOGUE, phone.world);
    phone.type('8888', 'pin');
    expect(Buffer.compare(ones, await pictureOf(CATALOGUE, phone.world))).toBe(0);
  });

  it('of a recorded screen shows its words where they stood', async () => {
    const phone = new TestWorld();
    phone.open('com.android.settings');
    const snapshot = phone.look();
    const png = await pixelsOf(await pictureOfRecorded(snapshot));
    const title = snapshot.nodes.find((node) => node.text === 'Display') ?? expect.fail();
    expect(colours(png, title.bounds)).toBeGreaterThan(2);
  });
});
