/** What was typed leaves the disk once the request is final, by itself (D-68). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Tracker } from '../../host/engine/tracker.ts';
import { openStore } from '../../host/store/store.ts';
import {
  countingChance,
  DEVICE,
  ManualClock,
  recordOf,
  request,
  ScriptedLink,
  ScriptedLinks,
} from './world.ts';

describe('a final request', () => {
  it('leaves nothing of its payload in any file of the data directory; what may stay, stays', () => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-rest-'));
    const store = openStore(directory, countingChance());
    try {
      store.devices.register(DEVICE, 'c'.repeat(64), 1);
      const clock = new ManualClock();
      const links = new ScriptedLinks();
      const tracker = new Tracker({ store, clock, chance: countingChance(500), links });
      tracker.start();
      const link = new ScriptedLink(clock);
      links.current = link;
      links.heard().opened(link);
      const secrets = ['Hunter2-Test!', '493817', '4111 1111 1111 1111'];
      // So long that it lies in pages of its own, which become free as they are.
      const long = 'x'.repeat(20_000);
      const rows = secrets.map((text, index) => {
        const bound = tracker.bind(
          request({
            idempotency_key: `k${index}`,
            payload: JSON.stringify({ long, text }),
            display: { text },
          }),
        );
        if (!bound.ok) throw new Error(bound.error_code);
        void tracker.run(bound.row.request_id);
        return bound.row;
      });
      // Searched by another process: closing a descriptor in this one would drop SQLite's locks.
      const found = (text: string) =>
        spawnSync('grep', ['-rlF', text, directory], { encoding: 'utf8' }).stdout;
      for (const secret of secrets) expect(found(secret)).not.toBe('');
      for (const row of rows) links.heard().record(link, recordOf(row, { state: 'done' }));
      clock.pass(1_000);
      for (const secret of secrets) expect(found(secret)).toBe('');
      expect(store.commands.get(rows[0]?.request_id ?? '')?.lasting).toEqual({ label: 'Send' });
      tracker.close();
    } finally {
      store.close();
      rmSync(directory, { recursive: true });
    }
  });
});
