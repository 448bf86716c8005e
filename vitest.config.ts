import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** After the ones of the whole program, what V8 knows of its process is not read by itself. */
const ALONE = 'test/**/*.alone.slow.test.ts';
const SLOW = 'test/**/*.slow.test.ts';
const NIGHT = 'test/**/*.night.test.ts';
/** Plays attackers on the whole program, some as root: `.ci/run` and `.ci/night` name its files. */
const ATTACKS = 'test/attacks/**/*.test.ts';

/** The processes that tests start from sources strip them of their types once, not each time. */
const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'fareclerk-tests-compiled') };

export default defineConfig({
  test: {
    // By the name of a file. Without isolation a worker loads the modules once, and not once a file: no file may leave a global changed.
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [SLOW, NIGHT, ATTACKS],
          isolate: false,
          env: COMPILED,
        },
      },
      { extends: true, test: { name: 'slow', include: [SLOW], exclude: [ALONE], isolate: false, env: COMPILED } },
      { extends: true, test: { name: 'slow-alone', include: [ALONE] } },
      // Those that only import a test play it in whole (test/support/whole.ts).
      {
        extends: true,
        test: {
          name: 'night',
          include: [NIGHT],
          isolate: false,
          env: { TESTS_PLAY: 'whole' },
          // They start many programs, beside campaigns that keep all cores busy.
          testTimeout: 900_000,
          expect: { poll: { timeout: 240_000 } },
        },
      },
      { extends: true, test: { name: 'attacks', include: [ATTACKS] } },
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
