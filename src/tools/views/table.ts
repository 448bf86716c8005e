import { alignColumns, columnWidths } from '../../domain/time-and-text/columns.ts';

const ASCII = /^[ -~]*$/;
/** In characters, not in code units. */
const widthOf = (cell: string): number => (ASCII.test(cell) ? cell.length : [...cell].length);

/** Rows as aligned columns; a column without text is left out. */
export function table(rows: readonly (readonly (string | undefined)[])[], indent = '  '): string[] {
  const cells = rows.map((row) => row.map((cell = '') => cell));
  const widths = columnWidths(cells, widthOf);
  const shown = cells.map((row) => row.filter((_, column) => widths[column] !== 0));
  return alignColumns(shown, widthOf).map((line) => indent + line);
}
