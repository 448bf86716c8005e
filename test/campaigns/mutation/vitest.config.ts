/**
 * The tests of a mutation run: those of the core. The hundred thousand tampered presentations have their say in
 * `npm test`.
 */
import { defineConfig } from 'vitest/config';
import { CORE_TESTS, NOT_CORE_TESTS } from './core.ts';

export default defineConfig({
  test: {
    include: CORE_TESTS,
    exclude: NOT_CORE_TESTS,
    setupFiles: ['test/campaigns/mutation/no-sockets.ts'],
    testNamePattern: /^(?!.*tampered presentations)/,
    testTimeout: 5_000,
    isolate: false,
  },
});
