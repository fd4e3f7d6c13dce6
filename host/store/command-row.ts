/** A command between its two forms: the row of values, and the columns. Not for moving (commands.ts). */
import type { CommandRow } from './rows.ts';

type Column = keyof CommandRow;

/** Every column of `commands` but `number`, in the order of the insert; the compiler compares with the row. */
const KIND = {
  request_id: 'plain',
  device_id: 'plain',
  agent: 'plain',
  tool: 'plain',
  idempotency_key: 'plain',
  args_hash: 'plain',
  task_id: 'plain',
  payload: 'plain',
  payload_sha256: 'plain',
  host_id: 'plain',
  seq: 'plain',
  ledger_id: 'plain',
  boot_id: 'plain',
  not_after: 'plain',
  stop_counter: 'plain',
  key_hash: 'plain',
  digest: 'plain',
  state: 'plain',
  born_in: 'plain',
  seal_flag: 'flag',
  ending: 'plain',
  timeout_ms: 'plain',
  sent_at: 'plain',
  error_code: 'plain',
  refusal: 'plain',
  report: 'json',
  verdict: 'json',
  display: 'json',
  lasting: 'json',
  confirmation_id: 'plain',
  expires_at: 'plain',
  decided_by: 'plain',
  decided_at: 'plain',
  decided_how: 'plain',
  approved_digest: 'plain',
  approval_signature: 'plain',
  created_at: 'plain',
  updated_at: 'plain',
  final_at: 'plain',
} as const satisfies Record<Column, 'plain' | 'flag' | 'json'>;

export const COLUMNS = Object.keys(KIND) as readonly Column[];

/** The value as SQLite takes it. `undefined` and `null` are both NULL. */
export function toColumn(column: Column, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  switch (KIND[column]) {
    case 'flag':
      return value === true ? 1 : 0;
    case 'json':
      return JSON.stringify(value);
    case 'plain':
      return value;
  }
}

function fromColumn(column: Column, value: unknown): unknown {
  if (value === null) return null;
  switch (KIND[column]) {
    case 'flag':
      return value === 1;
    case 'json':
      return JSON.parse(value as string);
    case 'plain':
      return value;
  }
}

/** The row of what SQLite answered. Only our own statements write the table, so shapes are trusted here. */
export function rowFrom(found: Record<string, unknown>): CommandRow {
  return Object.fromEntries(
    COLUMNS.map((column) => [column, fromColumn(column, found[column])]),
  ) as unknown as CommandRow;
}
