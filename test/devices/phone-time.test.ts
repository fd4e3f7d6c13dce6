/** What the host knows of the phone's clock: never ahead of it, and not fooled by an answer that came twice. */
import { expect, it } from 'vitest';
import { PhoneTime } from '../../host/devices/phone-time.ts';

function told() {
  const clock = { nowMs: 1_000, now: () => clock.nowMs, monotonic: () => clock.nowMs, at: () => () => {} };
  const time = new PhoneTime(clock, { elapsedMs: 50_000, atMs: 1_000, seenAt: 1_000 });
  return { clock, time };
}

it('goes on with our own clock from what was told last', () => {
  const { clock, time } = told();
  clock.nowMs += 700;
  expect(time.now()).toBe(50_700);
  expect(time.tell(50_650)).toBe(true);
  expect(time.now()).toBe(50_650);
});

it('takes nothing from a copy that arrives later', () => {
  const { clock, time } = told();
  clock.nowMs += 4_000;
  expect(time.tell(50_000)).toBe(true);
  // Else four seconds that the phone loses from here on would go unseen.
  expect(time.told).toEqual({ elapsedMs: 50_000, atMs: 1_000, seenAt: 1_000 });
  expect(time.now()).toBe(54_000);
});

it('knows a clock that was turned back', () => {
  const { time } = told();
  expect(time.tell(46_999)).toBe(false);
  expect(time.tell(47_001)).toBe(true);
});
