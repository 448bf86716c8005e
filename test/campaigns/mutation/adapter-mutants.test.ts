/**
 * Each mutant must still apply to the adapter: one that changes nothing breaks nothing.
 */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSources } from '../../support/sources.ts';
import { ADAPTER_MUTANTS } from './adapter-mutants.ts';
import { changed } from './change-symbol.ts';

const sources = readSources();

test.each(ADAPTER_MUTANTS)('applies mutant $name to the adapter: $what', (mutant) => {
  const { file, code } = changed(sources, mutant);
  expect(code).not.toBe(sources.get(file));
  for (const test of mutant.tests)
    expect(existsSync(new URL(`../../ota/against-sandbox/${test}`, import.meta.url))).toBe(true);
});

describe('a change of a symbol', () => {
  const change = { symbol: 'seat', from: 'row: $row', to: 'row: $row + 1' };
  const seat = 'export function seat(row: number) {\n  return { row: row };\n}\n';

  test('applies wherever the symbol is, and however it is formatted', () => {
    const moved = new Map([
      ['src/a.ts', 'export const other = { row: 1 };\n'],
      ['src/b.ts', 'export function seat(row: number) {\n  return {\n    row:\n      row };\n}\n'],
    ]);
    expect(changed(moved, change)).toMatchObject({ file: 'src/b.ts', code: expect.stringContaining('row: row + 1 }') });
  });

  test.each<[string, Record<string, string>, string]>([
    ['the symbol is missing', { 'src/a.ts': 'const row = 1;' }, 'no source declares seat'],
    ['two files declare it', { 'src/a.ts': seat, 'src/b.ts': seat }, 'seat is ambiguous: src/a.ts, src/b.ts'],
    ['it has no such code', { 'src/a.ts': seat.replace('row: row', 'row') }, 'seat has 0 times: row: $row'],
    ['it has the code twice', { 'src/a.ts': `${seat.slice(0, -2)}; ({ row: 2 }) }` }, 'seat has 2 times: row: $row'],
  ])('fails if %s', (_, files, says) => {
    expect(() => changed(new Map(Object.entries(files)), change)).toThrow(says);
  });
});
