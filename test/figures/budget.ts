/** What agents may be sent at most, in tokens (o200k): contracts.md, "Tools, and their fit to the model". */
export const TOKEN_BUDGET = {
  core: 1_700,
  standard: 2_900,
  all: 19_000,
  context_4096: 900,
  /** One error, without candidates and a fresh screen. */
  error: 150,
} as const;
