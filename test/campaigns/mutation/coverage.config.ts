/**
 * Branch coverage of what decides over money: the journal, the approvals, and the classifier of the airline's answers.
 * Their own tests take every branch; the run fails below that.
 */
import { defineConfig } from 'vitest/config';
import { CORE, CORE_TESTS } from './core.ts';

const ALL = { branches: 100, functions: 100, lines: 100, statements: 100 };

export default defineConfig({
  test: {
    include: CORE_TESTS,
    testTimeout: 20_000,
    coverage: {
      enabled: true,
      provider: 'v8',
      include: CORE,
      // Types only.
      exclude: ['src/**/ports.ts'],
      reporter: ['text', 'json-summary'],
      reportsDirectory: 'coverage/core',
      thresholds: ALL,
    },
  },
});
