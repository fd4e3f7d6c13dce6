/** The judge's answer, as it stands in payloads, envelopes and the audit. Not for how it is found (host/judge). */
import { z } from 'zod';

/** What the words of a label may mean (risk.md, Words). */
export const RISK_CLASSES = [
  'send',
  'pay',
  'transfer',
  'order',
  'confirm',
  'delete',
  'reset',
  'post',
  'share',
  'call',
  'install',
  'uninstall',
  'grant',
  'authorise',
  'subscribe',
  'account',
  'block',
  'report',
  'system',
] as const;
export type RiskClass = (typeof RISK_CLASSES)[number];

/** Reasons that come from what is touched rather than from its words. */
export const STRUCTURAL_REASONS = [
  'unknown_target',
  'app_category',
  'foreground_unknown',
  'never_controllable',
  'denied_package',
  'composer',
  'ime_action',
  'newline',
  'slide',
  'custom_action',
  'link',
  'system_setting',
  'system_surface',
  'notification_action',
  'share_sheet',
  'install_prompt',
  'permission_prompt',
  'autofill',
  'surface',
  'owner_rule',
] as const;
export type StructuralReason = (typeof STRUCTURAL_REASONS)[number];

export const reasonSchema = z.strictObject({
  class: z.enum([...RISK_CLASSES, ...STRUCTURAL_REASONS]),
  /** Language of the entry that matched; null for symbols and structural reasons. */
  language: z.string().max(35).nullable(),
  /** The text that matched, as folded. */
  match: z.string().max(200),
  /** Which of the judged texts it was found in. */
  where: z.string().max(60),
});
export type Reason = z.infer<typeof reasonSchema>;

export const verdictSchema = z.strictObject({
  /** What the words and the target mean. */
  level: z.enum(['low', 'high']),
  /** What profile and packages make of it. */
  decision: z.enum(['allow', 'ask', 'refuse']),
  reasons: z.array(reasonSchema).max(24),
});
export type Verdict = z.infer<typeof verdictSchema>;
