/**
 * The product's HTTP door with a proxy before it that shows the token: the official suite cannot send one,
 * and the door is not to be had without. Host and Origin pass through as the suite sent them.
 */
import { randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openHttpDoor } from '../../host/doors/mcp/http/http-door.ts';
import { fixtureServer } from './fixtures.ts';

export interface OpenDoor {
  /** For the suite: needs no token. */
  readonly url: string;
  close(): Promise<void>;
}

/** A proxy that adds `token` to every request to `target`. */
export async function withToken(target: string, token: string): Promise<OpenDoor> {
  const { hostname, port, pathname } = new URL(target);
  const proxy = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${token}` };
    const onward = request({ hostname, port, path: req.url, method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    // A client that leaves its stream leaves the server's too.
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}${pathname}`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

/** The suite's own fixtures behind our door. */
export async function fixtureDoor(log: (line: string) => void): Promise<OpenDoor> {
  const token = randomBytes(32).toString('base64url');
  const door = await openHttpDoor({
    address: '127.0.0.1',
    port: 0,
    callerOf: (shown) => (shown === token ? { agent: 'conformance' } : null),
    buildServer: () =>
      fixtureServer({
        tools: () => door.notify.toolsChanged(),
        prompts: () => door.notify.promptsChanged(),
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
    },
  };
}
