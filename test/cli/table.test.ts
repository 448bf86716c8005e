import { expect, it } from 'vitest';
import { table } from '../../src/cli/table.ts';

it('aligns columns and leaves no space at line ends', () => {
  expect(
    table([
      ['a', 'long'],
      ['bbb', 'x'],
    ]),
  ).toBe('a    long\nbbb  x\n');
});
