/** The real server, with a real host and its virtual phone behind it, for the suite's scenarios without fixtures. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHost } from '../../host/composition.ts';
import { askedHere } from '../../host/doors/asked-engine.ts';
import { buildServer } from '../../host/doors/mcp/build-server.ts';
import { openHttpDoor } from '../../host/doors/mcp/http/http-door.ts';
import type { Caller } from '../../host/engine/engine.ts';
import { type OpenDoor, withToken } from './door.ts';

export async function realDoor(log: (line: string) => void): Promise<OpenDoor> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-conformance-'));
  const host = await startHost({ dataDir: folder, log, virtual: { stateFolder: join(folder, 'phone') } });
  const token = randomBytes(32).toString('base64url');
  const caller: Caller = { agent: 'local', door: 'mcp_http' };
  const door = await openHttpDoor({
    address: '127.0.0.1',
    port: 0,
    callerOf: (shown) => (shown === token ? caller : null),
    buildServer: () =>
      buildServer({
        engine: askedHere(host.engine),
        caller,
        listing: { tier: 'core', small: false },
        version: '0.0.0',
        log,
      }),
    now: () => performance.now(),
    log,
  });
  const proxy = await withToken(door.url, token);
  return {
    url: proxy.url,
    close: async () => {
      await proxy.close();
      await door.close();
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
