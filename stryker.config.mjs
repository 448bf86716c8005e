/** Mutants of what decides over money. */

import { coreOf } from './test/campaigns/mutation/core.ts';
import { readSources } from './test/support/sources.ts';

const { files, acts } = coreOf(readSources());

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/campaigns/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: [...files, ...acts.keys()],
  // Names none: TypeScript 7 has no JavaScript API for Stryker to read it with, and these tests need none.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  checkers: [],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  ignoreStatic: true,
  timeoutMS: 1500,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: 'reports/mutation.json' },
  thresholds: { high: 95, low: 90, break: 85 },
  tempDirName: '.stryker-tmp',
  ignorePatterns: [
    'dist',
    'bench',
    'docs',
    '.vitest',
    'reports',
    'test/e2e',
    'test/browser',
    'test/campaigns/chaos',
    'test/campaigns/fleet',
  ],
};
