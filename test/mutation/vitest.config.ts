/** The tests that stand for journal and guard in the mutation run: quick, and nothing outside the process. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/journal/**/*.test.ts', 'test/guard/**/*.test.ts'], testTimeout: 10_000 },
});
