/** The real server on a real socket: TLS with the pinned certificate, what it turns away, and one whole act. */
import { X509Certificate } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import { connect as tcp } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { hostsWord } from '../../device-protocol/companion/approval.ts';
import { CompanionDialogue } from '../../device-protocol/companion/dialogue.ts';
import { CompanionEngine } from '../../device-protocol/companion/engine.ts';
import { LIMITS } from '../../device-protocol/limits.ts';
import { hostTls } from '../../host/devices/certificate.ts';
import type { ListeningServer } from '../../host/devices/phone-api.ts';
import { Phones } from '../../host/devices/phones.ts';
import { listen, PHONE_PATH } from '../../host/devices/server.ts';
import { systemChance, systemClock } from '../../host/devices/system-clock.ts';
import { Tracker } from '../../host/engine/tracker.ts';
import { openMemoryStore, type Store } from '../../host/store/store.ts';
import { BenchBody, payloadText, REPORT } from '../support/companion-rig.ts';
import { MemoryDisk } from '../support/memory-disk.ts';
import { request } from '../tracker/world.ts';

const DEVICE = 'phone-1';
const SECRET = '5'.repeat(64);

let store: Store;
let phones: Phones;
let tracker: Tracker;
let server: ListeningServer;
let faults: unknown[];
let sockets: WebSocket[];

beforeEach(async () => {
  store = openMemoryStore(systemChance);
  faults = [];
  sockets = [];
  const onFault = (fault: unknown) => faults.push(fault);
  const tls = hostTls(store, systemChance);
  phones = new Phones({
    store,
    clock: systemClock,
    chance: systemChance,
    fingerprint: tls.fingerprint,
    onFault,
  });
  tracker = new Tracker({ store, clock: systemClock, chance: systemChance, links: phones, onFault });
  tracker.start();
  phones.registerDevice(DEVICE, SECRET);
  server = await listen({ tls, phones });
});
afterEach(async () => {
  // As the composition does, with phones still connected: nothing may touch the closed store afterwards.
  await server.close();
  tracker.close();
  store.close();
  // A client that was answered with a status instead of a socket keeps its side until it lets go itself.
  for (const socket of sockets) if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
  await Promise.all(
    sockets.map((socket) => (socket.readyState === WebSocket.CLOSED ? null : closed(socket))),
  );
  expect(phones.all()).toEqual([]);
  expect(faults).toEqual([]);
});

function dial(path = PHONE_PATH, options: WebSocket.ClientOptions = {}): WebSocket {
  const socket = new WebSocket(`wss://${server.host}:${server.port}${path}`, {
    rejectUnauthorized: false,
    ...options,
  });
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));
const opened = (socket: WebSocket) => new Promise<void>((resolve) => socket.once('open', () => resolve()));
const status = (socket: WebSocket) =>
  new Promise<number>((resolve) => {
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('open', () => resolve(101));
  });

/** A companion on a real socket. */
function companion(body = new BenchBody()): { body: BenchBody; socket: WebSocket } {
  const started = performance.now();
  const clock = {
    elapsedMs: () => 100_000 + performance.now() - started,
    bootCount: () => 1,
    at: (atMs: number, wake: () => void) => {
      const timer = setTimeout(wake, atMs - (100_000 + performance.now() - started));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
  const ports = {
    clock,
    body,
    disk: new MemoryDisk(),
    chance: systemChance,
    policy: { refuses: () => null },
    approval: hostsWord,
  };
  const engine = new CompanionEngine(ports, {
    can_be_turned_back: true,
    companion: { version: '0.1.0', kind: 'virtual' },
    phone: { model: 'bench', android: null, sdk: null, serial: null, locale: null },
    ledger_key: null,
  });
  engine.open();
  const socket = dial();
  const dialogue = new CompanionDialogue(
    engine,
    ports,
    { device_id: DEVICE, secret: SECRET, fingerprint: server.fingerprint, host_id: null },
    { send: (text) => socket.send(text), destroy: () => socket.terminate() },
  );
  socket.on('open', () => dialogue.start());
  socket.on('message', (data) => dialogue.frame(data.toString()));
  socket.on('close', () => dialogue.gone());
  return { body, socket };
}

describe('the server phones dial', () => {
  it('shows the certificate whose fingerprint pairing pins, the same after a restart', async () => {
    const socket = dial();
    const shown = await new Promise<X509Certificate | undefined>((resolve) =>
      socket.once('upgrade', (response) => {
        resolve((response.socket as TLSSocket).getPeerX509Certificate());
      }),
    );
    expect(shown?.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(server.fingerprint);
    expect(shown?.verify(shown.publicKey)).toBe(true);
    const again = openMemoryStore(systemChance, store.serialize());
    expect(hostTls(again, systemChance).fingerprint).toBe(server.fingerprint);
    expect(new X509Certificate(hostTls(again, systemChance).cert).checkPrivateKey).toBeDefined();
  });

  it('listens on loopback only (D-70)', async () => {
    expect(server.host).toBe('127.0.0.1');
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal);
    // A machine without any network cannot show this; its loopback is all there is.
    if (outside === undefined) return;
    const refused = await new Promise((resolve) => {
      tcp({ host: outside.address, port: server.port })
        .once('connect', () => resolve('connected'))
        .once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(refused).toBe('ECONNREFUSED');
  });

  it('turns away browsers, other paths and plain requests before anything is revealed (D-71)', async () => {
    expect(await status(dial(PHONE_PATH, { origin: 'http://evil.example' }))).toBe(403);
    expect(await status(dial(PHONE_PATH, { origin: 'null' }))).toBe(403);
    expect(await status(dial('/'))).toBe(403);
    expect(await status(dial(`${PHONE_PATH}?token=x`))).toBe(403);
    const plain = await new Promise<number>((resolve) =>
      httpsRequest({ host: server.host, port: server.port, rejectUnauthorized: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }).end(),
    );
    expect(plain).toBe(404);
    expect(await status(dial())).toBe(101);
  });

  it('ends a socket that sends too much, or bytes instead of text', async () => {
    const large = dial();
    await opened(large);
    large.send('x'.repeat(LIMITS.messageBytes + 1));
    expect(await closed(large)).toBe(1009);
    const binary = dial();
    await opened(binary);
    binary.send(Buffer.from([1, 2, 3]));
    await closed(binary);
    expect(phones.all()).toEqual([]);
  });

  it('says why it turns a phone away, and then ends the socket', async () => {
    const socket = dial();
    await opened(socket);
    const said = new Promise<string>((resolve) => socket.once('message', (data) => resolve(data.toString())));
    socket.send(JSON.stringify({ type: 'dial', protocol: 99, device_id: DEVICE, nonce: '0'.repeat(64) }));
    expect(JSON.parse(await said)).toMatchObject({ type: 'refused', code: 'protocol_version' });
    await closed(socket);
  });

  it('lets no more than 64 strangers wait', async () => {
    const strangers = Array.from({ length: 64 }, () => dial());
    await Promise.all(strangers.map(opened));
    expect(await status(dial())).toBe(503);
  });
});

describe('one act over the real socket', () => {
  it('is done once, and its report and screen come back', async () => {
    const { body } = companion();
    await phones.connected(DEVICE, 10_000);
    const bound = tracker.bind(request({ payload: payloadText() }));
    if (!bound.ok) throw new Error(bound.error_code);
    const { row, snapshot } = await tracker.run(bound.row.request_id);
    expect(row).toMatchObject({ state: 'done', report: { acted: true } });
    expect(snapshot).not.toBeNull();
    expect(body.runs).toHaveLength(1);
  });

  it('twenty copies of one call: one run (D-40)', async () => {
    const body = new BenchBody();
    body.endsAtOnce = false;
    companion(body);
    await phones.connected(DEVICE, 10_000);
    const ids = Array.from({ length: 20 }, () => {
      const bound = tracker.bind(request({ payload: payloadText() }));
      if (!bound.ok) throw new Error(bound.error_code);
      return bound.row.request_id;
    });
    expect(new Set(ids).size).toBe(1);
    const all = ids.map((id) => tracker.run(id));
    while (body.runs.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const report = { kind: 'report', report: REPORT, snapshot: null } as const;
    body.runs[0]?.end(report);
    for (const { row } of await Promise.all(all)) expect(row.state).toBe('done');
    expect(body.runs).toHaveLength(1);
  });
});
