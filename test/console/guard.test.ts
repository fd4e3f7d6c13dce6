/** An attacker's list against the console's server: raw requests, no browser. */
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CODE_LIFE_MS, SESSION_LIFE_MS } from '../../host/doors/console/sign-in.ts';
import { type Bench, openBench, pendingView } from './bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

interface Sent {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

function send(
  path: string,
  { method = 'POST', headers = {}, body = {} as object | string | null } = {},
): Promise<Sent> {
  const { port } = new URL(bench.console.url);
  const own = {
    host: `localhost:${port}`,
    origin: `http://localhost:${port}`,
    'content-type': 'application/json',
  };
  const given = Object.fromEntries(
    Object.entries({ ...own, ...headers }).filter(([, value]) => value !== ''),
  ) as Record<string, string>;
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname: '127.0.0.1', port, path, method, headers: given, agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const codeIn = (link: string) => link.split('#code=')[1] ?? '';

async function signIn(): Promise<Record<string, string>> {
  const answer = await send('/api/sign_in', { body: { code: codeIn(bench.console.link()) } });
  expect(answer.status).toBe(200);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  return { cookie, 'x-countersign-tab': (JSON.parse(answer.text) as { tab: string }).tab };
}

const approve = (view: { confirmation_id: string; digest: string }, headers: Record<string, string>) =>
  send('/api/approve', { headers, body: { confirmation_id: view.confirmation_id, digest: view.digest } });

describe('signing in', () => {
  it('takes a code once, and not after a minute', async () => {
    const link = bench.console.link();
    const body = { code: codeIn(link) };
    expect((await send('/api/sign_in', { body })).status).toBe(200);
    expect((await send('/api/sign_in', { body })).status).toBe(401);
    const late = { code: codeIn(bench.console.link()) };
    bench.clockMs += CODE_LIFE_MS + 1;
    expect((await send('/api/sign_in', { body: late })).status).toBe(401);
    expect((await send('/api/sign_in', { body: { code: 'guess' } })).status).toBe(401);
  });

  it('sets a cookie that no script reads and no other site sends, and clears what was there', async () => {
    const answer = await send('/api/sign_in', { body: { code: codeIn(bench.console.link()) } });
    expect(String(answer.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict; Path=\//);
    expect(answer.headers['clear-site-data']).toBe('"cache", "storage"');
  });

  it('stores no secret, only what it hashes to', async () => {
    const { cookie = '', 'x-countersign-tab': tab = '' } = await signIn();
    const stored = JSON.stringify(bench.sessions);
    expect(stored).not.toContain(cookie.split('=')[1]);
    expect(stored).not.toContain(tab);
  });

  it('ends after twelve hours, and when the owner signs out', async () => {
    const headers = await signIn();
    expect((await send('/api/log', { headers })).status).toBe(200);
    expect((await send('/api/sign_out', { headers })).status).toBe(200);
    expect((await send('/api/log', { headers })).status).toBe(401);
    const again = await signIn();
    bench.clockMs += SESSION_LIFE_MS + 1;
    expect((await send('/api/log', { headers: again })).status).toBe(401);
  });

  it('lasts over a restart of the host', async () => {
    const headers = await signIn();
    await bench.restart();
    expect((await send('/api/log', { headers })).status).toBe(200);
  });
});

describe('who is turned away', () => {
  const attacks: [string, (own: Record<string, string>) => Record<string, string>][] = [
    ['nobody', () => ({})],
    ['the cookie alone, as another port of this computer would send it', ({ cookie = '' }) => ({ cookie })],
    ['the tab’s secret alone', ({ 'x-countersign-tab': tab = '' }) => ({ 'x-countersign-tab': tab })],
    ['an agent’s bearer token', () => ({ authorization: 'Bearer agent-token' })],
    ['a foreign page', (own) => ({ ...own, origin: 'https://evil.example' })],
    ['a page of another port of this computer', (own) => ({ ...own, origin: 'http://localhost:1' })],
    ['our own address under TLS, which is not ours', (own) => ({ ...own, origin: 'https://localhost' })],
    ['a page without an origin', (own) => ({ ...own, origin: 'null' })],
    ['a form, which names no origin', (own) => ({ ...own, origin: '' })],
    ['a name that was rebound to us', (own) => ({ ...own, host: 'evil.example' })],
    ['another site, by what the browser says of it', (own) => ({ ...own, 'sec-fetch-site': 'cross-site' })],
    ['a page of the same site but another port', (own) => ({ ...own, 'sec-fetch-site': 'same-site' })],
    [
      'two cookies of our name, one set by somebody else',
      (own) => ({ ...own, cookie: `${own.cookie}; countersign_owner=x` }),
    ],
    ['a guessed session', (own) => ({ ...own, cookie: 'countersign_owner=guess' })],
  ];

  it.each(attacks)('%s approves nothing', async (_, headersOf) => {
    const view = pendingView();
    bench.pending = [view];
    const own = await signIn();
    const answer = await approve(view, headersOf(own));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(bench.decisions).toEqual([]);
    expect(bench.pending).toHaveLength(1);
  });

  it.each(attacks)('%s gets no stream', async (_, headersOf) => {
    const own = await signIn();
    const headers = headersOf(own);
    // Reading needs no origin: a page may leave it out of a GET, so the tab's secret decides.
    if (headers.origin === '') return;
    const answer = await send('/api/stream', { method: 'GET', headers, body: null });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it('lets no page frame it, run foreign code or learn where the owner came from', async () => {
    const page = await send('/', { method: 'GET', body: null, headers: { origin: '' } });
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['content-security-policy']).not.toMatch(/unsafe|\*/);
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(Object.keys(page.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const embedded = await send('/', {
      method: 'GET',
      body: null,
      headers: { origin: '', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    });
    expect(embedded.status).toBe(403);
  });

  it('serves nothing outside the page', async () => {
    for (const path of [
      '/../package.json',
      '/%2e%2e/package.json',
      '/assets/../../x',
      '/.env',
      '//etc/passwd',
    ]) {
      expect((await send(path, { method: 'GET', body: null, headers: { origin: '' } })).status).toBe(404);
    }
  });
});

describe('approving', () => {
  it('takes only the digest of what waits', async () => {
    const view = pendingView();
    bench.pending = [view];
    const headers = await signIn();
    const other = await approve({ ...view, digest: 'f'.repeat(64) }, headers);
    expect(JSON.parse(other.text)).toMatchObject({ ok: false, error_code: 'digest_differs' });
    expect(bench.decisions).toEqual([]);
    expect(JSON.parse((await approve(view, headers)).text)).toMatchObject({ ok: true });
    expect(JSON.parse((await approve(view, headers)).text)).toMatchObject({ ok: false });
    expect(bench.decisions).toEqual([`approve ${view.confirmation_id}`, `approve ${view.confirmation_id}`]);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['another field', { confirmation_id: 'c', digest: 'f'.repeat(64), sure: true }],
    ['a digest that is none', { confirmation_id: 'c', digest: 'x' }],
    ['a body that is too large', 'x'.repeat(70_000)],
  ])('answers %s with a code', async (_, body) => {
    const headers = await signIn();
    const answer = await send('/api/approve', { headers, body });
    expect([400, 413]).toContain(answer.status);
    expect(JSON.parse(answer.text)).toMatchObject({ ok: false, error_code: expect.any(String) });
    expect(bench.decisions).toEqual([]);
  });
});
