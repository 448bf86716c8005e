/**
 * Small source maps for stack traces: of this repository's sources only, and to the line. Complete ones would be larger
 * than the program.
 */
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

/** The map without packages, names and columns. */
export function lineMap(map: string): string {
  const { sources, mappings } = JSON.parse(map) as { sources: readonly string[]; mappings: string };
  const ours = sources.filter((source) => /(?:^|\/)src\//.test(source) && !source.includes('node_modules'));
  const lines = decode(mappings).map((segments) =>
    firstOfEach(segments.map(([column, source = -1, line = 0]) => [column, ours.indexOf(sources[source] ?? ''), line])),
  );
  return JSON.stringify({ version: 3, sources: ours, names: [], mappings: encode(lines) });
}

/** Of several places in a row on one line of a source, only the first. A place in no source ends the one before it. */
function firstOfEach(places: readonly [column: number, source: number, line: number][]): SourceMapSegment[] {
  const changes = places.filter(([, source, line], i) => {
    const [, before = -1, lineBefore] = places[i - 1] ?? [];
    return source !== before || (source >= 0 && line !== lineBefore);
  });
  return changes.map(([column, source, line]) => (source < 0 ? [column] : [column, source, line, 0]));
}
