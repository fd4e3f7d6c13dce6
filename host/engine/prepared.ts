/** What a call comes to before anything is stored. Not for making it (act.ts). */
import type { Verdict } from '../../device-protocol/verdict.ts';
import type { Look } from './look.ts';
import type { Plan } from './plan.ts';

export interface Prepared {
  readonly made: Plan;
  /** The screen it was planned from, also where the act aims at nothing on it. */
  readonly look: Look;
  readonly verdict: Verdict;
  /** The app the agent named, where the phone could not say which is in front. */
  readonly claimed: string | null;
}
