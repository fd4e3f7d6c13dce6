/** What the screen looked like when a request was staged, until the request is final. Not for agents (blobs). */
import type { Database } from './database.ts';
import type { PicturesApi } from './store-api.ts';

export class Pictures implements PicturesApi {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  put(requestId: string, contentType: string, bytes: Uint8Array): boolean {
    // Only for what still waits: a picture that comes late must not stay behind.
    return (
      this.#db.run(
        `INSERT INTO pictures (request_id, content_type, bytes)
         SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM commands WHERE request_id = ? AND state = 'staged')
         ON CONFLICT (request_id) DO NOTHING`,
        requestId,
        contentType,
        bytes,
        requestId,
      ) === 1
    );
  }

  get(requestId: string): { readonly contentType: string; readonly bytes: Uint8Array } | null {
    const found = this.#db.one('SELECT content_type, bytes FROM pictures WHERE request_id = ?', requestId);
    return found === undefined
      ? null
      : { contentType: found.content_type as string, bytes: found.bytes as Uint8Array };
  }
}
