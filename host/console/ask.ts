/** Questions of the page to the host, with the tab's own secret. Not for what is pushed (live.ts). */
const TAB_HEADER = 'x-countersign-tab';
/** Kept for this tab alone; a reload keeps it, another tab has none. */
const STORED = 'countersign-tab';

let tab: string | null = sessionStorage.getItem(STORED);

export type Told = { readonly ok: boolean; readonly error_code?: string; readonly message?: string } & Record<
  string,
  unknown
>;

/** The host could not be asked at all. */
export class Unreachable extends Error {}
/** The host does not know this tab (any longer). */
export class SignedOut extends Error {}

export const isSignedIn = () => tab !== null;

export function forget(): void {
  tab = null;
  sessionStorage.removeItem(STORED);
}

/** Spends the code of a sign-in link. Null where it is not good any more. */
export async function signIn(code: string): Promise<boolean> {
  const answer = await fetch('/api/sign_in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (!answer.ok) return false;
  // Set after the answer: it clears whatever this origin had stored.
  tab = ((await answer.json()) as { tab: string }).tab;
  sessionStorage.setItem(STORED, tab);
  return true;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, headers: { ...init.headers, [TAB_HEADER]: tab ?? '' } });
  } catch (error) {
    throw new Unreachable(error instanceof Error ? error.message : String(error));
  }
  if (answer.status === 401) throw new SignedOut();
  return answer;
}

export async function ask(name: string, params: object = {}): Promise<Told> {
  const answer = await send(`/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
  });
  return (await answer.json()) as Told;
}

export const openStream = (signal: AbortSignal) => send('/api/stream', { method: 'GET', signal });
