/**
 * Standing rules: what the owner said yes to once may go through again, exactly so: this element in this app, by
 * this agent, to the same recipient, until then, so many times. Not for storing them (host/store/rules.ts).
 */
import { normalise } from '../../device-protocol/fold.ts';
import { has, type SnapshotNode } from '../../device-protocol/snapshot.ts';
import type { ToolName } from '../../device-protocol/tools/tools.ts';
import type { PolicyBook } from '../judge/policy.ts';
import type { RuleMatches, RuleRow } from '../store/rows.ts';
import type { StoreApi } from '../store/store-api.ts';
import type { Judging } from './judging.ts';
import type { Look } from './look.ts';
import type { Prepared } from './prepared.ts';

/** Why no rule can be made of a request, for the owner. */
export const NO_RULE = {
  no_element: 'it aims at no element with words of its own',
  always_high: 'every act in this app is asked about, always',
  too_broad: 'what it would touch is not known well enough',
  no_recipient: 'the screen does not say who gets it',
} as const;
export type NoRule = keyof typeof NO_RULE;

export type RuleOffer = RuleMatches | { readonly none: NoRule };

/** Reasons that say too little of what is touched, or are never the owner's to wave through in advance. */
const NEVER: readonly string[] = [
  'unknown_target',
  'surface',
  'foreground_unknown',
  'never_controllable',
  'denied_package',
  'app_category',
  'install_prompt',
  'permission_prompt',
  'autofill',
  'system_surface',
  'owner_rule',
];

/** Something leaves the phone: who gets it must be the same. */
const GOES_OUT: readonly string[] = [
  'send',
  'share',
  'post',
  'call',
  'composer',
  'ime_action',
  'newline',
  'link',
  'share_sheet',
];
/** Money goes: everything on the screen must be the same, the amount included. */
const COSTS: readonly string[] = ['pay', 'transfer', 'order', 'subscribe', 'confirm', 'slide'];

/** An address, a number, an account: whoever is meant, it is not somebody else. */
const ADDRESS = /@|\+?\p{Nd}[\p{Nd} ()./-]{5,}/u;

/** The rule that a yes to this would be, or why it can be none. */
export function ruleOffer(judging: Judging, tool: ToolName, { made, look, verdict }: Prepared): RuleOffer {
  const { package: app, activity } = look.snapshot.foreground;
  if (app !== null && judging.isAlwaysHigh(app, activity)) return { none: 'always_high' };
  const spot = made.spot;
  const label = spot === null || spot.meant === null ? null : spot.look.labelOf(spot.meant);
  if (spot === null || spot.meant === null || app === null || label === null || normalise(label) === '')
    return { none: 'no_element' };
  const classes: string[] = [...new Set(verdict.reasons.map((reason) => reason.class))].sort();
  if (classes.length === 0 || classes.some((one) => NEVER.includes(one))) return { none: 'too_broad' };
  const costs = classes.some((one) => COSTS.includes(one));
  const out = costs || classes.some((one) => GOES_OUT.includes(one));
  const recipient = out ? recipientOn(spot.look, spot.meant, costs, judging.book) : null;
  if (recipient !== null && recipient.length === 0) return { none: 'no_recipient' };
  return {
    tool,
    package: app,
    label: normalise(label),
    role: spot.look.roleOf(spot.meant),
    recipient,
    classes,
  };
}

/** What names the recipient on the element's window; with `all`, everything that stands there. */
function recipientOn(look: Look, meant: number, all: boolean, book: PolicyBook): string[] {
  if (all) return look.shownOf(meant).lines.map(normalise);
  const { nodes, windows } = look.snapshot;
  const window = nodes[meant]?.window ?? -1;
  const here = nodes.filter((node, at) => node.window === window && look.tree.seen[at] !== null);
  const texts = [
    windows[window]?.title ?? null,
    ...here.filter((node) => has(node, 'heading')).map((node) => node.text ?? node.description),
  ];
  const named = texts.map((text) => normalise(text ?? '')).filter((text) => text !== '');
  if (named.length === 0) return [];
  const fields = here
    .filter((node) => has(node, 'editable') && !isMessage(node, book))
    .map((node) => node.text);
  const addresses = here
    .filter((node) => !has(node, 'editable') && ADDRESS.test(node.text ?? ''))
    .map((node) => node.text);
  const bound = [...fields, ...addresses].map((text) => normalise(text ?? ''));
  return [...new Set([...named, ...bound])].filter((text) => text !== '').sort();
}

/** The field with the message itself, which may differ each time. */
function isMessage(node: SnapshotNode, { signs }: PolicyBook): boolean {
  const words = [node.hint, node.description].filter((text) => text != null);
  return words.some((text) => signs.says('message_field', text));
}

const sameLines = (a: readonly string[] | null, b: readonly string[] | null) =>
  a === null || b === null ? a === b : a.length === b.length && a.every((line, at) => line === b[at]);

/** Whether a rule covers this: all of it equal, and no reason the owner had not seen then. */
export function covers(rule: RuleMatches, wanted: RuleMatches): boolean {
  return (
    rule.tool === wanted.tool &&
    rule.package === wanted.package &&
    rule.label === wanted.label &&
    rule.role === wanted.role &&
    sameLines(rule.recipient, wanted.recipient) &&
    wanted.classes.every((one) => rule.classes.includes(one))
  );
}

/** The oldest live rule that covers what would otherwise wait for the owner; null: none. */
export function ruleFor(
  store: StoreApi,
  agent: string,
  deviceId: string,
  offer: RuleOffer,
  now: number,
): RuleRow | null {
  if ('none' in offer) return null;
  return store.rules.live(agent, deviceId, now).find((rule) => covers(rule.matches, offer)) ?? null;
}
