/** The console served over an owner whose queue the test writes, and a real browser to look at it. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { AskedEngine } from '../../host/doors/asked-engine.ts';
import { type Console, serveConsole } from '../../host/doors/console/server.ts';
import type { StoredSessions } from '../../host/doors/console/sign-in.ts';
import type { DeviceView, LogEntry, PendingView } from '../../host/engine/engine.ts';
import { programPath } from '../support/needs.ts';

export const CHROMIUM =
  programPath('chromium') ?? programPath('chromium-browser') ?? programPath('google-chrome');
export const PAGE_FOLDER = fileURLToPath(new URL('../../dist/console', import.meta.url));

export interface Bench {
  console: Console;
  pending: PendingView[];
  devices: DeviceView[];
  log: LogEntry[];
  /** What the owner was asked, in order. */
  readonly decisions: string[];
  readonly said: string[];
  sessions: StoredSessions;
  clockMs: number;
  /** Ends the console and serves it again on the same port, as a restarted host does. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

let made = 0;

export function pendingView(more: Partial<PendingView> = {}): PendingView {
  made += 1;
  const now = Date.now();
  return {
    confirmation_id: `confirmation-${made}`,
    request_id: `request-${made}`,
    digest: made.toString(16).padStart(64, '0'),
    agent: 'local',
    device_id: 'virtual',
    tool: 'tap',
    summary: 'tap “Send SMS”',
    app: 'com.android.messaging',
    window_title: 'Anna Beispiel',
    element: 'Send SMS',
    typed_text: null,
    reasons: [{ class: 'send', language: 'en', match: 'Send', where: 'label' }],
    staged_at: new Date(now).toISOString(),
    expires_at: new Date(now + 300_000).toISOString(),
    ...more,
  } as PendingView;
}

export function logEntry(more: Partial<LogEntry> = {}): LogEntry {
  made += 1;
  return {
    number: made,
    at: new Date().toISOString(),
    agent: 'local',
    door: 'mcp_stdio',
    tool: 'tap',
    kind: 'once',
    device_id: 'virtual',
    request_id: `request-${made}`,
    arguments: { ref: 'e1' },
    verdict: 'low',
    state: 'done',
    error_code: null,
    duration_ms: 120,
    say: `tap number ${made}: done`,
    ...more,
  } as LogEntry;
}

export async function openBench(): Promise<Bench> {
  const bench = {
    pending: [] as PendingView[],
    devices: [
      {
        device_id: 'virtual',
        model: 'Small Android',
        kind: 'virtual',
        health: 'ready',
        facts: [],
        last_seen_at: null,
      },
    ] as unknown as DeviceView[],
    log: [] as LogEntry[],
    decisions: [] as string[],
    said: [] as string[],
    sessions: [] as StoredSessions,
    clockMs: Date.now(),
  };
  const decide = async (what: string, id: string) => {
    bench.decisions.push(`${what} ${id}`);
    const there = bench.pending.some((view) => view.confirmation_id === id);
    bench.pending = bench.pending.filter((view) => view.confirmation_id !== id);
    return there
      ? { ok: true as const, say: what, state: what, request_id: 'r' }
      : { ok: false as const, error_code: 'already_decided', message: 'It was decided already.' };
  };
  const stopped = (on: boolean) => {
    bench.decisions.push(on ? 'stop' : 'resume');
    bench.devices = bench.devices.map((device) => ({
      ...device,
      facts: on ? [{ code: 'stopped', say: 'Stopped by the owner.' }] : [],
    })) as DeviceView[];
    return { ok: true as const, say: '', state: on ? 'stopped' : 'running', request_id: '' };
  };
  const owner = {
    devices: async () => bench.devices,
    pending: async () => bench.pending,
    approve: (id: string) => decide('approve', id),
    deny: (id: string) => decide('deny', id),
    order: (name: string, params: { confirmation_id: string }) => decide(name, params.confirmation_id),
    stop: async () => stopped(true),
    resume: async () => stopped(false),
    log: async ({ last = 1_000 }: { last?: number }) => bench.log.slice(-last),
    verifyLog: async () => ({ ok: true, rows: bench.log.length, first_bad: null, say: 'whole' }),
  } as unknown as AskedEngine['owner'];
  const serve = (port: number) =>
    serveConsole({
      port,
      pageFolder: PAGE_FOLDER,
      owner,
      signIn: {
        now: () => bench.clockMs,
        random: (count) => Buffer.from(crypto.getRandomValues(new Uint8Array(count))).toString('base64url'),
        load: () => bench.sessions,
        save: (sessions) => {
          bench.sessions = sessions;
        },
      },
      now: () => performance.now(),
      log: (line) => bench.said.push(line),
    });
  const opened = Object.assign(bench, {
    console: await serve(0),
    restart: async () => {
      const { port } = new URL(opened.console.url);
      await opened.console.close();
      opened.console = await serve(Number(port));
    },
    close: () => opened.console.close(),
  });
  return opened;
}

/** A headless browser as root in a container needs it, and without its own calls to its maker. */
export function openBrowser(): Promise<Browser> {
  if (CHROMIUM === null || !existsSync(CHROMIUM)) throw new Error('no chromium');
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

export interface Looking {
  readonly width?: number;
  readonly dark?: boolean;
  readonly locale?: string;
}

/** A fresh browser profile with the page open and signed in. */
export async function signedIn(
  browser: Browser,
  bench: Pick<Bench, 'console'>,
  { width = 1_280, dark = false, locale = 'en-GB' }: Looking = {},
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    locale,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      errors.push(message.text());
  });
  await page.goto(bench.console.link());
  await page.locator('#waiting').waitFor();
  return { page, context, errors };
}
