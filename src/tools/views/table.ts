/** Rows of text in aligned columns, two spaces apart. The last column is not padded. */
export function table(rows: readonly (readonly (string | undefined)[])[], indent = '  '): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell ?? ''));
  }
  return rows.map((row) => {
    const cells = row.map((cell = '', i) => (i === row.length - 1 ? cell : cell + ' '.repeat(pad(cell, widths[i]))));
    return (
      indent +
      cells
        .filter((_, i) => (widths[i] ?? 0) > 0)
        .join('  ')
        .trimEnd()
    );
  });
}

function pad(cell: string, width = 0): number {
  return width - widthOf(cell);
}

const ASCII = /^[ -~]*$/;

/** In characters, not in code units. */
function widthOf(cell: string): number {
  return ASCII.test(cell) ? cell.length : [...cell].length;
}
