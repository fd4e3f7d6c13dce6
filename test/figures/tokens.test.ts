/** Holds what agents are sent against the budget. */
import { expect, it } from 'vitest';
import { TOKEN_BUDGET } from './budget.ts';
import { errorTokens, measureTokens } from './tokens.ts';

it('every tier is within its budget, as a real client receives it', async () => {
  const { tiers } = await measureTokens();
  for (const tier of ['core', 'standard', 'all', 'context_4096'] as const) {
    expect(tiers[tier].tokens, tier).toBeLessThanOrEqual(TOKEN_BUDGET[tier]);
  }
  expect(tiers.core.tools).toBeGreaterThanOrEqual(18);
});

it('every error is within its budget', () => {
  const over = [...errorTokens()].filter(([, tokens]) => tokens > TOKEN_BUDGET.error);
  expect(over).toEqual([]);
});
