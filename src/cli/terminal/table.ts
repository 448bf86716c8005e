/** Draws rows as aligned columns that fit the window of a screen. */
import widthOf from 'string-width';
import { alignColumns, columnWidths } from '../../core/words.ts';

type Rows = readonly (readonly string[])[];

/** Splits text into letters as people see them. */
const SEGMENTER = new Intl.Segmenter();

/** No column is cut below this width. */
const LEAST_WIDTH = 8;
/** Indent of the second and later lines of a row. */
const FURTHER_INDENT = '    ';

/**
 * Draws a table.
 * @param window columns of the screen. Without it nothing is cut.
 * @param uncut columns that are never cut: part of an amount is another amount. If they do not fit, a row takes several lines.
 */
export function table(rows: Rows, window = Number.POSITIVE_INFINITY, uncut: readonly number[] = []): string {
  const fullWidths = columnWidths(rows, widthOf);
  const widths = fittedWidths(fullWidths, window, uncut);
  if (uncut.length > 0 && lineWidth(widths) > window) return joinLines(onSeveralLines(rows, fullWidths, window));
  const cells = rows.map((row) => row.map((cell, column) => cutCell(cell, widths[column] ?? 0)));
  return joinLines(alignColumns(cells, widthOf, widths));
}

const joinLines = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** Columns stand two spaces apart. */
const lineWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1);

/** Narrows the widest columns first. Once all are at LEAST_WIDTH, lines may be wider than the window. */
function fittedWidths(fullWidths: readonly number[], window: number, uncut: readonly number[]): readonly number[] {
  const widths = [...fullWidths];
  while (lineWidth(widths) > window) {
    const cuttable = [...widths.entries()].filter(([column, width]) => !uncut.includes(column) && width > LEAST_WIDTH);
    const widest = Math.max(...cuttable.map(([, width]) => width));
    const firstWidest = cuttable.find(([, width]) => width === widest);
    if (firstWidest === undefined) break;
    widths[firstWidest[0]] = widest - 1;
  }
  return widths;
}

/** Puts each row on as many lines as it needs and cuts nothing. */
function onSeveralLines(rows: Rows, fullWidths: readonly number[], window: number): readonly string[] {
  const blocks = columnsByLine(fullWidths, window).map((columns, line) => {
    const cells = rows.map((row) => columns.map((column) => row[column] ?? ''));
    return alignColumns(cells, widthOf).map((text) => (line === 0 ? text : FURTHER_INDENT + text));
  });
  return rows.flatMap((_, row) => blocks.map((block) => block[row] ?? ''));
}

/** Spreads the columns over lines: each line takes as many as fit, and at least one. */
function columnsByLine(fullWidths: readonly number[], window: number): readonly (readonly number[])[] {
  const lines: number[][] = [];
  let columns: number[] = [];
  for (const [column, width] of fullWidths.entries()) {
    const margin = lines.length === 0 ? 0 : FURTHER_INDENT.length;
    const widths = [...columns.map((earlier) => fullWidths[earlier] ?? 0), width];
    if (columns.length > 0 && margin + lineWidth(widths) > window) {
      lines.push(columns);
      columns = [];
    }
    columns.push(column);
  }
  return [...lines, columns];
}

/** Cuts a cell to a width, whole letters only. */
function cutCell(cell: string, width: number): string {
  if (widthOf(cell) <= width) return cell;
  let beginning = '';
  for (const { segment } of SEGMENTER.segment(cell)) {
    if (widthOf(beginning + segment) > width - 1) break;
    beginning += segment;
  }
  return `${beginning}…`;
}
