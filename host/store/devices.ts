/** Known phones: their secrets, and what is remembered of them between sessions. Not for live sessions. */
import type { Database } from './database.ts';
import type { DeviceMemory, DeviceRow } from './rows.ts';
import type { DevicesApi } from './store-api.ts';

const SECRET = /^[0-9a-f]{64}$/;

function rowOf(found: Record<string, unknown>): DeviceRow {
  return {
    device_id: found.device_id as string,
    model: found.model as string | null,
    kind: found.kind as DeviceRow['kind'],
    companion_version: found.companion_version as string | null,
    locale: found.locale as string | null,
    last_seq: found.last_seq as number,
    memory: found.memory === null ? null : (JSON.parse(found.memory as string) as DeviceMemory),
    turned_back_at: found.turned_back_at as number | null,
    resume_owed: found.resume_owed === 1,
    paired_at: found.paired_at as number,
    last_seen_at: found.last_seen_at as number | null,
  };
}

export class Devices implements DevicesApi {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  register(deviceId: string, secret: string, at: number): void {
    if (!SECRET.test(secret)) throw new Error('a pairing secret is 64 lower-case hex digits');
    this.#db.run(
      `INSERT INTO devices (device_id, secret, paired_at) VALUES (?, ?, ?)
       ON CONFLICT (device_id) DO UPDATE SET secret = excluded.secret, paired_at = excluded.paired_at`,
      deviceId,
      secret,
      at,
    );
  }

  get(deviceId: string): DeviceRow | null {
    const found = this.#db.one('SELECT * FROM devices WHERE device_id = ?', deviceId);
    return found === undefined ? null : rowOf(found);
  }

  list(): DeviceRow[] {
    return this.#db.all('SELECT * FROM devices ORDER BY device_id').map(rowOf);
  }

  secret(deviceId: string): string | null {
    const found = this.#db.one('SELECT secret FROM devices WHERE device_id = ?', deviceId);
    return found === undefined ? null : String(found.secret);
  }

  remember(deviceId: string, memory: DeviceMemory): void {
    this.#changed(
      this.#db.run(
        'UPDATE devices SET memory = ?, last_seen_at = ? WHERE device_id = ?',
        JSON.stringify(memory),
        memory.seen_at,
        deviceId,
      ),
      deviceId,
    );
  }

  seen(
    deviceId: string,
    facts: {
      readonly model: string;
      readonly kind: 'virtual' | 'android' | 'jvm';
      readonly companion_version: string;
      readonly locale: string | null;
    } | null,
    at: number,
  ): void {
    const changes =
      facts === null
        ? this.#db.run('UPDATE devices SET last_seen_at = ? WHERE device_id = ?', at, deviceId)
        : this.#db.run(
            `UPDATE devices SET last_seen_at = ?, model = ?, kind = ?, companion_version = ?, locale = ?
             WHERE device_id = ?`,
            at,
            facts.model,
            facts.kind,
            facts.companion_version,
            facts.locale,
            deviceId,
          );
    this.#changed(changes, deviceId);
  }

  raiseSeq(deviceId: string, seq: number): void {
    this.#changed(
      this.#db.run('UPDATE devices SET last_seq = max(last_seq, ?) WHERE device_id = ?', seq, deviceId),
      deviceId,
    );
  }

  setTurnedBack(deviceId: string, at: number | null): void {
    this.#changed(
      this.#db.run('UPDATE devices SET turned_back_at = ? WHERE device_id = ?', at, deviceId),
      deviceId,
    );
  }

  setResumeOwed(deviceId: string, owed: boolean): void {
    this.#changed(
      this.#db.run('UPDATE devices SET resume_owed = ? WHERE device_id = ?', owed ? 1 : 0, deviceId),
      deviceId,
    );
  }

  #changed(changes: number, deviceId: string): void {
    if (changes !== 1) throw new Error(`no such device: ${deviceId}`);
  }
}
