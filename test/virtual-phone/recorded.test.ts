/** Every recorded screen on the glass: shown, touched, unchanged. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { snapshotSchema } from '../../device-protocol/snapshot.ts';
import { readRecording } from '../../host/screen/recorded/read-recording.ts';
import { DrivenClock } from '../../host/virtual-phone/clock.ts';
import { pictureOfRecorded } from '../../host/virtual-phone/draw/picture.ts';
import { RecordedGlass } from '../../host/virtual-phone/recorded-glass.ts';
import { TouchList } from '../../host/virtual-phone/state-folder.ts';
import { sharedPath } from '../support/shared.ts';

const folder = sharedPath('screens');
const files =
  folder === null
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(xml|json)$/.test(name))
        .sort();

describe.skipIf(folder === null)('every recorded screen', () => {
  it('is shown, takes a touch, and is the same afterwards', () => {
    expect(files.length).toBeGreaterThan(250);
    for (const name of files) {
      const read = readRecording(readFileSync(join(folder ?? '', name)), name);
      if ('error_code' in read) throw new Error(`${name}: ${read.message}`);
      const touches = new TouchList();
      const glass = new RecordedGlass({ snapshot: read.snapshot, clock: new DrivenClock(), touches });
      const before = glass.look();
      expect(snapshotSchema.safeParse(before).success, name).toBe(true);
      expect(glass.give({ do: 'tap', x: 10, y: 10, holdMs: 60 }, 'companion'), name).toBe(true);
      expect(touches.all()).toHaveLength(1);
      expect(glass.look(), name).toEqual(before);
    }
  });

  it('has a picture; each twentieth is drawn here', async () => {
    for (const name of files.filter((_name, index) => index % 20 === 0)) {
      const read = readRecording(readFileSync(join(folder ?? '', name)), name);
      if ('error_code' in read) continue;
      const png = await pictureOfRecorded(read.snapshot);
      expect(Buffer.from(png).subarray(1, 4).toString(), name).toBe('PNG');
    }
  });
});
