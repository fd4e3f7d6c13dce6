/** How a command gives the owner's order and shows what came of it. Not for any single command. */
import type { OrderAnswer } from '../../engine/engine.ts';
import type { Ordered, OrderName, OrderParams } from '../../engine/orders.ts';
import { type CommonOptions, carry } from './commands.ts';
import { BY_COMMAND_LINE, withHost } from './running-host.ts';
import { EXIT, plain } from './terminal.ts';

type Done<N extends OrderName> = Extract<OrderAnswer<N>, { ok: true }>;

/** `textOf`: what people read instead of the one sentence. What came from screens or agents goes through `plain`. */
export function order<N extends OrderName>(
  options: CommonOptions,
  name: N,
  params: OrderParams<N>,
  textOf: (done: Done<N>) => string = (done) => plain(done.say),
): Promise<void> {
  return carry(options.json === true, async () => {
    // One answer of many shapes: here only whether it was done matters.
    const answer: Ordered = await withHost<Ordered>(options.data, (engine) =>
      engine.owner.order(name, params, BY_COMMAND_LINE),
    );
    return {
      text: answer.ok
        ? textOf(answer as unknown as Done<N>)
        : `${plain(answer.message)} (${answer.error_code})`,
      object: answer,
      exit: answer.ok ? EXIT.held : EXIT.didNotHold,
    };
  });
}
