/** The promises with real processes that are really killed: the short form of `npm run faults`. */
import { expect, it } from 'vitest';
import { faults } from './faults.ts';

it('keeps every promise over twelve kills of host and phone in the midst of acts', async () => {
  const figures = await faults(12, 7);
  expect(figures.first_violation).toBeNull();
  expect(figures.kills).toBeGreaterThanOrEqual(12);
  expect(figures.kills_in_flight).toBeGreaterThan(0);
  expect(figures.actions).toBeGreaterThan(figures.kills / 2);
}, 300_000);
