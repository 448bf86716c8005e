/**
 * Branch coverage of what decides over money: the journal, the approvals, what proves an act, and the classifier of the
 * airline's answers. Their own tests take every branch; the run fails below that.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { readSources } from '../../support/sources.ts';
import { type FileReport, untaken } from './acts-coverage.ts';
import { CORE_TESTS, coreOf, NOT_CORE_TESTS } from './core.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ALL = { branches: 100, functions: 100, lines: 100, statements: 100 };
const SOURCES = readSources();
const { files, acts } = coreOf(SOURCES);

interface Reports {
  fileCoverageFor(file: string): { toJSON(): FileReport };
}

/** Fails the run if a line of an act's evidence was not taken. The rest of its file is no part of the core. */
function judgeActs(coverage: unknown): void {
  for (const [file, symbols] of acts) {
    const report = (coverage as Reports).fileCoverageFor(ROOT + file).toJSON();
    const lines = untaken(SOURCES.get(file) ?? '', symbols, report);
    if (lines.length === 0) continue;
    process.stderr.write(`ERROR: ${file}: no test of the core takes all of line ${lines.join(', ')}\n`);
    process.exitCode = 1;
  }
}

export default defineConfig({
  test: {
    include: CORE_TESTS,
    exclude: NOT_CORE_TESTS,
    setupFiles: ['test/campaigns/mutation/no-sockets.ts'],
    isolate: false,
    testTimeout: 300_000,
    reporters: ['default', { onCoverage: judgeActs }],
    coverage: {
      enabled: true,
      provider: 'v8',
      include: [...files, ...acts.keys()],
      reporter: ['text', 'json-summary'],
      reportsDirectory: 'coverage/core',
      thresholds: Object.fromEntries(files.map((file) => [file, ALL])),
    },
  },
});
