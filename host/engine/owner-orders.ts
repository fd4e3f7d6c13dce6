/**
 * Carries the owner's orders, one function each; the compiler holds the list against the table. What changes
 * something is written to the log before and after. Not for what the owner asks all the time (owner.ts).
 */

import type { OrderAnswer, OrderAnswers } from './engine.ts';
import type { OrderCall, OrderCarrier } from './order-call.ts';
import { recordedNote } from './order-notes.ts';
import { isOrder, ORDERS, type OrderName, type OrderParams } from './orders.ts';
import { AGENT_ORDERS } from './orders-agents.ts';
import { DECISION_ORDERS } from './orders-decide.ts';
import { LOG_ORDERS } from './orders-log.ts';
import { type Recordable, recorded } from './owner.ts';

const CARRIERS: { readonly [N in OrderName]: OrderCarrier<N> } = {
  ...AGENT_ORDERS,
  ...DECISION_ORDERS,
  ...LOG_ORDERS,
};

/** Checked, carried out, and logged where it changes something. */
export async function carryOrder<N extends OrderName>(
  call: OrderCall,
  name: N,
  raw: OrderParams<N>,
): Promise<OrderAnswer<N>> {
  // Through the socket and the console anything may come.
  if (!isOrder(name)) return refused('order_unknown', 'There is no such order.') as OrderAnswer<N>;
  const read = ORDERS[name].safeParse(raw);
  if (!read.success) {
    const issue = read.error.issues[0];
    const at = issue?.path.join('.') ?? '';
    return refused(
      'params_bad',
      `${at === '' ? '' : `${at}: `}${issue?.message ?? 'not valid'}.`,
    ) as OrderAnswer<N>;
  }
  const params = read.data as OrderParams<N>;
  const carrier = CARRIERS[name] as OrderCarrier<N>;
  const note = recordedNote(name, params);
  if (note === null) return carrier(params, call);
  return recorded(call.parts, note.tool, note.args, call.how, (auditNumber) =>
    carrier(params, { ...call, auditNumber }),
  ) as Promise<OrderAnswers[N] & Recordable>;
}

const refused = (error_code: string, message: string) => ({ ok: false, error_code, message }) as const;
