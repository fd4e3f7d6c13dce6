/**
 * Field reports as far as the companion alone can hold them: D-27, D-34, D-36, D-38 to D-42 (D-33 is in
 * sessions.test.ts; the whole way from agent to phone in field-reports-outside.test.ts).
 */
import { describe, expect, it } from 'vitest';
import { CompanionDialogue } from '../../device-protocol/companion/dialogue.ts';
import { HEARTBEAT } from '../../device-protocol/limits.ts';
import type { CompanionMessage } from '../../device-protocol/messages.ts';
import { sha256OfText } from '../../device-protocol/request.ts';
import { CompanionRig, payloadText, REPORT, SNAPSHOT } from '../support/companion-rig.ts';

const said = (messages: CompanionMessage[]): string[] =>
  messages.map((one) =>
    one.type === 'record'
      ? (one.interruption ?? one.state)
      : one.type === 'not_a_record'
        ? one.code
        : one.type,
  );
const done = { kind: 'report', report: REPORT, snapshot: SNAPSHOT } as const;

describe('field reports', () => {
  it('D-27: a gesture that Android cancels half way is interrupted, and is not repeated', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const request = rig.request();
    rig.submit(request);
    rig.body.runs[0]?.end({ kind: 'interrupted' });
    expect(said(rig.link.take())).toEqual(['cancelled']);
    rig.submit(request);
    rig.clock.pass(60_000);
    expect(rig.body.runs).toHaveLength(1);
  });

  it('D-27: a gesture that never calls back is interrupted at its run limit', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const request = rig.request();
    rig.submit(request);
    rig.clock.pass(4_999);
    expect(rig.stateOf(request)).toBe('started');
    rig.clock.pass(1);
    expect(said(rig.link.take())).toEqual(['run_limit']);
    rig.clock.pass(60_000);
    expect(rig.stateOf(request)).toBe('interrupted');
    expect(rig.body.runs).toHaveLength(1);
  });

  it('D-34: a peer that says nothing is gone at its limit, without a closing handshake, and the next is met at once', () => {
    const rig = new CompanionRig();
    const dial = () => {
      const socket = { sent: 0, destroyed: null as string | null };
      const dialogue = new CompanionDialogue(
        rig.engine,
        rig.ports,
        { device_id: 'pixel-8', secret: '5'.repeat(64), fingerprint: '6'.repeat(64), host_id: null },
        { send: () => (socket.sent += 1), destroy: (why) => (socket.destroyed = why) },
      );
      dialogue.start();
      return socket;
    };
    const dead = dial();
    rig.clock.pass(HEARTBEAT.goneAfterMs - 1);
    expect(dead.destroyed).toBeNull();
    rig.clock.pass(1);
    expect(dead).toEqual({ sent: 1, destroyed: `silent for ${HEARTBEAT.goneAfterMs} ms` });
    expect(dial()).toEqual({ sent: 1, destroyed: null });
  });

  it('D-36: when the service comes back as a new instance, only that one answers, and what it sees is fresh', () => {
    const rig = new CompanionRig();
    const look = (number: number) =>
      rig.tell({ type: 'look', look: number, settle_ms: 0, screenshot: false });
    const seen = (taken_at_ms: number) => ({
      snapshot: { ...SNAPSHOT, taken_at_ms },
      settled: null,
      settle_ms: null,
      settle_reason: null,
      screenshot: null,
      screenshot_refused: null,
    });
    look(1);
    rig.engine.bodyBound(false);
    expect(rig.link.take()).toMatchObject([{ type: 'look_failed', look: 1, code: 'not_ready' }]);
    expect(look(2)).toMatchObject([{ type: 'look_failed', look: 2, code: 'not_ready' }]);
    rig.engine.bodyBound(true);
    look(3);
    // The first instance answers at last: its screen is nobody's any more.
    rig.body.looks[0]?.(seen(1));
    expect(rig.link.take()).toEqual([]);
    rig.body.looks[1]?.(seen(2));
    expect(rig.link.take()).toMatchObject([{ type: 'snapshot', look: 3, snapshot: { taken_at_ms: 2 } }]);
    // And it acts again, without a new session or a new ledger.
    expect(said(rig.submit(rig.request()))).toEqual(['started', 'done']);
  });

  it('D-38: sent again after a lost reply, and again after a restart, it was done once', () => {
    const rig = new CompanionRig();
    const request = rig.request();
    const first = rig.submit(request).at(-1);
    const second = rig.submit(request)[0];
    rig.start();
    const third = rig.submit(request)[0];
    expect(rig.body.runs).toHaveLength(1);
    for (const one of [second, third])
      expect(one).toMatchObject({ state: 'done', report: first?.type === 'record' ? first.report : 'none' });
  });

  it('D-39: the same id with other content is a conflict and nothing runs', () => {
    const rig = new CompanionRig();
    const text = (value: string) =>
      payloadText({ act: { kind: 'clipboard_write', text: value, sensitive: false } });
    const request = rig.request({ payload: text('10'), payload_sha256: sha256OfText(text('10')) });
    rig.submit(request);
    const other = { ...request, payload: text('1000'), payload_sha256: sha256OfText(text('1000')) };
    expect(said(rig.submit(other))).toEqual(['conflict']);
    expect(rig.body.runs).toHaveLength(1);
    expect(rig.stateOf(request)).toBe('done');
  });

  it('D-39: the same request at another phone is of another ledger and nothing runs', () => {
    const [first, second] = [new CompanionRig(), new CompanionRig()];
    // Two installations never share an id; the bench counts, so one of them is told apart here.
    const request = first.request({ ledger_id: '9'.repeat(32) });
    expect(said(second.submit(request))).toEqual(['other_ledger']);
    expect(second.body.runs).toHaveLength(0);
  });

  it('D-39: the bytes count at the phone: the same payload in another order is another payload', () => {
    const rig = new CompanionRig();
    const request = rig.request();
    rig.submit(request);
    const turned = Object.fromEntries(Object.entries(JSON.parse(request.payload)).reverse());
    const payload = JSON.stringify(turned);
    expect(said(rig.submit({ ...request, payload, payload_sha256: sha256OfText(payload) }))).toEqual([
      'conflict',
    ]);
    expect(said(rig.submit({ ...request, payload }))).toEqual(['hash_mismatch']);
    expect(rig.body.runs).toHaveLength(1);
  });

  it('D-40: twenty copies while the first runs, over two connections, are one run', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const request = rig.request();
    const answers = [];
    for (let i = 0; i < 20; i++) {
      if (i === 10) rig.connect();
      answers.push(...said(rig.submit(request)));
    }
    expect(answers).toEqual(Array.from({ length: 20 }, () => 'started'));
    rig.body.runs[0]?.end(done);
    expect(said(rig.link.take())).toEqual(['done']);
    expect(rig.body.runs).toHaveLength(1);
  });

  it('D-41: another request of the same idempotency key is refused while the record is kept', () => {
    const rig = new CompanionRig();
    const request = rig.request();
    rig.submit(request);
    const twin = rig.request({ key_hash: request.key_hash });
    expect(said(rig.submit(twin))).toEqual(['key_used']);
    rig.start();
    expect(said(rig.submit(twin))).toEqual(['key_used']);
    expect(rig.body.runs).toHaveLength(1);
  });

  it('D-42: a seal says whether it came before or after the act, and changes nothing that started', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const late = rig.request();
    rig.submit(late);
    expect(said(rig.seal(late))).toEqual(['started']);
    rig.body.runs[0]?.end(done);
    expect(said(rig.seal(late))).toEqual(['done']);
    const early = rig.request();
    expect(said(rig.seal(early))).toEqual(['sealed']);
    expect(said(rig.submit(early))).toEqual(['sealed']);
    expect(rig.body.runs).toHaveLength(1);
  });
});
