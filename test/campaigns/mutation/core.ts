/**
 * What decides over money, by the symbols it exports (core-symbols.txt), and the tests that decide it in milliseconds: no
 * sockets, no processes. The gates of branches and of mutants find the files here.
 */
import { readFileSync } from 'node:fs';
import { declaredIn, type Sources } from '../../support/sources.ts';

const LIST = readFileSync(new URL('./core-symbols.txt', import.meta.url), 'utf8');
export const CORE_SYMBOLS: ReadonlySet<string> = new Set(LIST.replaceAll(/^#.*$/gm, '').trim().split(/\s+/));

/** So that the list shrinks only on purpose: here too. */
const AT_LEAST = 353;

/** Everything that these folders export belongs to the core. */
export const FOLDERS: readonly string[] = ['src/journal/', 'src/approvals/', 'src/plans/', 'src/access/'];

export const CORE_TESTS = [
  'test/domain/booking/expected-details.test.ts',
  'test/journal/**/*.test.ts',
  'test/approvals/**/*.test.ts',
  'test/plans/**/*.test.ts',
  'test/access/**/*.test.ts',
  'test/ota/errors/*.test.ts',
];

/** Throws if a symbol is missing, ambiguous or not listed, or if the list is shorter than it was. */
export function coreFiles(sources: Sources, listed: ReadonlySet<string> = CORE_SYMBOLS): readonly string[] {
  const exported = new Map([...sources].map(([file, code]) => [file, exportsOf(code)]));
  const homesOf = (symbol: string) => [...exported].filter(([, names]) => names.includes(symbol)).map(([file]) => file);
  const homes = [...listed].map((symbol) => [symbol, homesOf(symbol)] as const);
  const core = new Set(homes.flatMap(([, files]) => (files.length === 1 ? files : [])));
  const unlisted = [...exported].flatMap(([file, names]) =>
    core.has(file) || FOLDERS.some((folder) => file.startsWith(folder))
      ? names.filter((name) => !listed.has(name))
      : [],
  );
  const problems = [
    ...homes.filter(([, files]) => files.length === 0).map(([symbol]) => `${symbol}: no source exports it`),
    ...homes
      .filter(([, files]) => files.length > 1 && files.filter((file) => core.has(file)).length !== 1)
      .map(([symbol, files]) => `${symbol}: ambiguous, in ${files.join(' and ')}`),
    ...unlisted.map((name) => `${name}: not listed`),
    ...FOLDERS.filter((folder) => ![...core].some((file) => file.startsWith(folder))).map(
      (folder) => `${folder}: empty`,
    ),
    ...(listed.size < AT_LEAST ? [`${listed.size} symbols, of at least ${AT_LEAST}`] : []),
  ];
  if (problems.length > 0) throw new Error(`core-symbols.txt\n${problems.join('\n')}`);
  return [...core].sort();
}

function exportsOf(code: string): readonly string[] {
  return declaredIn(code)
    .filter(({ exported, kind }) => exported && kind !== 'interface' && kind !== 'type')
    .map(({ name }) => name);
}
