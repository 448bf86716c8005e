import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { stateChecks } from '../../../src/cli/doctor/state.ts';
import { readConfig } from '../../../src/config/load.ts';

test.skipIf(process.platform === 'win32')('finds a state folder of another user, and says which', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clerk-owner-'));
  // Root's own folder would be accepted.
  if (process.getuid?.() === 0) chownSync(folder, 4711, 4711);
  const [check] = stateChecks(readConfig({ FARECLERK_STATE_DIR: folder }, {}));
  const getuid = vi.spyOn(process, 'geteuid').mockReturnValue(4712);
  const found = await check?.run();
  getuid.mockRestore();
  expect(found).toMatchObject({ finding: 'state_of_another_user', said: expect.stringContaining(folder) });
  rmSync(folder, { recursive: true });
});
