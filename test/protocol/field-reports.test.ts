/** Field reports as far as the companion alone can hold them: D-27, D-38 to D-42 (D-33 is in sessions.test.ts). */
import { describe, expect, it } from 'vitest';
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
