/** The gate of branches sees the whole core, wherever its files are. */
import { expect, test } from 'vitest';
import { readSources } from '../../support/sources.ts';
import { untaken } from './acts-coverage.ts';
import { CORE_SYMBOLS, coreOf, FOLDERS } from './core.ts';

const sources = readSources();
/** Where provesNothingDone is today. */
const FILE =
  coreOf(sources).files.find((file) => sources.get(file)?.includes('export function provesNothingDone(')) ?? '';

test('finds every symbol of the list in one source', () => {
  expect(FILE).toMatch(/^src\//);
});

test('finds a file of the core that moved', () => {
  const moved = new Map(sources).set('src/anywhere/else.ts', sources.get(FILE) ?? '');
  moved.delete(FILE);
  expect(coreOf(moved).files).toContain('src/anywhere/else.ts');
});

test('fails if a listed symbol is missing', () => {
  const without = new Map(sources);
  without.delete(FILE);
  expect(() => coreOf(without)).toThrow('provesNothingDone: no source exports it');
});

test('fails if two files could be meant', () => {
  const twice = new Map(sources).set('src/copy.ts', sources.get(FILE) ?? '');
  expect(() => coreOf(twice)).toThrow(`provesNothingDone: ambiguous, in ${FILE} and src/copy.ts`);
});

test('fails if the list shrinks', () => {
  const shorter = new Set([...CORE_SYMBOLS].filter((symbol) => symbol !== 'provesNothingDone'));
  expect(() => coreOf(sources, shorter)).toThrow(/provesNothingDone: not listed\n\d+ symbols, of at least \d+$/);
});

test.each([FILE, ...FOLDERS.map((folder) => `${folder}new.ts`)])('fails if %s exports what is not listed', (file) => {
  const more = new Map(sources).set(file, `${sources.get(file) ?? ''}\nexport function unseen() {}\n`);
  expect(() => coreOf(more)).toThrow('unseen: not listed');
});

/** A file with an act, its evidence and its tool. */
const ACT = 'src/tools/acts/create-booking.ts';

test('knows in the file of an act what judges evidence, and leaves its tool to other tests', () => {
  const { files, acts } = coreOf(sources);
  expect(acts.get(ACT)).toEqual(['expectBooking', 'createEvidence']);
  expect(acts.size).toBe(4);
  expect(files).not.toContain(ACT);
});

test.each(['export function unseen() {}', 'const unseen: ActEvidence<ExpectedBooking> = createEvidence;'])(
  'fails if the file of an act has %s, which is not listed',
  (code) => {
    const more = new Map(sources).set(ACT, `${sources.get(ACT)}\n${code}\n`);
    expect(() => coreOf(more)).toThrow('unseen: not listed');
  },
);

/** Line, from 1, of the only line that has this text. */
function lineOf(code: string, text: string): number {
  return code.slice(0, code.indexOf(text)).split('\n').length;
}

const CODE = `const evidence = { reading: () => judged(1) };

function judged(count) {
  return count > 0 ? sum(count) : 0;
}

function sum(count) {
  return count + 1;
}

export function told() {
  return judged(0);
}
`;

/** What a run of the tests left there: a statement, an arm of a branch or a function. */
const at = (text: string) => ({ start: { line: lineOf(CODE, text) }, end: { line: lineOf(CODE, text) } });

test.each([
  ['evidence', 'const evidence', ['1']],
  ['a function that it calls', '? sum(count)', ['4']],
  ['a function that this one calls', 'return count + 1', ['8']],
  ['anything else', 'return judged(0)', []],
])('sees what tests leave untaken in %s', (_, text, lines) => {
  const statement = { statementMap: { 0: at(text) }, s: { 0: 0 }, fnMap: {}, f: {}, branchMap: {}, b: {} };
  const fn = { statementMap: {}, s: {}, fnMap: { 0: { loc: at(text) } }, f: { 0: 0 }, branchMap: {}, b: {} };
  const arm = {
    statementMap: {},
    s: {},
    fnMap: {},
    f: {},
    branchMap: { 0: { locations: [at(text), at(text)] } },
    b: { 0: [3, 0] },
  };
  for (const report of [statement, fn, arm]) expect(untaken(CODE, ['evidence'], report).map(String)).toEqual(lines);
});

test('refuses a symbol that the file does not declare', () => {
  const nothing = { statementMap: {}, s: {}, fnMap: {}, f: {}, branchMap: {}, b: {} };
  expect(() => untaken(CODE, ['proof'], nothing)).toThrow('proof: not declared');
});
