import widthOf from 'string-width';
import { describe, expect, it } from 'vitest';
import { table } from '../../../src/cli/terminal/table.ts';
import { windowOf } from '../../../src/cli/terminal/window.ts';

describe('a table', () => {
  it('aligns columns and leaves no space at line ends', () => {
    expect(
      table([
        ['a', 'long'],
        ['bbb', 'x'],
      ]),
    ).toBe('a    long\nbbb  x\n');
  });

  it('cuts the widest column to fit the window, and marks the cut', () => {
    const rows = [
      ['id', 'what is asked', 'left'],
      ['1f2e3d4c', 'Cancel two of three segments and take the refund', '9:41'],
    ];
    const lines = table(rows, 40).trimEnd().split('\n');
    expect(Math.max(...lines.map((line) => widthOf(line)))).toBe(40);
    expect(lines[1]).toMatch(/^1f2e3d4c {2}Cancel .*… {2}9:41$/);
    expect(table(rows, 200)).toBe(table(rows));
  });

  it('cuts no column below eight characters, even if the window is narrower', () => {
    expect(table([['12345678', 'abcdefghij', '12345678']], 5)).toBe('12345678  abcdefg…  12345678\n');
  });

  it('never cuts some columns: it narrows the others first, then uses several lines for a row', () => {
    const rows = [
      ['when', 'tool', 'amount', 'id'],
      ['2026-12-10 18:40', 'cancel_passenger', 'SAR 1,273.50', '1f2e3d4c'],
    ];
    expect(table(rows, 50, [0, 2, 3])).toBe(
      'when              tool      amount        id\n2026-12-10 18:40  cancel_…  SAR 1,273.50  1f2e3d4c\n',
    );
    const narrow = table(rows, 40, [0, 2, 3]);
    expect(narrow).toBe(
      'when              tool\n    amount        id\n2026-12-10 18:40  cancel_passenger\n    SAR 1,273.50  1f2e3d4c\n',
    );
    expect(table(rows, 10, [0, 2, 3])).not.toContain('…');
  });

  it('counts wide letters as two columns and accents as none, and cuts no letter in half', () => {
    expect([widthOf('Köln'), widthOf('Ko\u0308ln'), widthOf('東京'), widthOf('🎫')]).toEqual([4, 4, 4, 2]);
    expect(
      table([
        ['東京', 'x'],
        ['ab', 'y'],
      ]),
    ).toBe('東京  x\nab    y\n');
    expect(table([['東京東京東京', 'x']], 11)).toBe('東京東…   x\n');
  });

  it('limits the width of a table only on a screen', () => {
    expect(windowOf({ isTTY: true, columns: 72 })).toBe(72);
    expect(windowOf({ isTTY: false, columns: 72 })).toBeUndefined();
    expect(windowOf({ isTTY: true, columns: 0 })).toBeUndefined();
  });
});
