/**
 * Runs the tests against the independent sandbox with one mutant of the adapter in place (ADAPTER_MUTANT), or with none.
 */
import { defineConfig } from 'vitest/config';
import { readSources } from '../../support/sources.ts';
import { ADAPTER_MUTANTS } from './adapter-mutants.ts';
import { changed } from './change-symbol.ts';

const mutant = ADAPTER_MUTANTS[process.env.ADAPTER_MUTANT ?? ''];
const broken = mutant && changed(readSources(), mutant);

const isBroken = (id: string) => broken !== undefined && id.endsWith(`/${broken.file}`);

export default defineConfig({
  plugins: [
    {
      name: 'adapter-mutant',
      enforce: 'pre',
      // Vitest keeps transformed modules between runs: the broken one is neither taken from there nor left there.
      configureVitest: ({ defineCacheKeyGenerator }) => {
        defineCacheKeyGenerator(({ id }) => (isBroken(id) ? false : null));
      },
      transform: (_, id) => (broken !== undefined && isBroken(id) ? broken.code : null),
    },
  ],
  test: {
    include: ['test/ota/against-sandbox/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
