/**
 * Aligns rows of text as columns, two spaces apart, without spaces at line ends.
 *
 * @param widthOf columns that a text takes where it is read
 * @param widths of the columns; default: those of the widest cells
 */
export function alignColumns(
  rows: readonly (readonly string[])[],
  widthOf: (text: string) => number,
  widths: readonly number[] = columnWidths(rows, widthOf),
): string[] {
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}

export function columnWidths(rows: readonly (readonly string[])[], widthOf: (text: string) => number): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  return widths;
}
