/**
 * What an agent may do: tools, phones, apps, acting at all, what it may see, how much of it, until when. Pure:
 * the grant comes from the store, the phone's kind from its hello. Not for what a label means (host/judge), for
 * counting (allowance.ts) or for how the owner changes one (grant-change.ts).
 */
import { z } from 'zod';
import { REACH_TOOLS } from '../../device-protocol/tools/reach.ts';
import { TOOL_NAMES, type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import type { StoreApi } from '../store/store-api.ts';
import { LOCAL_AGENT } from './agent-names.ts';

/** An application id, or all below one: `com.example.notes`, `com.example.*`. */
const packages = z
  .array(
    z
      .string()
      .max(255)
      .regex(
        /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)*(?:\.[A-Za-z]\w*|\.\*)$/,
        'a package, or a package with .* at its end',
      ),
  )
  .max(500);
const names = z.array(z.string().min(1).max(64)).max(200);
const most = (top: number) => z.int().min(1).max(top).nullable();

export const PHONE_KINDS = ['virtual', 'jvm', 'android'] as const;

const limitSchema = z.strictObject({
  /** Longest time of one call. */
  timeout_ms: z.int().min(500).optional(),
  /** Times it is tried in all; derived from the effect, and can only be lowered. */
  attempts: z.int().min(1).optional(),
  /** Size of the screen in one answer. */
  tokens: z.int().min(200).optional(),
});
export type ToolLimit = z.infer<typeof limitSchema>;

export const grantSchema = z.strictObject({
  /** Null: every tool. */
  tools: names.nullable(),
  /** Null: every phone. */
  devices: names.nullable(),
  /** May act on phones of these kinds; an empty list is read-only. */
  act_on: z.array(z.enum(PHONE_KINDS)).max(PHONE_KINDS.length),
  /** Apps it may act in and see; null: every app that the policy allows. */
  packages: packages.nullable().default(null),
  /** What it may see beyond that. */
  see: z
    .strictObject({
      /** Categories of policies/apps.json that are withheld until the owner allows them. */
      categories: z.array(z.string().max(40)).max(50).default([]),
      /** Apps: of such a category, or outside `packages`, to look at without acting. */
      apps: packages.default([]),
      /** One-time codes are not masked. */
      codes: z.boolean().default(false),
    })
    .default({ categories: [], apps: [], codes: false }),
  /** Hosts whose addresses it may open without being asked about; a leading dot takes in everything below. */
  hosts: z.array(z.string().min(1).max(253)).max(500).default([]),
  /** A profile of policies/profiles.json; null: the default one. */
  profile: z.string().max(40).nullable().default(null),
  rates: z
    .strictObject({
      calls_a_minute: most(100_000).default(null),
      acts_an_hour: most(100_000).default(null),
      /** Acts of one task. */
      steps_a_run: most(100_000).default(null),
      /** Estimated tokens of all answers. */
      tokens_an_hour: most(1_000_000_000).default(null),
    })
    .default({ calls_a_minute: null, acts_an_hour: null, steps_a_run: null, tokens_an_hour: null }),
  limits: z.record(z.string().max(64), limitSchema).default({}),
  /** Wall clock, milliseconds since 1970; null: until it is changed. */
  until: z.int().min(0).nullable().default(null),
});
export type Grant = z.infer<typeof grantSchema>;

/** What a new agent may do at most before anyone thought about it. */
const CAREFUL = { calls_a_minute: 600, acts_an_hour: 600, steps_a_run: 300, tokens_an_hour: null } as const;
const NO_RATES = {
  calls_a_minute: null,
  acts_an_hour: null,
  steps_a_run: null,
  tokens_an_hour: null,
} as const;

/** A new agent is read-only until the owner says otherwise; the built-in one may act on the virtual phone. */
export function defaultGrant(agent: string): Grant {
  const local = agent === LOCAL_AGENT;
  return grantSchema.parse({
    tools: null,
    devices: null,
    act_on: local ? ['virtual', 'jvm'] : [],
    rates: local ? NO_RATES : CAREFUL,
  });
}

/** What damaged data allows: nothing. */
const NOTHING = grantSchema.parse({ tools: [], devices: [], act_on: [], packages: [] });

/** The owner's stored grant of `agent`, else the default. A stored one that is damaged allows nothing. */
export function grantOf(store: StoreApi, agent: string): Grant {
  return grantFrom(agent, store.agents.get(agent)?.grant ?? null);
}

export function grantFrom(agent: string, stored: unknown): Grant {
  if (stored === null) return defaultGrant(agent);
  const read = grantSchema.safeParse(stored);
  return read.success ? read.data : NOTHING;
}

export const isOver = (grant: Grant, now: number) => grant.until !== null && grant.until <= now;

/** These only lead to other tools, each of which is then looked at by itself: no grant need name them. */
const leads = (tool: ToolName) => Object.hasOwn(REACH_TOOLS, tool);

export const mayUseTool = (grant: Grant, tool: ToolName) =>
  leads(tool) || (grant.tools?.includes(tool) ?? true);
export const mayUseDevice = (grant: Grant, deviceId: string) => grant.devices?.includes(deviceId) ?? true;

/** A phone whose kind was never seen counts as a real one. */
export const mayActOn = (grant: Grant, kind: 'virtual' | 'jvm' | 'android' | null) =>
  grant.act_on.includes(kind ?? 'android');

const fits = (pattern: string, packageName: string) =>
  pattern.endsWith('.*') ? packageName.startsWith(pattern.slice(0, -1)) : packageName === pattern;

/** Whether the grant reaches into this app; an unknown one only where it reaches into all. */
export const reachesApp = (grant: Grant, packageName: string | null) =>
  grant.packages === null ||
  (packageName !== null && grant.packages.some((pattern) => fits(pattern, packageName)));

/** Whether the owner named this app as one to be seen. */
export const seesApp = (grant: Grant, packageName: string | null) =>
  packageName !== null && grant.see.apps.some((pattern) => fits(pattern, packageName));

/** Tools to list: those the grant names; acts on the phone only where it lets the agent act at all. */
export function listedTools(grant: Grant): ToolName[] {
  return TOOL_NAMES.filter(
    (name) => mayUseTool(grant, name) && (!toolOf(name).tracked || grant.act_on.length > 0),
  );
}
