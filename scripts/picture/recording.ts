/**
 * Reads what the demo wrote to a terminal, in colour: the files `test/golden/demo/*-in-colour.txt`.
 */
import { readFileSync } from 'node:fs';

const ESCAPE = String.fromCharCode(27);

/** Lines of equally styled pieces. */
export function recorded(name: 'trip' | 'disruption'): readonly (readonly Span[])[] {
  const file = new URL(`../../test/golden/demo/${name}-in-colour.txt`, import.meta.url);
  return linesOf(readFileSync(file, 'utf8').replaceAll('␛', ESCAPE).trim());
}

export interface Span {
  readonly text: string;
  /** `bold`, `dim` or a colour; empty: as the rest. */
  readonly style: string;
}

const STYLES: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  35: 'magenta',
  36: 'cyan',
};

const COLOUR = new RegExp(`${ESCAPE}\\[(\\d+)m`);

function linesOf(written: string): readonly (readonly Span[])[] {
  return written.split('\n').map((line) => {
    const [first = '', ...rest] = line.split(COLOUR);
    const spans: Span[] = [{ text: first, style: '' }];
    for (let i = 0; i < rest.length; i += 2)
      spans.push({ text: rest[i + 1] ?? '', style: STYLES[rest[i] ?? ''] ?? '' });
    return spans.filter(({ text }) => text !== '');
  });
}

export const plain = (line: readonly Span[]): string => line.map(({ text }) => text).join('');
