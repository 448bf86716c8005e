/**
 * Small source maps for stack traces: of this repository's sources only, and to the line. Complete ones would be larger
 * than the program.
 */
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

/** The map without packages, names and columns; undefined if it maps nothing. */
export function lineMap(map: string): string | undefined {
  const { sources, mappings } = JSON.parse(map) as { sources: readonly string[]; mappings: string };
  const own = sources.filter((source) => /(?:^|\/)src\//.test(source) && !source.includes('node_modules'));
  if (own.length === 0) return undefined;
  const lines = decode(mappings).map((segments) =>
    firstOfEach(segments.map(([column, source = -1, line = 0]) => [column, own.indexOf(sources[source] ?? ''), line])),
  );
  return JSON.stringify({ version: 3, sources: own, names: [], mappings: encode(lines) });
}

/** One complete map of several, each of which begins at a line of its own. */
export function joinedMap(parts: readonly { readonly map: string; readonly line: number }[]): string {
  const [sources, names]: [string[], string[]] = [[], []];
  const lines: SourceMapSegment[][] = [];
  for (const { map, line } of parts) {
    const one = JSON.parse(map) as { sources: readonly string[]; names: readonly string[]; mappings: string };
    const [firstSource, firstName] = [sources.length, names.length];
    sources.push(...one.sources);
    names.push(...one.names);
    decode(one.mappings).forEach((segments, n) => {
      lines[line + n] = segments.map(([column, source, at = 0, atColumn = 0, name]) => {
        if (source === undefined) return [column];
        const place: [number, number, number, number] = [column, firstSource + source, at, atColumn];
        return name === undefined ? place : [...place, firstName + name];
      });
    });
  }
  return JSON.stringify({ version: 3, sources, names, mappings: encode(Array.from(lines, (line) => line ?? [])) });
}

/** Of several places in a row on one line of a source, only the first. A place in no source ends the one before it. */
function firstOfEach(places: readonly [column: number, source: number, line: number][]): SourceMapSegment[] {
  const changes = places.filter(([, source, line], i) => {
    const [, before = -1, lineBefore] = places[i - 1] ?? [];
    return source !== before || (source >= 0 && line !== lineBefore);
  });
  return changes.map(([column, source, line]) => (source < 0 ? [column] : [column, source, line, 0]));
}
