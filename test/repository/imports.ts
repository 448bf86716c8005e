/**
 * Reads the imports of source files: `import`, `export … from` and `import()`, type-only ones included.
 */
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
