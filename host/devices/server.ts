/**
 * The one WebSocket server phones dial (RFC 6455 over TLS), on loopback unless told otherwise. Carries
 * frames between sockets and phones.ts. Not for what a frame means.
 */
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { LIMITS } from '../../device-protocol/limits.ts';
import type { HostTls } from './certificate.ts';
import type { ListeningServer } from './phone-api.ts';
import type { Phones } from './phones.ts';

export interface ServerOptions {
  readonly tls: HostTls;
  readonly phones: Phones;
  /** Default 127.0.0.1: another address is the owner's explicit wish (D-70). */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
}

/** The path phones dial; anything else is not answered. */
export const PHONE_PATH = '/phone';
/** Sockets that have not proven anything yet, all together. */
const STRANGERS_MOST = 64;
/** TLS and upgrade must be done within this; then the handshake's own limits take over. */
const HANDSHAKE_MS = 10_000;
/** A refusal is given this long to leave. */
const LAST_WORD_MS = 1_000;

export async function listen(options: ServerOptions): Promise<ListeningServer> {
  const { tls, phones, host = '127.0.0.1', port = 0 } = options;
  const https = createServer({
    key: tls.key,
    cert: tls.cert,
    minVersion: 'TLSv1.2',
    handshakeTimeout: HANDSHAKE_MS,
  });
  https.headersTimeout = HANDSHAKE_MS;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.messageBytes,
    // Compression would let a small frame become a huge one, and mixes secrets with what is guessed.
    perMessageDeflate: false,
    clientTracking: true,
  });
  // Everything that is open, half-open TLS included: closing waits for no stranger.
  const raw = new Set<Socket>();
  https.on('connection', (socket: Socket) => {
    raw.add(socket);
    socket.once('close', () => raw.delete(socket));
  });
  https.on('request', (_request, response) => {
    response.writeHead(404, { connection: 'close' }).end();
  });
  https.on('upgrade', (request, socket, head) => {
    // Companions are not browsers: a page's socket carries an Origin and is not wanted (D-71).
    const wanted = request.url === PHONE_PATH && request.headers.origin === undefined;
    if (!wanted || sockets.clients.size >= STRANGERS_MOST + phones.all().length) {
      // Destroyed once the answer has left: nobody else ends a socket that was not taken over.
      socket.once('finish', () => socket.destroy());
      socket.end(
        `HTTP/1.1 ${wanted ? '503 Service Unavailable' : '403 Forbidden'}\r\nConnection: close\r\n\r\n`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      carry(webSocket, request.socket.remoteAddress, phones),
    );
  });
  await new Promise<void>((resolve, reject) => {
    https.once('error', reject);
    https.listen(port, host, resolve);
  });
  const address = https.address() as AddressInfo;
  return {
    host: address.address,
    port: address.port,
    fingerprint: tls.fingerprint,
    close: () =>
      new Promise((resolve) => {
        // Sessions first: what they know is stored now, and the sockets' own ends find nothing to do.
        phones.close();
        https.close(() => resolve());
        for (const socket of sockets.clients) socket.terminate();
        for (const socket of raw) socket.destroy();
      }),
  };
}

function carry(socket: WebSocket, from: string | undefined, phones: Phones): void {
  const events = phones.accept({
    from: from ?? 'unknown',
    send(text) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      // An error after this is told by `close`; what was queued then is asked about by status.
      socket.send(text, () => {});
      return true;
    },
    destroy: () => socket.terminate(),
    endWith(text) {
      const late = setTimeout(() => socket.terminate(), LAST_WORD_MS);
      socket.once('close', () => clearTimeout(late));
      socket.send(text, () => socket.terminate());
    },
  });
  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) socket.terminate();
    else events.frame(textOf(data));
  });
  // `close` follows every error, a frame above the limit included.
  socket.on('error', () => {});
  socket.on('close', () => events.gone());
}

function textOf(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8');
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data).toString('utf8');
}
