/**
 * Reads the imports of source files: `import`, `export … from` and `import()`, type-only ones included.
 */
import { dirname, join } from 'node:path/posix';

const COMMENTS_AND_STRINGS = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

export function commentsIn(source: string): string[] {
  return (source.match(COMMENTS_AND_STRINGS) ?? []).filter((token) => token.startsWith('/'));
}

/** Blanks comments, keeping strings: a commented-out import is none. */
export function withoutComments(source: string): string {
  return source.replace(COMMENTS_AND_STRINGS, (token) => (token.startsWith('/') ? ' ' : token));
}

const STATEMENT = /^\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*(['"])([^'"]+)\1/gm;
const DYNAMIC = /\bimport\(\s*(['"`])([^'"`]+)\1/g;

/** Module names as written, in order of appearance by kind. */
export function importsOf(source: string): string[] {
  const code = withoutComments(source);
  return [...code.matchAll(STATEMENT), ...code.matchAll(DYNAMIC)].flatMap((match) => match[2] ?? []);
}

/** They import every tool and every command. */
const CATALOGS = ['src/main.ts', 'src/tools/index.ts', 'src/cli/commands/index.ts'];

/** Files that one other file imports, with that file; those that only a catalog imports are left out. */
export function soleImporters(sources: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const importers = new Map<string, Set<string>>();
  for (const [file, text] of sources)
    for (const name of importsOf(text).filter((name) => name.startsWith('.'))) {
      const target = join(dirname(file), name);
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  const sole = new Map<string, string>();
  for (const [target, [importer = '', ...others]] of importers)
    if (target.endsWith('.ts') && others.length === 0 && !CATALOGS.includes(importer)) sole.set(target, importer);
  return sole;
}
