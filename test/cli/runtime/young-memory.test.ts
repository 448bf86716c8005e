import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';
import { afterEach, expect, test, vi } from 'vitest';
import { youngMemoryBound } from '../../../src/cli/runtime/young-memory.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('stops the growth of the room for new objects once, when there is enough for calls', () => {
  const setFlags = vi.spyOn(v8, 'setFlagsFromString').mockReturnValue(undefined);
  const spaces = vi.spyOn(v8, 'getHeapSpaceStatistics');
  syncBuiltinESMExports();
  const room = (bytes: number) =>
    spaces.mockReturnValue([{ space_name: 'new_space', space_size: bytes } as v8.HeapSpaceInfo]);
  const called = youngMemoryBound();
  room(8 << 20);
  for (let n = 0; n < 16; n++) called();
  expect(setFlags).not.toHaveBeenCalled();
  room(16 << 20);
  for (let n = 0; n < 32; n++) called();
  expect(setFlags.mock.calls).toEqual([['--semi-space-growth-factor=1']]);
});
