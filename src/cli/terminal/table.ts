/** Draws rows as aligned columns that fit the window of a screen. */
import widthOf from 'string-width';
import { alignColumns, columnWidths } from '../../core/words.ts';

type Rows = readonly (readonly string[])[];

/** Splits text into letters as people see them. */
const SEGMENTER = new Intl.Segmenter();

/** No column is cut below this width. */
const LEAST_WIDTH = 8;
/**
 * Draws a table.
 * @param window columns of the screen. Without it nothing is cut.
 * @param uncut columns that are never cut: part of an amount is another amount. If they do not fit, lines are wider than the window.
 */
export function table(rows: Rows, window = Number.POSITIVE_INFINITY, uncut: readonly number[] = []): string {
  const widths = fittedWidths(columnWidths(rows, widthOf), window, uncut);
  const cells = rows.map((row) => row.map((cell, column) => cutCell(cell, widths[column] ?? 0)));
  return `${alignColumns(cells, widthOf, widths).join('\n')}\n`;
}

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
