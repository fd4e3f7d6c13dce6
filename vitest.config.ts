import { defineConfig } from 'vitest/config';

// Tests run on the TypeScript sources; what they start as separate processes runs from `dist`,
// which `npm test` builds first.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
