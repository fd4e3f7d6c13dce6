/** What an order has at hand while it is carried out. */
import type { OrderAnswer } from './engine.ts';
import type { OrderName, OrderParams } from './orders.ts';
import type { EngineParts } from './parts.ts';
import type { Settling } from './settling.ts';

export interface OrderCall {
  readonly parts: EngineParts;
  readonly settling: Settling;
  /** Through which door the owner said it. */
  readonly how: string;
  /** The order's own row in the log; null for what only asks. */
  readonly auditNumber: number | null;
}

export type OrderCarrier<N extends OrderName> = (
  params: OrderParams<N>,
  call: OrderCall,
) => Promise<OrderAnswer<N>>;
