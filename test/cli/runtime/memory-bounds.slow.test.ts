import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryBounds } from '../../../src/cli/runtime/compose.ts';

const setFlags = vi.spyOn(v8, 'setFlagsFromString');
const spaces = vi.spyOn(v8, 'getHeapSpaceStatistics');

const room = (bytes: number) =>
  spaces.mockReturnValue([{ space_name: 'new_space', space_size: bytes } as v8.HeapSpaceInfo]);

beforeEach(() => {
  setFlags.mockReset();
  syncBuiltinESMExports();
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('bounds the growth of the heap, and of the room for new objects when there is enough for calls', () => {
  const called = memoryBounds();
  room(8 << 20);
  for (let n = 0; n < 16; n++) called();
  expect(setFlags.mock.calls).toEqual([['--heap-growing-percent=100']]);
  room(32 << 20);
  for (let n = 0; n < 32; n++) called();
  expect(setFlags.mock.calls).toEqual([['--heap-growing-percent=100'], ['--semi-space-growth-factor=1']]);
});
