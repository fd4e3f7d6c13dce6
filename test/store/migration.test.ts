/** A database of an earlier version is taken over with everything in it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { chained, START } from '../../host/store/audit-chain.ts';
import { databasePath } from '../../host/store/data-directory.ts';
import { MIGRATIONS } from '../../host/store/schema.ts';
import { openStore } from '../../host/store/store.ts';

const chance = { hex: (bytes: number) => 'b'.repeat(bytes * 2) };

describe('a database of version 1', () => {
  it('keeps grants, log and requests', () => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-migration-'));
    try {
      const old = new Sqlite(databasePath(directory));
      old.exec(MIGRATIONS[0] as string);
      old.pragma('user_version = 1');
      const grant = { tools: ['tap'], devices: null, act_on: ['virtual'] };
      old.prepare('INSERT INTO settings VALUES (?, ?)').run('grant:shopper', JSON.stringify(grant));
      old.prepare('INSERT INTO settings VALUES (?, ?)').run('grant:nobody', 'null');
      old.prepare('INSERT INTO settings VALUES (?, ?)').run('stop', '{"at":1,"how":"x"}');
      const body = JSON.stringify({
        at: 5,
        agent: 'Größe',
        door: 'cli',
        tool: 'tap',
        kind: 'once',
        arguments: {},
      });
      const link = { position: 1, call: 1, part: 'opening', request_id: null, body };
      old
        .prepare('INSERT INTO audit VALUES (1, 1, ?, NULL, ?, ?)')
        .run('opening', body, chained(START, link));
      old.prepare('INSERT INTO audit_head VALUES (1, 1, ?, 1)').run(chained(START, link));
      old
        .prepare('INSERT INTO devices (device_id, secret, paired_at) VALUES (?, ?, 1)')
        .run('p', 'c'.repeat(64));
      old.close();

      const store = openStore(directory, chance);
      expect(store.agents.get('shopper')).toMatchObject({ grant, has_token: false, revoked_at: null });
      expect(store.agents.list()).toHaveLength(1);
      expect(store.settings.get('grant:shopper')).toBeNull();
      expect(store.settings.get('stop')).toEqual({ at: 1, how: 'x' });
      expect(store.devices.list()).toHaveLength(1);
      expect(store.audit.verify()).toMatchObject({ ok: true, rows: 1 });
      // Rows of the old version have no folded words: they are found as they were spelt.
      expect(store.audit.search({ text: 'tap', last: 5 })).toHaveLength(1);
      store.audit.open({
        at: 6,
        agent: 'new',
        door: 'cli',
        tool: 'go',
        kind: 'once',
        schema_version: 1,
        task_id: 't',
        device_id: null,
        arguments: {},
      });
      expect(store.audit.verify()).toMatchObject({ ok: true, rows: 2 });
      expect(store.audit.taskIds()).toEqual(['t']);
      store.close();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
