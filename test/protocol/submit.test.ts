/** A submit: in which order it is checked, what refuses it for good and what proves nothing (rules 1, 11, 12). */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../device-protocol/limits.ts';
import type { CompanionMessage, Submit } from '../../device-protocol/messages.ts';
import { keyHash, type Request, requestDigest, sha256OfText } from '../../device-protocol/request.ts';
import { CompanionRig, payloadText, REPORT } from '../support/companion-rig.ts';
import { SUBMIT_ORDER } from './submit-order.ts';

const said = (messages: CompanionMessage[]): string[] =>
  messages.map((one) =>
    one.type === 'record' ? (one.refusal ?? one.state) : one.type === 'not_a_record' ? one.code : one.type,
  );

describe('the checks of a submit', () => {
  /** From the last check to the first: each spoils the request a little more, and must win over all before. */
  const spoil: [string, boolean, (rig: CompanionRig, submit: Submit) => Submit][] = [
    [
      'target_stale',
      true,
      (rig, submit) => {
        rig.body.refusal = 'target_stale';
        return submit;
      },
    ],
    [
      'approval_missing',
      true,
      (_, submit) => {
        const payload = payloadText({ verdict: { level: 'high', decision: 'ask', reasons: [] } });
        return { ...submit, request: { ...submit.request, payload, payload_sha256: sha256OfText(payload) } };
      },
    ],
    [
      'package_refused',
      true,
      (rig, submit) => {
        rig.policyRefusal = 'package_refused';
        return submit;
      },
    ],
    ['paused', true, (_, submit) => change(submit, { stop_counter: 9 })],
    ['expired_submit', false, (rig, submit) => change(submit, { not_after: rig.clock.nowMs - 1 })],
    ['key_used', false, (_, submit) => change(submit, { key_hash: keyHash('tester', 'key 1') })],
    ['conflict', false, (_, submit) => change(submit, { seq: 1 })],
    [
      'forgotten',
      false,
      (rig, submit) => {
        rig.tell({ type: 'ping', settled_below: 2 });
        rig.clock.pass(20_000);
        rig.seal(rig.request({ seq: 50, request_id: '50'.repeat(16) }));
        return submit;
      },
    ],
    ['other_boot', false, (_, submit) => change(submit, { boot_id: '0'.repeat(32) })],
    ['other_ledger', false, (_, submit) => change(submit, { ledger_id: '0'.repeat(32) })],
    ['done', false, (_, submit) => submit],
    ['hash_mismatch', false, (_, submit) => change(submit, { payload_sha256: '0'.repeat(64) })],
    ['schema', false, (_, submit) => change(submit, { host_id: '0'.repeat(32) })],
  ];
  it('stand here in the order of rule 12', () => {
    // What is no payload at all is refused without a trace, between the time and the stop.
    const order = SUBMIT_ORDER.filter((code, at) => code !== 'schema' || at === 0);
    expect(spoil.map(([code]) => (code === 'done' ? 'record' : code)).reverse()).toEqual(order);
  });

  const change = (submit: Submit, over: Partial<Request>): Submit => ({
    ...submit,
    request: { ...submit.request, ...over },
  });

  const prepared = (ledgerRecords = 100): { rig: CompanionRig; submit: Submit } => {
    const rig = new CompanionRig({ ledgerRecords });
    rig.submit(rig.request());
    const request = rig.request({ seq: 2 });
    return { rig, submit: { type: 'submit', request, approval: null, settled_below: 0 } };
  };

  it.each(spoil.map(([code], i) => [code, i] as const).filter(([code]) => code !== 'done'))(
    'say %s before everything that comes after it in rule 12',
    (code, i) => {
      const { rig, submit } = prepared(code === 'forgotten' || i > 7 ? 1 : 100);
      let spoiled = submit;
      for (const [name, , make] of spoil.slice(0, i + 1)) if (name !== 'done') spoiled = make(rig, spoiled);
      const before = rig.disk.bytes();
      const runs = rig.body.runs.length;
      expect(said(rig.tell(spoiled))).toEqual([code]);
      expect(rig.body.runs).toHaveLength(runs);
      const durable = spoil[i]?.[1];
      if (durable === true) expect(rig.disk.durableBytes()?.length).toBeGreaterThan(before?.length ?? 0);
      else expect(rig.disk.bytes()).toEqual(before);
      // A durable refusal stays, though the reason is gone (the second copy of rule "as durable as the others").
      rig.body.refusal = null;
      rig.policyRefusal = null;
      if (durable === true) expect(said(rig.tell(spoiled))).toEqual([code]);
    },
  );

  it('find a known id before ledger, boot, mark and time', () => {
    const { rig } = prepared();
    const request = rig.request();
    rig.submit(request);
    rig.clock.pass(60_000);
    rig.tell({ type: 'stop' });
    expect(said(rig.submit(request))).toEqual(['done']);
  });

  it('refuse bytes of no meaning without a trace, though their hash is right', () => {
    const { rig } = prepared();
    for (const payload of [
      'no JSON',
      '{"version":2}',
      `${payloadText().slice(0, -1)},"extra":1}`,
      `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
    ]) {
      const before = rig.disk.bytes();
      const answer = said(rig.submit(rig.request({ payload, payload_sha256: sha256OfText(payload) })));
      expect(answer).toEqual([payload.includes('[[[') ? 'limit' : 'schema']);
      expect(rig.disk.bytes()).toEqual(before);
    }
  });

  it('run exactly the bytes that were hashed', () => {
    const { rig } = prepared();
    const payload = payloadText({
      act: { kind: 'clipboard_write', text: 'é e\u0301 \u202e 😀 \\u0041 \u0000', sensitive: false },
    });
    rig.submit(rig.request({ payload, payload_sha256: sha256OfText(payload) }));
    const act = rig.body.runs.at(-1)?.run.act;
    expect(act?.kind === 'clipboard_write' ? act.text : null).toBe('é e\u0301 \u202e 😀 \\u0041 \u0000');
  });

  it('let an approval through that names this very digest, and no other', () => {
    const { rig } = prepared();
    const payload = payloadText({ verdict: { level: 'high', decision: 'ask', reasons: [] } });
    const approved = (digest: (request: Request) => string) => {
      const request = rig.request({ payload, payload_sha256: sha256OfText(payload) });
      return rig.submit(request, {
        approval: { by: 'owner', request_digest: digest(request), signature: null },
      });
    };
    expect(said(approved(() => '1'.repeat(64)))).toEqual(['approval_missing']);
    expect(said(approved(requestDigest))).toEqual(['started', 'done']);
  });

  it('never let an act run that the judge refused', () => {
    const { rig } = prepared();
    const payload = payloadText({ verdict: { level: 'high', decision: 'refuse', reasons: [] } });
    const request = rig.request({ payload, payload_sha256: sha256OfText(payload) });
    const approval = { by: 'owner', request_digest: requestDigest(request), signature: null };
    expect(said(rig.submit(request, { approval }))).toEqual(['approval_missing']);
  });
});

describe('an act that waits', () => {
  const waiting = () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    rig.submit(rig.request());
    const request = rig.request();
    expect(said(rig.submit(request))).toEqual(['accepted']);
    const end = () => rig.body.runs[0]?.end({ kind: 'report', report: REPORT, snapshot: null });
    return { rig, request, end };
  };

  it('is checked again at its start: target, policy, stop', () => {
    const { rig, end } = waiting();
    rig.body.refusal = 'target_changed';
    end();
    expect(said(rig.link.take())).toEqual(['done', 'target_changed']);
    expect(rig.body.runs).toHaveLength(1);
  });

  it('expires at not_after although what blocks it goes on', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    rig.submit(rig.request());
    const request = rig.request({ not_after: rig.clock.nowMs + 1_000 });
    rig.submit(request);
    rig.clock.pass(1_000);
    expect(rig.stateOf(request)).toBe('accepted');
    rig.clock.pass(1);
    expect(said(rig.link.take())).toEqual(['start_expired']);
    expect(rig.stateOf(request)).toBe('refused');
  });

  it('starts in the order in which it came, one at a time', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const requests = [1, 2, 3, 4].map(() => rig.request());
    for (const request of requests) rig.submit(request);
    for (const i of [0, 1, 2, 3]) {
      expect(rig.body.runs).toHaveLength(i + 1);
      expect(requests.map((one) => rig.stateOf(one)).filter((state) => state === 'started')).toHaveLength(1);
      rig.body.runs[i]?.end({ kind: 'report', report: REPORT, snapshot: null });
    }
    expect(requests.map((one) => rig.stateOf(one))).toEqual(['done', 'done', 'done', 'done']);
  });

  it('is told busy, without a trace, where too many wait', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    for (let i = 0; i <= LIMITS.acceptedQueue; i++) rig.submit(rig.request());
    const before = rig.disk.bytes();
    expect(said(rig.submit(rig.request()))).toEqual(['busy']);
    expect(rig.disk.bytes()).toEqual(before);
  });

  it('does not start at a restart of the companion', () => {
    const { rig, request } = waiting();
    rig.start();
    rig.clock.pass(60_000);
    expect(rig.status(request)[0]).toMatchObject({ records: [{ state: 'refused', refusal: 'restarted' }] });
    expect(rig.body.runs).toHaveLength(1);
  });
});

describe('a person at the phone', () => {
  it('is waited for until the finger has rested a second', () => {
    const rig = new CompanionRig();
    rig.body.touchMs = rig.clock.nowMs - 400;
    const request = rig.request();
    expect(said(rig.submit(request))).toEqual(['accepted']);
    rig.clock.pass(599);
    expect(rig.body.runs).toHaveLength(0);
    rig.clock.pass(1);
    expect(rig.stateOf(request)).toBe('done');
  });

  it('who goes on to the end of its time has it refused', () => {
    const rig = new CompanionRig();
    const request = rig.request({ not_after: rig.clock.nowMs + 3_000 });
    rig.body.touchMs = rig.clock.nowMs;
    rig.submit(request);
    for (let i = 0; i < 8; i++) {
      rig.clock.pass(500);
      rig.body.touchMs = rig.clock.nowMs;
    }
    expect(rig.status(request)[0]).toMatchObject({
      records: [{ state: 'refused', refusal: 'person_touch' }],
    });
    expect(rig.body.runs).toHaveLength(0);
  });
});
