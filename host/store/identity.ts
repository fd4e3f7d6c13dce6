/** Who this host is: its id and its TLS certificate. Not for pairing secrets (devices.ts). */
import type { Database } from './database.ts';
import type { IdentityApi } from './store-api.ts';

export class Identity implements IdentityApi {
  readonly host_id: string;
  readonly #db: Database;

  /** `freshId`: 32 hex digits, taken only where there is none yet. */
  constructor(db: Database, freshId: string) {
    this.#db = db;
    const known = db.one('SELECT host_id FROM identity WHERE one = 1');
    if (known === undefined) db.run('INSERT INTO identity (one, host_id) VALUES (1, ?)', freshId);
    this.host_id = known === undefined ? freshId : String(known.host_id);
  }

  tls(): { readonly key: string; readonly cert: string } | null {
    const row = this.#db.one('SELECT tls_key, tls_cert FROM identity WHERE one = 1');
    const { tls_key: key, tls_cert: cert } = row ?? {};
    return typeof key === 'string' && typeof cert === 'string' ? { key, cert } : null;
  }

  setTls(key: string, cert: string): void {
    this.#db.run('UPDATE identity SET tls_key = ?, tls_cert = ? WHERE one = 1', key, cert);
  }
}
