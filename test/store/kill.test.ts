/** A process that is killed while it writes: everything it said was stored is there, and the lock is free (D-66). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openStore } from '../../host/store/store.ts';

const chance = { hex: (bytes: number) => 'b'.repeat(bytes * 2) };

it('loses nothing that it told, over ten kills in the middle of writing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-kill-'));
  try {
    const told: string[] = [];
    for (let kill = 0; kill < 10; kill++) {
      const writer = spawn(
        process.execPath,
        ['--import', 'tsx', fileURLToPath(new URL('./writer.ts', import.meta.url)), directory, `${kill}`],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const gone = once(writer, 'exit');
      let lines = 0;
      for await (const line of createInterface({ input: writer.stdout })) {
        told.push(line);
        lines += 1;
        // Each kill finds the writer somewhere else.
        if (lines === 7 + kill) writer.kill('SIGKILL');
      }
      await gone;
      expect(lines).toBeGreaterThanOrEqual(7 + kill);
    }
    const store = openStore(directory, chance);
    for (const name of told) expect(store.settings.get(name)).toBe(name);
    expect(store.audit.verify()).toMatchObject({ ok: true });
    expect(store.audit.list({}).length).toBeGreaterThanOrEqual(told.length);
    store.close();
  } finally {
    rmSync(directory, { recursive: true });
  }
}, 120_000);
