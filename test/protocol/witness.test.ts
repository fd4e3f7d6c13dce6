/**
 * The companion remembers where the host's log stood with each request, over restarts, compaction and new
 * ledgers, and tells it in the next hello: what the host's file cannot be made to forget. Not for the comparison.
 */
import { describe, expect, it } from 'vitest';
import { CompanionRig, HOST } from '../support/companion-rig.ts';

const head = (length: number) => ({ length, chain: length.toString(16).padStart(64, 'f') });

describe('the head of the host’s log', () => {
  it('is kept with the request that carried it, and told in the next hello', () => {
    const rig = new CompanionRig();
    expect(rig.hello.audit_head).toBeNull();
    rig.submit(rig.request(), { audit_head: head(7) });
    rig.submit(rig.request(), { audit_head: head(19) });
    // A request that carries none takes nothing away.
    rig.submit(rig.request());
    rig.connect();
    expect(rig.hello.audit_head).toEqual(head(19));
    rig.start();
    expect(rig.hello.audit_head).toEqual(head(19));
  });

  it('never becomes an older one: a log that was put back cannot talk the phone out of it', () => {
    const rig = new CompanionRig();
    rig.submit(rig.request(), { audit_head: head(40) });
    rig.submit(rig.request(), { audit_head: head(12) });
    rig.connect();
    expect(rig.hello.audit_head).toEqual(head(40));
  });

  it('stays when the journal is written anew, and when a new ledger begins', () => {
    const rig = new CompanionRig({ compactAfterBytes: 1 });
    for (let request = 1; request <= 60; request++) rig.submit(rig.request(), { audit_head: head(request) });
    rig.clock.pass(1_000);
    rig.start();
    expect(rig.hello.audit_head).toEqual(head(60));
    rig.connect(HOST, { ledger_rolled_back: true });
    rig.connect();
    expect(rig.engine.view().ledger_began).toBe('rolled_back');
    expect(rig.hello.audit_head).toEqual(head(60));
  });

  it('is not taken from a request that is refused without a trace, and not told to another host', () => {
    const rig = new CompanionRig();
    const late = rig.request({ not_after: rig.clock.nowMs - 1 });
    rig.submit(late, { audit_head: head(5) });
    rig.connect();
    expect(rig.hello.audit_head).toBeNull();
    rig.submit(rig.request(), { audit_head: head(6) });
    rig.engine.changeHolder(null);
    rig.connect('d'.repeat(32));
    expect(rig.hello.audit_head).toBeNull();
  });
});
