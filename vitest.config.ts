import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // All cores: much of the time is waited for processes and sockets.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Real sockets and processes on a busy machine: one more try there, none at a desk. The report names what needed it.
    retry: process.env.CI ? 1 : 0,
    // Tests must not read the settings of the person who runs them.
    unstubEnvs: true,
    // Second records of journals go to the user's own state folder: not to that of the person who runs the tests.
    env: { XDG_STATE_HOME: join(tmpdir(), 'fareclerk-tests-state') },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
