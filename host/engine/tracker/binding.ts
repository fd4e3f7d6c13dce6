/**
 * Makes a command: everything bound together and stored before anything leaves (protocol.md, "A
 * request"). Not for sending.
 */
import type { CommandEvent } from '../../../device-protocol/command-table.ts';
import { isWellFormed, keyHash, requestDigest, sha256OfText } from '../../../device-protocol/request.ts';
import type { Link } from '../../devices/link.ts';
import type { CommandRow } from '../../store/rows.ts';
import type { TrackerParts } from './parts.ts';
import type { BindInput, Bound, KeyLookup, NotBound } from './tracker-api.ts';

export function findByKey(
  parts: TrackerParts,
  agent: string,
  deviceId: string,
  key: string,
  argsHash: string,
): KeyLookup {
  const row = parts.store.commands.byKey(agent, deviceId, key);
  if (row === null) return { kind: 'new' };
  return { kind: row.args_hash === argsHash ? 'same' : 'conflict', row };
}

/** One commit: the row in state ready, staged or refused; or nothing, and no key is taken. */
export function bindRequest(parts: TrackerParts, input: BindInput): Bound {
  if (!isWellFormed(input.payload) || !isWellFormed(input.agent) || !isWellFormed(input.idempotency_key))
    return notBound('text_not_unicode');
  return parts.store.transaction((): Bound => {
    const known = findByKey(parts, input.agent, input.device_id, input.idempotency_key, input.args_hash);
    if (known.kind === 'same') return { ok: true, row: known.row, replayed: true };
    if (known.kind === 'conflict') return notBound('key_conflict', known.row);
    if (parts.store.settings.get('stop') !== null) return notBound('stopped');
    if (parts.store.devices.get(input.device_id)?.turned_back_at != null) return notBound('host_turned_back');
    const link = parts.links.of(input.device_id);
    if (link === null) return notBound('device_offline');
    if (link.stopState().stopped_by !== null) return notBound('stopped');
    const received = insert(parts, input, link);
    const at = received.created_at;
    const { decision } = input;
    const code = decision.to === 'refused' ? { error_code: decision.error_code } : {};
    let row = parts.store.commands.move(received.request_id, EVENT[decision.to], code, at);
    if (decision.to === 'ready' && decision.at_once === true)
      row = parts.store.commands.move(received.request_id, 'send', { sent_at: at }, at);
    if (row === null) throw new Error('a received command did not move');
    return { ok: true, row, replayed: false };
  });
}

const EVENT = { ready: 'allow', staged: 'stage', refused: 'refuse' } as const satisfies Record<
  BindInput['decision']['to'],
  CommandEvent
>;

function notBound(error_code: NotBound['error_code'], row: CommandRow | null = null): NotBound {
  return { ok: false, error_code, row };
}

function insert(parts: TrackerParts, input: BindInput, link: Link): CommandRow {
  const { store, clock, chance } = parts;
  const at = clock.now();
  const { decision } = input;
  const life = decision.to === 'staged' ? decision.confirmation_life_ms : 0;
  const bound = {
    request_id: chance.hex(16),
    payload: input.payload,
    payload_sha256: sha256OfText(input.payload),
    host_id: store.identity.host_id,
    seq: store.commands.takeSeq(input.device_id),
    ledger_id: link.ledger_id,
    boot_id: link.boot_id,
    // Rule 13. Our estimate of the phone's time is never ahead of it, so this is never too late.
    not_after: Math.floor(link.phoneNow()) + input.timeout_ms + life,
    stop_counter: link.stopState().stop_counter,
    key_hash: keyHash(input.agent, input.idempotency_key),
  };
  const digest = requestDigest(bound);
  const approved = decision.to === 'ready' ? (decision.approved ?? null) : null;
  return store.commands.insert({
    ...bound,
    digest,
    device_id: input.device_id,
    agent: input.agent,
    tool: input.tool,
    idempotency_key: input.idempotency_key,
    args_hash: input.args_hash,
    task_id: input.task_id ?? null,
    seal_flag: false,
    ending: null,
    timeout_ms: input.timeout_ms,
    sent_at: null,
    error_code: null,
    refusal: null,
    report: null,
    verdict: input.verdict,
    display: input.display,
    lasting: input.lasting,
    confirmation_id: decision.to === 'staged' ? chance.hex(8) : null,
    expires_at: decision.to === 'staged' ? at + decision.confirmation_life_ms : null,
    decided_by: approved?.by ?? null,
    decided_at: approved === null ? null : at,
    decided_how: approved?.how ?? null,
    approved_digest: approved === null ? null : digest,
    approval_signature: null,
    created_at: at,
  });
}
