/** Tables for spreadsheets, as RFC 4180 writes them. */

/** One row: commas between cells, quotation marks doubled, CRLF at its end. A value that is absent is an empty cell. */
export function csvRow(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`;
}

/** A cell that a spreadsheet would take for a formula is made text. */
function csvCell(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
