/**
 * Runs the tests against the independent sandbox with one mutant of the adapter in place (ADAPTER_MUTANT), or with none.
 */
import { defineConfig } from 'vitest/config';
import { ADAPTER_MUTANTS, mutated } from './adapter-mutants.ts';

const mutant = ADAPTER_MUTANTS.find(({ name }) => name === process.env.ADAPTER_MUTANT);

export default defineConfig({
  plugins: [
    {
      name: 'adapter-mutant',
      enforce: 'pre',
      transform: (code, id) => (mutant !== undefined && id.endsWith(`/${mutant.file}`) ? mutated(mutant, code) : null),
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
