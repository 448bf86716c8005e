/**
 * Branch coverage of what decides over money: the journal, the approvals, and the classifier of the airline's answers.
 * Their own tests take every branch; the run fails below that.
 */
import { defineConfig } from 'vitest/config';
import { readSources } from '../../support/sources.ts';
import { CORE_TESTS, coreFiles } from './core.ts';

const ALL = { branches: 100, functions: 100, lines: 100, statements: 100 };

export default defineConfig({
  test: {
    include: CORE_TESTS,
    setupFiles: ['test/campaigns/mutation/no-sockets.ts'],
    testTimeout: 20_000,
    coverage: {
      enabled: true,
      provider: 'v8',
      include: [...coreFiles(readSources())],
      reporter: ['text', 'json-summary'],
      reportsDirectory: 'coverage/core',
      thresholds: ALL,
    },
  },
});
