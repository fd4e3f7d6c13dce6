/**
 * Which requests reach the console at all: addressed to it by its own name, and sent by its own page. Pure.
 * Not for who the owner is (sign-in.ts).
 */
import type { IncomingHttpHeaders } from 'node:http';

export const TAB_HEADER = 'x-countersign-tab';
export const COOKIE = 'countersign_owner';

/** Sent with everything: nothing foreign runs here, nobody frames or remembers it, nothing leaks by referrer. */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

export type Turned = { readonly status: number; readonly say: string };

/** Null where the request may go on. `port` is the console's own. */
export function turnedAway(
  request: { readonly method: string; readonly headers: IncomingHttpHeaders; readonly forApi: boolean },
  port: number,
): Turned | null {
  const { method, headers, forApi } = request;
  const own = [`localhost:${port}`, `127.0.0.1:${port}`];
  // A name that was rebound to this address is not ours, whatever it resolves to.
  if (headers.host === undefined || !own.includes(headers.host.toLowerCase())) {
    return { status: 421, say: 'This console answers to localhost only.' };
  }
  if (method !== 'GET' && method !== 'POST') return { status: 405, say: 'GET or POST.' };
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const ownOrigin = origin === `http://${headers.host.toLowerCase()}`;
  if (!forApi) {
    // The page itself may be opened from anywhere by a person, but nobody may fetch or frame it.
    return site === undefined ||
      site === 'none' ||
      site === 'same-origin' ||
      headers['sec-fetch-mode'] === 'navigate'
      ? null
      : { status: 403, say: 'Open the console in a tab of its own.' };
  }
  if (origin !== undefined && !ownOrigin) return { status: 403, say: 'Only the console’s own page may ask.' };
  if (site !== undefined && site !== 'same-origin') {
    return { status: 403, say: 'Only the console’s own page may ask.' };
  }
  // A page always names its origin when it posts; who does not is no page of ours.
  if (method === 'POST' && !ownOrigin) return { status: 403, say: 'Only the console’s own page may ask.' };
  return null;
}

/** The value of our cookie, null where there is none, or more than one (somebody else set another). */
export function cookieOf(headers: IncomingHttpHeaders): string | null {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
    .map((pair) => pair.slice(COOKIE.length + 1));
  return values.length === 1 && values[0] !== '' ? (values[0] ?? null) : null;
}

export function tabOf(headers: IncomingHttpHeaders): string | null {
  const value = headers[TAB_HEADER];
  return typeof value === 'string' && value !== '' ? value : null;
}
