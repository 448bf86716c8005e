/** The sources of the program by what they declare, so that a test need not know in which file it is. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** File, from the root of the repository → its text. */
export type Sources = ReadonlyMap<string, string>;

export function readSources(): Sources {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).sort();
  return new Map(files.map((file) => [file, readFileSync(ROOT + file, 'utf8')]));
}

export interface Declared {
  readonly name: string;
  readonly kind: string;
  readonly exported: boolean;
}

const DECLARATION = /^(export )?(?:abstract )?(?:async )?(function|const|let|class|interface|type)\b\*? (\w+)/gm;

/** What a source declares at its top level. */
export function declaredIn(code: string): Declared[] {
  return [...code.matchAll(DECLARATION)].map(([, exported, kind = '', name = '']) => ({
    name,
    kind,
    exported: exported !== undefined,
  }));
}
