/**
 * The chain of checksums of the log, the words a row is found by, and how both are made of a link. Pure. Not
 * for reading or writing rows (audit.ts).
 */
import { createHash } from 'node:crypto';
import { fold } from '../../device-protocol/fold.ts';
import type { AuditCompletion, AuditLink, AuditOpening } from './rows.ts';

/** Chain value before the first link. */
export const START = '0'.repeat(64);

/** SHA-256 over the earlier chain value and the whole link, as one JSON array. */
export function chained(before: string, link: Omit<AuditLink, 'chain'>): string {
  const { position, call, part, request_id, body } = link;
  const text = JSON.stringify(['countersign-audit-v1', before, position, call, part, request_id, body]);
  // The system's own SHA-256: a check of a long log must not keep the host from its phones.
  return createHash('sha256').update(text).digest('hex');
}

/** Every text and number of a value, however deep. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (Array.isArray(value)) for (const one of value) yield* textsIn(one);
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) yield* textsIn(one);
}

/** What a link can be found by, folded: its texts without checksums, times and what was measured. */
export function wordsOf(part: string, body: AuditOpening | AuditCompletion): string {
  const found =
    part === 'opening'
      ? (({ agent, door, tool, kind, task_id, device_id, arguments: args }: AuditOpening) => [
          agent,
          door,
          tool,
          kind,
          task_id,
          device_id,
          args,
        ])(body as AuditOpening)
      : (({
          task_id,
          request_id,
          state,
          error_code,
          verdict,
          approval,
          strategy,
          target,
          say,
        }: AuditCompletion) => [
          task_id,
          request_id,
          state,
          error_code,
          verdict?.reasons.map((reason) => [reason.class, reason.match]),
          approval,
          strategy,
          (target as { label?: unknown; role?: unknown } | null)?.label,
          say,
        ])(body as AuditCompletion);
  return fold([...textsIn(found)].join(' '));
}

/** The words of a search, folded like those of the rows. */
export const wordsSought = (text: string): string[] =>
  fold(text)
    .split(' ')
    .filter((word) => word !== '');
