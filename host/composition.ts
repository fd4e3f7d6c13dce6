/**
 * Where the real parts meet: store, phones, tracker, judge, engine, owner socket, and the embedded virtual
 * phone. The only file that knows them all. Not for what any of them does.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tier } from '../device-protocol/tools/declare.ts';
import { hostTls } from './devices/certificate.ts';
import { Phones } from './devices/phones.ts';
import { listen, PHONE_PATH } from './devices/server.ts';
import { systemChance, systemClock } from './devices/system-clock.ts';
import { askedHere } from './doors/asked-engine.ts';
import { CONSOLE_PORT, type Console, serveConsole } from './doors/console/server.ts';
import { storedSessionsSchema } from './doors/console/sign-in.ts';
import type { HttpDoor } from './doors/mcp/http/http-door.ts';
import { serveOwnerSocket } from './doors/owner-socket/server.ts';
import { CONFIRMATION_LIFE_MS } from './engine/act.ts';
import { Blobs } from './engine/blobs.ts';
import { createEngine } from './engine/create-engine.ts';
import type { Caller, Engine } from './engine/engine.ts';
import { judgingBy } from './engine/judging.ts';
import { Looks } from './engine/looks.ts';
import { keptBy, recheckBy } from './engine/recheck.ts';
import { Tracker } from './engine/tracker.ts';
import { loadPolicyBook } from './judge/load-policy.ts';
import { loadSecretWords } from './judge/secrets-asked.ts';
import { packageRoot } from './package-root.ts';
import { openDataDirectory } from './store/data-directory.ts';
import { openStore, type Store } from './store/store.ts';
import { type SpawnedPhone, spawnVirtualPhone } from './virtual-phone/spawn.ts';

export interface HostOptions {
  /** Data directory; the platform's own place when left out. */
  readonly dataDir?: string;
  /** Start the embedded virtual phone, or one with these wishes. */
  readonly virtual?: boolean | VirtualWishes;
  /** Port phones dial on loopback; 0 is any free one. */
  readonly port?: number;
  /** How long a request waits for its owner; five minutes when left out. */
  readonly confirmationLifeMs?: number;
  /** Port of the owner's console on loopback; its own fixed one, or any where that is taken, when left out. */
  readonly consolePort?: number;
  /** Serve MCP over HTTP as well. */
  readonly mcpHttp?: McpHttpWishes;
  /** Diagnostics, one line each, never secrets. */
  readonly log: (line: string) => void;
}

export interface McpHttpWishes {
  /** Port; its own fixed one, or any where that is taken, when left out. */
  readonly port?: number;
  /** 127.0.0.1 when left out; beyond loopback only with `tls`. */
  readonly address?: string;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Names under which clients reach us, beside those of loopback. */
  readonly names?: readonly string[];
  readonly tier?: Tier;
}

export interface VirtualWishes {
  readonly stateFolder?: string;
  readonly language?: 'en' | 'de' | 'es' | 'ar' | 'ja' | 'hi';
  /** A recorded screen to show instead of the small Android. */
  readonly recorded?: string;
  /** A scenario file: one app more. */
  readonly scenario?: string;
  /** Answer the tests' side channel. */
  readonly control?: boolean;
}

export interface RunningHost {
  readonly engine: Engine;
  readonly dataDir: string;
  /** Where phones dial. */
  readonly phoneUrl: string;
  readonly deviceIds: readonly string[];
  /** Where agents with a token reach MCP over HTTP; null where it is not served. */
  readonly mcpHttpUrl: string | null;
  /** The owner's page, without a credential. */
  readonly consoleUrl: string;
  /** A fresh single-use link to it, for the owner's terminal and nothing else. */
  consoleLink(): string;
  /** The embedded phone; null where none was asked for. */
  readonly virtualPhone: SpawnedPhone | null;
  close(): Promise<void>;
}

export const VIRTUAL_DEVICE_ID = 'virtual';
/** How long start waits for the embedded phone to be there; later it simply appears. */
const VIRTUAL_READY_MS = 15_000;

/** Starts a host. Throws StoreError where the data directory is in use, damaged or not durable. */
export async function startHost(options: HostOptions): Promise<RunningHost> {
  const { log } = options;
  const dataDir = openDataDirectory(options.dataDir);
  const store = openStore(dataDir, systemChance);
  const closing: (() => Promise<void> | void)[] = [() => store.close()];
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    const policies = join(packageRoot(), 'policies');
    const tls = hostTls(store, systemChance);
    const onFault = (fault: unknown): never => {
      // A fault with nobody to throw to: the process ends, and the next start recovers from what is durable.
      throw fault;
    };
    const phones = new Phones({
      store,
      clock: systemClock,
      chance: systemChance,
      fingerprint: tls.fingerprint,
      onFault,
    });
    const judging = judgingBy({ book: loadPolicyBook(policies, dataDir), store, phones });
    const tracker = new Tracker({
      store,
      clock: systemClock,
      chance: systemChance,
      links: phones,
      recheck: recheckBy(store, systemClock),
      kept: keptBy(judging),
    });
    tracker.start();
    closing.push(() => tracker.close());
    const server = await listen({ tls, phones, port: options.port ?? 0 });
    closing.push(() => server.close());
    const blobs = new Blobs(systemClock, systemChance);
    const looks = new Looks({ store, phones, clock: systemClock, judging, blobs });
    let ownersPage: Console | null = null;
    const engine = createEngine({
      store,
      tracker,
      phones,
      judging,
      secrets: loadSecretWords(policies),
      looks,
      blobs,
      clock: systemClock,
      chance: systemChance,
      viewUrl: (confirmationId) => (ownersPage === null ? null : `${ownersPage.url}#c-${confirmationId}`),
      confirmationLifeMs: options.confirmationLifeMs ?? CONFIRMATION_LIFE_MS,
      log,
    });
    closing.push(() => engine.close());
    ownersPage = await openConsole(engine, store, options);
    closing.push(() => ownersPage?.close());
    const socket = await serveOwnerSocket({
      dataDir,
      engine,
      log,
      consoleLink: () => ownersPage?.link() ?? null,
    });
    closing.push(() => socket.close());
    const mcpHttp = options.mcpHttp === undefined ? null : await openMcpHttp(engine, options.mcpHttp, log);
    closing.push(() => mcpHttp?.close());
    const phoneUrl = `wss://127.0.0.1:${server.port}${PHONE_PATH}`;
    const virtualPhone = options.virtual
      ? await startVirtual(options.virtual === true ? {} : options.virtual)
      : null;
    return {
      engine,
      dataDir,
      phoneUrl,
      mcpHttpUrl: mcpHttp?.url ?? null,
      consoleUrl: ownersPage.url,
      consoleLink: ownersPage.link,
      deviceIds: store.devices.list().map((device) => device.device_id),
      virtualPhone,
      close,
    };

    async function startVirtual(wishes: VirtualWishes): Promise<SpawnedPhone> {
      const secret = store.devices.secret(VIRTUAL_DEVICE_ID) ?? randomBytes(32).toString('hex');
      phones.registerDevice(VIRTUAL_DEVICE_ID, secret);
      const phone = await spawnVirtualPhone(
        {
          device_id: VIRTUAL_DEVICE_ID,
          secret,
          host_url: phoneUrl,
          fingerprint: server.fingerprint,
          host_id: store.identity.host_id,
          state_folder: wishes.stateFolder ?? null,
          ...(wishes.language === undefined ? {} : { language: wishes.language }),
          ...(wishes.recorded === undefined ? {} : { recorded: wishes.recorded }),
          ...(wishes.scenario === undefined ? {} : { scenario: wishes.scenario }),
          control: wishes.control ?? false,
        },
        log,
      );
      closing.push(() => phone.stop());
      await phones.connected(VIRTUAL_DEVICE_ID, VIRTUAL_READY_MS);
      return phone;
    }
  } catch (error) {
    await close();
    throw error;
  }
}

const SESSIONS = 'console_sessions';

/** The console on its fixed port; where nobody asked for that very port, on any other rather than not at all. */
async function openConsole(engine: Engine, store: Store, options: HostOptions): Promise<Console> {
  const { log } = options;
  const open = (port: number) =>
    serveConsole({
      port,
      pageFolder: join(packageRoot(), 'dist', 'console'),
      owner: askedHere(engine).owner,
      signIn: {
        now: systemClock.now,
        random: (count) => randomBytes(count).toString('base64url'),
        load: () => storedSessionsSchema.safeParse(store.settings.get(SESSIONS)).data ?? [],
        save: (sessions) => store.settings.set(SESSIONS, sessions),
      },
      now: systemClock.monotonic,
      log,
    });
  if (options.consolePort !== undefined) return open(options.consolePort);
  return onOwnPort(CONSOLE_PORT, open, () =>
    log(`Port ${CONSOLE_PORT} is taken (another host?): the console has another one this time.`),
  );
}

/** Fixed, so that what was pasted into a client stays right. */
const MCP_HTTP_PORT = 47_642;

async function openMcpHttp(
  engine: Engine,
  wishes: McpHttpWishes,
  log: (line: string) => void,
): Promise<HttpDoor> {
  // Loaded only where it is served: a host inside `countersign mcp` is up the sooner.
  const [{ openHttpDoor }, { buildServer }] = await Promise.all([
    import('./doors/mcp/http/http-door.ts'),
    import('./doors/mcp/build-server.ts'),
  ]);
  const { address = '127.0.0.1', tls, names, tier = 'core' } = wishes;
  const open = (port: number) =>
    openHttpDoor<Caller>({
      address,
      port,
      ...(tls === undefined ? {} : { tls }),
      ...(names === undefined ? {} : { names }),
      callerOf: (token) => engine.callerOf(token, 'mcp_http'),
      buildServer: (caller) =>
        buildServer({
          engine: askedHere(engine),
          caller,
          listing: { tier, small: false },
          version: packageVersion(),
          log,
        }),
      now: systemClock.monotonic,
      log,
    });
  if (wishes.port !== undefined) return open(wishes.port);
  return onOwnPort(MCP_HTTP_PORT, open, () =>
    log(`Port ${MCP_HTTP_PORT} is taken: MCP over HTTP has another one this time.`),
  );
}

function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string })
    .version;
}

/** The port that is always the same, else any: where nobody asked for that very one. */
async function onOwnPort<T>(port: number, open: (port: number) => Promise<T>, taken: () => void): Promise<T> {
  try {
    return await open(port);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    taken();
    return open(0);
  }
}
