/** The gates of branches and of mutants see the whole core, wherever its files are. */
import { expect, test } from 'vitest';
import { readSources } from '../../support/sources.ts';
import { CORE_SYMBOLS, coreFiles, FOLDERS } from './core.ts';

const sources = readSources();
/** Where provesRefusal is today. */
const FILE = coreFiles(sources).find((file) => sources.get(file)?.includes('export function provesRefusal(')) ?? '';

test('finds every symbol of the list in one source', () => {
  expect(FILE).toMatch(/^src\//);
});

test('finds a file of the core that moved', () => {
  const moved = new Map(sources).set('src/anywhere/else.ts', sources.get(FILE) ?? '');
  moved.delete(FILE);
  expect(coreFiles(moved)).toContain('src/anywhere/else.ts');
});

test('fails if a listed symbol is missing', () => {
  const without = new Map(sources);
  without.delete(FILE);
  expect(() => coreFiles(without)).toThrow('provesRefusal: no source exports it');
});

test('fails if two files could be meant', () => {
  const twice = new Map(sources).set('src/copy.ts', sources.get(FILE) ?? '');
  expect(() => coreFiles(twice)).toThrow(`provesRefusal: ambiguous, in ${FILE} and src/copy.ts`);
});

test('fails if the list shrinks', () => {
  const shorter = new Set([...CORE_SYMBOLS].filter((symbol) => symbol !== 'provesRefusal'));
  expect(() => coreFiles(sources, shorter)).toThrow(/provesRefusal: not listed\n\d+ symbols, of at least \d+$/);
});

test.each([FILE, ...FOLDERS.map((folder) => `${folder}new.ts`)])('fails if %s exports what is not listed', (file) => {
  const more = new Map(sources).set(file, `${sources.get(file) ?? ''}\nexport function unseen() {}\n`);
  expect(() => coreFiles(more)).toThrow('unseen: not listed');
});
