/**
 * Whether an agent's question asks its owner for a password or a code: the owner is warned, whatever the
 * question says of itself. Not for what is on screens.
 */
import { speaksOfCode } from '../judge/one-time-codes.ts';
import type { PolicyBook } from '../judge/policy.ts';
import type { SecretWords } from '../judge/secrets-asked.ts';

export const SECRET_WARNING =
  'This asks for a code or a password. Countersign never needs one: whoever gets it can act as you. Do not answer with it.';

/** The warning that goes with a question; null where it asks for nothing of the kind. */
export function warningFor(question: string, book: PolicyBook, secrets: SecretWords): string | null {
  return speaksOfCode(question, book.codes) || secrets.asksFor(question) ? SECRET_WARNING : null;
}
