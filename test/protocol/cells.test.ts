/**
 * Every state of a record against everything that can happen to it, from outside: it moves as the table
 * says, or it is refused and leaves no trace on the disk.
 */
import { describe, expect, it } from 'vitest';
import { BadEntry } from '../../device-protocol/companion/journal.ts';
import { Ledger } from '../../device-protocol/companion/ledger.ts';
import type { CompanionMessage } from '../../device-protocol/messages.ts';
import {
  moveRecord,
  RECORD_EVENTS,
  RECORD_STATES,
  type RecordState,
} from '../../device-protocol/record-table.ts';
import { type Request, requestDigest } from '../../device-protocol/request.ts';
import { CompanionRig, HOST, REPORT } from '../support/companion-rig.ts';

/** A companion with one request in the given state. */
function at(state: RecordState): { rig: CompanionRig; request: Request } {
  const rig = new CompanionRig();
  rig.body.endsAtOnce = false;
  if (state === 'accepted') rig.submit(rig.request());
  const request = rig.request();
  if (state === 'sealed') rig.seal(request);
  else if (state === 'refused') {
    rig.body.refusal = 'target_stale';
    rig.submit(request);
    rig.body.refusal = null;
  } else if (state !== 'absent') rig.submit(request);
  if (state === 'done') rig.body.runs[0]?.end({ kind: 'report', report: REPORT, snapshot: null });
  if (state === 'interrupted') rig.body.runs[0]?.end({ kind: 'interrupted' });
  expect(rig.stateOf(request)).toBe(state);
  return { rig, request };
}

const brief = (message: CompanionMessage | undefined): string =>
  message?.type === 'record'
    ? message.state
    : message?.type === 'not_a_record'
      ? message.code
      : String(message?.type);

describe('a ledger', () => {
  const cells = RECORD_STATES.flatMap((state) => RECORD_EVENTS.map((event) => [state, event] as const));
  it.each(cells)('in %s takes %s as the table says, or throws and reads back unchanged', (state, event) => {
    const { rig, request } = at(state);
    const { ledger } = Ledger.read(rig.disk);
    if (ledger === null) throw new Error('no ledger');
    const { request_id, seq, key_hash, boot_id, not_after } = request;
    const common = {
      at: 20_000,
      host_id: HOST,
      request_id,
      event,
      refusal: null,
      interruption: null,
      report: null,
    };
    const write = () =>
      ledger.write([
        state === 'absent'
          ? { entry: 'record', ...common, seq, digest: requestDigest(request), key_hash, boot_id, not_after }
          : { entry: 'move', ...common },
      ]);
    const next = moveRecord(state, event);
    if (next !== null) {
      write();
      expect(Ledger.read(rig.disk).ledger?.find(HOST, request_id)?.state).toBe(next);
      return;
    }
    const before = rig.disk.bytes();
    expect(write).toThrow(BadEntry);
    expect(rig.disk.bytes()).toEqual(before);
    expect(ledger.find(HOST, request_id)?.state ?? 'absent').toBe(state);
    expect(Ledger.read(rig.disk).ledger?.find(HOST, request_id)?.state ?? 'absent').toBe(state);
  });
});

describe('a request', () => {
  type Cell = [
    RecordState,
    string,
    (rig: CompanionRig, request: Request) => CompanionMessage[],
    string,
    boolean,
  ];
  const again = (rig: CompanionRig, request: Request) => rig.submit(request);
  const other = (rig: CompanionRig, request: Request) =>
    rig.submit({ ...request, not_after: request.not_after + 1 });
  const seal = (rig: CompanionRig, request: Request) => rig.seal(request);
  const otherSeal = (rig: CompanionRig, request: Request) => rig.seal(request, { digest: '0'.repeat(64) });
  const status = (rig: CompanionRig, request: Request) => rig.status(request);
  const stop = (rig: CompanionRig) => rig.tell({ type: 'stop' });
  const run = (rig: CompanionRig) => {
    rig.clock.pass(5_000);
    return rig.link.take();
  };

  // state, what happens, the first answer about it, and whether the journal grew by it
  const cells: Cell[] = [
    ['absent', 'submit', again, 'started', true],
    ['accepted', 'submit', again, 'accepted', false],
    ['started', 'submit', again, 'started', false],
    ['done', 'submit', again, 'done', false],
    ['refused', 'submit', again, 'refused', false],
    ['sealed', 'submit', again, 'sealed', false],
    ['interrupted', 'submit', again, 'interrupted', false],
    ['accepted', 'submit of another digest', other, 'conflict', false],
    ['started', 'submit of another digest', other, 'conflict', false],
    ['done', 'submit of another digest', other, 'conflict', false],
    ['refused', 'submit of another digest', other, 'conflict', false],
    ['sealed', 'submit of another digest', other, 'conflict', false],
    ['interrupted', 'submit of another digest', other, 'conflict', false],
    ['absent', 'seal', seal, 'sealed', true],
    ['accepted', 'seal', seal, 'sealed', true],
    ['started', 'seal', seal, 'started', false],
    ['done', 'seal', seal, 'done', false],
    ['refused', 'seal', seal, 'refused', false],
    ['sealed', 'seal', seal, 'sealed', false],
    ['interrupted', 'seal', seal, 'interrupted', false],
    ['accepted', 'seal of another digest', otherSeal, 'conflict', false],
    ['started', 'seal of another digest', otherSeal, 'conflict', false],
    ['done', 'seal of another digest', otherSeal, 'conflict', false],
    ['refused', 'seal of another digest', otherSeal, 'conflict', false],
    ['sealed', 'seal of another digest', otherSeal, 'conflict', false],
    ['interrupted', 'seal of another digest', otherSeal, 'conflict', false],
    ...RECORD_STATES.map((state): Cell => [state, 'status', status, 'status_answer', false]),
  ];
  it.each(cells)('that is %s answers a %s', (state, _, act, answer, grows) => {
    const { rig, request } = at(state);
    const before = rig.disk.bytes();
    const runs = rig.body.runs.length;
    expect(brief(act(rig, request)[0])).toBe(answer);
    if (!grows) expect(rig.disk.bytes()).toEqual(before);
    else expect(rig.disk.bytes()?.length).toBeGreaterThan(before?.length ?? 0);
    expect(rig.body.runs.length - runs).toBe(answer === 'started' && state === 'absent' ? 1 : 0);
  });

  it.each([
    ['absent', 'absent'],
    ['accepted', 'refused'],
    ['started', 'interrupted'],
    ['done', 'done'],
    ['refused', 'refused'],
    ['sealed', 'sealed'],
    ['interrupted', 'interrupted'],
  ] as const)('that is %s is %s after a stop, and after a restart', (state, after) => {
    const stopped = at(state);
    stop(stopped.rig);
    expect(stopped.rig.stateOf(stopped.request)).toBe(after);
    const restarted = at(state);
    restarted.rig.start();
    expect(restarted.rig.stateOf(restarted.request)).toBe(after);
  });

  it('that runs is interrupted at its run limit, and the waiting one starts when the body is back', () => {
    const { rig, request } = at('accepted');
    expect(run(rig).map(brief)).toEqual(['interrupted']);
    expect(rig.stateOf(request)).toBe('accepted');
    rig.body.runs[0]?.end({ kind: 'report', report: REPORT, snapshot: null });
    expect(rig.link.take().map(brief)).toEqual(['started']);
    expect(rig.body.runs).toHaveLength(2);
  });
});
