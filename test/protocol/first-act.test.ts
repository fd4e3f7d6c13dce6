/** One act on a companion: how it is written before it happens, and what is answered. */
import { describe, expect, it } from 'vitest';
import { CompanionRig } from '../support/companion-rig.ts';

describe('one act', () => {
  it('is started on the disk before the first input and done on the disk before it is told', () => {
    const rig = new CompanionRig();
    const order: string[] = [];
    rig.disk.after = (operation) => order.push(operation);
    const perform = rig.body.perform.bind(rig.body);
    rig.body.perform = (run, end) => {
      order.push('input');
      perform(run, end);
    };
    const answers = rig.submit(rig.request());
    expect(answers.map((one) => (one.type === 'record' ? one.state : one.type))).toEqual(['started', 'done']);
    expect(order).toEqual(['reserve', 'append', 'sync', 'input', 'append', 'sync']);
  });

  it('is found again as done by a companion that was killed afterwards', () => {
    const rig = new CompanionRig();
    const request = rig.request();
    rig.submit(request);
    rig.start();
    expect(rig.stateOf(request)).toBe('done');
    expect(rig.body.runs).toHaveLength(1);
  });

  it('is interrupted, not repeated, where the process was killed while it ran', () => {
    const rig = new CompanionRig();
    rig.body.endsAtOnce = false;
    const request = rig.request();
    rig.submit(request);
    rig.start();
    expect(rig.stateOf(request)).toBe('interrupted');
    rig.submit(request);
    expect(rig.body.runs).toHaveLength(1);
  });
});
