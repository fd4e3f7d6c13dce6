/**
 * How the owner changes a grant: the parts that were given, checked against what there is, with one clear
 * sentence where something is wrong. Pure. Not for what a grant then allows (grants.ts).
 */
import { z } from 'zod';
import { isToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import type { PolicyBook } from '../judge/policy.ts';
import { type Grant, grantSchema } from './grants.ts';
import { nearestTools } from './spelling.ts';
import { whyNotLower } from './tool-limits.ts';

/** Every part may be left out: then it stays as it is. */
export const grantChangeSchema = z.strictObject({
  tools: grantSchema.shape.tools.optional(),
  devices: grantSchema.shape.devices.optional(),
  act_on: grantSchema.shape.act_on.optional(),
  packages: grantSchema.shape.packages.unwrap().optional(),
  see: z.strictObject(partial(grantSchema.shape.see.unwrap().shape)).optional(),
  hosts: grantSchema.shape.hosts.unwrap().optional(),
  profile: grantSchema.shape.profile.unwrap().optional(),
  rates: z.strictObject(partial(grantSchema.shape.rates.unwrap().shape)).optional(),
  limits: grantSchema.shape.limits.unwrap().optional(),
  until: grantSchema.shape.until.unwrap().optional(),
});
export type GrantChange = z.infer<typeof grantChangeSchema>;

/** The fields without their defaults, each of which may be left out. */
function partial<S extends Record<string, z.ZodDefault>>(
  shape: S,
): { [K in keyof S]: z.ZodOptional<ReturnType<S[K]['unwrap']>> } {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, (field.unwrap() as z.ZodType).optional()]),
  ) as never;
}

export type Changed =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly field: string; readonly message: string };

const wrong = (field: string, message: string): Changed => ({
  ok: false,
  field,
  message: `${field}: ${message}.`,
});

/** The grant after the change, or why it cannot be. `change` is whatever the owner's side sent. */
export function changedGrant(
  before: Grant,
  change: unknown,
  there: { readonly book: PolicyBook; readonly devices: readonly string[]; readonly now: number },
): Changed {
  const read = grantChangeSchema.safeParse(change);
  if (!read.success) {
    const issue = read.error.issues[0];
    const known = Object.keys(grantChangeSchema.shape).join(', ');
    const at = issue?.path.join('.') ?? '';
    if (issue?.code === 'unrecognized_keys')
      return wrong(at === '' ? issue.keys.join(', ') : at, `nobody reads it; there are ${known}`);
    return wrong(at === '' ? 'grant' : at, issue?.message ?? 'it cannot be read');
  }
  const { see, rates, ...whole } = read.data;
  const grant = grantSchema.parse({
    ...before,
    ...given(whole),
    see: { ...before.see, ...given(see ?? {}) },
    rates: { ...before.rates, ...given(rates ?? {}) },
  });
  return whyNot(grant, before, there) ?? { ok: true, grant };
}

const given = (part: object) =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));

function whyNot(
  grant: Grant,
  before: Grant,
  {
    book,
    devices,
    now,
  }: { readonly book: PolicyBook; readonly devices: readonly string[]; readonly now: number },
): Changed | null {
  for (const tool of grant.tools ?? []) {
    if (!isToolName(tool))
      return wrong('tools', `there is no tool "${tool}"; near: ${nearestTools(tool).join(', ')}`);
  }
  for (const device of grant.devices ?? []) {
    if (!devices.includes(device))
      return wrong('devices', `there is no phone "${device}"; there are ${devices.join(', ') || 'none yet'}`);
  }
  for (const name of grant.see.categories) {
    const category = book.apps.categories.get(name);
    if (category === undefined)
      return wrong(
        'see.categories',
        `there is no category "${name}"; withheld are ${withheld(book).join(', ')}`,
      );
    if (category.see === 'never') return wrong('see.categories', `"${name}" is never shown to an agent`);
    if (category.see === 'see') return wrong('see.categories', `"${name}" is shown anyway`);
  }
  for (const app of grant.see.apps) {
    const never = app.endsWith('.*')
      ? undefined
      : book.apps.of(app).find((category) => category.see === 'never');
    if (never !== undefined) return wrong('see.apps', `"${app}" (${never.name}) is never shown to an agent`);
  }
  if (grant.profile !== null && book.profiles.profiles[grant.profile] === undefined)
    return wrong(
      'profile',
      `there is no profile "${grant.profile}"; there are ${Object.keys(book.profiles.profiles).join(', ')}`,
    );
  for (const [tool, limit] of Object.entries(grant.limits)) {
    if (!isToolName(tool))
      return wrong('limits', `there is no tool "${tool}"; near: ${nearestTools(tool).join(', ')}`);
    const why = whyNotLower(toolOf(tool), tool, limit);
    if (why !== null) return { ok: false, field: 'limits', message: `${why}.` };
  }
  if (grant.until !== null && grant.until <= now && grant.until !== before.until)
    return wrong('until', 'this moment is over already');
  return null;
}

const withheld = (book: PolicyBook) =>
  [...book.apps.categories.values()].filter((one) => one.see === 'withhold').map((one) => one.name);
