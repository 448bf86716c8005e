/**
 * What decides over money, by its symbols (core-symbols.txt), and the tests that decide it in milliseconds: no sockets, no
 * processes. The gate of branches finds the files here, and in the file of an act what judges its evidence.
 */
import { readFileSync } from 'node:fs';
import { declaredIn, type Sources } from '../../support/sources.ts';

const LIST = readFileSync(new URL('./core-symbols.txt', import.meta.url), 'utf8');
export const CORE_SYMBOLS: ReadonlySet<string> = new Set(LIST.replaceAll(/^#.*$/gm, '').trim().split(/\s+/));

/** So that the list shrinks only on purpose: here too. */
const AT_LEAST = 464;

/** Everything that these folders export belongs to the core. */
export const FOLDERS: readonly string[] = ['src/journal/', 'src/approvals/', 'src/plans/', 'src/access/'];

/** Without the long forms of the night (test/support/whole.ts). */
export const NOT_CORE_TESTS = ['**/*.night.test.ts'];

export const CORE_TESTS = [
  'test/journal/**/*.test.ts',
  'test/approvals/**/*.test.ts',
  'test/plans/**/*.test.ts',
  'test/access/**/*.test.ts',
  'test/ota/errors/*.test.ts',
  'test/watching/contradicted.test.ts',
  'test/tools/cancelled-here.test.ts',
  'test/domain/booking/same-people.test.ts',
  'test/domain/facts/{said,left-out}.test.ts',
];

/** What the file of an act exports that judges nothing: its tool, and this reader. */
const TOOL = /^export const (\w+) = define(?:Act|BookingChange)\(/gm;
const READERS_OF_ACTS = ['accountsFor'];

interface Core {
  /** Files that belong to the core as they are. */
  readonly files: readonly string[];
  /** Files of acts, which have a tool as well → the symbols in them that do. */
  readonly acts: ReadonlyMap<string, readonly string[]>;
}

/** Throws if a symbol is missing, ambiguous or not listed, or if the list is shorter than it was. */
export function coreOf(sources: Sources, listed: ReadonlySet<string> = CORE_SYMBOLS): Core {
  const judging = new Map([...sources].map(([file, code]) => [file, judgingIn(code)]));
  const homesOf = (symbol: string) => [...judging].filter(([, names]) => names.includes(symbol)).map(([file]) => file);
  const homes = [...listed].map((symbol) => [symbol, homesOf(symbol)] as const);
  const core = new Set(homes.flatMap(([, files]) => (files.length === 1 ? files : [])));
  const unlisted = [...judging].flatMap(([file, names]) =>
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
  const sorted = [...core].sort();
  const acts = sorted.filter((file) => toolsIn(sources.get(file) ?? '').length > 0);
  return {
    files: sorted.filter((file) => !acts.includes(file)),
    acts: new Map(acts.map((file) => [file, judging.get(file) ?? []])),
  };
}

/** What a source exports, and the evidence that an act has for itself. Of the file of an act: without its tool. */
function judgingIn(code: string): readonly string[] {
  const tools = toolsIn(code);
  const evidence = [...code.matchAll(/^const (\w+): ActEvidence</gm)].map(([, name = '']) => name);
  const exported = declaredIn(code).flatMap(({ name, exported, kind }) =>
    exported && kind !== 'interface' && kind !== 'type' ? [name] : [],
  );
  if (tools.length === 0) return [...exported, ...evidence];
  return [...exported, ...evidence].filter((name) => !tools.includes(name) && !READERS_OF_ACTS.includes(name));
}

function toolsIn(code: string): readonly string[] {
  return [...code.matchAll(TOOL)].map(([, name = '']) => name);
}
