import { alignColumns, columnWidths } from '../../core/words.ts';

const ASCII = /^[ -~]*$/;
/** Counts characters, not code units. */
const widthOf = (cell: string): number => (ASCII.test(cell) ? cell.length : [...cell].length);

/** Aligns rows in columns and drops empty columns. */
export function table(rows: readonly (readonly (string | undefined)[])[], indent = '  '): string[] {
  const cells = rows.map((row) => row.map((cell = '') => cell));
  const widths = columnWidths(cells, widthOf);
  const shown = cells.map((row) => row.filter((_, column) => widths[column] !== 0));
  return alignColumns(shown, widthOf).map((line) => indent + line);
}
