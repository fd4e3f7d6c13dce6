/**
 * What the console's page may ask, by name: each with the shape of its question and the owner's own call
 * that answers it. Not for who asks (guard.ts, sign-in.ts) or for what is pushed (stream.ts).
 */
import { z } from 'zod';
import type { AskedEngine } from '../asked-engine.ts';

/** How the owner's decisions here are written to the log. */
export const BY_CONSOLE = 'console';

type Owner = AskedEngine['owner'];

interface Route<P extends z.ZodType = z.ZodType> {
  readonly params: P;
  readonly run: (owner: Owner, params: z.infer<P>) => Promise<object>;
}
const route = <P extends z.ZodType>(params: P, run: Route<P>['run']): Route<P> => ({ params, run });

const id = z.string().min(1).max(64);
const none = z.strictObject({});
const DIGEST = /^[0-9a-f]{64}$/;

/** What was approved must be what was shown: the page sends the digest that it drew. */
async function approve(owner: Owner, confirmationId: string, digest: string): Promise<object> {
  const shown = (await owner.pending()).find((one) => one.confirmation_id === confirmationId);
  if (shown !== undefined && shown.digest !== digest) {
    return {
      ok: false,
      error_code: 'digest_differs',
      message: 'What waits now is not what this page showed. Look again.',
    };
  }
  return owner.approve(confirmationId, BY_CONSOLE);
}

export const ROUTES = {
  approve: route(z.strictObject({ confirmation_id: id, digest: z.string().regex(DIGEST) }), (owner, params) =>
    approve(owner, params.confirmation_id, params.digest),
  ),
  deny: route(z.strictObject({ confirmation_id: id }), (owner, params) =>
    owner.deny(params.confirmation_id, BY_CONSOLE),
  ),
  deny_stop: route(z.strictObject({ confirmation_id: id }), (owner, params) =>
    owner.order('deny_and_stop', params, BY_CONSOLE),
  ),
  stop: route(none, (owner) => owner.stop(BY_CONSOLE)),
  resume: route(none, (owner) => owner.resume(BY_CONSOLE)),
  log: route(
    z.strictObject({ last: z.int().min(1).max(1_000).optional(), request_id: id.optional() }),
    async (owner, params) => ({
      entries: await owner.log({
        ...(params.last === undefined ? {} : { last: params.last }),
        ...(params.request_id === undefined ? {} : { requestId: params.request_id }),
      }),
    }),
  ),
  verify_log: route(none, (owner) => owner.verifyLog()),
} as const;

export type RouteName = keyof typeof ROUTES;
export const isRoute = (name: string): name is RouteName => Object.hasOwn(ROUTES, name);

export type Answered =
  | { readonly status: 200; readonly body: object }
  | { readonly status: 400; readonly body: { ok: false; error_code: 'params_bad'; message: string } };

/** Answers one question of the page. */
export async function answerRoute(name: RouteName, raw: unknown, owner: Owner): Promise<Answered> {
  const { params, run } = ROUTES[name];
  const read = params.safeParse(raw);
  if (!read.success) {
    const message = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
    return { status: 400, body: { ok: false, error_code: 'params_bad', message } };
  }
  // Parsed by this very route's schema.
  return { status: 200, body: await (run as Route['run'])(owner, read.data) };
}
