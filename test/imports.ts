/**
 * Reads the imports of a source file: `import`, `export … from` and `import()`, type-only ones included.
 */

/** Blanks comments, keeping strings: a commented-out import is none. */
export function withoutComments(source: string): string {
  const tokens = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return source.replace(tokens, (token) => (token.startsWith('/') ? ' ' : token));
}

const STATEMENT = /^\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*(['"])([^'"]+)\1/gm;
const DYNAMIC = /\bimport\(\s*(['"`])([^'"`]+)\1/g;

/** Module names as written, in order of appearance by kind. */
export function importsOf(source: string): string[] {
  const code = withoutComments(source);
  return [...code.matchAll(STATEMENT), ...code.matchAll(DYNAMIC)].flatMap((match) => match[2] ?? []);
}
