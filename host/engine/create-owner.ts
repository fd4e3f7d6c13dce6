/** The owner's whole side put together: what is asked all the time, and orders by name. */
import { approve, deny } from './decisions.ts';
import { deviceViews } from './device-choice.ts';
import type { Owner } from './engine.ts';
import { verifyWith } from './orders-log.ts';
import { logEntry, pendingViews, recorded } from './owner.ts';
import { carryOrder } from './owner-orders.ts';
import type { EngineParts } from './parts.ts';
import type { Settling } from './settling.ts';

export function createOwner(parts: EngineParts, settling: Settling): Owner {
  const { tracker, store } = parts;
  return {
    devices: () => deviceViews(parts),
    pending: () => pendingViews(parts),
    approve: (confirmationId, how) =>
      recorded(parts, 'approve', { confirmation_id: confirmationId, how }, how, () =>
        approve(parts, { confirmationId, how }),
      ),
    deny: (confirmationId, how) =>
      recorded(parts, 'deny', { confirmation_id: confirmationId, how }, how, () =>
        deny(parts, confirmationId, how),
      ),
    stop: (how) =>
      recorded(parts, 'stop', { how }, how, () => {
        tracker.stopAll(how);
        return {
          ok: true,
          say: 'Stopped: nothing more is done until you resume.',
          state: 'stopped',
          request_id: '',
        } as const;
      }),
    resume: (how) =>
      recorded(parts, 'resume', { how }, how, () => {
        tracker.resumeAll(how);
        return { ok: true, say: 'Lifted: agents may act again.', state: 'running', request_id: '' } as const;
      }),
    log: (filter) => store.audit.list(filter).map(logEntry),
    verifyLog: () => verifyWith(parts),
    order: (name, params, how) => carryOrder({ parts, settling, how, auditNumber: null }, name, params),
  };
}
