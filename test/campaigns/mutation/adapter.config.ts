/**
 * Runs the tests against the independent sandbox with one mutant of the adapter in place (ADAPTER_MUTANT), or with none.
 */
import { defineConfig } from 'vitest/config';
import { readSources } from '../../support/sources.ts';
import { ADAPTER_MUTANTS } from './adapter-mutants.ts';
import { changed } from './change-symbol.ts';

const mutant = ADAPTER_MUTANTS[process.env.ADAPTER_MUTANT ?? ''];
const broken = mutant && changed(readSources(), mutant);

export default defineConfig({
  plugins: [
    {
      name: 'adapter-mutant',
      enforce: 'pre',
      transform: (_, id) => (broken !== undefined && id.endsWith(`/${broken.file}`) ? broken.code : null),
    },
  ],
  test: {
    include: ['test/ota/against-sandbox/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 30_000,
    // A module of an earlier run would be without this mutant.
    fsModuleCache: false,
  },
});
