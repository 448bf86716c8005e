import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const inFolders = (names: readonly string[]) => names.map((name) => `test/${name}/**`);
const testsOf = (folders: readonly string[]) => folders.map((folder) => `${folder}/*.test.ts`);

/** Runs of the whole program (`npm run test:program`): browsers and commands. */
const PROGRAM = inFolders(['browser', 'cli', 'e2e', 'package']);

/** Real clients in conversations that mostly wait: beside the whole program. */
const CLIENTS = ['test/mcp/details.test.ts', 'test/mcp/stdio.test.ts'];

/** What takes long (`npm run test:night`): `.ci/night` plays them, `npm run check` does not. */
const NIGHT = [
  ...testsOf(inFolders(['campaigns/evals', 'deploy'])),
  'test/browser/demo-team.test.ts',
  'test/browser/every-state.test.ts',
  'test/clerk/refusals/refused-acts.slow.test.ts',
  'test/details/server-files.test.ts',
  'test/e2e/database-trips.test.ts',
  'test/e2e/details-killed.test.ts',
  'test/e2e/details-trip.test.ts',
  'test/e2e/repeated-details.test.ts',
  'test/ledger/forty/both-databases.test.ts',
  'test/ledger/run-sql-at-once.test.ts',
  'test/ledger/sixty/both-databases.test.ts',
  'test/ota/against-sandbox/quote-is-refund.test.ts',
];

/** In a short form among the parts, whole in the night (test/support/whole.ts). */
const WHOLE_AT_NIGHT = [
  'approvals/presented',
  'details/at-once',
  'domain/pricing/estimate-equals-refund',
  'ledger/hurried',
  'ledger/kept-rows',
  'ledger/run-apart',
  'ledger/run-sql',
  'ota/dialects/matrix',
  'pages/approval/change-of-mind',
  'mcp/code-mode',
  'store/migration',
  'tools/views/fields-left-out',
].map((name) => `test/${name}.test.ts`);

/** Reads what V8 knows of its process: not after other files. */
const ALONE = ['test/e2e/payment-way.test.ts'];

/** `npm run check` leaves them out; `.ci/run` and a plain `npx vitest run` play them. */
const ATTACKS = inFolders(['attacks']);

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'attacks', include: testsOf(ATTACKS) } },
      // A worker loads the modules once, and not once a file: no file may leave a global changed.
      {
        extends: true,
        test: {
          name: 'program',
          include: [...testsOf(PROGRAM), ...CLIENTS],
          exclude: [...ALONE, ...NIGHT],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'program-alone', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'night',
          include: [...NIGHT, ...WHOLE_AT_NIGHT],
          isolate: false,
          env: { TESTS_PLAY: 'whole' },
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: [...PROGRAM, ...CLIENTS, ...ATTACKS, ...NIGHT],
          isolate: false,
          // The processes that tests start from sources strip them of their types once, not each time.
          env: { NODE_COMPILE_CACHE: join(tmpdir(), 'fareclerk-tests-compiled') },
        },
      },
    ],
    // Two more than cores: much of the time is waited for processes and sockets.
    maxWorkers: availableParallelism() + 2,
    // What hangs, not what is slow on a busy machine; no test has a time of its own.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Passes as soon as it can, however busy the machine is.
    expect: { poll: { timeout: 60_000 } },
    // Real sockets and processes on a busy machine: one more try there, none at a desk. The report names what needed it.
    retry: process.env.CI ? 1 : 0,
    // Tests must not read the settings of the person who runs them.
    unstubEnvs: true,
    // Second records of journals go to the user's own state folder, and profiles are in the config folder: not to those of the
    // person who runs the tests.
    env: {
      XDG_CONFIG_HOME: join(tmpdir(), 'fareclerk-tests-config'),
      XDG_STATE_HOME: join(tmpdir(), 'fareclerk-tests-state'),
    },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
