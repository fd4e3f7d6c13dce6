/** The store on a real disk: durable, owned by one process, for its owner's eyes only. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../host/store/schema.ts';
import { openMemoryStore, openStore, type Store } from '../../host/store/store.ts';
import { StoreError } from '../../host/store/store-api.ts';

let directory = '';
let opened: Store[] = [];
const chance = (() => {
  let count = 1;
  return { hex: (bytes: number) => (count++).toString(16).padStart(bytes * 2, '0') };
})();

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-store-'));
});
afterEach(() => {
  for (const store of opened) store.close();
  opened = [];
  rmSync(directory, { recursive: true });
});

function open(where = directory): Store {
  const store = openStore(where, chance);
  opened.push(store);
  return store;
}

describe('opening the store', () => {
  it('sets and reads back full durability on every open, the second one included (D-66)', () => {
    for (let turn = 0; turn < 2; turn++) {
      const store = open();
      expect(store.raw.pragma('synchronous', { simple: true })).toBe(2);
      expect(store.raw.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(store.raw.pragma('busy_timeout', { simple: true })).toBe(5_000);
      store.close();
    }
    // What the same library does by itself, and why the store insists: NORMAL on reopening a WAL file.
    const plain = new Sqlite(join(directory, 'countersign.db'));
    expect(plain.pragma('synchronous', { simple: true })).toBe(1);
    plain.close();
  });

  it('keeps directory and files for its owner only, whatever the umask was', () => {
    const store = open(join(directory, 'data'));
    store.settings.set('a', 1);
    expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700);
    const files = readdirSync(join(directory, 'data'));
    expect(files).toContain('countersign.db-wal');
    for (const file of files)
      expect([file, (statSync(join(directory, 'data', file)).mode & 0o777).toString(8)]).toEqual([
        file,
        '600',
      ]);
  });

  it('refuses a second owner with a clear reason, in this process and in another (D-67)', () => {
    open();
    expect(() => openStore(directory, chance)).toThrow(
      expect.objectContaining({ code: 'store_in_use', message: expect.stringContaining(`${process.pid}`) }),
    );
    const other = spawnSync(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(new URL('./second-owner.ts', import.meta.url)), directory],
      { encoding: 'utf8' },
    );
    expect(other.stdout).toBe('store_in_use');
  });

  it('lets the next owner in when the last one is gone, and after a refusal too', () => {
    const first = open();
    expect(() => openStore(directory, chance)).toThrow(StoreError);
    first.settings.set('kept', { is: true });
    first.close();
    expect(open().settings.get('kept')).toEqual({ is: true });
  });

  it('gives every opening another life, and keeps the host’s identity', () => {
    const first = open();
    const { life } = first;
    const { host_id } = first.identity;
    first.close();
    const second = open();
    expect(second.life).not.toBe(life);
    expect(second.identity.host_id).toBe(host_id);
  });

  it('refuses data of a newer program, and files that are no database', () => {
    open().close();
    const raw = new Sqlite(join(directory, 'countersign.db'));
    raw.pragma(`user_version = ${MIGRATIONS.length + 1}`);
    raw.close();
    expect(() => openStore(directory, chance)).toThrow(expect.objectContaining({ code: 'store_newer' }));
    writeFileSync(
      join(directory, 'countersign.db'),
      'this is not a database, it only looks like a file\n'.repeat(99),
    );
    expect(() => openStore(directory, chance)).toThrow(expect.objectContaining({ code: 'store_damaged' }));
  });

  it('works while a backup tool reads the file', () => {
    const store = open();
    const backup = new Sqlite(join(directory, 'countersign.db'), { readonly: true });
    backup.exec('BEGIN');
    backup.prepare('SELECT * FROM settings').all();
    for (let i = 0; i < 50; i++) store.settings.set(`n${i}`, i);
    expect(store.settings.get('n49')).toBe(49);
    backup.exec('COMMIT');
    backup.close();
  });
});

describe('erasing', () => {
  it('leaves nothing of a secret in any file once it is scrubbed (D-68)', () => {
    const store = open();
    store.devices.register('p', 'c'.repeat(64), 1);
    store.settings.set('secret', 'Hunter2-Test!');
    // Read by another process: closing a descriptor in this one would drop SQLite's locks.
    const found = () => spawnSync('grep', ['-rl', 'Hunter2-Test!', directory], { encoding: 'utf8' }).stdout;
    expect(found()).not.toBe('');
    store.settings.set('secret', null);
    expect(found()).not.toBe('');
    store.scrub();
    expect(found()).toBe('');
  });
});

describe('a store in memory', () => {
  it('carries on from what an earlier one serialised, and calls after every commit', () => {
    let commits = 0;
    const store = openMemoryStore(chance, null, () => {
      commits += 1;
    });
    commits = 0;
    store.settings.set('a', 1);
    expect(commits).toBe(1);
    const bytes = store.serialize();
    store.transaction(() => {
      store.settings.set('a', 2);
      store.settings.set('b', 3);
      expect(commits).toBe(1);
    });
    expect(commits).toBe(2);
    const before = openMemoryStore(chance, bytes);
    expect([before.settings.get('a'), before.settings.get('b')]).toEqual([1, null]);
    expect(before.identity.host_id).toBe(store.identity.host_id);
  });

  it('undoes a transaction that throws, as a whole', () => {
    const store = openMemoryStore(chance);
    expect(() =>
      store.transaction(() => {
        store.settings.set('a', 1);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(store.settings.get('a')).toBeNull();
  });
});
