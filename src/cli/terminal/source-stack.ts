/**
 * Stack traces that name the sources. Reads source maps only when an error is written: Node's own support for them makes
 * a cold start 8 % slower.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** A position in a script: `/path/dist/main.js:1:2345`. */
const SCRIPT_POSITION = /(?<=\(|at (?:async )?)((?:file:\/\/)?[^()\n]+\.js):(\d+):(\d+)/g;

/** The stack with places of the bundle as `src/main.ts:12`; places without a source map stay. */
export function sourceStack({ stack = '' }: Error): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(SCRIPT_POSITION, (place, path: string, line: string, column: string) => {
    const map = maps.has(path) ? maps.get(path) : sourceMapFrom(path);
    maps.set(path, map);
    const origin = map?.findEntry(Number(line) - 1, Number(column) - 1);
    return origin !== undefined && 'originalSource' in origin && origin.originalSource !== undefined
      ? `${origin.originalSource.replace(/^(?:\.\.\/)+/, '')}:${origin.originalLine + 1}`
      : place;
  });
}

function sourceMapFrom(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
