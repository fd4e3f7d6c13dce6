/** Carries the owner's orders about the log: searching, sampling, checking, exporting, cutting. */
import type { AuditRow } from '../store/rows.ts';
import type { OrderCarrier } from './order-call.ts';
import { logEntry, recorded } from './owner.ts';
import type { EngineParts } from './parts.ts';

type LogOrder = 'log_search' | 'log_sample' | 'log_links' | 'log_verify' | 'log_cut';

const not = (error_code: string, message: string) => ({ ok: false, error_code, message }) as const;

/** The name under which a cut stands in the log; the check of the chain looks for it (audit-check.ts). */
const CUT = 'log_cut';
/** The last day is never cut: what is still going on must stay whole. */
const KEEP_MS = 24 * 3_600_000;

/** So many different ones of `from`, by chance. */
function drawn<T>({ chance }: EngineParts, from: readonly T[], count: number): T[] {
  const left = [...from];
  const taken: T[] = [];
  while (taken.length < count && left.length > 0) {
    const at = Number.parseInt(chance.hex(4), 16) % left.length;
    taken.push(...left.splice(at, 1));
  }
  return taken;
}

export function verifyWith(parts: EngineParts) {
  return parts.store.audit.verify(parts.witnesses(), parts.clock.now());
}

export const LOG_ORDERS: { readonly [N in LogOrder]: OrderCarrier<N> } = {
  log_search: async (filter, { parts }) => {
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    const items = parts.store.audit.search({ ...given, last: filter.last }).map(logEntry);
    return { ok: true, say: `${items.length} rows.`, items };
  },

  log_sample: async ({ count }, { parts }) => {
    const { audit } = parts.store;
    const tasks = drawn(parts, audit.taskIds(), count);
    const ofTasks = tasks.map((task_id) => ({ task_id, rows: audit.search({ task_id, last: 1_000 }) }));
    // Where there are too few tasks, calls that belong to none.
    const loose =
      ofTasks.length >= count
        ? []
        : drawn(
            parts,
            audit.search({ last: 1_000 }).filter((row) => taskOf(row) === null),
            count - ofTasks.length,
          ).map((row) => ({ task_id: null, rows: [row] }));
    const traces = [...ofTasks, ...loose].map(({ task_id, rows }) => ({ task_id, rows: rows.map(logEntry) }));
    return { ok: true, say: `${traces.length} traces.`, traces };
  },

  log_links: async ({ after, most }, { parts }) => {
    const items = parts.store.audit.links(after, most);
    return { ok: true, say: `${items.length} links.`, items };
  },

  log_verify: async (_params, { parts }) => {
    const check = verifyWith(parts);
    return { ok: true, say: check.say, check };
  },

  log_cut: async ({ before }, { parts, how }) => {
    const { store, clock } = parts;
    if (before > clock.now() - KEEP_MS)
      return not('cut_too_late', 'The log of the last 24 hours is never cut.');
    const check = verifyWith(parts);
    if (!check.ok)
      return not('log_damaged', `The log does not hold as it is, so nothing is cut: ${check.say}`);
    const point = store.audit.cutPoint(before);
    if (point === null) return not('nothing_to_cut', 'Nothing in the log is older than that.');
    const { up_to, chain, calls } = point;
    return recorded(parts, CUT, { up_to, chain, calls, before }, how, () => {
      store.audit.cut(point, clock.now());
      store.scrub();
      return {
        ok: true,
        say: `${calls} calls were removed from the log’s start, signed by you.`,
        calls,
        up_to,
      } as const;
    });
  },
};

const taskOf = (row: AuditRow) => row.completion?.task_id ?? row.task_id;
