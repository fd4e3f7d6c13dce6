/** The exhaustive check of a small model: nothing breaks the promises, and a rule taken out is noticed. */
import { describe, expect, it } from 'vitest';
import { COMMAND_STATES, COMMAND_TABLE, isFinalCommand } from '../../device-protocol/command-table.ts';
import { RECORD_TABLE } from '../../device-protocol/record-table.ts';
import { explore } from './explore.ts';
import { cellsOf, takeOut } from './simulate-model.ts';
import { COVERED, WEAKENINGS } from './weakenings.ts';

/** Time for a busy machine; nothing here waits. */
const PATIENCE_MS = 180_000;

describe('one request, every message at any time and as often as it likes', () => {
  // All accidents together are 667,293 states: `npm run simulate:model`.
  it(
    'with a crash of the host and a reboot: no input twice, no false word to anybody',
    () => {
      const accidents = { phoneCrashes: 0, hostCrashes: 1, reboots: 1, reinstalls: 0 };
      const explored = explore({ accidents });
      expect(explored.first?.trace ?? []).toEqual([]);
      expect(explored.violations).toBe(0);
      // Nothing is proven about what was never reached: every legal move was made, every end was met.
      expect([...explored.recordCells].sort()).toEqual(cellsOf(RECORD_TABLE).sort());
      expect([...explored.commandCells].sort()).toEqual(cellsOf(COMMAND_TABLE).sort());
      expect([...explored.ends].sort()).toEqual(COMMAND_STATES.filter(isFinalCommand).sort());
      expect(explored.states).toBeGreaterThan(50_000);
    },
    PATIENCE_MS,
  );

  it.each([
    ['crash of the companion', { phoneCrashes: 1, hostCrashes: 0, reboots: 0, reinstalls: 0 }],
    ['reinstall', { phoneCrashes: 0, hostCrashes: 0, reboots: 0, reinstalls: 1 }],
  ] as const)(
    'with a %s: no input twice, no false word to anybody',
    (_, accidents) => {
      expect(explore({ accidents })).toMatchObject({ violations: 0, first: null });
    },
    PATIENCE_MS,
  );
});

describe('a rule taken out', () => {
  it(
    'is noticed, alone or together with the one that covers it',
    () => {
      const caught: string[] = [];
      for (const one of takeOut(false)) {
        expect(one.caught, one.without.join(' and ')).toBe(true);
        caught.push(...one.without);
      }
      expect([...new Set(caught)].sort()).toEqual(Object.keys(WEAKENINGS).sort());
      expect(caught.length - COVERED.length).toBe(Object.keys(WEAKENINGS).length);
    },
    PATIENCE_MS,
  );

  it('is shown by the shortest way to what it breaks', () => {
    const accidents = { phoneCrashes: 1, hostCrashes: 0, reboots: 0, reinstalls: 0 };
    const { first } = explore({ accidents, weak: ['started_refused_at_restart'], untilFirst: true });
    expect(first).toMatchObject({ why: expect.stringContaining('(refused)') });
    expect(first?.trace).toEqual([
      'the beginning',
      'bound, and let through',
      'sent is committed',
      'the bytes are handed over',
      'the submit starts',
      'the input is given',
      'the companion is killed and comes back',
    ]);
  });
});
